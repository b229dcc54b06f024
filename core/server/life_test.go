package server_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/server"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// A normal stop without controlled shutdown closes the session: registration and /controller vanish together.
func TestStop(t *testing.T) {
	w, _ := world(t, 1, 2)
	start(t, w, 1, 2)
	s := w.Server(1)
	require.NoError(t, w.StopBroker(1))
	require.NoError(t, w.RunToIdle(100_000, nil))
	done, why := s.Exited()
	require.True(t, done)
	require.Equal(t, "", why)
	require.Equal(t, server.NotRunning, s.State())
	require.True(t, w.Server(2).Controller().IsActive())
}

// 1.7: after an expiry the process registers again under a new broker epoch and its listeners read again.
func TestSessionExpiry(t *testing.T) {
	w, store := world(t, 1, 2)
	start(t, w, 1, 2)
	before := w.Server(2).Epoch()
	require.NoError(t, w.ExpireSession(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Greater(t, w.Server(2).Epoch(), before)
	lanes := store.lanes(store.order[len(store.order)-1])
	require.Equal(t, []string{"children /config/changes"}, lanes["config"])
	require.Equal(t, []string{"get /feature"}, lanes["feature"])
	require.Equal(t, server.Running, w.Server(2).State())
}

// 13.1: three attempts, controlled.shutdown.retry.backoff.ms apart, then the shutdown goes on. The controller is frozen, so
// each attempt ends with controller.socket.timeout.ms.
func TestControlledShutdownGivesUp(t *testing.T) {
	w, _ := world(t, 1, 2)
	require.NoError(t, w.SetBrokerProps(2, map[string]string{"controlled.shutdown.enable": "true", "controller.socket.timeout.ms": "1000"}))
	start(t, w, 1, 2)
	s := w.Server(2)
	require.NoError(t, w.PauseBroker(1))
	require.NoError(t, w.StopBroker(2))
	at := w.Now()
	var states []server.State
	require.NoError(t, w.RunToIdle(100_000, func() bool {
		if n := len(states); n == 0 || states[n-1] != s.State() {
			states = append(states, s.State())
		}
		done, _ := s.Exited()
		return done
	}))
	require.InDelta(t, 3*1000+2*5000, w.Now()-at, 100)
	require.Equal(t, []server.State{server.Running, server.PendingControlledShutdown, server.ShuttingDown, server.NotRunning}, states)
}

// A process that is still starting cannot be shut down: it ends, and its registration stays until the session expires.
func TestStopWhileStarting(t *testing.T) {
	w, _ := world(t, 1)
	require.NoError(t, w.StartBroker(1))
	s := w.Server(1)
	require.NoError(t, w.RunToIdle(100_000, func() bool { return s.Epoch() != 0 }))
	require.NoError(t, w.StopBroker(1))
	done, why := s.Exited()
	require.True(t, done)
	require.Equal(t, "Kafka server is still starting up, cannot shut down!", why)
}

// Every note tells exactly what the dump shows, also when a process ends by itself and starts again.
func TestDocumentOfAProcessThatEnds(t *testing.T) {
	r := trace.NewRecorder()
	w := sim.New(sim.Config{Setup: sim.Setup{Brokers: []sim.BrokerSetup{{ID: 1}, {ID: 2}}}, Seed: 1,
		Store: zkmem.New(zkmem.Options{}), Recorder: r})
	r.Sink = func(s *trace.Step) {
		if s.Msg == "world.process-ended" || s.Kind == env.SessionCut || s.Kind == env.WatchLost || s.Kind == env.ReqDrop {
			return // the world's own steps while it takes a process away
		}
		full := trace.NewDocument()
		w.Dump(full)
		if d, differs := r.Doc().FirstDifference(full); differs {
			require.Fail(t, "document and dump differ", "after %d %s\n%s", s.I, s.Msg, d.Text())
		}
	}
	defer func() { require.NoError(t, w.Close()) }()
	start(t, w, 1, 2)
	create(t, w, request.NewTopic{Name: "t", Assignment: [][]kafka.BrokerID{{2, 1}}})
	require.NoError(t, w.CrashBroker(2))
	require.NoError(t, w.StartBroker(2))
	require.NoError(t, w.RunToIdle(100_000, nil))
	require.Equal(t, "ZooKeeper answered NODEEXISTS for /brokers/ids/2", r.Doc().Get("broker", "2", "exit"))
	require.Equal(t, int64(0), r.Doc().Get("broker", "2", "log", "t-0"))
	start(t, w, 2)
	require.Nil(t, r.Doc().Get("broker", "2", "exit"))
	require.Equal(t, "follower", r.Doc().Get("broker", "2", "replica", "t-0", "role"))
	require.Equal(t, []any{int64(1), int64(2)}, r.Doc().Get("broker", "1", "replica", "t-0", "isr"))
}
