package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/internal/zkensemble"
)

// check is one thing that some part of this project needs.
type check struct {
	name, use string
	find      func() (string, error)
}

// doctorCommand says in one line each what is there and what is not. Only Go is needed for everything; the exit code is 3
// when Go, or a ZooKeeper that was asked about, is missing.
func doctorCommand(args []string, out, errw io.Writer) int {
	f := newFlags("doctor", errw)
	address := f.String("zk", "", "also try to reach this ZooKeeper: `HOST:PORT[,HOST:PORT…]/CHROOT`")
	rest, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	if len(rest) > 0 {
		return fail(errw, exitUsage, "doctor takes flags only, not %q", rest[0])
	}
	checks := []check{
		{"go", "everything", version("go", "version")},
		{"java", "tests on real ZooKeeper servers", version("java", "-version")},
		{"zookeeper", "tests on real ZooKeeper servers", func() (string, error) { return zkensemble.Jar, zkensemble.Check() }},
		{"node", "building and testing the site", version("node", "--version")},
		{"chromium", "tests of the site in a browser", version("chromium", "--version")},
	}
	needed := map[string]bool{"go": true, "--zk": true}
	if *address != "" {
		a, err := zkreal.ParseAddress(*address)
		if err != nil {
			return fail(errw, exitUsage, "%v", err)
		}
		checks = append(checks, check{"--zk", "running on this ensemble", func() (string, error) { return *address, zkreal.Reach(a, nil) }})
	}
	code := exitOK
	for _, c := range checks {
		found, err := c.find()
		if err == nil {
			fmt.Fprintf(out, "ok       %-10s %s\n", c.name, found)
			continue
		}
		fmt.Fprintf(out, "missing  %-10s needed for %s: %v\n", c.name, c.use, err)
		if needed[c.name] {
			code = exitEnvironment
		}
	}
	return code
}

// version runs a program that says its version in its first line.
func version(program, flag string) func() (string, error) {
	return func() (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, flag)
		var said, aside bytes.Buffer // java says its version aside, a wrapper script may complain there
		cmd.Stdout, cmd.Stderr = &said, &aside
		err := cmd.Run()
		if errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf("there is no %s on the PATH", program)
		}
		if err != nil || len(bytes.TrimSpace(said.Bytes())) == 0 {
			said = aside
		}
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		if err != nil {
			return "", fmt.Errorf("%s %s: %v: %s", program, flag, err, line)
		}
		return line, nil
	}
}
