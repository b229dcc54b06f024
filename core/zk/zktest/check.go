package zktest

import (
	"maps"
	"slices"
	"strings"
)

// scope is what the steps so far have introduced.
type scope struct {
	sessions map[string]bool
	watches  map[[2]string]bool // session, name
	handles  map[[2]string]bool // session, name
}

// checkStep tests what a step refers to: its session, its watch or handle, and its paths.
func (r *reader) checkStep(s *Step, known scope) error {
	switch {
	case s.Session == "":
		return r.fail("", `the step has no "session"`)
	case s.Op == "open":
		known.sessions[s.Session] = true
	case !known.sessions[s.Session]:
		allowed := strings.Join(slices.Sorted(maps.Keys(known.sessions)), ", ")
		if allowed == "" {
			allowed = "none yet"
		}
		return r.fail(allowed, "session %q does not exist: its first step must be open", s.Session)
	}
	if err := r.checkNames(s, known); err != nil {
		return err
	}
	if err := r.checkExpect(s.Expect); err != nil {
		return err
	}
	return r.checkPaths(s)
}

// checkNames keeps and looks up the names of watch channels and of calls in the background.
func (r *reader) checkNames(s *Step, known scope) error {
	name := [2]string{s.Session, s.Args.Watch}
	switch {
	case s.Op == "watch" && !known.watches[name]:
		return r.fail(namesOf(known.watches, s.Session), "watch %q was not set by session %s", s.Args.Watch, s.Session)
	case s.Args.Watch != "":
		known.watches[name] = true
	}
	if s.Async != "" {
		if ops[s.Op].harness {
			return r.fail("", "async: %s is no call of the client and cannot run in the background", s.Op)
		}
		known.handles[[2]string{s.Session, s.Async}] = true
	}
	if handle := [2]string{s.Session, s.Args.Handle}; s.Op == "await" && !known.handles[handle] {
		return r.fail(namesOf(known.handles, s.Session), "handle %q was not started by session %s", s.Args.Handle, s.Session)
	}
	return nil
}

func namesOf(m map[[2]string]bool, session string) string {
	var out []string
	for key := range m {
		if key[0] == session {
			out = append(out, key[1])
		}
	}
	if out == nil {
		return "none yet"
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// writes are the operations that could change a tree outside the base node.
const writes = "create create_container create_ttl delete set set_acl fill multi"

const pathsAllowed = "~ and what is under it; /, /zookeeper, /zookeeper/config and /zookeeper/quota; " +
	"any path in a step that expects an error"

// checkPaths keeps writes under the case's base node. A write that is expected to fail may name any path, and so may every
// read.
func (r *reader) checkPaths(s *Step) error {
	if expected, _ := s.Expect["error"].(string); expected != "" || !hasWord(writes, s.Op) {
		return nil
	}
	paths := []string{s.Args.Path}
	if s.Op == "multi" {
		paths = nil
		for _, o := range s.Args.Ops {
			if o.Op != "check" {
				paths = append(paths, o.Path)
			}
		}
	}
	for _, p := range paths {
		switch {
		case strings.HasPrefix(p, "~"), p == "", p == "/", p == "/zookeeper", p == "/zookeeper/config",
			p == "/zookeeper/quota":
		default:
			return r.fail(pathsAllowed, "path %q of %s does not begin with ~", p, s.Op)
		}
	}
	return nil
}

// statFields are the fields of a stat that is written out.
const statFields = "czxid mzxid pzxid version cversion aversion ephemeralOwner dataLength numChildren"

// checkExpect tests the form of the expected values that have one.
func (r *reader) checkExpect(expect map[string]any) error {
	for _, field := range slices.Sorted(maps.Keys(expect)) {
		switch v := expect[field].(type) {
		case string:
			if field == "stat" && v != "zero" {
				return r.fail(`null, "zero", an object`, "expected stat %q is not known", v)
			}
		case map[string]any:
			if err := r.checkKeys(field, v); err != nil {
				return err
			}
		case []any:
			for _, item := range v {
				if m, isObject := item.(map[string]any); isObject {
					if err := r.checkKeys(field, m); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (r *reader) checkKeys(field string, m map[string]any) error {
	allowed := map[string]string{"stat": statFields, "event": "type state path err", "events": "type state path err",
		"data": "len", "acl": "perms scheme id", "results": "error path stat"}[field]
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !hasWord(allowed, key) {
			return r.fail(words(allowed), "expected %s has no field %q", field, key)
		}
	}
	return nil
}
