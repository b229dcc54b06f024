package main

import (
	"io"
	"os"
	"path/filepath"

	"controllerscope/core/run"
	"controllerscope/core/zk/zktree"
)

// loaded plays a script over a tree that grew elsewhere; without a script the tree's brokers start again.
func (t *teller) loaded(errw io.Writer) int {
	text, err := os.ReadFile(t.o.load)
	if err != nil {
		return fail(errw, exitUsage, "--load: %v", err)
	}
	tree, err := zktree.Read(t.o.load, string(text))
	if err != nil {
		return fail(errw, exitUsage, "--load: %v", err)
	}
	in := run.Inputs{Name: filepath.Base(t.o.load), Tree: tree.String(), Seed: t.o.seed}
	if t.o.file != "" {
		in.Name = scriptName(t.o.file)
		in.Script, err = readScript(t.o.file)
	} else {
		in.Script, err = run.TakeOver(tree)
	}
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	return t.inputs(in, errw)
}
