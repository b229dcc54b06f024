// Package conform holds what the emulators and controllers of this project are measured against: recorded behaviour that
// is replayed through real clients.
package conform

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"controllerscope/core/zk/zkmem"
	"controllerscope/core/zk/zkreal"
	"controllerscope/core/zk/zktest"
	"controllerscope/headless/conform/zkplay"
	"controllerscope/headless/internal/flags"
	"controllerscope/headless/internal/terminal"
	"controllerscope/headless/zkserver"
)

// The exit codes of headless.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitEnvironment = 3
)

// zookeeperUsage is the whole help.
const zookeeperUsage = `usage: headless conform zookeeper FILE [--zk host:port[,host:port…][/chroot]] [--json]
       headless conform zookeeper --random N [--seed S] --zk host:port[/chroot]
Replays a zkcases/1 file through the real client library go-zookeeper v1.0.4, against the emulator behind ZooKeeper's wire
protocol or against a real ZooKeeper, which nobody else may use meanwhile. One line per failure, then N passed, N failed.
With --random it makes N operations in random histories on that ZooKeeper and on the emulator, which must agree. A difference
is printed with its seed and as a shrunk case with the real server's answers. One that does not come again when its history is
played again fails the run too.
`

// zookeeperRun is what the arguments ask for.
type zookeeperRun struct {
	file      string
	zk        string
	json      bool
	random    int
	seed      uint64
	out, errw io.Writer
}

// Zookeeper is headless conform zookeeper: 0 all cases passed, 1 some failed, 2 usage or a bad case file, 3 no server.
func Zookeeper(args []string, out, errw io.Writer) int {
	r := zookeeperRun{out: out, errw: errw}
	f := flag.NewFlagSet("conform zookeeper", flag.ContinueOnError)
	f.SetOutput(errw)
	f.Usage = func() { fmt.Fprint(errw, zookeeperUsage) }
	f.StringVar(&r.zk, "zk", "", "a real ZooKeeper")
	f.BoolVar(&r.json, "json", false, "print the report as JSON")
	f.IntVar(&r.random, "random", 0, "how many random operations to compare")
	f.Uint64Var(&r.seed, "seed", 1, "where the first random history comes from")
	rest, err := flags.Parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err == nil && len(rest) > 1:
		err = fmt.Errorf("one FILE is wanted, %q is a second one", rest[1])
	}
	if err != nil {
		fmt.Fprintf(errw, "conform zookeeper: %v\n", err)
		return exitUsage
	}
	if len(rest) == 1 {
		r.file = rest[0]
	}
	given := map[string]bool{}
	f.Visit(func(one *flag.Flag) { given[one.Name] = true })
	if wrong := r.wrong(given); wrong != "" {
		fmt.Fprintf(errw, "conform zookeeper: %s\n", wrong)
		return exitUsage
	}
	if given["random"] {
		return r.compare()
	}
	return r.run()
}

// wrong says what about the arguments does not fit together, and what would.
func (r *zookeeperRun) wrong(given map[string]bool) string {
	switch {
	case given["zk"] && r.zk == "":
		return "--zk is empty; give HOST:PORT/CHROOT, or leave --zk out"
	case given["random"] && r.file != "":
		return "--random makes up its histories; leave " + r.file + " out"
	case given["random"] && r.random < 1:
		return fmt.Sprintf("--random %d is no number of operations; it must be 1 or more", r.random)
	case given["random"] && r.zk == "":
		return "--random compares with a real ZooKeeper; name it with --zk HOST:PORT/CHROOT"
	case given["random"] && r.json:
		return "--json is the report on a FILE; leave it out with --random"
	case given["seed"] && !given["random"]:
		return "--seed goes with --random N"
	case !given["random"] && r.file == "":
		return "a FILE of cases is wanted, or --random N; see headless conform zookeeper -h"
	}
	return ""
}

// run reads the file, reaches the server and plays.
func (r *zookeeperRun) run() int {
	data, err := os.ReadFile(r.file)
	if err != nil {
		fmt.Fprintf(r.errw, "conform zookeeper: %v; give a file of the format %s\n", err, zktest.Format)
		return exitUsage
	}
	cases, err := zktest.Read(r.file, data)
	if err != nil {
		fmt.Fprintf(r.errw, "conform zookeeper: %v\n", err)
		return exitUsage
	}
	if r.zk == "" {
		server := zkserver.New(zkmem.New(zkmem.Options{TickMS: emulatorTickMS}), zkserver.Options{TickMS: emulatorTickMS})
		defer server.Close()
		return r.play(emulator(server), cases)
	}
	target, code := r.reach()
	if code != exitOK {
		return code
	}
	return r.play(target, cases)
}

// reach prepares the real server's chroot. A code other than exitOK says that it could not, and has been explained.
func (r *zookeeperRun) reach() (zkplay.Target, int) {
	address, err := zkreal.ParseAddress(r.zk)
	if err != nil {
		fmt.Fprintf(r.errw, "conform zookeeper: --zk: %v\n", err)
		return zkplay.Target{}, exitUsage
	}
	if err := zkreal.Prepare(address, nil); err != nil {
		fmt.Fprintf(r.errw, "conform zookeeper: %v\n", err)
		if errors.Is(err, zkreal.ErrNotOurs) {
			return zkplay.Target{}, exitUsage // a wrong address, as everywhere
		}
		return zkplay.Target{}, exitEnvironment
	}
	r.tellVersion(address)
	return zkplay.Target{Servers: address.Servers, Chroot: address.Chroot, Dial: net.DialTimeout}, exitOK
}

// emulatorTickMS makes sessions of the emulator expire soon.
const emulatorTickMS = 500

// emulator is a target in this process, over net.Pipe.
func emulator(s *zkserver.Server) zkplay.Target {
	return zkplay.Target{Servers: []string{"127.0.0.1:2181"},
		Dial: func(string, string, time.Duration) (net.Conn, error) { return s.Dial() }}
}

// tellVersion names the server's release if it is not the one that the cases were recorded on.
func (r *zookeeperRun) tellVersion(a zkreal.Address) {
	for _, server := range a.Servers {
		version, err := zkplay.ServerVersion(server)
		if err != nil {
			fmt.Fprintf(r.errw, "the version of %s is not known (%v); the cases describe 3.8\n", server, err)
		} else if !strings.HasPrefix(version, "3.8.") {
			fmt.Fprintf(r.errw, "%s is ZooKeeper %s; the cases describe 3.8\n", server, version)
		}
	}
}

// play plays the cases and prints the outcome.
func (r *zookeeperRun) play(t zkplay.Target, f *zktest.File) int {
	report, err := zkplay.Run(t, f, func(done int, failures []zkplay.Failure) {
		terminal.Progress(r.errw, fmt.Sprintf("case %d of %d", done, len(f.Cases)), done == len(f.Cases))
		for _, failure := range failures {
			if !r.json {
				fmt.Fprintln(r.out, failure)
			}
		}
	})
	if err != nil {
		fmt.Fprintf(r.errw, "conform zookeeper: the server could not be used: %v\n", err)
		return exitEnvironment
	}
	for _, path := range report.Left {
		fmt.Fprintf(r.errw, "%s could not be removed: a case took the right to\n", path)
	}
	if r.json {
		r.printJSON(report)
	} else {
		if report.MicroPassed+report.MicroFailed > 0 {
			fmt.Fprintf(r.out, "%s (releases of 3.8 differ): %d passed, %d failed\n", zkplay.MicroVersion, report.MicroPassed, report.MicroFailed)
		}
		fmt.Fprintf(r.out, "%d passed, %d failed\n", report.Passed, report.Failed)
	}
	if report.Failed > 0 {
		return exitFailed
	}
	return exitOK
}

// printJSON prints the report for machines.
func (r *zookeeperRun) printJSON(report zkplay.Report) {
	type failure struct {
		Case   string `json:"case"`
		Step   int    `json:"step"`
		Op     string `json:"op"`
		Field  string `json:"field"`
		Want   any    `json:"want"`
		Got    any    `json:"got"`
		Broken string `json:"broken,omitempty"` // the step could not be made
	}
	failures := []failure{}
	for _, f := range report.Failures {
		failures = append(failures, failure{f.Case, f.Step, f.Op, f.Field, f.Want, f.Got, f.Broken})
	}
	e := json.NewEncoder(r.out)
	e.SetEscapeHTML(false)
	_ = e.Encode(map[string]any{"passed": report.Passed, "failed": report.Failed, "failures": failures,
		"microVersion": map[string]int{"passed": report.MicroPassed, "failed": report.MicroFailed}})
}
