package zkclient

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// The conversation of a first broker's start as a real Kafka 2.8.2 has it (recording 01-start-racks).
func TestTopLevelPathsAndClusterID(t *testing.T) { // ZKC-46, ZKC-44
	w := newWorld(t)
	c := w.client("1")
	require.NoError(t, c.CreateTopLevelPaths())
	_, found, err := c.GetClusterID()
	require.NoError(t, err)
	require.False(t, found)
	id, err := c.CreateOrGetClusterID("Hzvog2WQRpa76HbTpr9boA")
	require.NoError(t, err)
	require.Equal(t, "Hzvog2WQRpa76HbTpr9boA", id)
	require.Equal(t, []string{
		"1 create /consumers OK",
		"1 create /brokers/ids NONODE", "1 create /brokers OK", "1 create /brokers/ids OK",
		"1 create /brokers/topics OK",
		"1 create /config/changes NONODE", "1 create /config OK", "1 create /config/changes OK",
		"1 create /admin/delete_topics NONODE", "1 create /admin OK", "1 create /admin/delete_topics OK",
		"1 create /brokers/seqid OK", "1 create /isr_change_notification OK", "1 create /latest_producer_id_block OK",
		"1 create /log_dir_event_notification OK", "1 create /config/topics OK", "1 create /config/clients OK",
		"1 create /config/users OK", "1 create /config/brokers OK", "1 create /config/ips OK",
		"1 get /cluster/id NONODE",
		"1 create /cluster/id NONODE", "1 create /cluster OK", "1 create /cluster/id OK",
	}, w.take())
	data, _, _ := w.store.Node("/brokers/ids")
	require.Nil(t, data)

	require.NoError(t, c.CreateTopLevelPaths(), "a second broker finds everything")
	require.Len(t, w.take(), 14)
	id, err = c.CreateOrGetClusterID("another")
	require.NoError(t, err)
	require.Equal(t, "Hzvog2WQRpa76HbTpr9boA", id)
	require.Equal(t, []string{"1 create /cluster/id NODEEXISTS", "1 get /cluster/id OK"}, w.take())
}

func TestCreateRecursive(t *testing.T) { // ZKC-06
	w, c := fixture(t)
	require.NoError(t, c.CreateRecursive("/create-newrootpath", nil, true))
	require.NoError(t, c.CreateRecursive("/create/some/path", []byte("x"), true))
	require.Equal(t, []string{"1 create /create-newrootpath OK", "1 create /create/some/path NONODE", "1 create /create/some NONODE",
		"1 create /create OK", "1 create /create/some OK", "1 create /create/some/path OK"}, w.take())
	require.NoError(t, c.CreateRecursive("/create/some/path", nil, false))
	require.ErrorIs(t, c.CreateRecursive("/create/some/path", nil, true), zk.NodeExists)
	require.EqualError(t, c.CreateRecursive("create-invalid-path", nil, false), `the path "create-invalid-path" must begin with a slash`)
	data, _, _ := w.store.Node("/create/some/path")
	require.Equal(t, "x", string(data))
}

func TestDeleteRecursive(t *testing.T) { // ZKC-04
	w, c := fixture(t)
	there, err := c.DeleteRecursive("/delete/does-not-exist", kafka.MatchAnyVersion)
	require.NoError(t, err)
	require.False(t, there)
	require.NoError(t, c.MakeSurePersistentPathExists("/delete/some/path"))
	w.take()
	there, err = c.DeleteRecursive("/delete", 0)
	require.NoError(t, err)
	require.True(t, there)
	fenced := func(path string) string { return "1 multi[check /controller_epoch v0, delete " + path + " v-1] OK" }
	require.Equal(t, []string{"1 children /delete OK", "1 children /delete/some OK", "1 children /delete/some/path OK",
		fenced("/delete/some/path"), fenced("/delete/some"), fenced("/delete")}, w.take())
	_, err = c.DeleteRecursive("delete-invalid-path", kafka.MatchAnyVersion)
	require.EqualError(t, err, `the path "delete-invalid-path" must begin with a slash`)
	_, err = c.DeleteRecursive("/controller_epoch", 9)
	require.ErrorIs(t, err, ErrControllerMoved)
}

func TestDataAndVersion(t *testing.T) { // ZKC-10
	w, c := fixture(t)
	data, version, err := c.GetDataAndVersion("/testpath")
	require.NoError(t, err)
	require.Nil(t, data)
	require.Equal(t, UnknownVersion, version)
	updated, version, err := c.ConditionalUpdatePath("/testpath", nil, 0, nil)
	require.NoError(t, err)
	require.False(t, updated)
	require.Equal(t, UnknownVersion, version)
	w.put("/testpath", "")
	for i, text := range []string{"version1", "version2"} {
		updated, version, err = c.ConditionalUpdatePath("/testpath", []byte(text), int32(i), nil)
		require.NoError(t, err)
		require.True(t, updated)
		require.EqualValues(t, i+1, version)
		data, version, err = c.GetDataAndVersion("/testpath")
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		require.EqualValues(t, i+1, version)
	}
	updated, version, err = c.ConditionalUpdatePath("/testpath", nil, 0, nil)
	require.NoError(t, err)
	require.False(t, updated)
	require.Equal(t, UnknownVersion, version)
	updated, version, err = c.ConditionalUpdatePath("/testpath", nil, 0, func() (bool, int32, error) { return true, 2, nil })
	require.NoError(t, err)
	require.True(t, updated)
	require.EqualValues(t, 2, version)
}

func TestSequentialPaths(t *testing.T) { // ZKC-12
	w, c := fixture(t)
	_, err := c.CreateSequentialPersistentPath("/testpath/sequence_", nil)
	require.ErrorIs(t, err, zk.NoNode)
	w.put("/testpath", "")
	for _, want := range []string{"/testpath/sequence_0000000000", "/testpath/sequence_0000000001"} {
		name, err := c.CreateSequentialPersistentPath("/testpath/sequence_", nil)
		require.NoError(t, err)
		require.Equal(t, want, name)
	}
	// A lost answer leaves a second node behind.
	c.current().faults = []fault{lostAnswer}
	name, err := c.CreateSequentialPersistentPath("/testpath/sequence_", nil)
	require.NoError(t, err)
	require.Equal(t, "/testpath/sequence_0000000003", name)
}

func TestProducerIDBlocks(t *testing.T) {
	w, c := clusterFixture(t)
	block, err := c.NewProducerIDBlock(1)
	require.NoError(t, err)
	require.Equal(t, zkdata.ProducerIDBlock{Broker: 1, Start: 0, End: 999}, block)
	require.Equal(t, []string{"1 get /latest_producer_id_block OK", "1 set /latest_producer_id_block v0 OK"}, w.take())
	c.current().faults = []fault{none, lostAnswer}
	block, err = c.NewProducerIDBlock(2)
	require.NoError(t, err)
	require.Equal(t, zkdata.ProducerIDBlock{Broker: 2, Start: 1000, End: 1999}, block)
	data, stat, _ := w.store.Node("/latest_producer_id_block")
	require.Equal(t, `{"version":1,"broker":2,"block_start":"1000","block_end":"1999"}`, string(data))
	require.EqualValues(t, 2, stat.Version, "the lost answer is recognised by the content")
	// A block that another broker took in between is not taken for one's own.
	c.current().faults = []fault{none, lostRequest}
	w.events = append(w.events, func() {
		_, err := w.second().NewProducerIDBlock(3)
		require.NoError(t, err)
	})
	block, err = c.NewProducerIDBlock(2)
	require.NoError(t, err)
	require.Equal(t, zkdata.ProducerIDBlock{Broker: 2, Start: 3000, End: 3999}, block)
}

func TestFeatureZNode(t *testing.T) {
	w, c := fixture(t)
	f := zkdata.FeatureZNode{Status: zkdata.FeatureEnabled, Features: zkdata.Features{}}
	_, err := c.UpdateFeatureZNode(f)
	require.ErrorIs(t, err, zk.NoNode)
	require.NoError(t, c.CreateFeatureZNode(f))
	require.ErrorIs(t, c.CreateFeatureZNode(f), zk.NodeExists)
	version, err := c.UpdateFeatureZNode(f)
	require.NoError(t, err)
	require.EqualValues(t, 1, version)
	require.Equal(t, []string{"1 set /feature v-1 NONODE", "1 create /feature OK", "1 create /feature NODEEXISTS", "1 set /feature v-1 OK"}, w.take())
}
