package conform

import (
	"fmt"
	"time"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/conform/zkplay"
	"controllerscope/headless/zkserver"
)

const (
	// historySteps is the length of one random history, without the reading at its end.
	historySteps = 100
	// shrinkLimit bounds how long a difference is made smaller; every try plays both servers.
	shrinkLimit = 2 * time.Minute
)

// compare plays random histories on the real server and the emulator until so many operations were made or one differs.
func (r *zookeeperRun) compare() int {
	real, code := r.reach()
	if code != exitOK {
		return code
	}
	server := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	defer server.Close()
	ours := emulator(server)
	done, histories := 0, 0
	for seed := r.seed; done < r.random; seed++ {
		c := zkplay.Random(seed, historySteps)
		d, err := zkplay.Compare(&c, real, ours)
		if err != nil {
			fmt.Fprintf(r.errw, "conform zookeeper: seed %d: %v\n", seed, err)
			return exitEnvironment
		}
		if d != nil && !r.again(&c, real, ours) {
			// On a busy machine a client can miss a time limit of its own. A difference that is real comes again.
			fmt.Fprintf(r.out, "seed %d, not a second time: %v\n", seed, d)
		} else if d != nil {
			c.Steps = c.Steps[:d.Step]
			small := smaller(c, real, ours)
			fmt.Fprintf(r.out, "seed %d: %v\n%s\n", seed, d, small.JSON())
			return exitFailed
		}
		done, histories = done+len(c.Steps), histories+1
		r.progress(fmt.Sprintf("%d of %d operations", done, r.random), done >= r.random)
	}
	fmt.Fprintf(r.out, "%d operations in %d histories from seed %d: no difference\n", done, histories, r.seed)
	return exitOK
}

// again reports whether a history differs when it is played once more.
func (r *zookeeperRun) again(c *zktest.Case, real, ours zkplay.Target) bool {
	d, err := zkplay.Compare(c, real, ours)
	return err != nil || d != nil
}

// smaller is a part of the case that still differs, as small as could be found in the time.
func smaller(c zktest.Case, real, ours zkplay.Target) zktest.Case {
	end := time.Now().Add(shrinkLimit)
	return zktest.Shrink(c, func(part *zktest.Case) bool {
		if time.Now().After(end) {
			return false
		}
		d, err := zkplay.Compare(part, real, ours)
		return err == nil && d != nil
	})
}
