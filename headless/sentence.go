package main

import (
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/trace"
)

// sentence fills the template of the step's message; without one it shows the key and the arguments. The templates know
// no logic: {name} stands for an argument, {entity} for what the step is about.
func sentence(templates map[string]string, s *trace.Step) string {
	template, ok := templates[s.Msg]
	if !ok {
		parts := []string{s.Msg}
		for _, a := range s.Args {
			parts = append(parts, a.Name+"="+trace.ValueText(a.Value))
		}
		return strings.Join(parts, " ")
	}
	var pairs []string
	for _, a := range s.Args {
		pairs = append(pairs, "{"+a.Name+"}", argText(templates, a.Value))
	}
	pairs = append(pairs, "{entity}", s.Entity) // last: an argument of that name says more
	return strings.NewReplacer(pairs...).Replace(template)
}

// argText writes an argument as sentences need it: no quotes, no tags, lists and records with commas. The words for what
// is absent or empty, for yes and for no are templates too. A -1 is nobody or nothing wherever Kafka says it.
func argText(words map[string]string, v any) string {
	var parts []string
	switch v := v.(type) {
	case bool:
		if v {
			return words["value.yes"]
		}
		return words["value.no"]
	case int64:
		if v == -1 {
			return words["value.none"] + " (-1)"
		}
		return trace.ValueText(v)
	case string:
		if v != "" {
			return strings.TrimPrefix(strings.TrimPrefix(v, "zxid:"), "session:")
		}
	case []any:
		for _, x := range v {
			parts = append(parts, argText(words, x))
		}
	case env.Record:
		for _, f := range v {
			parts = append(parts, f.Name+"="+argText(words, f.Value))
		}
	}
	if len(parts) == 0 {
		return words["value.none"]
	}
	return strings.Join(parts, ", ")
}
