package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"controllerscope/core/kafka"
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
	out = appendList(out, "diff", s.Diff, appendPackedDiff)
	out = appendList(out, "causes", s.Causes, func(out []byte, c int) []byte { return strconv.AppendInt(out, int64(s.I-c), 10) })
	return s.appendRest(out)
}

func appendPackedDiff(out []byte, d Diff) []byte {
	out = appendPath(append(out, '['), d.Path)
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
	case []any, map[string]any:
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
	if _, isObject := tree.value.(map[string]any); !isObject {
		return errors.New("initial: want an object of what holds")
	}
	return t.Initial.setTree(tree.value, nil)
}

func (d *Document) setTree(tree any, at []string) error {
	value := tree
	switch x := tree.(type) {
	case nil:
		return fmt.Errorf("initial: %s has no value", PathText(at))
	case map[string]any:
		for _, name := range kafka.SortedKeys(x) {
			if err := d.setTree(x[name], append(slices.Clip(at), name)); err != nil {
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

// readPackedDiff reads a path, followed by the value after unless the leaf goes.
func readPackedDiff(raw []byte) (d Diff, err error) {
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) < 1 || len(parts) > 2 ||
		json.Unmarshal(parts[0], &d.Path) != nil || len(d.Path) == 0 {
		return d, errors.New("want a list of a path and the value after")
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
		return nil, plain(err)
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
	for k, raw := range j.Diff {
		d, err := readPackedDiff(raw)
		if err != nil {
			return nil, fmt.Errorf("field diff[%d]: %w", k, err)
		}
		d.Before = u.doc.Get(d.Path...)
		u.doc.Set(d.After, d.Path...)
		s.Diff = append(s.Diff, d)
	}
	return s, nil
}
