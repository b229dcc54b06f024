package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

// damaged are contents that no Kafka writes.
var damaged = []string{"", "{", "null", "[]", "7", `"x"`, "{}", `{"version":9}`, `{"version":1,"brokerid":"x"}`, "\x00\xff",
	`{"version":1,"partitions":{"0":["a"]}}`, `{"version":1,"partitions":{"x":[0]}}`, `{"version":1,"partitions":[]}`,
	`{"version":3,"partitions":{"0":[9,9]},"topic_id":"?"}`, `{"version":1,"leader":5,"isr":[],"leader_epoch":-1,"controller_epoch":99}`,
	`{"version":5,"endpoints":["nonsense"],"host":null,"port":-7,"listener_security_protocol_map":{}}`}

// write sets a node's data from outside, or creates it.
func write(t *testing.T, w *sim.World, path, data string) {
	t.Helper()
	out := w.Zk(zk.Op{Kind: zk.Set, Path: path, Data: []byte(data), Version: zk.AnyVersion})
	calm(t, w)
	if out.Error == zk.NoNode.Error() {
		out = w.Zk(zk.Op{Kind: zk.Create, Path: path, Data: []byte(data)})
		calm(t, w)
	}
	require.Equal(t, "", out.Error, path)
}

// calm runs to idle, or until brokers have long handed the office round: with a node that no controller can read, each one
// fails to take office and gives it up, for ever. That is what Kafka does, too.
func calm(t *testing.T, w *sim.World) {
	t.Helper()
	if err := w.RunToIdle(1200, nil); err != nil {
		require.ErrorAs(t, err, &sim.ErrRestless{})
	}
}

// TestDamagedNodes: whatever stands in a znode nothing falls over, and no change goes untold: while the controller in office
// reads it, and again when others take office or start over it.
func TestDamagedNodes(t *testing.T) {
	for _, path := range []string{"/brokers/ids/1", "/controller", "/controller_epoch", "/brokers/topics/orders",
		"/brokers/topics/orders/partitions/0/state", "/admin/reassign_partitions", "/admin/preferred_replica_election",
		"/isr_change_notification/isr_change_0000000001", "/log_dir_event_notification/log_dir_event_0000000001",
		"/admin/delete_topics/orders", "/config/changes/config_change_0000000001", "/config/topics/orders", "/feature", "/cluster/id"} {
		t.Run(path, func(t *testing.T) {
			for i, data := range damaged {
				if testing.Short() && i%4 != 1 {
					continue
				}
				w, r := running(t, short)
				write(t, w, path, data)
				for id := range kafka.BrokerID(3) {
					if w.Running(id) {
						require.NoError(t, w.CrashBroker(id))
						calm(t, w)
					}
				}
				for id := range kafka.BrokerID(3) {
					require.NoError(t, w.StartBroker(id))
					calm(t, w)
				}
				full := trace.NewDocument()
				w.Dump(full)
				d, differs := r.Doc().FirstDifference(full)
				require.False(t, differs, "%s: %s", data, d.Text())
				require.NoError(t, w.Close())
				require.Zero(t, w.Threads())
			}
		})
	}
}

// TestDamagedRegistration: the controller cannot read /brokers/ids/1; the event fails, it stays in office as it was.
func TestDamagedRegistration(t *testing.T) {
	w, r := cluster(t, short)
	before := len(r.Steps())
	write(t, w, "/brokers/ids/1", "{")
	failed := since(r, before, func(s *trace.Step) bool { return s.Kind == "event.fail" })
	require.Len(t, failed, 1)
	require.Equal(t, "BrokerModifications", failed[0].Arg("event"))
	require.Equal(t, kafka.BrokerID(0), w.ControllerInOffice())
	require.NotNil(t, r.Doc().Get("ctx", "0", "liveBrokerEpochs", "1"))
}

// TestDamagedController: /controller that is no JSON names nobody, so the controller in office resigns, and nobody runs for
// an office whose node is there.
func TestDamagedController(t *testing.T) {
	w, r := cluster(t, short)
	write(t, w, "/controller", "{")
	require.Equal(t, kafka.NoBroker, w.ControllerInOffice())
	require.Equal(t, 1, count(r, "resign.begin", "0.controller"))
	w.Zk(zk.Op{Kind: zk.Delete, Path: "/controller", Version: zk.AnyVersion})
	healthy(t, w, r, anybody)
	require.Equal(t, "2", r.Doc().Get("zk", "/controller_epoch", "data"))
}
