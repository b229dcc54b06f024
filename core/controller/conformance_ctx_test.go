package controller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// The cases of Kafka's ControllerContextTest, by id.

// ctxFixture is F-CTX: brokers 1, 2, 3 live with broker epoch 1; A-0 on [1,2,3], A-1 on [2,3,1], B-0 on [3,1,2].
func ctxFixture(t *testing.T) *controllerContext {
	x := testContext(t)
	for _, id := range ids(1, 2, 3) {
		x.addLiveBrokers([]liveBroker{{kafka.Broker{ID: id}, 1}})
	}
	for tp, list := range map[kafka.TopicPartition][]kafka.BrokerID{tpOf("A", 0): ids(1, 2, 3), tpOf("A", 1): ids(2, 3, 1), tpOf("B", 0): ids(3, 1, 2)} {
		require.NoError(t, x.putAssignment(tp, replicas(list...)))
	}
	return x
}

// CTX-01: storing a new assignment replaces the old one, verbatim.
func TestCTX_01(t *testing.T) {
	x := ctxFixture(t)
	require.NoError(t, x.putAssignment(tpOf("A", 0), replicas(4)))
	require.Equal(t, kafka.ReplicaAssignment{Replicas: ids(4)}, x.assignment(tpOf("A", 0)))
	odd := kafka.ReplicaAssignment{Replicas: ids(3), Adding: ids(1), Removing: ids(2)}
	require.NoError(t, x.putAssignment(tpOf("A", 0), odd))
	require.Equal(t, odd, x.assignment(tpOf("A", 0)))
}

// CTX-02: the replicas of an unknown topic or partition are an empty list.
func TestCTX_02(t *testing.T) {
	x := ctxFixture(t)
	require.Empty(t, x.assignment(tpOf("NONEXISTENT", 0)).Replicas)
	require.Empty(t, x.assignment(tpOf("A", 100)).Replicas)
}

// CTX-03: the full assignment of an unknown topic or partition is the empty one.
func TestCTX_03(t *testing.T) {
	x := ctxFixture(t)
	require.Equal(t, kafka.ReplicaAssignment{}, x.assignment(tpOf("NONEXISTENT", 0)))
	require.Equal(t, kafka.ReplicaAssignment{}, x.assignment(tpOf("A", 100)))
	require.False(t, x.isAssigned(tpOf("A", 100)))
}

// CTX-04: an unknown topic has no partitions.
func TestCTX_04(t *testing.T) {
	require.Empty(t, ctxFixture(t).partitionsForTopic("NONEXISTENT"))
}

// CTX-05: a topic has every partition of its own and no other.
func TestCTX_05(t *testing.T) {
	x := ctxFixture(t)
	require.Equal(t, []kafka.TopicPartition{tpOf("A", 0), tpOf("A", 1)}, x.partitionsForTopic("A"))
	require.Equal(t, ids(1, 2, 3), x.assignment(tpOf("A", 0)).Replicas)
	require.Equal(t, ids(2, 3, 1), x.assignment(tpOf("A", 1)).Replicas)
}

// CTX-06: target replicas, "being reassigned", and what re-targeting makes of an assignment.
func TestCTX_06(t *testing.T) {
	for _, c := range []struct {
		a           kafka.ReplicaAssignment
		target      []kafka.BrokerID
		reassigning bool
	}{
		{kafka.ReplicaAssignment{Replicas: ids(1, 2, 3, 4, 5, 6), Adding: ids(2, 3, 4), Removing: ids(1, 5, 6)}, ids(2, 3, 4), true},
		{kafka.ReplicaAssignment{Replicas: ids(1, 2, 3, 4), Removing: ids(1, 4)}, ids(2, 3), true},
		{kafka.ReplicaAssignment{Replicas: ids(1, 2, 3, 4), Adding: ids(4), Removing: ids(2)}, ids(1, 3, 4), true},
		{replicas(1, 2, 3, 4, 5, 6), ids(1, 2, 3, 4, 5, 6), false},
	} {
		require.Equal(t, c.target, c.a.Target())
		require.Equal(t, c.reassigning, c.a.IsReassigning())
	}
	for _, c := range []struct{ from, to, replicas, adding, removing []kafka.BrokerID }{
		{ids(1, 2, 3, 4), ids(4, 2, 5, 3), ids(4, 2, 5, 3, 1), ids(5), ids(1)},
		{ids(1, 2, 3), ids(4, 5, 6), ids(4, 5, 6, 1, 2, 3), ids(4, 5, 6), ids(1, 2, 3)},
		{ids(1, 2, 3), ids(3, 1, 2), ids(3, 1, 2), nil, nil},
	} {
		got := replicas(c.from...).ReassignTo(c.to)
		require.True(t, got.Equal(kafka.ReplicaAssignment{Replicas: c.replicas, Adding: c.adding, Removing: c.removing}), "%v", got)
		require.Equal(t, c.to, got.Target())
		require.Equal(t, len(c.adding) > 0, got.IsReassigning(), "an order that alone changes is no reassignment")
	}
}
