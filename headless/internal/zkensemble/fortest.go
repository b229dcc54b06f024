package zkensemble

import "testing"

// ForTest starts servers for one test and stops them at its end. Without ZooKeeper the test fails with the sentence of
// Check; under -short it is skipped, and the skip says what it left out.
func ForTest(t testing.TB, o Options) *Ensemble {
	t.Helper()
	if testing.Short() {
		t.Skipf("skipped 1: -short leaves out what needs %d real ZooKeeper server(s)", max(o.Servers, 1))
	}
	e, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	return e
}
