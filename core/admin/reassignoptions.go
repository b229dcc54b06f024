package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// usage is what is wrong with a command line. Kafka: CommandLineUtils.printUsageAndDie.
type usage string

func (u usage) Error() string { return string(u) }

// reassignOptions is a command line of kafka-reassign-partitions that was read. Kafka: ReassignPartitionsCommandOptions.
type reassignOptions struct {
	action  string
	given   []string // in order
	values  map[string]string
	numbers map[string]int64
}

func (o reassignOptions) has(name string) bool { return slices.Contains(o.given, name) }

// actions, exactly one of which is given, with what each requires and permits.
var reassignActions = []struct {
	name                string
	required, permitted []string
}{
	{"generate", []string{"topics-to-move-json-file", "broker-list"}, []string{"bootstrap-server", "command-config", "disable-rack-aware", "zookeeper"}},
	{"execute", []string{"reassignment-json-file"}, []string{"additional", "bootstrap-server", "command-config", "throttle",
		"replica-alter-log-dirs-throttle", "timeout", "zookeeper"}},
	{"verify", []string{"reassignment-json-file"}, []string{"bootstrap-server", "command-config", "preserve-throttles", "zookeeper"}},
	{"cancel", []string{"reassignment-json-file"}, []string{"bootstrap-server", "command-config", "preserve-throttles", "timeout"}},
	{"list", nil, []string{"bootstrap-server", "command-config"}},
}

// withArgument are the options that take one; those in numeric take a number, the value here if they are not given.
var (
	withArgument = []string{"bootstrap-server", "command-config", "zookeeper", "reassignment-json-file", "topics-to-move-json-file", "broker-list",
		"throttle", "replica-alter-log-dirs-throttle", "timeout"}
	withoutArgument = []string{"verify", "generate", "execute", "cancel", "list", "disable-rack-aware", "additional", "preserve-throttles"}
	numeric         = map[string]int64{"throttle": -1, "replica-alter-log-dirs-throttle": -1, "timeout": 10000}
)

// parseReassignOptions reads and checks a command line. Kafka: ReassignPartitionsCommand.validateAndParseArgs.
func parseReassignOptions(args []string) (o reassignOptions, err error) {
	o = reassignOptions{values: map[string]string{}, numbers: map[string]int64{}}
	for len(args) > 0 && err == nil {
		args, err = o.read(args)
	}
	if err != nil {
		return o, err
	}
	for _, name := range []string{"throttle", "replica-alter-log-dirs-throttle", "timeout"} {
		o.numbers[name] = numeric[name]
		if o.has(name) {
			if o.numbers[name], err = strconv.ParseInt(o.values[name], 10, 64); err != nil {
				return o, usage(fmt.Sprintf("Cannot parse argument '%s' of option %s", o.values[name], name))
			}
		}
	}
	return o, o.check()
}

// read takes one option off the command line.
func (o *reassignOptions) read(args []string) ([]string, error) {
	name, value, assigned := strings.Cut(strings.TrimPrefix(args[0], "--"), "=")
	args = args[1:]
	switch {
	case slices.Contains(withoutArgument, name):
	case !slices.Contains(withArgument, name):
		return nil, usage(name + " is not a recognized option")
	case !assigned && len(args) == 0:
		return nil, usage("Option " + name + " requires an argument")
	case !assigned:
		value, args = args[0], args[1:]
	}
	o.given = append(o.given, name)
	o.values[name] = value
	return args, nil
}

func (o *reassignOptions) check() error {
	var names []string
	at, found := -1, 0
	for i, a := range reassignActions {
		names = append(names, "--"+a.name)
		if o.has(a.name) {
			at, found = i, found+1
		}
	}
	if found != 1 {
		return usage("Command must include exactly one action: " + strings.Join(names, ", "))
	}
	action := reassignActions[at]
	o.action = action.name
	if !o.has("zookeeper") && !o.has("bootstrap-server") {
		return usage("Please specify --bootstrap-server")
	}
	for _, name := range action.required {
		if !o.has(name) {
			return usage(fmt.Sprintf("Missing required argument \"[%s]\"", name))
		}
	}
	for _, name := range o.given {
		if name != action.name && !slices.Contains(action.required, name) && !slices.Contains(action.permitted, name) {
			return usage(fmt.Sprintf("Option \"[%s]\" can't be used with action \"[%s]\"", name, action.name))
		}
	}
	for _, name := range []string{"additional", "cancel", "command-config", "replica-alter-log-dirs-throttle", "list", "timeout"} {
		if !o.has("bootstrap-server") && o.has(name) {
			return usage(fmt.Sprintf("You must specify --bootstrap-server when using \"[%s]\"", name))
		}
	}
	return nil
}
