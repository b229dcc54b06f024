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

// asked are recordings of our own choosing, made with make oracle, and their numbers of steps. A number behind a name is
// another recording of the same script, which went another way.
var asked = map[string]int{
	"g01-reassign-replaced":                             11,
	"g01-reassign-replaced-2":                           11,
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
	"g26-isr-shrink-dead-2":                             12,
	"g27-controller-stops-reassigning":                  12,
	"g27-controller-stops-reassigning-2":                12,
	"g28-auto-create-ids":                               8,
	"g29-rebalance-with-dead":                           9,
	"h01-delete-dead-then-reassign":                     13,
	"h02-elect-while-rebalancing":                       12,
	"h03-logdir-of-target":                              14,
	"h04-unclean-by-configs":                            15,
	"h05-ibp26-controller-dies":                         13,
	"h05-ibp26-controller-dies-2":                       13, // what the dead controller had sent is dealt with first
	"h06-controller-moves-in-deletion":                  12,
	"h07-topics-at-once":                                12,
	"h08-partitions-while-down":                         13,
	"h09-stale-both":                                    12,
	"h10-feature-znode":                                 13,
	"h11-replication-factor":                            14,
	"h12-controller-paused":                             11,
	"h12-controller-paused-2":                           11,
	"h14-shutdown-requests":                             12,
	"h15-create-on-dead":                                11,
	"h16-delete-reassigning-failover":                   11,
	"h17-election-znode-failover":                       10,
	"h18-topic-recreated":                               14,
	"h19-topic-znode-old":                               11,
	"h20-epoch-by-hand":                                 9,
	"h21-lag-shrinks":                                   13,
	"h22-ibp27-life":                                    10,
	"h23-ibp22-life":                                    10,
	"h24-ibp10-life":                                    10,
	"h25-listener-restart":                              10,
	"h26-quotas-and-restart":                            15,
	"h26-quotas-and-restart-2":                          15,
	"h27-isr-order":                                     6,
	"k01-two-die-deleting-reassigning":                  15,
	"k02-shutdown-beside-failed-dir":                    15,
	"k03-unclean-topic-config-failover":                 16,
	"k04-preferred-partial-isr":                         13,
	"k05-ids-downgraded-controller":                     22,
	"k06-ibp26-notices-controller-moves":                12,
	"k07-ibp25-reassign-and-shutdown":                   11,
	"k08-deleted-recreated-controller-expires":          12,
	"k09-controller-stops-beside-dead":                  10,
	"k10-unclean-by-hand-after-growth":                  13,
	"k11-cancel-under-next-controller":                  17,
	"k12-unclean-default-and-overrides":                 14,
	"k13-deletion-two-dead-failover":                    14,
	"k14-ibp23-dead-replica-deleted":                    9,
	"k15-retried-stops":                                 11,
	"l01-lost-reply-delete":                             10,
	"l02-lost-reply-config":                             7,
	"l03-topic-by-hand":                                 9,
	"l04-many-topics":                                   15,
	"l05-logdir-follower":                               12,
	"l06-clock-back":                                    11,
	"l07-ibp011-life":                                   8,
	"l08-reassign-same":                                 14,
	"l09-admin-znodes":                                  12,
	"l10-crash-two":                                     14,
	"l11-pause-controller":                              12,
	"l12-unclean-many":                                  14,
	"l13-controllers-in-turn":                           13,
	"l14-partitions-of-deleted":                         9,
	"l15-drawn-105":                                     15,
	"l16-drawn-110":                                     15,
	"l17-drawn-119":                                     13,
	"l18-drawn-111":                                     15,
	"l19-two-notices":                                   8,
	"l20-two-dozen-partitions":                          13,
	"l21-ibp25-notices":                                 12,
	"l22-partition-numbers":                             9,
	"l23-configs-for-dead":                              16,
	"l24-drawn-153":                                     14,
	"l25-drawn-202":                                     16,
	"l26-drawn-211":                                     12,
}

// unordered are the recordings in which requests that were in flight together have another order than ours, with the reason.
// Everywhere else the controller's are in Scala's order, one by one.
var unordered = map[string]string{
	"k04-preferred-partial-isr":        allOfCache,
	"k09-controller-stops-beside-dead": allOfCache,
	"l12-unclean-many":                 allOfCache,
}

const allOfCache = "an election for * takes the partitions out of an AnyRefMap of LongMaps, whose orders are not modelled"

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
			report, err := Play(rec, Options{exact: true, order: unordered[name] == ""})
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
