package zktest

import (
	"fmt"
	"slices"
	"testing"

	"controllerscope/core/zk"
)

// ContainerClock tags cases that need a server that soon looks for containers to remove. A Store that leaves that to a real
// server's clock does not play them here.
const ContainerClock = "container-clock"

// Run plays every case, recorded or found, on a Store of its own and reports each difference as a failure. Expected values
// that only a real client knows (session states) are skipped and counted.
func Run(t *testing.T, newStore func() zk.Store) {
	t.Helper()
	passed, checked, skipped := 0, 0, 0
	for i, c := range slices.Concat(Recorded().Cases, Found().Cases) {
		t.Run(c.Name, func(t *testing.T) {
			store := newStore()
			defer func() {
				if err := store.Shutdown(); err != nil {
					t.Error(err)
				}
			}()
			if _, checks := store.(zk.ContainerChecker); !checks && slices.Contains(c.Tags, ContainerClock) {
				t.Skip("skipped 1: the store does not remove containers when it is told the time")
			}
			o, err := PlayOn(store, &c, fmt.Sprintf("/zktest-%d", i))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range o.Differences {
				t.Error(d)
			}
			checked, skipped = checked+o.Checked, skipped+o.Skipped
			if !t.Failed() {
				passed++
			}
		})
	}
	t.Logf("%d cases passed; %d values checked, %d skipped because they belong to a client", passed, checked, skipped)
}

// PlayOn plays one case on a Store under a base node of its own.
func PlayOn(store zk.Store, c *Case, base string) (Outcome, error) {
	p, err := NewStorePlayer(store, base)
	if err != nil {
		return Outcome{}, err
	}
	o, err := Replay(c, p)
	if err != nil {
		return o, err
	}
	return o, p.Finish()
}
