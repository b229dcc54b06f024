package cases

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// F01a: all replicas of a partition fail one after another, then return in the wrong order.
func TestF01a(t *testing.T) { field(t, "F01a") }

// F01b: the dead leader was also the controller.
func TestF01b(t *testing.T) { field(t, "F01b") }

// F02: a broker restarts so fast that the controller sees no missing child.
func TestF02(t *testing.T) { field(t, "F02") }

// F03: the reply of a committed write is lost and the client repeats the write.
// The controller's memory and the leader stay behind what was written.
func TestF03(t *testing.T) {
	field(t, "F03", "context-equals-zookeeper /brokers/topics/t/partitions/0/state")
}

// F04: the operator deletes /controller while the old controller is busy.
func TestF04(t *testing.T) { field(t, "F04") }

// F05: the session of the active controller expires while requests wait in its queue. Two of them are answered that the
// controller moved, the shutting-down broker too (ControllerMovedException is STALE_CONTROLLER_EPOCH on the wire), which
// then asks the next one; a leader's proposal is never answered.
func TestF05(t *testing.T) {
	f := field(t, "F05")
	require.Len(t, f.reply, 4)
	require.Equal(t, kafka.NOT_CONTROLLER.Error(), f.reply[0].out.Error, "%+v", f.reply[0].out)
	require.Equal(t, kafka.NOT_CONTROLLER.Error(), f.reply[1].out.Error, "%+v", f.reply[1].out)
	require.Equal(t, kafka.STALE_CONTROLLER_EPOCH, f.reply[2].out.Answer.(request.ControlledShutdownResponse).Error)
	require.False(t, f.reply[3].out.Done, "nobody answers an AlterIsr that was preempted")
	var order []string
	for _, s := range f.Trace().Steps {
		event := fmt.Sprint(argOf(s, "event"))
		switch {
		case s.Kind == "event.preempt" && s.Lane[0] == '1':
			order = append(order, "preempt "+event)
		case s.Kind == "event.done" && event == "Expire":
			order = append(order, "Expire done")
		case s.Kind == "session.open" && len(order) > 0:
			order = append(order, "new session")
		case s.Kind == "event.done" && s.Lane[0] == '1' && event == "RegisterBrokerAndReelect":
			order = append(order, "registered")
		}
	}
	require.Equal(t, []string{"preempt ApiPartitionReassignment", "preempt ReplicaLeaderElection", "preempt ControlledShutdown",
		"preempt AlterIsrReceived", "preempt AutoPreferredReplicaLeaderElection", "Expire done", "new session", "registered"}, order)
	f.play("expect ctl[1].active = 2\nexpect ctl[1].isActive = false")
}

// F06: a topic is deleted while one replica is on a dead broker.
func TestF06(t *testing.T) { field(t, "F06") }

// F07: the operator removes a topic's znode by hand and creates the topic again.
// The brokers' replicas are older than the topic, so that the new leader epoch, 0 again, means nothing to them.
func TestF07(t *testing.T) {
	field(t, "F07", "leader-hosts t-0", "context-equals-zookeeper /brokers/topics/t", "context-equals-zookeeper /brokers/topics/t/partitions/0/state")
}

// F09: automatic rebalance: the threshold, and a foreign reassignment that blocks it.
func TestF09(t *testing.T) { field(t, "F09") }

// F10: every step of one reassignment.
func TestF10(t *testing.T) { field(t, "F10") }

// F11: /admin/reassign_partitions is overwritten while a reassignment runs.
// Its new content waits for a controller that reads it.
func TestF11(t *testing.T) { field(t, "F11", "context-equals-zookeeper /admin/reassign_partitions") }

// F12: a broker without replicas dies while some other partition is offline.
func TestF12(t *testing.T) { field(t, "F12") }
