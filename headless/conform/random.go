package conform

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/conform/zkplay"
	"controllerscope/headless/internal/terminal"
	"controllerscope/headless/zkserver"
)

const (
	// historySteps is the length of one random history, without the reading at its end.
	historySteps = 100
	// shrinkLimit bounds how long a difference is made smaller; every try plays both servers. The steps of a failing
	// history are dropped one by one and in pairs: that takes about 100 tries. rapid, which makes the histories of go test,
	// takes thousands: nothing in memory, but half an hour on a real server.
	shrinkLimit = 2 * time.Minute
	// reportEvery is how often progress is told where nobody watches a terminal.
	reportEvery = 10 * time.Second
)

// comparison is a run of random histories on a real server and on the emulator.
type comparison struct {
	*zookeeperRun
	ctx        context.Context
	play       func(*zktest.Case) (*zktest.Difference, error)
	record     func(*zktest.Case) error // makes the real server's answers the expectations
	start      time.Time
	told       time.Time // when progress was told last
	operations int
	histories  int
	expiries   int
	once       int // differences that did not come a second time
}

// compare plays random histories on the real server and the emulator until so many operations were made or one differs.
func (r *zookeeperRun) compare() int {
	real, code := r.reach()
	if code != exitOK {
		return code
	}
	server := zkserver.New(zkmem.New(zkmem.Options{}), zkserver.Options{})
	defer server.Close()
	ours := emulator(server)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &comparison{zookeeperRun: r, ctx: ctx,
		play:   func(c *zktest.Case) (*zktest.Difference, error) { return zkplay.Compare(c, real, ours) },
		record: func(c *zktest.Case) error { return zkplay.Record(c, real) }}
	return c.run()
}

// run plays history after history. A difference always fails the run: one that comes again ends it with a shrunk case, one
// that does not is told and counted.
func (c *comparison) run() int {
	c.start = time.Now()
	c.told = c.start
	seed := c.seed
	for ; c.operations < c.random; seed++ {
		if c.ctx.Err() != nil {
			c.summary(fmt.Sprintf("stopped; go on with --seed %d --random %d", seed, c.random-c.operations))
			return exitFailed
		}
		history := zkplay.Random(seed, historySteps)
		d, err := c.play(&history)
		if err != nil {
			fmt.Fprintf(c.errw, "conform zookeeper: seed %d: %v\n", seed, err)
			c.summary(fmt.Sprintf("not finished; go on with --seed %d --random %d", seed, c.random-c.operations))
			return exitEnvironment
		}
		if d != nil && c.again(&history) {
			history.Steps = history.Steps[:d.Step]
			small := c.smaller(history)
			if err := c.record(&small); err != nil {
				fmt.Fprintf(c.errw, "conform zookeeper: the case has no expectations: %v\n", err)
			}
			fmt.Fprintf(c.out, "seed %d: %v\n%s\n", seed, d, small.JSON())
			c.summary(fmt.Sprintf("a difference at seed %d", seed))
			return exitFailed
		}
		if d != nil {
			c.once++
			fmt.Fprintf(c.out, "seed %d, not a second time: %v\n", seed, d)
		}
		c.count(&history)
		c.report(seed)
	}
	if c.once > 0 {
		c.summary(fmt.Sprintf("%d differences that did not come a second time", c.once))
		return exitFailed
	}
	c.summary("no difference")
	return exitOK
}

// count adds a history that was played.
func (c *comparison) count(history *zktest.Case) {
	c.histories++
	c.operations += len(history.Steps)
	for i := range history.Steps {
		if history.Steps[i].Op == "await_gone" {
			c.expiries++
		}
	}
}

// rate is operations a second so far.
func (c *comparison) rate() float64 { return float64(c.operations) / time.Since(c.start).Seconds() }

// report tells how far it is: on a terminal in one line, elsewhere a line now and then.
func (c *comparison) report(seed uint64) {
	text := fmt.Sprintf("%d of %d operations, %.0f a second, seed %d", c.operations, c.random, c.rate(), seed)
	terminal.Progress(c.errw, text, c.operations >= c.random)
	if !terminal.Watched(c.errw) && time.Since(c.told) >= reportEvery {
		c.told = time.Now()
		fmt.Fprintln(c.errw, text)
	}
}

// summary is the last line.
func (c *comparison) summary(outcome string) {
	fmt.Fprintf(c.out, "%d operations in %d histories from seed %d, %d sessions expired, %v, %.0f operations a second: %s\n",
		c.operations, c.histories, c.seed, c.expiries, time.Since(c.start).Round(time.Millisecond), c.rate(), outcome)
}

// again reports whether a history differs when it is played once more.
func (c *comparison) again(history *zktest.Case) bool {
	d, err := c.play(history)
	return err != nil || d != nil
}

// smaller is a part of the case that still differs, as small as could be found in the time.
func (c *comparison) smaller(history zktest.Case) zktest.Case {
	end := time.Now().Add(shrinkLimit)
	return zktest.Shrink(history, func(part *zktest.Case) bool {
		if time.Now().After(end) {
			return false
		}
		d, err := c.play(part)
		return err == nil && d != nil
	})
}
