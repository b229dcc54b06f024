package dynconfig

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// definition says which values an entry takes. Kafka: ConfigDef.ConfigKey.
type definition struct {
	parse func(key, value string) error
}

// definitions are those of one entity type, by key. Kafka: ConfigDef.
type definitions map[string]definition

// check parses every entry that is defined, keys ascending. Kafka: ConfigDef.parse.
func (d definitions) check(config map[string]string) error {
	for _, key := range kafka.SortedKeys(config) {
		if def, found := d[key]; found {
			if err := def.parse(key, config[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func invalid(key, value, why string) error {
	return fmt.Errorf("Invalid value %s for configuration %s: %s", value, key, why)
}

// whole is a number of the given bits within limits. Kafka: Type.INT, Type.LONG with Range.
func whole(bits int, least, most int64) definition {
	kind := map[int]string{32: "INT", 64: "LONG"}[bits]
	return definition{func(key, value string) error {
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, bits)
		switch {
		case err != nil:
			return invalid(key, value, "Not a number of type "+kind)
		case n < least:
			return invalid(key, value, fmt.Sprintf("Value must be at least %d", least))
		case n > most:
			return invalid(key, value, fmt.Sprintf("Value must be no more than %d", most))
		}
		return nil
	}}
}

const anyInt, maxInt = -1 << 63, 1<<63 - 1

func integer(least int64) definition { return whole(32, least, maxInt) }
func long(least int64) definition    { return whole(64, least, maxInt) }

func double(least, most float64) definition {
	return definition{func(key, value string) error {
		f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case err != nil:
			return invalid(key, value, "Not a number of type DOUBLE")
		case f < least || f > most:
			return invalid(key, value, fmt.Sprintf("Value must be between %g and %g", least, most))
		}
		return nil
	}}
}

var boolean = definition{func(key, value string) error {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "true", "false":
		return nil
	}
	return invalid(key, value, "Expected value to be either true or false")
}}

var text = definition{func(string, string) error { return nil }}

// oneOf takes one of the words. Kafka: ValidString.in.
func oneOf(words ...string) definition {
	return definition{func(key, value string) error {
		if slices.Contains(words, strings.TrimSpace(value)) {
			return nil
		}
		return invalid(key, value, "String must be one of: "+strings.Join(words, ", "))
	}}
}

// listOf takes words separated by commas. Kafka: ValidList.in.
func listOf(words ...string) definition {
	one := oneOf(words...)
	return definition{func(key, value string) error {
		for _, item := range strings.Split(value, ",") {
			if one.parse(key, item) != nil {
				return invalid(key, value, "String must be one of: "+strings.Join(words, ", "))
			}
		}
		return nil
	}}
}

var apiVersion = definition{func(key, value string) error {
	if _, err := kafka.ParseAPIVersion(value); err != nil {
		return invalid(key, value, err.Error())
	}
	return nil
}}
