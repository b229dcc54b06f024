package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
)

// Brokers that start after it send partitions in Scala's order, which for one small topic is the descending one.
func TestOrderOfRequests(t *testing.T) {
	for order, want := range map[string][]string{"sorted": {"t-0", "t-1"}, "scala": {"t-1", "t-0"}} {
		r := finished(t, run.Inputs{Script: "cluster brokers=1\norder " + order + "\nbroker start 1\nuntil idle\ntopic create t [1] [1]\nuntil idle\n"})
		var sent []string
		for _, s := range r.Trace().Steps {
			if s.Msg != "batch.send" || s.Arg("request") != "LeaderAndIsr" {
				continue
			}
			for _, d := range s.Diff {
				body, _ := d.After.(env.Record)
				list, _ := body.Get("partitions").([]any)
				for _, p := range list {
					sent = append(sent, p.(env.Record).Get("partition").(string))
				}
			}
		}
		require.Equal(t, want, sent, order)
	}
}
