// Package zktest is one suite for every zk.Store. It reads cases of the format zkcases/1 (recorded from a real ZooKeeper
// through go-zookeeper/zk v1.0.4), plays them through a thin model of that client, and compares two stores on random
// histories. A program that plays cases through the real client uses the same reader, names and comparison.
//
// # The format
//
//	{"format":"zkcases/1","about":…,"cases":[{"name":…,"about":…,"tags":[…],"steps":[
//	  {"session":"A","op":"open"},
//	  {"session":"A","op":"create","args":{"path":"~/a","data":"x"},"expect":{"error":null,"path":"~/a"}}]}]}
//
// In a path "~" is the case's base node, made just before its first step; zxids count from its creation. Each field of
// expect must equal the same field of the step's result. Operations, their arguments and fields stand in the table ops.
package zktest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// Format is the format of case files this package reads and writes.
const Format = "zkcases/1"

//go:embed testdata/zookeeper-cases.json
var recorded []byte

//go:embed testdata/found-cases.json
var found []byte

// Recorded is the cases recorded from a real 3.8.0 server.
func Recorded() *File { return embedded("zookeeper-cases.json", recorded) }

// Found is the cases that hold the differences found between a real server and the emulator; testdata/README.md lists them.
func Found() *File { return embedded("found-cases.json", found) }

func embedded(name string, data []byte) *File {
	f, err := Read(name, data)
	if err != nil {
		panic(err) // the embedded files are checked by this package's test
	}
	return f
}

// File is a case file.
type File struct {
	Format string `json:"format"`
	About  string `json:"about,omitempty"`
	Cases  []Case `json:"cases"`
}

// Case is a history of steps that is independent of every other case.
type Case struct {
	Name  string   `json:"name"`
	About string   `json:"about,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Steps []Step   `json:"steps"`
}

// Step is a call of a session or an action of the harness on it.
type Step struct {
	Session string         `json:"session"`
	Op      string         `json:"op"`
	Args    Args           `json:"args,omitzero"`
	Async   string         `json:"async,omitempty"`
	Expect  map[string]any `json:"expect,omitempty"` // values as encoding/json gives them

	Unknown string `json:"-"` // why nobody can make this step, which ends its case; "" when it is known
}

// Args are the arguments of every operation; which of them an operation has is in the table ops.
type Args struct {
	Path      string  `json:"path,omitempty"`
	Data      *Data   `json:"data,omitempty"`    // nil is a nil slice
	Version   *int32  `json:"version,omitempty"` // nil is -1
	Flags     int32   `json:"flags,omitempty"`
	ACL       []Entry `json:"acl,omitempty"` // none: world:anyone with all permissions
	NoACL     bool    `json:"no_acl,omitempty"`
	TTLMS     float64 `json:"ttl_ms,omitempty"`
	Watch     string  `json:"watch,omitempty"`
	Scheme    string  `json:"scheme,omitempty"`
	Auth      string  `json:"auth,omitempty"`
	Count     int     `json:"count,omitempty"`
	TimeoutMS int32   `json:"timeout_ms,omitempty"` // 0 is 10000
	NoBarrier bool    `json:"no_barrier,omitempty"`
	Handle    string  `json:"handle,omitempty"`
	Ops       []SubOp `json:"ops,omitempty"`
}

// SubOp is one operation of a multi: create, set, delete or check.
type SubOp struct {
	Op      string  `json:"op"`
	Path    string  `json:"path,omitempty"`
	Data    *Data   `json:"data,omitempty"`
	Flags   int32   `json:"flags,omitempty"`
	Version *int32  `json:"version,omitempty"`
	ACL     []Entry `json:"acl,omitempty"`
	NoACL   bool    `json:"no_acl,omitempty"`
}

// Entry is one entry of an ACL; a password turns the id into id:base64(sha1(id:password)).
type Entry struct {
	Perms    int32  `json:"perms"`
	Scheme   string `json:"scheme"`
	ID       string `json:"id"`
	Password string `json:"password,omitempty"`
}

// Data is the data of a node: a string, or in JSON also {"repeat":"x","count":n}.
type Data string

// maxData keeps a case file from asking for absurd amounts; it is far above what a server takes.
const maxData = 16 << 20

// UnmarshalJSON reads both forms.
func (d *Data) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*d = Data(text)
		return nil
	}
	var repeat struct {
		Repeat string `json:"repeat"`
		Count  int    `json:"count"`
	}
	if err := json.Unmarshal(raw, &repeat); err != nil {
		return fmt.Errorf(`data %s is neither a string nor {"repeat":"x","count":n}`, raw)
	}
	if repeat.Count < 0 || repeat.Count*len(repeat.Repeat) > maxData {
		return fmt.Errorf("data of %d × %q is too large; allowed are %d bytes", repeat.Count, repeat.Repeat, maxData)
	}
	*d = Data(strings.Repeat(repeat.Repeat, repeat.Count))
	return nil
}

// bytes is the slice a client would send.
func (d *Data) bytes() []byte {
	if d == nil {
		return nil
	}
	return []byte(*d)
}

// version is the version argument with its default.
func version(v *int32) int32 {
	if v == nil {
		return -1
	}
	return *v
}

// opForm says what a step of one operation may carry. Lists are words separated by blanks.
type opForm struct {
	args, fields string
	harness      bool // an action on the connection, not a call
}

// ops is the whole language of zkcases/1.
var ops = map[string]opForm{
	"open":             {"timeout_ms", "events", true},
	"close":            {"", "events", true},
	"create":           {"path data flags acl no_acl", "error path", false},
	"create_container": {"path data flags acl no_acl ttl_ms", "error path", false},
	"create_ttl":       {"path data flags acl no_acl ttl_ms", "error path", false},
	"delete":           {"path version", "error", false},
	"set":              {"path data version", "error stat", false},
	"get":              {"path", "error data stat", false},
	"get_w":            {"path watch", "error data stat", false},
	"exists":           {"path", "error exists stat", false},
	"exists_w":         {"path watch", "error exists stat", false},
	"children":         {"path", "error children count stat", false},
	"children_w":       {"path watch", "error children count stat", false},
	"get_acl":          {"path", "error acl stat", false},
	"set_acl":          {"path acl no_acl version", "error stat", false},
	"add_auth":         {"scheme auth", "error", false},
	"sync":             {"path", "error path", false},
	"multi":            {"ops", "error results", false},
	"state":            {"", "state", true},
	"fill":             {"path count", "error", false},
	"events":           {"no_barrier", "events", true},
	"watch":            {"watch no_barrier", "event closed", true},
	"cut":              {"", "", true},
	"stall":            {"", "", true},
	"heal":             {"", "", true},
	"await":            {"handle", "error path data stat exists children count acl results", true},
	"await_gone":       {"path", "", true},
}

// subOps are the operations of a multi and their fields.
var subOps = map[string]string{
	"create": "op path data flags acl no_acl",
	"set":    "op path data version",
	"delete": "op path version",
	"check":  "op path version",
}
