package zkplay

import (
	"errors"
	"fmt"
	"strings"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkcases"
)

// errorNames are the exported error values of go-zookeeper v1.0.4 that calls can return.
var errorNames = []struct {
	err  error
	name string
}{
	{gozk.ErrConnectionClosed, "ErrConnectionClosed"}, {gozk.ErrUnknown, "ErrUnknown"}, {gozk.ErrAPIError, "ErrAPIError"},
	{gozk.ErrNoNode, "ErrNoNode"}, {gozk.ErrNoAuth, "ErrNoAuth"}, {gozk.ErrBadVersion, "ErrBadVersion"},
	{gozk.ErrNoChildrenForEphemerals, "ErrNoChildrenForEphemerals"}, {gozk.ErrNodeExists, "ErrNodeExists"},
	{gozk.ErrNotEmpty, "ErrNotEmpty"}, {gozk.ErrSessionExpired, "ErrSessionExpired"}, {gozk.ErrInvalidACL, "ErrInvalidACL"},
	{gozk.ErrInvalidFlags, "ErrInvalidFlags"}, {gozk.ErrAuthFailed, "ErrAuthFailed"}, {gozk.ErrClosing, "ErrClosing"},
	{gozk.ErrNothing, "ErrNothing"}, {gozk.ErrSessionMoved, "ErrSessionMoved"}, {gozk.ErrReconfigDisabled, "ErrReconfigDisabled"},
	{gozk.ErrBadArguments, "ErrBadArguments"}, {gozk.ErrInvalidPath, "ErrInvalidPath"}, {gozk.ErrNoServer, "ErrNoServer"},
	{gozk.ErrShortBuffer, "ErrShortBuffer"}, {gozk.ErrUnhandledFieldType, "ErrUnhandledFieldType"},
	{gozk.ErrPtrExpected, "ErrPtrExpected"},
}

// errorValue is nil, the name of an exported error, or the message.
func errorValue(err error) any {
	if err == nil {
		return nil
	}
	for _, e := range errorNames {
		if errors.Is(err, e.err) {
			return e.name
		}
	}
	return err.Error()
}

// call makes one call of the library and writes down what it returned.
func (p *player) call(s *session, op string, a zkcases.Args) map[string]any {
	path, c := zkcases.Expand(a.Path, p.base), s.conn
	switch op {
	case "create":
		made, err := c.Create(path, a.Data, a.Flags, libraryACL(a.ACL))
		return p.path(made, err)
	case "create_container":
		made, err := c.CreateContainer(path, a.Data, a.Flags, libraryACL(a.ACL))
		return p.path(made, err)
	case "create_ttl":
		made, err := c.CreateTTL(path, a.Data, a.Flags, libraryACL(a.ACL), time.Duration(a.TTLMS)*time.Millisecond)
		return p.path(made, err)
	case "sync":
		same, err := c.Sync(path)
		return p.path(same, err)
	case "delete":
		return map[string]any{"error": errorValue(c.Delete(path, a.Version))}
	case "set":
		stat, err := c.Set(path, a.Data, a.Version)
		return p.stat(map[string]any{}, stat, err)
	case "set_acl":
		stat, err := c.SetACL(path, libraryACL(a.ACL), a.Version)
		return p.stat(map[string]any{}, stat, err)
	case "get_acl":
		acl, stat, err := c.GetACL(path)
		return p.stat(map[string]any{"acl": zkcases.ACLValue(ourACL(acl))}, stat, err)
	case "add_auth":
		return map[string]any{"error": errorValue(c.AddAuth(a.Scheme, []byte(a.Auth)))}
	case "multi":
		return p.multi(s, a.Ops)
	case "fill":
		return map[string]any{"error": errorValue(fill(c, path, a.Count))}
	}
	return p.read(s, op, path, a.Watch)
}

// read makes a reading call, whose _w form leaves a channel under the name watch.
func (p *player) read(s *session, op, path, watch string) map[string]any {
	var stat *gozk.Stat
	var ch <-chan gozk.Event
	var err error
	out := map[string]any{}
	switch op {
	case "get", "get_w":
		var data []byte
		if op == "get" {
			data, stat, err = s.conn.Get(path)
		} else {
			data, stat, ch, err = s.conn.GetW(path)
		}
		out["data"] = zkcases.DataValue(data)
	case "exists", "exists_w":
		if op == "exists" {
			out["exists"], stat, err = s.conn.Exists(path)
		} else {
			out["exists"], stat, ch, err = s.conn.ExistsW(path)
		}
	case "children", "children_w":
		var names []string
		if op == "children" {
			names, stat, err = s.conn.Children(path)
		} else {
			names, stat, ch, err = s.conn.ChildrenW(path)
		}
		zkcases.AddChildren(out, names)
	}
	if watch != "" {
		p.mu.Lock()
		s.watches[watch] = ch
		p.mu.Unlock()
	}
	return p.stat(out, stat, err)
}

// path is the result of a call that returns a path.
func (p *player) path(path string, err error) map[string]any {
	return map[string]any{"error": errorValue(err), "path": zkcases.Contract(path, p.base)}
}

// stat adds a Stat and an error to a result.
func (p *player) stat(out map[string]any, stat *gozk.Stat, err error) map[string]any {
	out["error"], out["stat"] = errorValue(err), zkcases.StatValue(ourStat(stat), p.baseZxid, p.owner)
	return out
}

// multi makes a multi.
func (p *player) multi(s *session, ops []zk.Op) map[string]any {
	requests := make([]any, len(ops))
	for i, op := range ops {
		path := zkcases.Expand(op.Path, p.base)
		switch op.Kind {
		case zk.Create:
			requests[i] = &gozk.CreateRequest{Path: path, Data: op.Data, Acl: libraryACL(op.ACL), Flags: int32(op.Mode)}
		case zk.Set:
			requests[i] = &gozk.SetDataRequest{Path: path, Data: op.Data, Version: op.Version}
		case zk.Delete:
			requests[i] = &gozk.DeleteRequest{Path: path, Version: op.Version}
		case zk.Check:
			requests[i] = &gozk.CheckVersionRequest{Path: path, Version: op.Version}
		}
	}
	answers, err := s.conn.Multi(requests...)
	results := make([]any, len(answers))
	for i, r := range answers {
		one := map[string]any{"error": errorValue(r.Error)}
		if r.String != "" {
			one["path"] = zkcases.Contract(r.String, p.base)
		}
		if r.Stat != nil {
			one["stat"] = zkcases.StatValue(ourStat(r.Stat), p.baseZxid, p.owner)
		}
		results[i] = one
	}
	return map[string]any{"error": errorValue(err), "results": results}
}

// fill creates count children one by one.
func fill(c *gozk.Conn, path string, count int) error {
	for i := range count {
		if _, err := c.Create(fmt.Sprintf("%s/c%06d", path, i), nil, 0, gozk.WorldACL(gozk.PermAll)); err != nil {
			return err
		}
	}
	return nil
}

// eventValue writes an event as results show it.
func (p *player) eventValue(e gozk.Event) any {
	out := map[string]any{"type": strings.TrimPrefix(e.Type.String(), "Event"), "state": strings.TrimPrefix(e.State.String(), "State")}
	if e.Path != "" {
		out["path"] = zkcases.Contract(e.Path, p.base)
	}
	if e.Err != nil {
		out["err"] = errorValue(e.Err)
	}
	return out
}

// eventValues writes a list of them.
func (p *player) eventValues(events []gozk.Event) []any {
	out := make([]any, len(events))
	for i, e := range events {
		out[i] = p.eventValue(e)
	}
	return out
}

// libraryACL is a list in the library's type.
func libraryACL(acl []zk.ACL) []gozk.ACL {
	out := make([]gozk.ACL, len(acl))
	for i, a := range acl {
		out[i] = gozk.ACL{Perms: a.Perms, Scheme: a.Scheme, ID: a.ID}
	}
	return out
}

// ourACL is the way back.
func ourACL(acl []gozk.ACL) []zk.ACL {
	out := make([]zk.ACL, len(acl))
	for i, a := range acl {
		out[i] = zk.ACL{Perms: a.Perms, Scheme: a.Scheme, ID: a.ID}
	}
	return out
}

// ourStat is the library's Stat in ours; nil stays nil.
func ourStat(s *gozk.Stat) *zk.Stat {
	if s == nil {
		return nil
	}
	return &zk.Stat{Czxid: s.Czxid, Mzxid: s.Mzxid, Pzxid: s.Pzxid, Ctime: s.Ctime, Mtime: s.Mtime, Version: s.Version,
		Cversion: s.Cversion, Aversion: s.Aversion, EphemeralOwner: zk.SessionID(s.EphemeralOwner),
		DataLength: s.DataLength, NumChildren: s.NumChildren}
}
