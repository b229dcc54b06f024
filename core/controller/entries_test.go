package controller

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// numberedEntry is an entry that shows how often it was asked for.
type numberedEntry struct{ times int }

// asked are lists of partitions as a batch is asked for them.
func asked() map[string][]kafka.TopicPartition {
	var up []kafka.TopicPartition
	for t := range 3 {
		for p := range int32(chunk) {
			up = append(up, tpOf(fmt.Sprintf("t%d", t), p))
		}
	}
	down := slices.Clone(up)
	slices.Reverse(down)
	var third []kafka.TopicPartition
	for i := 0; i < len(up); i += 3 {
		third = append(third, up[i])
	}
	return map[string][]kafka.TopicPartition{
		"ascending": up, "descending": down,
		"the last one again":  {up[5], up[9], up[9]},
		"twice in order":      slices.Concat(up, up),
		"with gaps":           slices.Concat(third, up, third),
		"up, then before all": slices.Concat(up[chunk:], up[:7], up[chunk:]),
	}
}

// Whatever order partitions come in, each has one entry, entries stand in the order in which they came first, and the sorted
// list has each of them once.
func TestEntriesKeepOneForEachPartition(t *testing.T) {
	for name, tps := range asked() {
		t.Run(name, func(t *testing.T) {
			var e entries[numberedEntry]
			times := map[kafka.TopicPartition]int{}
			var came []kafka.TopicPartition
			for _, tp := range tps {
				if times[tp] == 0 {
					came = append(came, tp)
				}
				times[tp]++
				e.of(tp).times++
			}
			require.Equal(t, came, e.tps)
			for tp, n := range times {
				require.Equal(t, n, e.of(tp).times, tp)
			}
			require.Equal(t, came, e.tps, "asking again adds none")
			slices.SortFunc(came, kafka.ComparePartitions)
			require.Equal(t, came, e.sorted())
		})
	}
}

// What comes in order needs no map: taking office adds each partition once for each broker.
func TestEntriesInOrderNeedNoMap(t *testing.T) {
	all := asked()
	for name, made := range map[string]bool{"ascending": false, "twice in order": false, "with gaps": true, "the last one again": true} {
		var e entries[numberedEntry]
		for _, tp := range all[name] {
			e.of(tp)
		}
		require.Equal(t, made, e.other != nil, name)
	}
}
