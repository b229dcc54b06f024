package kafkaplay

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/site/fidelity"
)

// asked are recordings of our own choosing, made with make oracle, and their numbers of steps.
var asked = map[string]int{
	"g01-reassign-replaced":                             11,
	"g02-reassign-old-leader-dies":                      11,
	"g03-delete-partition-leader-dead-controller-moves": 10,
	"g04-expiry-during-reassignment":                    10,
	"g05-shutdown-twice":                                10,
	"g06-shutdown-last-isr":                             9,
	"g07-add-partitions-while-deleting":                 11,
	"g08-elect-during-reassignment":                     13,
	"g09-lost-reply-reassign":                           8,
	"g10-lost-reply-marker":                             7,
	"g11-lost-reply-controller":                         7,
	"g12-ibp24-life":                                    10,
	"g13-ibp11-life":                                    8,
	"g14-logdir-leader-and-delete":                      12,
	"g15-racks-change":                                  9,
	"g16-unclean-broker-default":                        11,
	"g17-delete-two-with-dead":                          10,
	"g18-expire-two":                                    8,
	"g19-reassign-many-one-topic":                       10,
	"g20-broker-start-order":                            10,
	"g21-znode-by-hand":                                 9,
	"g22-alterisr-bad":                                  10,
	"g23-bounce-reassigning":                            12,
	"g24-delete-during-preferred":                       10,
	"g25-reassign-znode-mixed":                          10,
	"g26-isr-shrink-dead":                               12,
	"g27-controller-stops-reassigning":                  12,
	"g28-auto-create-ids":                               8,
	"g29-rebalance-with-dead":                           9,
}

// unmatched are recordings with a step that the replay cannot bring about yet, from 1, and what is in its way: which of
// several places fit for an event is not found. Steps before it must pass; what follows it is not compared.
var unmatched = map[string]int{
	"g27-controller-stops-reassigning": 9, // the order of a stopping controller's last events
}

func TestAskedRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/oracle/*.json.gz")
	require.NoError(t, err)
	require.Len(t, files, len(asked))
	var rows []fidelity.Row
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json.gz")
		t.Run(name, func(t *testing.T) {
			rec := read(t, "oracle/"+name)
			require.Len(t, rec.Steps, asked[name])
			if stop := unmatched[name]; stop > 0 {
				rec.Steps = rec.Steps[:stop-1]
			}
			report, err := Play(rec, Options{exact: true})
			require.NoError(t, err)
			rows = append(rows, row(name, asked[name], report))
			for _, s := range report.Steps {
				for _, f := range s.Failures {
					t.Error(f)
				}
			}
		})
	}
	tell(t, "kafka-2-asked", rows)
}

// row is what the site tells of a replayed recording.
func row(name string, steps int, r Report) fidelity.Row {
	return fidelity.Row{Name: name, Steps: steps, Played: len(r.Steps), Passed: r.Passed(), Failed: r.Failed()}
}

// tell hands the results to the site, when every recording was played.
func tell(t *testing.T, name string, rows []fidelity.Row) {
	if f := flag.Lookup("test.run"); f != nil && strings.Contains(f.Value.String(), "/") {
		return
	}
	require.NoError(t, fidelity.Write("../../..", name, fidelity.Result{Against: "Kafka 2.8.2", Played: "core/sim", Core: run.Version, Rows: rows}))
}
