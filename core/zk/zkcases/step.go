package zkcases

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// file reads the outermost object.
func (r *reader) file(v any) File {
	o := r.object(v, "the file", []string{"format", "about", "cases"})
	if got := r.str(o, "format", ""); got != Format {
		r.fail("\"format\" is %q; %q is wanted", got, Format)
	}
	if _, has := o["cases"]; !has {
		r.fail("there is no \"cases\"; a list of cases is wanted")
	}
	f := File{About: r.str(o, "about", "")}
	seen := map[string]bool{}
	for i, c := range r.array(o, "cases") {
		name := fmt.Sprintf("case %d", i+1)
		if m, ok := c.(map[string]any); ok && r.str(m, "name", "") != "" {
			name = fmt.Sprintf("case %q", m["name"])
		}
		r.at(name, func() { f.Cases = append(f.Cases, r.oneCase(c, seen)) })
	}
	return f
}

// oneCase reads one case.
func (r *reader) oneCase(v any, seen map[string]bool) Case {
	o := r.object(v, "the case", []string{"name", "about", "tags", "steps"})
	c := Case{Name: r.str(o, "name", ""), About: r.str(o, "about", "")}
	if c.Name == "" || seen[c.Name] {
		r.fail("\"name\" is %q; every case has a name of its own", c.Name)
	}
	seen[c.Name] = true
	for _, t := range r.array(o, "tags") {
		s, ok := t.(string)
		if !ok {
			r.fail("a tag is %s; a string is wanted", Text(t))
		}
		c.Tags = append(c.Tags, s)
	}
	names := names{sessions: map[string]bool{}, watches: map[string]bool{}, handles: map[string]bool{}}
	for i, s := range r.array(o, "steps") {
		place := fmt.Sprintf("step %d", i+1)
		if m, ok := s.(map[string]any); ok && r.str(m, "op", "") != "" {
			place += fmt.Sprintf(" (%s)", m["op"])
		}
		r.at(place, func() { c.Steps = append(c.Steps, r.step(s, names)) })
	}
	return c
}

// names are what the steps so far have introduced; watches and handles belong to a session.
type names struct{ sessions, watches, handles map[string]bool }

// step reads one step and checks that what it refers to is there.
func (r *reader) step(v any, n names) Step {
	o := r.object(v, "the step", []string{"session", "op", "args", "async", "expect"})
	s := Step{Session: r.str(o, "session", ""), Op: r.str(o, "op", ""), Async: r.str(o, "async", "")}
	spec, known := ops[s.Op]
	if !known {
		all := make([]string, 0, len(ops))
		for k := range ops {
			all = append(all, k)
		}
		r.fail("unknown op %q; allowed: %s", s.Op, list(all))
		return s
	}
	if s.Session == "" {
		r.fail("there is no \"session\"; every step names the session that acts")
	}
	if open := s.Op == "open"; open == n.sessions[s.Session] {
		r.fail("session %q %s; a session's first step, and only that, is open", s.Session,
			map[bool]string{true: "is open already", false: "has not been opened"}[open])
	}
	n.sessions[s.Session] = true
	if s.Async != "" && !spec.call {
		r.fail("%q is no call and cannot be \"async\"", s.Op)
	}
	args, has := o["args"]
	if !has {
		args = map[string]any{}
	}
	s.Args = r.args(r.object(args, "\"args\"", spec.args), spec)
	if e, has := o["expect"]; has {
		s.Expect = r.expect(e, spec, s.Op)
	}
	r.references(s, n)
	r.outside(s, spec)
	return s
}

// references checks names of watches and handles, and introduces those of this step.
func (r *reader) references(s Step, n names) {
	watch, handle := s.Session+" "+s.Args.Watch, s.Session+" "+s.Args.Handle
	switch {
	case s.Op == "watch" && !n.watches[watch]:
		r.fail("watch %q of session %q was not set by an earlier step", s.Args.Watch, s.Session)
	case s.Op == "await" && !n.handles[handle]:
		r.fail("handle %q of session %q was not started by an earlier async step", s.Args.Handle, s.Session)
	case s.Args.Watch != "" && s.Op != "watch":
		n.watches[watch] = true
	}
	if s.Async != "" {
		n.handles[s.Session+" "+s.Async] = true
	}
}

// outside refuses a write that would leave something outside the case's base node: its path starts with neither ~ nor
// /zookeeper, is not the root, and nothing says that it fails.
func (r *reader) outside(s Step, spec opSpec) {
	if fails := s.Expect["error"] != nil; !spec.writes || fails {
		return
	}
	paths := []string{s.Args.Path}
	if s.Op == "multi" {
		paths = paths[:0]
		for _, op := range s.Args.Ops {
			if op.Kind != zk.Check {
				paths = append(paths, op.Path)
			}
		}
	}
	for _, p := range paths {
		if p != Base && !strings.HasPrefix(p, Base+"/") && strings.HasPrefix(p, "/") && p != "/" && !strings.HasPrefix(p, "/zookeeper") {
			r.fail("path %q is outside the case's base node; write it as ~ or ~/…, or expect an \"error\"", p)
		}
	}
}

// args reads the arguments of a step, or of an operation of a multi.
func (r *reader) args(o map[string]any, spec opSpec) Args {
	for _, k := range spec.needs {
		if _, has := o[k]; !has {
			r.fail("the argument %q is missing", k)
		}
	}
	a := Args{
		Path:      r.str(o, "path", ""),
		Data:      r.data(o),
		Version:   int32(r.num(o, "version", -1, math.MinInt32, math.MaxInt32)),
		Flags:     int32(r.num(o, "flags", 0, math.MinInt32, math.MaxInt32)),
		ACL:       r.acl(o),
		TTLMS:     r.num(o, "ttl_ms", 0, math.MinInt64/1_000_000, math.MaxInt64/1_000_000),
		TimeoutMS: int32(r.num(o, "timeout_ms", 10000, 1, math.MaxInt32)),
		Watch:     r.str(o, "watch", ""),
		Scheme:    r.str(o, "scheme", ""),
		Auth:      r.str(o, "auth", ""),
		Count:     int(r.num(o, "count", 0, 0, 1_000_000)),
		NoBarrier: r.flag(o, "no_barrier"),
		Handle:    r.str(o, "handle", ""),
	}
	for i, op := range r.array(o, "ops") {
		r.at(fmt.Sprintf("operation %d of the multi", i+1), func() { a.Ops = append(a.Ops, r.multiOp(op)) })
	}
	return a
}

// multiOp reads one operation of a multi.
func (r *reader) multiOp(v any) zk.Op {
	m, _ := v.(map[string]any)
	name := r.str(m, "op", "")
	allowed, known := multiArgs[name]
	if !known {
		r.fail("unknown op %q; allowed: check, create, delete, set", name)
		return zk.Op{}
	}
	a := r.args(r.object(v, "it", allowed), opSpec{})
	op := zk.Op{Path: a.Path, Data: a.Data, Version: a.Version, Mode: zk.Mode(a.Flags)}
	switch name {
	case "create":
		op.Kind, op.ACL = zk.Create, a.ACL
	case "set":
		op.Kind = zk.Set
	case "delete":
		op.Kind = zk.Delete
	case "check":
		op.Kind = zk.Check
	}
	return op
}

// maxData bounds the bytes that one argument may ask for.
const maxData = 64 << 20

// data reads "data": a string, or a repetition.
func (r *reader) data(o map[string]any) []byte {
	switch v := o["data"].(type) {
	case nil:
		return nil
	case string:
		return []byte(v)
	default:
		d := r.object(v, "\"data\"", []string{"repeat", "count"})
		unit := r.str(d, "repeat", "")
		n := r.num(d, "count", 0, 0, maxData)
		if r.err != nil || unit == "" && n > 0 {
			r.fail("\"data\" is %s; a string or {\"repeat\":\"x\",\"count\":n} is wanted", Text(v))
			return nil
		}
		return []byte(strings.Repeat(unit, int(n)/max(len(unit), 1)+1))[:n]
	}
}

// acl reads "acl" and "no_acl"; a "password" makes the id of a digest entry.
func (r *reader) acl(o map[string]any) []zk.ACL {
	if r.flag(o, "no_acl") {
		return []zk.ACL{}
	}
	if !slices.Contains(sortedFields(o), "acl") {
		return []zk.ACL{{Perms: 31, Scheme: "world", ID: "anyone"}}
	}
	out := []zk.ACL{}
	for _, v := range r.array(o, "acl") {
		e := r.object(v, "an entry of \"acl\"", []string{"perms", "scheme", "id", "password"})
		a := zk.ACL{Perms: int32(r.num(e, "perms", 0, math.MinInt32, math.MaxInt32)), Scheme: r.str(e, "scheme", ""), ID: r.str(e, "id", "")}
		if _, has := e["password"]; has {
			sum := sha1.Sum([]byte(a.ID + ":" + r.str(e, "password", "")))
			a.ID += ":" + base64.StdEncoding.EncodeToString(sum[:])
		}
		out = append(out, a)
	}
	return out
}
