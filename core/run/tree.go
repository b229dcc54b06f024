package run

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zktree"
	"controllerscope/core/zkdata"
)

// orphanTimeoutMS is what is left to the sessions of a tree: Kafka's zookeeper.session.timeout.ms.
const orphanTimeoutMS = 18_000

// plant begins the store with the tree of the inputs. Whoever owned nodes of it is gone, as after a crash: its session
// expires when it would.
func (r *Run) plant() error {
	if r.in.Tree == "" {
		return nil
	}
	tree, err := zktree.Read(r.in.Name+" tree", r.in.Tree)
	if err != nil {
		return err
	}
	planter, can := r.opts.Store.(zk.Planter)
	if !can {
		return errors.New("a tree can be loaded into the emulator only: a real ZooKeeper makes its own versions and sessions")
	}
	r.orphans = orphans(tree)
	return planter.Plant(sim.Epoch, tree)
}

// orphans are the sessions that own nodes of a tree, in the order in which they come up. A broker's is known by its
// registration.
func orphans(tree zktree.Tree) (out []sim.Orphan) {
	for _, n := range tree {
		if n.Owner == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(o sim.Orphan) bool { return o.Session == n.Owner })
		if i < 0 {
			i = len(out)
			out = append(out, sim.Orphan{Session: n.Owner, TimeoutMS: orphanTimeoutMS, Broker: kafka.NoBroker})
		}
		if id, is := registration(n.Path); is {
			out[i].Broker = id
		}
	}
	return out
}

// registration is the broker whose znode this is.
func registration(path string) (kafka.BrokerID, bool) {
	word, below := strings.CutPrefix(path, zkdata.BrokerIDsPath+"/")
	id, err := strconv.ParseInt(word, 10, 32)
	return kafka.BrokerID(id), below && err == nil && id >= 0
}

// TakeOver is a script in which the brokers of a tree, all of them gone, start again one after the other: those that were
// registered, and those that replicas are assigned to. A topic that cannot be read names none.
func TakeOver(tree zktree.Tree) (string, error) {
	ids := map[kafka.BrokerID]bool{}
	for _, n := range tree {
		if id, is := registration(n.Path); is {
			ids[id] = true
		}
		topic, below := strings.CutPrefix(n.Path, zkdata.TopicsPath+"/")
		if !below || strings.Contains(topic, "/") {
			continue
		}
		t, err := zkdata.DecodeTopic(topic, n.Data)
		if err != nil {
			continue // what a controller makes of a damaged topic is what the run shows
		}
		for _, p := range kafka.SortedKeys(t.Partitions) {
			for _, id := range t.Partitions[p].Replicas {
				ids[id] = true
			}
		}
	}
	if len(ids) == 0 {
		return "", errors.New("the tree knows no broker: nothing is under " + zkdata.BrokerIDsPath + " and no replica is assigned; is it a Kafka's?")
	}
	var words []string
	var starts strings.Builder
	for _, id := range kafka.SortedKeys(ids) {
		words = append(words, id.String())
		fmt.Fprintf(&starts, "broker start %d\nuntil idle\n", id)
	}
	return "cluster brokers=" + strings.Join(words, ",") + "\nuntil idle\n" + starts.String(), nil
}
