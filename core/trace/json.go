package trace

import (
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
)

// JSON writes the whole trace as one compact object with its keys in the order of the contract. Equal traces give equal
// bytes.
func (t *Trace) JSON() []byte {
	return t.appendSteps(t.appendHeader(make([]byte, 0, 1<<12+len(t.Steps)*256), false), 0)
}

// Tail writes the same for a reader who has the first n steps, and what held before them: neither is in it. The hash is that
// of the whole.
func (t *Trace) Tail(n int) []byte {
	head := *t
	head.Initial = nil
	return t.appendSteps(head.appendHeader(nil, false), n)
}

// appendSteps ends the object with the steps from the n-th on.
func (t *Trace) appendSteps(out []byte, n int) []byte {
	out = append(out, `,"steps":[`...)
	for i, s := range t.Steps[n:] {
		out = comma(out, i)
		out = s.AppendJSON(out)
	}
	out = append(out, `],"hash":"`...)
	out = append(out, t.Hash().String()...)
	return append(out, '"', '}')
}

// HeaderLine writes the first line of the JSON-lines form, newline included: the trace without steps and hash. Each step
// follows on a line of its own (Step.AppendJSON), as it happens.
func (t *Trace) HeaderLine() []byte { return append(t.appendHeader(nil, false), '}', '\n') }

// appendHeader leaves the object open.
func (t *Trace) appendHeader(out []byte, packed bool) []byte {
	out = append(out, `{"schema":`...)
	out = strconv.AppendInt(out, Schema, 10)
	if packed {
		out = append(out, `,"packed":`...)
		out = strconv.AppendInt(out, Packing, 10)
	}
	out = append(out, `,"core":`...)
	out = appendString(out, t.Core)
	out = append(out, `,"setup":`...)
	out = appendRaw(out, t.Setup)
	out = append(out, `,"seed":`...)
	out = strconv.AppendInt(out, t.Seed, 10)
	out = append(out, `,"script":`...)
	out = appendString(out, t.Script)
	out = append(out, `,"initial":`...)
	switch {
	case packed && t.Initial != nil:
		out = appendTree(out, &t.Initial.root)
	case packed:
		out = append(out, '{', '}')
	default:
		out = t.appendInitial(out)
	}
	out = append(out, `,"msgs":{`...)
	for i, key := range kafka.SortedKeys(t.Msgs) {
		out = comma(out, i)
		out = appendString(out, key)
		out = append(out, ':')
		out = appendMessage(out, t.Msgs[key])
	}
	return append(out, '}')
}

// appendInitial lists the leaves that hold before the first step.
func (t *Trace) appendInitial(out []byte) []byte {
	out = append(out, '[')
	if t.Initial != nil {
		first := 0
		t.Initial.Walk(func(path env.Path, value any) bool {
			out = comma(out, first)
			out = appendDiff(out, Diff{Path: path, After: value})
			first++
			return true
		})
	}
	return append(out, ']')
}

func appendMessage(out []byte, m env.Message) []byte {
	out = append(out, `{"src":`...)
	out = appendString(out, m.Src)
	out = append(out, `,"kafka":`...)
	out = appendString(out, m.Kafka)
	if m.Article != "" {
		out = append(out, `,"article":`...)
		out = appendString(out, m.Article)
	}
	return append(out, '}')
}

// AppendJSON writes the step as one compact object. Fields that are empty are left out.
func (s *Step) AppendJSON(out []byte) []byte {
	out = append(out, `{"i":`...)
	out = strconv.AppendInt(out, int64(s.I), 10)
	out = append(out, `,"id":`...)
	out = appendString(out, s.ID)
	out = append(out, `,"vtime_ms":`...)
	out = strconv.AppendInt(out, s.VTimeMS, 10)
	out = appendField(out, "lane", s.Lane)
	out = s.appendSaid(out)
	out = appendList(out, "diff", s.Diff, appendDiff)
	out = appendList(out, "causes", s.Causes, func(out []byte, c int) []byte { return strconv.AppendInt(out, int64(c), 10) })
	return s.appendRest(out)
}

// appendSaid writes what the step is about.
func (s *Step) appendSaid(out []byte) []byte {
	out = appendField(out, "kind", string(s.Kind))
	out = appendField(out, "entity", s.Entity)
	if s.Msg != "" || len(s.Args) > 0 {
		out = append(out, `,"msg":{"key":`...)
		out = appendString(out, s.Msg)
		out = appendArgs(out, s.Args)
		out = append(out, '}')
	}
	return out
}

// appendRest closes the step.
func (s *Step) appendRest(out []byte) []byte {
	out = appendList(out, "reads", s.Reads, appendPath)
	out = appendIDs(out, s.IDs)
	out = appendList(out, "invariants", s.Invariants, appendString)
	out = append(out, `,"hash":"`...)
	out = append(out, s.Hash.String()...)
	return append(out, '"', '}')
}

func appendField(out []byte, name, value string) []byte {
	if value == "" {
		return out
	}
	out = append(out, ',', '"')
	out = append(out, name...)
	out = append(out, '"', ':')
	return appendString(out, value)
}

func appendList[T any](out []byte, name string, list []T, item func([]byte, T) []byte) []byte {
	if len(list) == 0 {
		return out
	}
	out = append(out, ',', '"')
	out = append(out, name...)
	out = append(out, `":[`...)
	for i, v := range list {
		out = comma(out, i)
		out = item(out, v)
	}
	return append(out, ']')
}

// appendArgs keeps the order in which the station gave the arguments.
func appendArgs(out []byte, args []env.Arg) []byte {
	if len(args) == 0 {
		return out
	}
	out = append(out, `,"args":{`...)
	for i, a := range args {
		out = comma(out, i)
		out = appendString(out, a.Name)
		out = append(out, ':')
		out = appendValue(out, a.Value)
	}
	return append(out, '}')
}

func appendIDs(out []byte, ids env.IDs) []byte {
	if ids == (env.IDs{}) {
		return out
	}
	at := len(out)
	out = appendField(out, "zxid", ids.Zxid)
	out = appendField(out, "session", ids.Session)
	out = appendField(out, "event", ids.Event)
	out = appendField(out, "correlation", ids.Correlation)
	fields := string(out[at+1:])
	return append(append(append(out[:at], `,"ids":{`...), fields...), '}')
}

func appendPath(out []byte, path env.Path) []byte {
	out = append(out, '[')
	for i, word := range path {
		out = comma(out, i)
		out = appendString(out, word)
	}
	return append(out, ']')
}

func appendDiff(out []byte, d Diff) []byte {
	out = append(out, `{"path":`...)
	out = appendPath(out, d.Path)
	if d.Before != nil {
		out = append(out, `,"before":`...)
		out = appendValue(out, d.Before)
	}
	if d.After != nil {
		out = append(out, `,"after":`...)
		out = appendValue(out, d.After)
	}
	return append(out, '}')
}

// appendValue writes a document value.
func appendValue(out []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendString(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case bool:
		return strconv.AppendBool(out, v)
	case []any:
		out = append(out, '[')
		for i, e := range v {
			out = comma(out, i)
			out = appendValue(out, e)
		}
		return append(out, ']')
	case env.Record:
		out = append(out, '{')
		for i, f := range v {
			out = comma(out, i)
			out = appendString(out, f.Name)
			out = append(out, ':')
			out = appendValue(out, f.Value)
		}
		return append(out, '}')
	}
	return append(out, "null"...)
}

func comma(out []byte, i int) []byte {
	if i > 0 {
		return append(out, ',')
	}
	return out
}

func appendString(out []byte, s string) []byte { return jsonvalue.AppendString(out, s) }

// appendRaw compacts JSON text; what is no JSON becomes null.
func appendRaw(out []byte, raw []byte) []byte {
	if longer, ok := jsonvalue.AppendCompact(out, string(raw)); ok {
		return longer
	}
	return append(out, "null"...)
}
