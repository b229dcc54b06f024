package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/goccy/go-yaml"

	"controllerscope/headless/conform"
)

// oracleScripts are the project's scripts for the recorder, with what it recorded beside them.
const oracleScripts = "headless/conform/kafkaplay/testdata/oracle"

// oracleCommand runs the recorder of real clusters on the scripts that carry oracle: true, and compares what it recorded
// at once.
func oracleCommand(args []string, out, errw io.Writer) int {
	f := newFlags("oracle", errw)
	recorder := f.String("recorder", os.Getenv("ORACLE"), "`DIR` of the recorder (a Go module); default: $ORACLE")
	slot := f.Int("slot", 0, "0 to 9: moves the recorder's ports, so that two can run at once")
	quiet := f.Int("quiet", 0, "milliseconds of silence that end a step; more on a busy machine, where an event may pause for longer (0: the recorder's own)")
	keep := f.String("o", "", "`DIR` where the recordings stay; default: a temporary folder")
	paths, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	if why := oracleNeeds(*recorder); why != "" {
		return fail(errw, exitUsage, "oracle: %s", why)
	}
	if len(paths) == 0 {
		paths = []string{oracleScripts}
	}
	scripts, err := markedScripts(paths)
	if err != nil {
		return fail(errw, exitUsage, "oracle: %v", err)
	}
	dir := *keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "oracle"); err != nil {
			return fail(errw, exitUsage, "oracle: %v", err)
		}
		defer os.RemoveAll(dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return fail(errw, exitUsage, "oracle: %v", err)
	}
	cmd := exec.Command("go", recorderArgs(*slot, *quiet, dir, scripts)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = *recorder, out, errw
	if err := cmd.Run(); err != nil {
		return fail(errw, exitFailed, "oracle: the recorder failed (%v); what it says is above", err)
	}
	return conform.Kafka([]string{dir}, out, errw)
}

// recorderArgs run the recorder from its folder.
func recorderArgs(slot, quiet int, dir string, scripts []string) []string {
	args := []string{"run", ".", "-slot", fmt.Sprint(slot), "-o", dir}
	if quiet > 0 {
		args = append(args, "-quiet", fmt.Sprint(quiet))
	}
	return append(args, scripts...)
}

// oracleNeeds says in one sentence what is missing for the recorder, "" when nothing is.
func oracleNeeds(dir string) string {
	if dir == "" {
		return "say where the recorder is: make oracle ORACLE=DIR, or headless oracle --recorder DIR"
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return fmt.Sprintf("%s is not the recorder's folder: it has no go.mod; give its DIR by ORACLE=DIR", dir)
	}
	for _, need := range []struct{ program, what string }{{"java", "Java 11 or later"}, {"javac", "a Java development kit"}, {"mvn", "Maven"}, {"go", "Go"}} {
		if _, err := exec.LookPath(need.program); err != nil {
			return fmt.Sprintf("the recorder runs a real Kafka and needs %s: %s is not on the PATH; install it and try again", need.what, need.program)
		}
	}
	return ""
}

// markedScripts are the absolute paths of the scripts in files and folders that carry oracle: true.
func markedScripts(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%w; give a script of the recorder or a folder of them", err)
		} else if info.IsDir() {
			files, _ = filepath.Glob(filepath.Join(path, "*.yaml"))
		}
		for _, file := range files {
			marked, err := isMarked(file)
			if err != nil {
				return nil, err
			}
			if !marked {
				continue
			}
			if file, err = filepath.Abs(file); err != nil {
				return nil, err
			}
			out = append(out, file)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no script in %v carries oracle: true", paths)
	}
	return out, nil
}

func isMarked(file string) (bool, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	var head struct {
		Oracle bool  `yaml:"oracle"`
		Steps  []any `yaml:"steps"`
	}
	if err := yaml.Unmarshal(data, &head); err != nil {
		return false, fmt.Errorf("%s is not a script of the recorder: %v", file, err)
	}
	return head.Oracle && len(head.Steps) > 0, nil
}
