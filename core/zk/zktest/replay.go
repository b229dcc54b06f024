package zktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Result is what a step gave, by field; a field that is missing cannot be seen by the player.
type Result map[string]any

// Player carries out the steps of one case.
type Player interface {
	// Do carries out a step. An error means that the step could not be carried out at all.
	Do(s *Step) (Result, error)
	// Visible reduces an expected value to what the player can see of it, and counts what it cannot.
	Visible(s *Step, field string, want any) (visible any, skipped int)
}

// Difference is one field that was not as expected.
type Difference struct {
	Case      string
	Step      int // from 1
	Op        string
	Field     string // with the way into it: stat.mzxid, events[1].type
	Want, Got any
}

func (d Difference) String() string {
	return fmt.Sprintf("case %s, step %d (%s), %s: want %s, got %s", d.Case, d.Step, d.Op, d.Field, text(d.Want), text(d.Got))
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// Outcome is how a case went. Skipped counts expected values that the player cannot see.
type Outcome struct {
	Differences      []Difference
	Checked, Skipped int
}

// Replay plays a case and compares. An error names the step that could not be carried out.
func Replay(c *Case, p Player) (Outcome, error) {
	var o Outcome
	for i := range c.Steps {
		s := &c.Steps[i]
		if s.Unknown != "" {
			return o, fmt.Errorf("case %s, step %d (%.40q): %s", c.Name, i+1, s.Op, s.Unknown)
		}
		got, err := p.Do(s)
		if err != nil {
			return o, fmt.Errorf("case %s, step %d (%s): %w", c.Name, i+1, s.Op, err)
		}
		for _, field := range slices.Sorted(maps.Keys(s.Expect)) {
			want, skipped := p.Visible(s, field, s.Expect[field])
			o.Skipped += skipped
			value, seen := got[field]
			if !seen {
				o.Skipped += max(0, 1-skipped)
				continue
			}
			o.Checked++
			if at, w, g, differ := differs(field, plain(want), plain(value)); differ {
				o.Differences = append(o.Differences, Difference{c.Name, i + 1, s.Op, at, w, g})
			}
		}
	}
	return o, nil
}

// Compare plays a case on two players and returns the first difference of their results.
func Compare(c *Case, want, got Player) (*Difference, error) {
	for i := range c.Steps {
		s := &c.Steps[i]
		w, err := want.Do(s)
		if err != nil {
			return nil, fmt.Errorf("case %s, step %d (%s): %w", c.Name, i+1, s.Op, err)
		}
		g, err := got.Do(s)
		if err != nil {
			return nil, fmt.Errorf("case %s, step %d (%s): %w", c.Name, i+1, s.Op, err)
		}
		for _, field := range slices.Sorted(maps.Keys(w)) {
			value, seen := g[field]
			if !seen {
				continue
			}
			visible, _ := want.Visible(s, field, plain(value))
			if at, a, b, differ := differs(field, plain(w[field]), plain(visible)); differ {
				return &Difference{c.Name, i + 1, s.Op, at, a, b}, nil
			}
		}
	}
	return nil, nil
}

// Record plays a case and makes what the player saw the expectations, so that a history becomes a case for a file. It stops
// at a step that cannot be carried out.
func Record(c *Case, p Player) error {
	for i := range c.Steps {
		s := &c.Steps[i]
		got, err := p.Do(s)
		if err != nil {
			return fmt.Errorf("case %s, step %d (%s): %w", c.Name, i+1, s.Op, err)
		}
		s.Expect = nil
		if len(got) > 0 {
			s.Expect, _ = plain(got).(map[string]any)
		}
	}
	return nil
}

// plain is v as encoding/json would read it back.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var out any
	_ = json.Unmarshal(raw, &out) // it was written a line above
	return out
}

// differs finds the first place where two plain values differ.
func differs(at string, want, got any) (string, any, any, bool) {
	if reflect.DeepEqual(want, got) {
		return "", nil, nil, false
	}
	if w, isObject := want.(map[string]any); isObject {
		if g, isObject := got.(map[string]any); isObject {
			keys := map[string]bool{}
			for k := range w {
				keys[k] = true
			}
			for k := range g {
				keys[k] = true
			}
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				if place, a, b, differ := differs(at+"."+k, w[k], g[k]); differ {
					return place, a, b, true
				}
			}
		}
	}
	w, isList := want.([]any)
	g, bothLists := got.([]any)
	if isList && bothLists && len(w) == len(g) {
		for i := range w {
			if place, a, b, differ := differs(fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); differ {
				return place, a, b, true
			}
		}
	}
	return at, want, got, true
}

// JSON is the case as it stands in a file, one step a line, so that it can be added to one.
func (c *Case) JSON() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  {\"name\":%s,\n   \"about\":%s,\n", text(c.Name), text(c.About))
	if len(c.Tags) > 0 {
		fmt.Fprintf(&b, "   \"tags\":%s,\n", text(c.Tags))
	}
	b.WriteString("   \"steps\":[\n")
	for i := range c.Steps {
		end := ",\n"
		if i == len(c.Steps)-1 {
			end = "\n"
		}
		b.WriteString("    " + text(c.Steps[i]) + end)
	}
	b.WriteString("   ]}")
	return b.String()
}
