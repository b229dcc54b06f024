package zkplay

import (
	"errors"
	"fmt"
	"strings"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
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
func (p *player) call(s *session, op string, a zktest.Args) zktest.Result {
	path, c, acl := p.names.Path(a.Path), s.conn, libraryACL(zktest.List(a.ACL, a.NoACL))
	switch op {
	case "create":
		made, err := c.Create(path, bytes(a.Data), a.Flags, acl)
		return p.path(made, err)
	case "create_container":
		made, err := c.CreateContainer(path, bytes(a.Data), a.Flags, acl)
		return p.path(made, err)
	case "create_ttl":
		made, err := c.CreateTTL(path, bytes(a.Data), a.Flags, acl, time.Duration(a.TTLMS*float64(time.Millisecond)))
		return p.path(made, err)
	case "sync":
		same, err := c.Sync(path)
		return p.path(same, err)
	case "delete":
		return zktest.Result{"error": errorValue(c.Delete(path, version(a.Version)))}
	case "set":
		stat, err := c.Set(path, bytes(a.Data), version(a.Version))
		return p.stat(zktest.Result{}, stat, err)
	case "set_acl":
		stat, err := c.SetACL(path, acl, version(a.Version))
		return p.stat(zktest.Result{}, stat, err)
	case "get_acl":
		list, stat, err := c.GetACL(path)
		return p.stat(zktest.Result{"acl": zktest.ShowACL(ourACL(list))}, stat, err)
	case "add_auth":
		return zktest.Result{"error": errorValue(c.AddAuth(a.Scheme, []byte(a.Auth)))}
	case "multi":
		return p.multi(s, a.Ops)
	case "fill":
		return zktest.Result{"error": errorValue(fill(c, path, a.Count))}
	}
	return p.read(s, op, path, a.Watch)
}

// read makes a reading call, whose _w form leaves a channel under the name watch.
func (p *player) read(s *session, op, path, watch string) zktest.Result {
	var stat *gozk.Stat
	var ch <-chan gozk.Event
	var err error
	out := zktest.Result{}
	switch op {
	case "get", "get_w":
		var data []byte
		if op == "get" {
			data, stat, err = s.conn.Get(path)
		} else {
			data, stat, ch, err = s.conn.GetW(path)
		}
		out["data"] = zktest.ShowData(data)
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
		out.ShowChildren(names)
	}
	if ch != nil {
		s.keep(ch)
	}
	if watch != "" {
		p.mu.Lock()
		s.watches[watch] = ch
		p.mu.Unlock()
	}
	return p.stat(out, stat, err)
}

// path is the result of a call that returns a path.
func (p *player) path(path string, err error) zktest.Result {
	return zktest.Result{"error": errorValue(err), "path": p.names.ShowPath(path)}
}

// stat adds a Stat and an error to a result.
func (p *player) stat(out zktest.Result, stat *gozk.Stat, err error) zktest.Result {
	out["error"], out["stat"] = errorValue(err), p.statValue(stat)
	return out
}

// statValue is a Stat as results show it; no Stat is nil.
func (p *player) statValue(stat *gozk.Stat) any {
	if stat == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names.Stat(ourStat(stat))
}

// multi makes a multi.
func (p *player) multi(s *session, ops []zktest.SubOp) zktest.Result {
	requests := make([]any, len(ops))
	for i, op := range ops {
		path := p.names.Path(op.Path)
		switch op.Op {
		case "create":
			requests[i] = &gozk.CreateRequest{Path: path, Data: bytes(op.Data), Acl: libraryACL(zktest.List(op.ACL, op.NoACL)), Flags: op.Flags}
		case "set":
			requests[i] = &gozk.SetDataRequest{Path: path, Data: bytes(op.Data), Version: version(op.Version)}
		case "delete":
			requests[i] = &gozk.DeleteRequest{Path: path, Version: version(op.Version)}
		case "check":
			requests[i] = &gozk.CheckVersionRequest{Path: path, Version: version(op.Version)}
		}
	}
	answers, err := s.conn.Multi(requests...)
	results := make([]any, len(answers))
	for i, r := range answers {
		one := map[string]any{"error": errorValue(r.Error)}
		if r.String != "" {
			one["path"] = p.names.ShowPath(r.String)
		}
		if r.Stat != nil {
			one["stat"] = p.statValue(r.Stat)
		}
		results[i] = one
	}
	return zktest.Result{"error": errorValue(err), "results": results}
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
		out["path"] = p.names.ShowPath(e.Path)
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

// bytes is the slice that a call sends; no data is a nil slice.
func bytes(d *zktest.Data) []byte {
	if d == nil {
		return nil
	}
	return []byte(*d)
}

// version is a version argument with its default.
func version(v *int32) int32 {
	if v == nil {
		return zk.AnyVersion
	}
	return *v
}

// libraryACL is a list in the library's type; nil is world:anyone with all permissions.
func libraryACL(acl []zk.ACL) []gozk.ACL {
	if acl == nil {
		return gozk.WorldACL(gozk.PermAll)
	}
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

// ourStat is the library's Stat in ours.
func ourStat(s *gozk.Stat) zk.Stat {
	return zk.Stat{Czxid: s.Czxid, Mzxid: s.Mzxid, Pzxid: s.Pzxid, Ctime: s.Ctime, Mtime: s.Mtime, Version: s.Version,
		Cversion: s.Cversion, Aversion: s.Aversion, EphemeralOwner: zk.SessionID(s.EphemeralOwner),
		DataLength: s.DataLength, NumChildren: s.NumChildren}
}
