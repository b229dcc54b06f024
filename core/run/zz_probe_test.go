package run_test
import ("testing";"controllerscope/core/run";"controllerscope/core/zk";"controllerscope/core/zk/zkmem";"os";"strconv")
func TestSwarmProbe(t *testing.T) {
	from,_ := strconv.Atoi(os.Getenv("FROM")); n,_ := strconv.Atoi(os.Getenv("N"))
	s := run.Swarm{Store: func() zk.Store { return zkmem.New(zkmem.Options{}) }}
	kinds := map[string]int{}
	for seed := from; seed < from+n; seed++ {
		f, err := s.Try(uint64(seed))
		if err != nil { t.Log("ERR", seed, err); continue }
		if f != nil { kinds[f.Broken[0]]++; t.Logf("seed %d %v\n%s\n%s", seed, f.Broken, f.Shrunk, f.At) }
	}
	t.Log(kinds)
}
