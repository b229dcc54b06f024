package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/run"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktree"
)

// recordedTree is the tree at the end of a recording of a real Kafka: all znodes that its steps set and did not delete.
// Recordings name ports and times by letters; sessions are numbered here by their owners.
func recordedTree(t *testing.T, file string) zktree.Tree {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	type node struct {
		Data      json.RawMessage
		Ephemeral *int64
		Version   int32
	}
	var recording struct {
		Steps []struct {
			Znodes struct {
				Set     map[string]node
				Deleted []string
			}
		}
	}
	require.NoError(t, json.NewDecoder(z).Decode(&recording))
	nodes := map[string]node{"/": {}}
	for _, s := range recording.Steps {
		for _, path := range s.Znodes.Deleted {
			delete(nodes, path)
		}
		for path, n := range s.Znodes.Set {
			nodes[path] = n
		}
	}
	for path := range nodes {
		for up := filepath.Dir(path); up != "/"; up = filepath.Dir(up) {
			if _, there := nodes[up]; !there {
				nodes[up] = node{}
			}
		}
	}
	var tree zktree.Tree
	for _, path := range kafka.SortedKeys(nodes) {
		n := nodes[path]
		plant := zk.Plant{Path: path, Data: plain(n.Data), Version: n.Version}
		if n.Ephemeral != nil {
			plant.Owner = zk.SessionID(0x1000 + *n.Ephemeral)
		}
		for other := range nodes {
			if other != "/" && filepath.Dir(other) == path {
				plant.Creates++
			}
		}
		tree = append(tree, plant)
	}
	tree.Sort()
	return tree
}

var (
	letters  = regexp.MustCompile(`"P(\d+)"`)
	topicIDs = regexp.MustCompile(`"id:[^"]*"`)
)

// plain is a znode's data with numbers where a recording has letters.
func plain(data json.RawMessage) []byte {
	var text string
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	if json.Unmarshal(data, &text) == nil {
		return []byte(text)
	}
	out := strings.ReplaceAll(string(data), `"timestamp":"T"`, `"timestamp":"0"`)
	out = strings.ReplaceAll(out, `"timestamp": "T"`, `"timestamp":"0"`)
	out = topicIDs.ReplaceAllStringFunc(out, func(word string) string {
		var id kafka.UUID
		copy(id[:], word[1:])
		return `"` + id.String() + `"`
	})
	out = letters.ReplaceAllString(out, `909$1`)
	return []byte(regexp.MustCompile(`:P(\d+)"`).ReplaceAllString(out, `:909$1"`))
}

// TestRealTreesAreTakenOver: over the tree that each recording ends with, the brokers start again; a new controller takes
// office with the next epoch, and everything that must hold of a world at rest holds.
func TestRealTreesAreTakenOver(t *testing.T) {
	files, err := filepath.Glob("conform/kafkaplay/testdata/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json.gz"), func(t *testing.T) {
			tree := recordedTree(t, file)
			again, err := zktree.Read("tree", tree.String())
			require.NoError(t, err)
			require.Equal(t, tree.String(), again.String())
			script, err := run.TakeOver(tree)
			require.NoError(t, err)
			r, err := run.Start(run.Inputs{Name: "tree", Tree: tree.String(), Script: script, Seed: 1},
				run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
			require.NoError(t, err)
			defer r.Close()
			require.NoError(t, r.Finish())
			id := r.World().ControllerInOffice()
			require.NotEqual(t, kafka.NoBroker, id)
			assert.Greater(t, int(r.World().Server(id).Controller().Epoch()), epochIn(tree))
			assert.Empty(t, sim.CheckSettled(r.Doc()))
			assert.Empty(t, sim.CheckLive(r.Doc()))
		})
	}
}

func epochIn(tree zktree.Tree) int {
	for _, n := range tree {
		if n.Path == "/controller_epoch" {
			epoch, _ := strconv.Atoi(string(n.Data))
			return epoch
		}
	}
	return 0
}

// TestDamagedTrees: a real tree with one damaged node is taken over as by 2.8.2. A topic, a state, a registration or a config
// that cannot be read stops no controller; an epoch that is no number leaves the cluster without one.
func TestDamagedTrees(t *testing.T) {
	for _, x := range []struct {
		path, data string
		controller kafka.BrokerID
	}{
		{"/brokers/topics/t", "not JSON", 1}, {"/brokers/topics/t", "{}", 1}, {"/brokers/topics/t/partitions/0/state", "not JSON", 1},
		{"/brokers/ids/1", "not JSON", 1}, {"/controller", "not JSON", 1}, {"/config/topics/t", "not JSON", 1},
		{"/controller_epoch", "many", kafka.NoBroker},
	} {
		t.Run(x.path+" "+x.data, func(t *testing.T) {
			tree := recordedTree(t, "conform/kafkaplay/testdata/25-reassign-cancel.json.gz")
			i := slices.IndexFunc(tree, func(n zk.Plant) bool { return n.Path == x.path })
			require.GreaterOrEqual(t, i, 0)
			tree[i].Data = []byte(x.data)
			script, err := run.TakeOver(tree)
			require.NoError(t, err)
			r, err := run.Start(run.Inputs{Name: "tree", Tree: tree.String(), Script: script, Seed: 1},
				run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
			require.NoError(t, err)
			defer r.Close()
			require.NoError(t, r.Finish())
			assert.Equal(t, x.controller, r.World().ControllerInOffice())
		})
	}
}
