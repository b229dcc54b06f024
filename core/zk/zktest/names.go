package zktest

import (
	"crypto/sha1"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/zk"
)

// Names translates between a case and the server it is played on: paths, zxids and owners.
type Names struct {
	Base     string // path of the base node
	BaseZxid int64  // its czxid
	Owners   map[zk.SessionID]string
}

// Path is the real path for one of a case.
func (n *Names) Path(path string) string {
	if rest, found := strings.CutPrefix(path, "~"); found {
		return n.Base + rest
	}
	return path
}

// ShowPath is the path of a case for a real one.
func (n *Names) ShowPath(path string) string {
	if rest, found := strings.CutPrefix(path, n.Base); found && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

func (n *Names) zxid(z int64) any {
	if z < n.BaseZxid {
		return "pre"
	}
	return z - n.BaseZxid
}

// Stat is a stat as a result shows it: all but the times, zxids as offsets, the owner by name.
func (n *Names) Stat(s zk.Stat) any {
	if s == (zk.Stat{}) {
		return "zero"
	}
	var owner any = 0
	if s.EphemeralOwner != 0 {
		owner = "0x" + strconv.FormatInt(int64(s.EphemeralOwner), 16)
		if name, known := n.Owners[s.EphemeralOwner]; known {
			owner = name
		}
	}
	return map[string]any{
		"czxid": n.zxid(s.Czxid), "mzxid": n.zxid(s.Mzxid), "pzxid": n.zxid(s.Pzxid),
		"version": s.Version, "cversion": s.Cversion, "aversion": s.Aversion,
		"ephemeralOwner": owner, "dataLength": s.DataLength, "numChildren": s.NumChildren,
	}
}

// ShowData is the data of a node as a result shows it.
func ShowData(data []byte) any {
	const long = 200
	switch {
	case data == nil:
		return nil
	case len(data) > long:
		return map[string]any{"len": len(data)}
	}
	return string(data)
}

// ShowChildren puts a list of children into r: sorted, or their number if they are many.
func (r Result) ShowChildren(names []string) {
	const many = 100
	if len(names) > many {
		r["count"] = len(names)
		return
	}
	r["children"] = append([]string{}, slices.Sorted(slices.Values(names))...)
}

// ShowACL is a list as a result shows it.
func ShowACL(list []zk.ACL) any {
	out := make([]any, len(list))
	for i, a := range list {
		out[i] = map[string]any{"perms": a.Perms, "scheme": a.Scheme, "id": a.ID}
	}
	return out
}

// List is the ACL argument of a call: nil for the default, empty for no_acl.
func List(entries []Entry, none bool) []zk.ACL {
	if none {
		return []zk.ACL{}
	}
	var out []zk.ACL
	for _, e := range entries {
		if e.Password != "" {
			sum := sha1.Sum([]byte(e.ID + ":" + e.Password))
			e.ID += ":" + base64.StdEncoding.EncodeToString(sum[:])
		}
		out = append(out, zk.ACL{Perms: e.Perms, Scheme: e.Scheme, ID: e.ID})
	}
	return out
}

var errorNames = map[zk.Code]string{
	zk.ConnectionLoss: "ErrConnectionClosed", zk.BadArguments: "ErrBadArguments", zk.NoNode: "ErrNoNode",
	zk.NoAuth: "ErrNoAuth", zk.BadVersion: "ErrBadVersion", zk.NoChildrenForEphemerals: "ErrNoChildrenForEphemerals",
	zk.NodeExists: "ErrNodeExists", zk.NotEmpty: "ErrNotEmpty", zk.SessionExpired: "ErrSessionExpired",
	zk.InvalidACL: "ErrInvalidACL", zk.AuthFailed: "ErrAuthFailed", zk.SessionMoved: "ErrSessionMoved",
	zk.Closed: "ErrConnectionClosed",
}

// ShowError is the name of the go-zookeeper error for a code, nil for success.
func ShowError(c zk.Code) any {
	if c == zk.OK {
		return nil
	}
	if name, known := errorNames[c]; known {
		return name
	}
	return "unknown error: " + strconv.Itoa(int(c))
}

// showEvent is a watch event as a result shows it.
func (n *Names) showEvent(e zk.Event) any {
	return map[string]any{"type": e.Type.String(), "state": "SyncConnected", "path": n.ShowPath(e.Path)}
}
