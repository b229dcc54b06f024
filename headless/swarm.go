package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/headless/internal/terminal"
)

// swarmCommand tries random scripts and prints, shrunk, each that breaks an invariant. What Kafka 2.8.2 itself does is
// reported as known and does not count as a failure. All that is said about a script is a comment, so that the output of a
// search with one finding is a file that run takes.
func swarmCommand(args []string, out, errw io.Writer) int {
	f := newFlags("swarm", errw)
	seed := f.Uint64("seed", 1, "the first script's `SEED`; the others follow")
	runs := f.Int("runs", 100, "how many scripts")
	steps := f.Int("steps", 24, "about how many operations each script has")
	var lines []string
	f.Func("switch", "a `LINE` such as 'guard.broker-epoch off' or 'fix.own-write on' for every script; may be repeated", func(line string) error {
		lines = append(lines, line)
		return nil
	})
	config := f.Bool("config", false, "changes of configs, restarts, expiries and slow readers: does every broker end with ZooKeeper's configs?")
	skew := f.Bool("skew", false, "with --config: clocks may be 20 minutes off, so updates get lost, as they do in 2.8.2")
	if rest, err := parse(f, args); err != nil {
		return usage(err)
	} else if len(rest) > 0 {
		return fail(errw, exitUsage, "swarm takes flags only, not %q", rest[0])
	}
	if *runs < 1 || *steps < 1 {
		return fail(errw, exitUsage, "--runs and --steps are at least 1")
	}
	if *seed > math.MaxInt64-uint64(*runs) {
		return fail(errw, exitUsage, "--seed %d and the %d that follow are more than the %d that run takes", *seed, *runs, math.MaxInt64)
	}
	switch {
	case *skew && !*config:
		return fail(errw, exitUsage, "--skew goes with --config")
	case *config && len(lines) > 0:
		return fail(errw, exitUsage, "--switch does not go with --config")
	case *config:
		return configSwarm(run.ConfigSwarm{Operations: *steps, Skewed: *skew, Store: embedded}, *seed, *runs, out, errw)
	}
	if err := switches(lines); err != nil {
		return fail(errw, exitUsage, "--switch %v", err)
	}
	swarm := run.Swarm{Random: run.Random{Operations: *steps, Switch: lines}, Store: embedded}
	known, broken := map[string]int{}, 0
	for i := range *runs {
		terminal.Progress(errw, fmt.Sprintf("%d of %d scripts, %d findings", i, *runs, broken), false)
		found, err := swarm.Try(*seed + uint64(i))
		terminal.Progress(errw, "", true)
		switch {
		case err != nil:
			broken++
			fmt.Fprintf(out, "%v\n", err)
		case found == nil:
		case found.Known != nil:
			if known[found.Known.Name]++; known[found.Known.Name] == 1 {
				fmt.Fprintf(out, "# known in 2.8.2: %s. %s First met:\n%s\n", found.Known.Name, found.Known.Reason, finding(found))
			}
		default:
			broken++
			fmt.Fprintln(out, finding(found))
		}
	}
	for _, d := range run.Defects {
		if n := known[d.Name]; n > 0 {
			fmt.Fprintf(out, "# known in 2.8.2: %s, met by %d scripts\n", d.Name, n)
		}
	}
	fmt.Fprintf(out, "# %d scripts from seed %d on, %d findings\n", *runs, *seed, broken)
	if broken > 0 {
		return exitFailed
	}
	return exitOK
}

// switches refuses, before anything is searched, lines that are no switches or switch what is not there.
func switches(lines []string) error {
	for _, line := range lines {
		parsed, err := script.Parse("", line)
		if err != nil {
			return err
		}
		for _, op := range parsed.Operations() {
			if op.Verb != "guard" && op.Verb != "fix" && op.Verb != "order" {
				return fmt.Errorf("%s: that is no switch; write guard.NAME on|off, fix.NAME on|off or order sorted|scala", line)
			}
		}
		r, err := run.Start(run.Inputs{Setup: "cluster brokers=0\n" + line}, run.Options{Store: embedded()})
		if err != nil {
			return err
		}
		r.Close()
	}
	return nil
}

// configSwarm tries random scripts of config changes and prints, shrunk, each after which a broker has other configs than
// ZooKeeper. With clocks that disagree that is what 2.8.2 does, and no failure.
func configSwarm(swarm run.ConfigSwarm, seed uint64, runs int, out, errw io.Writer) int {
	broken, lost := 0, 0
	for i := range runs {
		terminal.Progress(errw, fmt.Sprintf("%d of %d scripts, %d lost updates", i, runs, lost), false)
		found, err := swarm.Try(seed + uint64(i))
		terminal.Progress(errw, "", true)
		if err != nil {
			broken++
			fmt.Fprintf(out, "%v\n", err)
		}
		if found != nil {
			if lost++; lost == 1 || !swarm.Skewed {
				fmt.Fprintf(out, "# seed %d loses an update; broker and entity: %s (run this with: headless run --seed 0 -f FILE)\n%s",
					seed+uint64(i), strings.Join(found.Where, ", "), found.Shrunk)
			}
		}
	}
	if swarm.Skewed {
		fmt.Fprintf(out, "# known in 2.8.2: a notice is purged by a fast clock before a slow broker has read it, met by %d scripts\n", lost)
	} else {
		broken += lost
	}
	fmt.Fprintf(out, "# %d scripts of config changes from seed %d on, %d findings\n", runs, seed, broken)
	if broken > 0 {
		return exitFailed
	}
	return exitOK
}

// finding is a script that can be run again as it is printed.
func finding(f *run.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# seed %d breaks %s (run this with: headless run --seed %d -f FILE)\n%s", f.Seed, strings.Join(f.Broken, ", "), f.Seed, f.Shrunk)
	if f.At != "" {
		fmt.Fprintf(&b, "# %s", strings.ReplaceAll(strings.TrimSpace(f.At), "\n", "\n# "))
	}
	return b.String()
}
