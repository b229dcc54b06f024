package conform

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"controllerscope/headless/conform/kafkaplay"
	"controllerscope/headless/internal/flags"
)

// kafkaUsage is the whole help.
const kafkaUsage = `usage: headless conform kafka PATH… [--only znodes,transitions,requests,zk,gauges] [--sides DIR] [-v] [--json]
Replays recordings of a real Kafka 2.8.2 (controllerscope-golden/1; a file or a folder of .json and .json.gz) in the
deterministic world and compares every step. One line per failure, then N passed, N failed (steps).
--sides DIR writes both sides of a failed step as traces for headless diff --per-lane.
`

// kafkaRun is what the arguments ask for.
type kafkaRun struct {
	opts      kafkaplay.Options
	sides     string // the folder for both sides of failed steps, "" for none
	verbose   bool
	json      bool
	out, errw io.Writer
}

// Kafka is headless conform kafka: 0 all steps passed, 1 some failed, 2 usage or a bad recording.
func Kafka(args []string, out, errw io.Writer) int {
	r := kafkaRun{out: out, errw: errw}
	var only string
	f := flag.NewFlagSet("conform kafka", flag.ContinueOnError)
	f.SetOutput(errw)
	f.Usage = func() { fmt.Fprint(errw, kafkaUsage) }
	f.StringVar(&only, "only", "", "compare only these parts, separated by commas")
	f.StringVar(&r.sides, "sides", "", "write both sides of failed steps into this folder")
	f.BoolVar(&r.verbose, "v", false, "tell every step")
	f.BoolVar(&r.json, "json", false, "print the reports as JSON")
	paths, err := flags.Parse(f, args)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(errw, "conform kafka: %v\n", err)
		return exitUsage
	}
	if len(paths) == 0 {
		f.Usage()
		return exitUsage
	}
	if r.opts.Only, err = parts(only); err != nil {
		fmt.Fprintf(errw, "conform kafka: %v\n", err)
		return exitUsage
	}
	r.opts.Sides = r.sides != ""
	recordings, err := readRecordings(paths)
	if err != nil {
		fmt.Fprintf(errw, "conform kafka: %v\n", err)
		return exitUsage
	}
	return r.play(recordings)
}

// parts reads the value of --only.
func parts(only string) ([]kafkaplay.Part, error) {
	var out []kafkaplay.Part
	for _, word := range strings.FieldsFunc(only, func(c rune) bool { return c == ',' }) {
		p := kafkaplay.Part(strings.TrimSpace(word))
		if !slices.Contains(kafkaplay.Parts(), p) {
			return nil, fmt.Errorf("--only: there is no part %q; there are %v", word, kafkaplay.Parts())
		}
		out = append(out, p)
	}
	return out, nil
}

// readRecordings reads files, and of folders all that is named .json or .json.gz.
func readRecordings(paths []string) ([]*kafkaplay.Recording, error) {
	var out []*kafkaplay.Recording
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%w; give a recording or a folder of recordings", err)
		} else if info.IsDir() {
			plain, _ := filepath.Glob(filepath.Join(path, "*.json"))
			packed, _ := filepath.Glob(filepath.Join(path, "*.json.gz"))
			files = append(plain, packed...)
			slices.Sort(files)
			if len(files) == 0 {
				return nil, fmt.Errorf("%s holds no recording: no file is named .json or .json.gz", path)
			}
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			rec, err := kafkaplay.Read(file, data)
			if err != nil {
				return nil, err
			}
			out = append(out, rec)
		}
	}
	return out, nil
}

// play plays the recordings one after the other and prints the outcome.
func (r *kafkaRun) play(recordings []*kafkaplay.Recording) int {
	passed, failed := 0, 0
	reports := []kafkaplay.Report{}
	for _, rec := range recordings {
		report, err := kafkaplay.Play(rec, r.opts)
		if err != nil {
			fmt.Fprintf(r.errw, "conform kafka: %s: %v\n", rec.Name, err)
			return exitFailed
		}
		reports = append(reports, report)
		passed, failed = passed+report.Passed(), failed+report.Failed()
		if !r.json {
			r.tell(report)
		}
		if err := r.writeSides(report); err != nil {
			fmt.Fprintf(r.errw, "conform kafka: %v\n", err)
			return exitUsage
		}
	}
	if r.json {
		e := json.NewEncoder(r.out)
		e.SetEscapeHTML(false)
		_ = e.Encode(map[string]any{"passed": passed, "failed": failed, "recordings": reports})
	} else {
		fmt.Fprintf(r.out, "%d passed, %d failed\n", passed, failed)
	}
	if failed > 0 {
		return exitFailed
	}
	return exitOK
}

// writeSides writes two traces per failed step and says how to compare them.
func (r *kafkaRun) writeSides(report kafkaplay.Report) error {
	for i, s := range report.Steps {
		if r.sides == "" || s.Sides == nil {
			continue
		}
		if err := os.MkdirAll(r.sides, 0o755); err != nil {
			return err
		}
		name := filepath.Join(r.sides, fmt.Sprintf("%s-step%d", filepath.Base(report.Recording), i+1))
		want, got := name+"-want.json", name+"-got.json"
		if err := errors.Join(os.WriteFile(want, s.Sides.Want.JSON(), 0o644), os.WriteFile(got, s.Sides.Got.JSON(), 0o644)); err != nil {
			return err
		}
		if !r.json {
			fmt.Fprintf(r.out, "headless diff --per-lane %s %s\n", want, got)
		}
	}
	return nil
}

// tell prints the failures of one recording; with -v every step.
func (r *kafkaRun) tell(report kafkaplay.Report) {
	for i, s := range report.Steps {
		for _, f := range s.Failures {
			fmt.Fprintln(r.out, f)
		}
		if r.verbose && len(s.Failures) == 0 {
			fmt.Fprintf(r.out, "%s step %d (%s): passed\n", report.Recording, i+1, s.Do)
		}
	}
}
