// Command headless runs Controllerscope without a browser: lessons and scripts on the emulator or a real ZooKeeper, live
// clusters, conformance checks. `go run ./headless help` lists the subcommands; each has a file of its own.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"controllerscope/core/script"
	"controllerscope/headless/internal/flags"
	"controllerscope/headless/internal/terminal"
)

// Exit codes of every subcommand.
const (
	exitOK          = 0 // done, and well
	exitFailed      = 1 // checked, and something is not as it should be
	exitUsage       = 2 // bad input: flags, files, scripts
	exitEnvironment = 3 // something outside is missing: a server, a port

	exitInterrupted = 130 // a run on a real ZooKeeper was interrupted; shells have this for every program that is
)

// command is one subcommand.
type command struct {
	name, args, about string
	run               func(args []string, out, errw io.Writer) int
}

func main() {
	os.Exit(told(os.Args[1:], os.Stdout, os.Stderr))
}

// told runs a subcommand, and fails when what it printed did not arrive: half a trace must not look like a whole one. Messages
// may quote what is no text.
func told(args []string, out, errw io.Writer) int {
	o := &output{w: out}
	errw = terminal.Messages(errw)
	code := dispatch(args, o, errw)
	if o.err != nil && code != exitEnvironment {
		return fail(errw, exitEnvironment, "what is printed could not be written whole: %v", o.err)
	}
	return code
}

// output passes on what is printed until writing fails.
type output struct {
	w   io.Writer
	err error // of the first write that failed; nothing is written after it
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// dispatch runs the subcommand that the first argument names.
func dispatch(args []string, out, errw io.Writer) int {
	if len(args) == 0 {
		help(errw)
		return exitUsage
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		return helpOn(args[1:], out, errw)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(args[1:], out, errw)
		}
	}
	fmt.Fprintf(errw, "headless: there is no subcommand %q; `headless help` lists them\n", args[0])
	return exitUsage
}

// helpOn lists the subcommands, the operations of scripts, or the flags of one subcommand.
func helpOn(topic []string, out, errw io.Writer) int {
	switch {
	case len(topic) == 0:
		help(out)
		return exitOK
	case topic[0] == "script":
		fmt.Fprint(out, script.Help())
		return exitOK
	}
	return dispatch([]string{topic[0], "-h"}, out, errw)
}

func help(w io.Writer) {
	fmt.Fprintln(w, "usage: headless SUBCOMMAND [FLAGS] ARGUMENTS")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %-34s %s\n", c.name, c.args, c.about)
	}
	fmt.Fprintln(w, "help script lists the operations of scripts; SUBCOMMAND -h the flags of a subcommand")
	fmt.Fprintln(w, "exit codes: 0 ok, 1 checked and failed, 2 usage or bad input, 3 environment, 130 interrupted")
}

// newFlags makes a flag set that reports errors the same way everywhere.
func newFlags(name string, errw io.Writer) *flag.FlagSet {
	f := flag.NewFlagSet("headless "+name, flag.ContinueOnError)
	f.SetOutput(errw)
	return f
}

// parse reads flags that may stand before, between or after the arguments, and returns the arguments. What is wrong has been
// told.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	rest, err := flags.Parse(f, args)
	if err == nil {
		err = given(f)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fail(f.Output(), exitUsage, "%v", err)
	}
	return rest, err
}

// given refuses flags with an empty value, from a variable of the shell that is not set perhaps: they would mean what is done
// without them. The word of a class may be empty, and flags that may be repeated keep their values elsewhere.
func given(f *flag.FlagSet) (err error) {
	f.Visit(func(given *flag.Flag) {
		if given.Value.String() == "" && !slices.Contains([]string{"class", "props", "switch"}, given.Name) {
			what, _ := flag.UnquoteUsage(given)
			err = fmt.Errorf("%s is empty; give %s, or leave %[1]s out", flags.Name(given.Name), what)
		}
	})
	return err
}

// usage is the exit code of flags that parse refused: who asked for help has got it.
func usage(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	return exitUsage
}

// fail prints one sentence and returns the exit code.
func fail(errw io.Writer, code int, format string, args ...any) int {
	fmt.Fprintf(errw, "headless: "+format+"\n", args...)
	return code
}
