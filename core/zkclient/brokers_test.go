package zkclient

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

func broker(id kafka.BrokerID, host string) zkdata.BrokerInfo {
	return zkdata.DefaultBrokerInfo(kafka.Broker{ID: id, Endpoints: []kafka.Endpoint{{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: host, Port: 9092}}})
}

const registration = "1 multi[create /brokers/ids/1 ephemeral, set /brokers/ids/1 v0]"

func clusterFixture(t *testing.T) (*world, *Client) {
	w, c := fixture(t)
	require.NoError(t, c.CreateTopLevelPaths())
	w.take()
	return w, c
}

func TestRegisterBroker(t *testing.T) { // ZKC-30
	w, c := clusterFixture(t)
	epoch, err := c.RegisterBroker(broker(1, "a"))
	require.NoError(t, err)
	_, stat, found := w.store.Node("/brokers/ids/1")
	require.True(t, found)
	require.Equal(t, epoch, stat.Czxid)
	require.EqualValues(t, 1, stat.Version, "created with null data, then set, in one transaction")
	require.Equal(t, stat.Czxid, stat.Mzxid)
	require.Equal(t, []string{registration + " OK"}, w.take())

	again, err := c.RegisterBroker(broker(1, "b"))
	require.NoError(t, err)
	require.Equal(t, epoch, again)
	require.Equal(t, []string{registration + " NODEEXISTS RUNTIMEINCONSISTENCY", "1 get /brokers/ids/1 OK"}, w.take())

	other := w.second()
	w.take()
	_, err = other.RegisterBroker(broker(1, "b"))
	require.ErrorIs(t, err, zk.NodeExists)
	require.EqualError(t, err, "ZooKeeper answered NODEEXISTS for /brokers/ids/1")
	info, found, err := other.GetBroker(1)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "a", info.Endpoints[0].Host)
}

func TestRegisterBrokerAfterALostAnswer(t *testing.T) {
	w, c := clusterFixture(t)
	c.current().faults = []fault{lostAnswer}
	epoch, err := c.RegisterBroker(broker(1, "a"))
	require.NoError(t, err)
	_, stat, _ := w.store.Node("/brokers/ids/1")
	require.Equal(t, stat.Czxid, epoch)
	require.Equal(t, []string{registration + " OK", "Disconnected", "Connected",
		registration + " NODEEXISTS RUNTIMEINCONSISTENCY", "1 get /brokers/ids/1 OK"}, w.take())
}

func TestRegisterBrokerOverItsOwnLeftOver(t *testing.T) { // ZOOKEEPER-2985
	w, c := clusterFixture(t)
	first, err := c.RegisterBroker(broker(1, "a"))
	require.NoError(t, err)
	// The client believes its session is over, but the server has kept the ephemeral znode.
	c.current().become(zk.Expired)
	w.Wait("session", func() bool { return c.State() == zk.Connected })
	w.take()
	second, err := c.RegisterBroker(broker(1, "a"))
	require.NoError(t, err)
	require.Greater(t, second, first)
	require.Equal(t, []string{registration + " NODEEXISTS RUNTIMEINCONSISTENCY", "1 get /brokers/ids/1 OK",
		"1 delete /brokers/ids/1 v-1 OK", registration + " OK"}, w.take())
}

func TestRegisterBrokerWhenTheLeftOverGoesAway(t *testing.T) {
	w, c := clusterFixture(t)
	other := w.second()
	_, err := other.RegisterBroker(broker(1, "b"))
	require.NoError(t, err)
	w.take()
	c.current().faults = []fault{none, lostRequest}
	w.events = append(w.events, other.current().expire)
	_, err = c.RegisterBroker(broker(1, "a"))
	require.NoError(t, err)
	require.Equal(t, []string{registration + " NODEEXISTS RUNTIMEINCONSISTENCY", "Disconnected", "Expired", "Connected",
		"1 get /brokers/ids/1 NONODE", registration + " OK"}, w.take())
}

func TestReadingBrokers(t *testing.T) { // ZKC-32
	w, c := clusterFixture(t)
	brokers, err := c.GetAllBrokerAndEpochsInCluster()
	require.NoError(t, err)
	require.Empty(t, brokers)
	_, found, err := c.GetBroker(0)
	require.NoError(t, err)
	require.False(t, found)

	epochs := map[kafka.BrokerID]int64{}
	for _, id := range []kafka.BrokerID{10, 9} {
		epochs[id], err = c.RegisterBroker(broker(id, "h"))
		require.NoError(t, err)
	}
	w.take()
	c.RegisterZNodeChildChangeHandler("/brokers/ids", func() {})
	c.RegisterZNodeChangeHandler("/brokers/ids/10", ZNodeChangeHandler{})
	brokers, err = c.GetAllBrokerAndEpochsInCluster()
	require.NoError(t, err)
	require.Equal(t, []BrokerAndEpoch{{broker(9, "h"), epochs[9]}, {broker(10, "h"), epochs[10]}}, brokers)
	require.Equal(t, []string{"1 children /brokers/ids watch OK", "2 get /brokers/ids/9 OK", "2 get /brokers/ids/10 watch OK"}, w.take())

	require.NoError(t, c.UpdateBrokerInfo(broker(9, "new")))
	infos, err := c.GetAllBrokersInCluster()
	require.NoError(t, err)
	require.Equal(t, []zkdata.BrokerInfo{broker(9, "new"), broker(10, "h")}, infos)
	require.ErrorIs(t, c.UpdateBrokerInfo(broker(3, "h")), zk.NoNode)

	w.put("/brokers/ids/x", "")
	_, err = c.GetSortedBrokerList()
	require.EqualError(t, err, `/brokers/ids/x: "x" is not a broker id`)
}

func TestVanishedBrokerIsSkipped(t *testing.T) {
	w, c := clusterFixture(t)
	other := w.second()
	_, err := other.RegisterBroker(broker(1, "h"))
	require.NoError(t, err)
	_, err = c.RegisterBroker(broker(2, "h"))
	require.NoError(t, err)
	c.current().faults = []fault{none, lostRequest}
	w.events = append(w.events, other.current().expire)
	infos, err := c.GetAllBrokersInCluster()
	require.NoError(t, err)
	require.Equal(t, []zkdata.BrokerInfo{broker(2, "h")}, infos)
}

func TestBrokerSequenceID(t *testing.T) {
	w, c := fixture(t)
	for want := int32(1); want <= 2; want++ {
		n, err := c.GenerateBrokerSequenceID()
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	require.Equal(t, "1 set /brokers/seqid v-1 NONODE", w.take()[0])
}
