package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"controllerscope/core/run"
	"controllerscope/core/script"
	"controllerscope/core/trace"
	"controllerscope/headless/internal/input"
)

// diffCommand says whether two traces agree once zxids, sessions, times and correlation ids are renumbered, or where
// they part.
func diffCommand(args []string, out, errw io.Writer) int {
	f := newFlags("diff", errw)
	perLane := f.Bool("per-lane", false, "let the lanes stand in any order: compare each lane and the causes only")
	files, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	if len(files) != 2 {
		return fail(errw, exitUsage, "diff takes two trace files, got %d", len(files))
	}
	a, err := readTrace(files[0])
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	b, err := readTrace(files[1])
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	order := trace.Whole
	if *perLane {
		order = trace.PerLane
	}
	if d := trace.Compare(a, b, order); d != nil {
		fmt.Fprintln(out, d)
		return exitFailed
	}
	fmt.Fprintf(out, "the traces agree: %d steps\n", len(a.Steps))
	return exitOK
}

// readTrace reads a trace file in any form, compressed with gzip or not. Of a trace of this very core, setup and script must
// be scripts: it is executed again from them.
func readTrace(file string) (*trace.Trace, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if data, err = input.Plain(data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t, err := trace.Read(file, data)
	if err != nil || t.Core != run.Version {
		return t, err
	}
	var setup string // that of a live cluster is no text
	_ = json.Unmarshal(t.Setup, &setup)
	if _, err = script.Parse(file+": setup", setup); err == nil {
		_, err = script.Parse(file+": script", t.Script)
	}
	return t, err
}
