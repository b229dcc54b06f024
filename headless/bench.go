package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"controllerscope/core/trace"
	"controllerscope/headless/internal/zkensemble"
	page "controllerscope/site/measure"
	"controllerscope/site/serve"
	"controllerscope/wasm/measure"
)

// measured is one line of a bench.
type measured struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Budget is what the value must keep to; Kind says how: "at most", "at least", "exactly". A goal is only shown, since
	// absolute times depend on the machine.
	Kind   string  `json:"kind,omitempty"`
	Budget float64 `json:"budget,omitempty"`
	Goal   bool    `json:"goal,omitempty"`
}

// kept reports whether the value keeps to its budget.
func (m measured) kept() bool {
	switch m.Kind {
	case "at most":
		return m.Value <= m.Budget
	case "at least":
		return m.Value >= m.Budget
	case "exactly":
		return m.Value == m.Budget
	}
	return true
}

func (m measured) String() string {
	number := func(v float64) string {
		if v == float64(int64(v)) {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	line := fmt.Sprintf("%-46s %12s %-10s", m.Name, number(m.Value), m.Unit)
	if m.Kind == "" {
		return strings.TrimRight(line, " ")
	}
	verdict := "ok"
	switch {
	case !m.kept() && m.Goal:
		verdict = "below the goal"
	case !m.kept():
		verdict = "MISSED"
	}
	return fmt.Sprintf("%s %s %s: %s", line, m.Kind, number(m.Budget), verdict)
}

// benchPart is one group of measurements; it tells each as soon as it is there.
type benchPart struct {
	name string
	run  func(tell func(measured)) error
}

func benchParts() []benchPart {
	return []benchPart{{"store", benchStore}, {"zookeeper", benchZk}, {"speed", benchSpeed}, {"office", benchOffice}, {"brokers", benchBrokers}, {"config", benchConfig}, {"traces", benchTraces}, {"wasm", benchWASM}, {"site", benchSite}}
}

// benchCommand measures what has a budget: counts, bytes and ratios inside one run are held to it, absolute speeds are shown.
func benchCommand(args []string, out, errw io.Writer) int {
	f := newFlags("bench", errw)
	asJSON := f.Bool("json", false, "print one JSON object a line")
	rest, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	var names []string
	for _, p := range benchParts() {
		names = append(names, p.name)
	}
	for _, name := range rest {
		if !slices.Contains(names, name) {
			return fail(errw, exitUsage, "bench has no part %q; it has %s", name, strings.Join(names, ", "))
		}
	}
	missed := 0
	tell := func(m measured) {
		if !m.kept() && !m.Goal {
			missed++
		}
		if *asJSON {
			line, _ := json.Marshal(m) // numbers and strings
			fmt.Fprintf(out, "%s\n", line)
			return
		}
		fmt.Fprintln(out, m)
	}
	for _, p := range benchParts() {
		if len(rest) > 0 && !slices.Contains(rest, p.name) {
			continue
		}
		err := p.run(tell)
		switch {
		case errors.Is(err, measure.ErrNoNode), errors.Is(err, page.ErrNoChromium), errors.Is(err, zkensemble.ErrMissing):
			return fail(errw, exitEnvironment, "%v", err)
		case err != nil:
			return fail(errw, exitFailed, "bench %s: %v", p.name, err)
		}
	}
	if missed > 0 {
		return fail(errw, exitFailed, "%d budgets missed", missed)
	}
	return exitOK
}

// benchSpeed runs the same script without and with the recorder. The ratios include what the garbage collector takes, as it
// is set by default.
func benchSpeed(tell func(measured)) error {
	s, err := measure.Speed(15 * time.Second)
	if err != nil {
		return err
	}
	tellSpeeds(tell, "native", s, 300_000)
	tell(measured{"time, recorder on without view paths / off", s.Off / s.Bare, "times", "at most", 4, false})
	tell(measured{"time, recorder on / off", s.Off / s.Record, "times", "at most", 4, false})
	tell(measured{"allocations a step, recorder on", s.Allocs, "", "at most", 22, false})
	tell(measured{"allocated a step, recorder on", s.Bytes, "bytes", "at most", 2_200, false})
	return nil
}

// benchTraces packs the trace of each lesson run as the site serves it: in trace's packed form, and that by brotli 11.
func benchTraces(tell func(measured)) error {
	runs, err := measure.LessonRuns()
	if err != nil {
		return err
	}
	for _, in := range runs {
		_, full, err := measure.Record(in)
		if err != nil {
			return err
		}
		t, err := trace.Read(in.Name, full)
		if err != nil {
			return err
		}
		tell(measured{"packed trace " + in.Name + ", brotli", float64(packed(t.Pack())), "bytes", "at most", 15_000, false})
	}
	return nil
}

// packed is how many bytes are left of data in the built site.
func packed(data []byte) int { return len(serve.Pack(data)) }

// benchWASM builds the core as the site serves it, and runs it under Node.
func benchWASM(tell func(measured)) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	folder, err := os.MkdirTemp("", "controllerscope-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	core, err := measure.Build(ctx, "controllerscope/wasm", folder)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(core)
	if err != nil {
		return err
	}
	tell(measured{"core.wasm", float64(len(data)), "bytes", "", 0, false})
	tell(measured{"core.wasm, brotli", float64(packed(data)), "bytes", "at most", 1_300_000, false})
	check, err := measure.Build(ctx, "controllerscope/wasm/nodecheck", folder)
	if err != nil {
		return err
	}
	text, err := measure.Node(ctx, check, "speed", "3")
	if err != nil {
		return err
	}
	var s measure.Speeds
	if _, err := fmt.Sscan(text, &s.Off, &s.Bare, &s.Record); err != nil {
		return fmt.Errorf("nodecheck speed printed %q, expected three numbers", text)
	}
	tellSpeeds(tell, "WASM under Node", s, 100_000)
	return nil
}

// tellSpeeds shows the three speeds of one place; the goal is for the first.
func tellSpeeds(tell func(measured), where string, s measure.Speeds, goal float64) {
	tell(measured{where + ", recorder off", math.Round(s.Off), "steps/s", "at least", goal, true})
	tell(measured{where + ", recorder on without view paths", math.Round(s.Bare), "steps/s", "", 0, false})
	tell(measured{where + ", recorder on", math.Round(s.Record), "steps/s", "", 0, false})
}
