// Package flags reads the flags of subcommands, and says in one sentence what is wrong with them.
package flags

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Parse reads flags that may stand before, between or after the arguments, and returns the arguments. Who asks for help gets
// the usage, and the error is flag.ErrHelp; any other has not been told yet.
func Parse(f *flag.FlagSet, args []string) (rest []string, err error) {
	out := f.Output()
	for err == nil {
		f.SetOutput(io.Discard)
		err = f.Parse(args)
		f.SetOutput(out)
		if args = f.Args(); len(args) == 0 {
			break
		}
		rest, args = append(rest, args[0]), args[1:]
	}
	if errors.Is(err, flag.ErrHelp) {
		if f.Usage == nil {
			fmt.Fprintf(out, "Usage of %s:\n", f.Name())
			f.PrintDefaults()
		} else {
			f.Usage()
		}
		return nil, err
	}
	if err != nil {
		return nil, worded(f, err)
	}
	return rest, nil
}

var (
	invalid = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): (.*)$`)
	missing = regexp.MustCompile(`(?s)^flag needs an argument: -(.*)$`)
	unknown = regexp.MustCompile(`(?s)^flag provided but not defined: -(.*)$`)
)

// worded says an error of package flag in our words.
func worded(f *flag.FlagSet, err error) error {
	help := strings.TrimPrefix(f.Name(), "headless ") + " -h lists the flags"
	if m := unknown.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("there is no flag %s; %s", Name(m[1]), help)
	}
	if m := missing.FindStringSubmatch(err.Error()); m != nil {
		what, _ := flag.UnquoteUsage(f.Lookup(m[1]))
		return fmt.Errorf("%s needs a value: %s", Name(m[1]), what)
	}
	if m := invalid.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s %s: %s", Name(m[2]), m[1], wanted(f.Lookup(m[2]), m[3]))
	}
	return fmt.Errorf("%w; %s", err, help)
}

// wanted says what belongs to a flag whose value was refused for a reason.
func wanted(f *flag.Flag, why string) string {
	value, _ := f.Value.(flag.Getter)
	if value == nil {
		return why
	}
	switch value.Get().(type) {
	case int:
		return "a whole number is wanted"
	case uint64:
		return "a whole number is wanted, 0 or more"
	case bool:
		return "true or false is wanted, or nothing"
	}
	return why
}

// Name is a flag as it is written.
func Name(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
