package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"controllerscope/core/env"
)

// Packing is the version of the packed form that this package writes, and the newest that it reads.
const Packing = 1

// Pack writes the trace in the form that travels to pages: what a reader can work out by itself is left out (the package's
// text documents it). Read gives back the same trace, byte for byte.
func (t *Trace) Pack() []byte {
	out := t.appendHeader(make([]byte, 0, 1<<12+len(t.Steps)*192), true)
	out = append(out, `,"steps":[`...)
	var at int64
	for i, s := range t.Steps {
		out = comma(out, i)
		out = s.appendPacked(out, at)
		at = s.VTimeMS
	}
	out = append(out, `],"hash":"`...)
	out = append(out, t.Hash().String()...)
	return append(out, '"', '}')
}

// appendPacked writes a step that follows one at the given time.
func (s *Step) appendPacked(out []byte, after int64) []byte {
	out = append(out, `{"lane":`...)
	out = appendString(out, s.Lane)
	if s.VTimeMS != after {
		out = append(out, `,"vtime_ms":`...)
		out = strconv.AppendInt(out, s.VTimeMS-after, 10)
	}
	out = s.appendSaid(out)
	var last env.Path
	out = appendList(out, "diff", s.Diff, func(out []byte, d Diff) []byte {
		out = appendPackedDiff(out, d, last)
		last = d.Path
		return out
	})
	out = appendList(out, "causes", s.Causes, func(out []byte, c int) []byte { return strconv.AppendInt(out, int64(s.I-c), 10) })
	return s.appendRest(out)
}

// appendPackedDiff writes a diff that follows one at the path last: how many words they share stands for these.
func appendPackedDiff(out []byte, d Diff, last env.Path) []byte {
	shared := 0
	for shared < min(len(d.Path), len(last)) && d.Path[shared] == last[shared] {
		shared++
	}
	out = append(out, '[', '[')
	if shared > 0 {
		out = strconv.AppendInt(out, int64(shared), 10)
	}
	for i, word := range d.Path[shared:] {
		out = appendString(comma(out, shared+i), word)
	}
	out = append(out, ']')
	if d.After != nil {
		out = appendValue(append(out, ','), d.After)
	}
	return append(out, ']')
}

// appendTree writes a node as an object of what is below it. A value that is itself a list or a record stands in a list of
// its own, so that every object is an inner node.
func appendTree(out []byte, n *node) []byte {
	switch n.value.(type) {
	case nil:
	case []any, env.Record:
		return append(appendValue(append(out, '['), n.value), ']')
	default:
		return appendValue(out, n.value)
	}
	out = append(out, '{')
	for i, name := range n.names() {
		out = appendString(comma(out, i), name)
		out = appendTree(append(out, ':'), n.kid(name))
	}
	return append(out, '}')
}

// readTree reads what appendTree wrote of what holds before the first step.
func (t *Trace) readTree(raw []byte) error {
	var tree valueJSON
	if err := tree.UnmarshalJSON(raw); err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	if _, isObject := tree.value.(env.Record); !isObject {
		return errors.New("initial: want an object of what holds")
	}
	return t.Initial.setTree(tree.value, nil)
}

func (d *Document) setTree(tree any, at []string) error {
	value := tree
	switch x := tree.(type) {
	case nil:
		return fmt.Errorf("initial: %s has no value", PathText(at))
	case env.Record:
		for _, f := range x {
			if err := d.setTree(f.Value, append(slices.Clip(at), f.Name)); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if len(x) != 1 || x[0] == nil {
			return fmt.Errorf("initial: %s: want one value in a list of its own", PathText(at))
		}
		value = x[0]
	}
	d.Set(value, at...)
	return nil
}

// readPackedDiff reads a path, followed by the value after unless the leaf goes. The path begins with how many words it
// shares with last, if it shares any.
func readPackedDiff(raw []byte, last env.Path) (d Diff, err error) {
	var parts, words []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) < 1 || len(parts) > 2 || json.Unmarshal(parts[0], &words) != nil || len(words) == 0 {
		return d, errors.New("want a list of a path and the value after")
	}
	var shared int
	if json.Unmarshal(words[0], &shared) == nil {
		if shared < 1 || shared > len(last) {
			return d, fmt.Errorf("its path shares %d words with the one before, which has %d", shared, len(last))
		}
		words = words[1:]
	}
	d.Path = slices.Clone(last[:shared])
	for _, raw := range words {
		var word string
		if json.Unmarshal(raw, &word) != nil {
			return d, fmt.Errorf("%s is no word of a path", raw)
		}
		d.Path = append(d.Path, word)
	}
	if len(parts) == 1 {
		return d, nil
	}
	var after valueJSON
	err = after.UnmarshalJSON(parts[1])
	d.After = after.value
	return d, err
}

// unpacker holds what the steps read so far say about the next.
type unpacker struct {
	doc   *Document
	lanes map[string]int
	vtime int64
}

func newUnpacker(t *Trace) *unpacker { return &unpacker{NewCursor(t).Doc(), map[string]int{}, 0} }

// step reads the ith step. What does not fit into the world as the steps before left it, Verify finds.
func (u *unpacker) step(i int, raw []byte) (*Step, error) {
	var j stepJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return nil, JSONError(err)
	}
	s, err := j.step()
	if err != nil {
		return nil, err
	}
	u.lanes[s.Lane]++
	u.vtime += s.VTimeMS
	s.I, s.ID, s.VTimeMS = i, stepID(s.Lane, u.lanes[s.Lane]), u.vtime
	for k := range s.Causes {
		s.Causes[k] = i - s.Causes[k]
	}
	var last env.Path
	for k, raw := range j.Diff {
		d, err := readPackedDiff(raw, last)
		if err != nil {
			return nil, fmt.Errorf("field diff[%d]: %w", k, err)
		}
		last = d.Path
		d.Before = u.doc.Get(d.Path...)
		u.doc.Set(d.After, d.Path...)
		s.Diff = append(s.Diff, d)
	}
	return s, nil
}
