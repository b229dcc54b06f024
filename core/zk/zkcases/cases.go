// Package zkcases is the case-file format zkcases/1: sessions that make calls, and what a ZooKeeper client sees of them.
// It holds the types, the strict reader and the comparison of results; whoever replays cases (core/zk/zktest on a Store,
// headless/conform through a real client) makes the calls.
//
// Values of results are nil, string, bool, int64, []any and map[string]any, as in the file.
package zkcases

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"controllerscope/core/zk"
)

// Format is the name that a case file must give itself.
const Format = "zkcases/1"

// MicroVersion tags cases whose outcome differs between releases of ZooKeeper 3.8.
const MicroVersion = "micro-version"

// Base stands in paths for the case's base node: an empty persistent node made just before its first step.
const Base = "~"

// File is a read case file.
type File struct {
	About string
	Cases []Case
}

// Case is one case, independent of the others; its steps run one after the other.
type Case struct {
	Name, About string
	Tags        []string
	Steps       []Step
}

// Tagged reports whether the case carries a tag.
func (c Case) Tagged(tag string) bool { return slices.Contains(c.Tags, tag) }

// Step is one call or harness action of a session. Expect holds the fields that the result must have.
type Step struct {
	Session string
	Op      string
	Async   string // start in the background under this name
	Args    Args
	Expect  map[string]any
}

// Args are a step's arguments with the defaults of absent ones filled in.
type Args struct {
	Path         string // as written, with ~
	Data         []byte // nil if absent
	Version      int32  // -1
	Flags        int32
	ACL          []zk.ACL // world:anyone with all permissions if absent, empty for no_acl
	Ops          []zk.Op  // multi; paths with ~
	TTLMS        int64
	TimeoutMS    int32  // 10000
	Watch        string // the name of a watch channel
	Scheme, Auth string
	Count        int // fill
	NoBarrier    bool
	Handle       string // await
}

// Expand puts the base node's path in place of ~.
func Expand(path, base string) string {
	if path == Base || strings.HasPrefix(path, Base+"/") {
		return base + path[len(Base):]
	}
	return path
}

// Contract puts ~ in place of the base node's path.
func Contract(path, base string) string {
	if path == base || strings.HasPrefix(path, base+"/") {
		return Base + path[len(base):]
	}
	return path
}

// Failure is a field of a step's result that is not as expected, or (Field "error" and Want nothing) a step that the
// replayer could not make.
type Failure struct {
	Case      string
	Step      int // from 1
	Op, Field string
	Want, Got any
}

// String is the failure in one line.
func (f Failure) String() string {
	return fmt.Sprintf("case %s, step %d (%s), %s: want %s, got %s", f.Case, f.Step, f.Op, f.Field, Text(f.Want), Text(f.Got))
}

// Compare returns the expected fields that the result does not have, by name.
func Compare(c Case, step int, result map[string]any) []Failure {
	s := c.Steps[step]
	var out []Failure
	for _, field := range sortedFields(s.Expect) {
		got, has := result[field]
		if !has {
			got = "(no such field)"
		}
		if !has || !reflect.DeepEqual(s.Expect[field], got) {
			out = append(out, Failure{Case: c.Name, Step: step + 1, Op: s.Op, Field: field, Want: s.Expect[field], Got: got})
		}
	}
	return out
}

func sortedFields(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// StatValue writes a Stat as results show it: zxids as offsets from the base node's, "pre" if older; the owner by the
// session's name. nil is no Stat, an all-zero one is "zero".
func StatValue(s *zk.Stat, baseZxid int64, owner func(zk.SessionID) string) any {
	if s == nil {
		return nil
	}
	if *s == (zk.Stat{}) {
		return "zero"
	}
	zxid := func(z int64) any {
		if z < baseZxid {
			return "pre"
		}
		return z - baseZxid
	}
	var by any = int64(0)
	if s.EphemeralOwner != 0 {
		by = owner(s.EphemeralOwner)
	}
	return map[string]any{"czxid": zxid(s.Czxid), "mzxid": zxid(s.Mzxid), "pzxid": zxid(s.Pzxid),
		"version": int64(s.Version), "cversion": int64(s.Cversion), "aversion": int64(s.Aversion),
		"ephemeralOwner": by, "dataLength": int64(s.DataLength), "numChildren": int64(s.NumChildren)}
}

// DataValue writes data as results show it: null for nil, the length alone over 200 bytes.
func DataValue(b []byte) any {
	switch {
	case b == nil:
		return nil
	case len(b) > 200:
		return map[string]any{"len": int64(len(b))}
	}
	return string(b)
}

// ACLValue writes a list as results show it.
func ACLValue(acl []zk.ACL) any {
	out := make([]any, len(acl))
	for i, a := range acl {
		out[i] = map[string]any{"perms": int64(a.Perms), "scheme": a.Scheme, "id": a.ID}
	}
	return out
}

// AddChildren writes a list of children into a result: the names sorted by byte, or their count when over 100.
func AddChildren(result map[string]any, names []string) {
	if len(names) > 100 {
		result["count"] = int64(len(names))
		return
	}
	names = slices.Clone(names)
	sort.Strings(names)
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	result["children"] = out
}
