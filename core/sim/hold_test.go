package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatCanBeHeld: threads, connections and choices that may come to exist, of brokers that the cluster has.
func TestWhatCanBeHeld(t *testing.T) {
	w, _ := watched(t, c3(nil))
	for _, what := range []string{"0", "2.startup", "1.api-3", "0.log-dir-failure-1", "admin.zk4", "net.0>2", "net.0>2/2", "net.2>0.fetch",
		"net.admin>1.api", "zk.0", "zk.1'2", "client.admin", "zk.0#5", "1.controller#7", "timer.0.retry 2#1", "answer.0>2#44", "expiry.1#2"} {
		require.NoError(t, w.CanHold(what), what)
	}
	for what, want := range map[string]string{
		"0.contoller": `"0.contoller" cannot be held: a broker has no thread "contoller"; it has acl, api, config, controller, `,
		"7":           "no broker 7; the cluster has [0 1 2]",
		"7.startup":   "no broker 7; the cluster has [0 1 2]",
		"net.0>9":     "no broker 9; the cluster has [0 1 2]",
		"net.9>0":     "no broker 9; the cluster has [0 1 2]",
		"net.0":       `"net.0" cannot be held: a connection has a sender and a recipient, such as net.0>2`,
		"zk.x":        `"zk.x" cannot be held: "x" is no broker`,
		"client.3":    "no broker 3; the cluster has [0 1 2]",
		"zk.0#0":      `"zk.0#0" cannot be held: the number of a choice is 1 or more`,
		"zk.0#one":    `"zk.0#one" cannot be held: the number of a choice is 1 or more`,
		"timer.0":     `"timer.0" cannot be held: expected a broker (its controller thread), BROKER.THREAD`,
	} {
		require.ErrorContains(t, w.CanHold(what), want, what)
		require.ErrorContains(t, w.Hold(what), want, what)
	}
}
