package zkreal

import (
	"errors"
	"fmt"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// outcome says what became of a call to the library.
type outcome uint8

const (
	answered outcome = iota // by the server; the result is its answer
	refused                 // by the library, nothing was sent
	lost                    // with the connection: nobody knows
)

// worldAll is what a nil list in a zk.Op stands for.
var worldAll = gozk.WorldACL(gozk.PermAll)

// do executes one request with the library and blocks until it is answered. Paths are taken as they stand.
func do(c *gozk.Conn, op zk.Op) (zk.Result, outcome) {
	var res zk.Result
	var err error
	switch op.Kind {
	case zk.Create:
		res.Path, err = create(c, op)
	case zk.Delete:
		err = c.Delete(op.Path, op.Version)
	case zk.Exists:
		var found bool
		var st *gozk.Stat
		if found, st, err = exists(c, op); err == nil && !found {
			err = gozk.ErrNoNode
		}
		res.Stat = stat(st)
	case zk.Get:
		res.Data, res.Stat, err = get(c, op)
	case zk.Set:
		var st *gozk.Stat
		st, err = c.Set(op.Path, op.Data, op.Version)
		res.Stat = stat(st)
	case zk.Children:
		res.Children, res.Stat, err = children(c, op)
	case zk.Multi:
		res.Results, err = multi(c, op.Ops)
	case zk.Sync:
		res.Path, err = c.Sync(op.Path)
	case zk.GetACL:
		var list []gozk.ACL
		var st *gozk.Stat
		list, st, err = c.GetACL(op.Path)
		res.ACL, res.Stat = fromACL(list), stat(st)
	case zk.SetACL:
		var st *gozk.Stat
		st, err = c.SetACL(op.Path, toACL(op.ACL), op.Version)
		res.Stat = stat(st)
	case zk.AddAuth:
		err = c.AddAuth(op.Auth.Scheme, op.Auth.Data)
	default:
		return zk.Result{Err: zk.Unimplemented}, refused
	}
	code, what := codeOf(err)
	if code != zk.OK {
		res = zk.Result{Results: res.Results}
	}
	res.Err = code
	return res, what
}

// create chooses the call that the mode needs. Create with a container or TTL flag makes no such node or is refused.
func create(c *gozk.Conn, op zk.Op) (string, error) {
	flags, acl := int32(op.Mode), toACL(op.ACL)
	switch op.Mode {
	case zk.Container:
		return c.CreateContainer(op.Path, op.Data, flags, acl)
	case zk.TTL, zk.TTLSequential:
		return c.CreateTTL(op.Path, op.Data, flags, acl, time.Duration(op.TTL)*time.Millisecond)
	}
	return c.Create(op.Path, op.Data, flags, acl)
}

// The channels that the watching calls return are not used: events come through the callback.

func exists(c *gozk.Conn, op zk.Op) (bool, *gozk.Stat, error) {
	if !op.Watch {
		return c.Exists(op.Path)
	}
	found, st, _, err := c.ExistsW(op.Path)
	return found, st, err
}

func get(c *gozk.Conn, op zk.Op) ([]byte, zk.Stat, error) {
	if !op.Watch {
		data, st, err := c.Get(op.Path)
		return data, stat(st), err
	}
	data, st, _, err := c.GetW(op.Path)
	return data, stat(st), err
}

func children(c *gozk.Conn, op zk.Op) ([]string, zk.Stat, error) {
	if !op.Watch {
		names, st, err := c.Children(op.Path)
		return names, stat(st), err
	}
	names, st, _, err := c.ChildrenW(op.Path)
	return names, stat(st), err
}

func multi(c *gozk.Conn, ops []zk.Op) ([]zk.Result, error) {
	requests := make([]any, len(ops))
	for i, op := range ops {
		switch op.Kind {
		case zk.Create:
			requests[i] = &gozk.CreateRequest{Path: op.Path, Data: op.Data, Acl: toACL(op.ACL), Flags: int32(op.Mode)}
		case zk.Delete:
			requests[i] = &gozk.DeleteRequest{Path: op.Path, Version: op.Version}
		case zk.Set:
			requests[i] = &gozk.SetDataRequest{Path: op.Path, Data: op.Data, Version: op.Version}
		case zk.Check:
			requests[i] = &gozk.CheckVersionRequest{Path: op.Path, Version: op.Version}
		default:
			return nil, gozk.ErrInvalidFlags
		}
	}
	answers, err := c.Multi(requests...)
	results := make([]zk.Result, len(answers))
	for i, a := range answers {
		code, _ := codeOf(a.Error)
		results[i] = zk.Result{Err: code, Path: a.String, Stat: stat(a.Stat)}
	}
	return results, err
}

// codes are the exported error values behind which the library hides ZooKeeper's codes.
var codes = []struct {
	err  error
	code zk.Code
}{
	{gozk.ErrNoNode, zk.NoNode}, {gozk.ErrNoAuth, zk.NoAuth}, {gozk.ErrBadVersion, zk.BadVersion},
	{gozk.ErrNoChildrenForEphemerals, zk.NoChildrenForEphemerals}, {gozk.ErrNodeExists, zk.NodeExists},
	{gozk.ErrNotEmpty, zk.NotEmpty}, {gozk.ErrSessionExpired, zk.SessionExpired}, {gozk.ErrInvalidACL, zk.InvalidACL},
	{gozk.ErrAuthFailed, zk.AuthFailed}, {gozk.ErrSessionMoved, zk.SessionMoved}, {gozk.ErrBadArguments, zk.BadArguments},
	{gozk.ErrAPIError, -100}, {gozk.ErrClosing, -116}, {gozk.ErrNothing, -117}, {gozk.ErrReconfigDisabled, -123},
}

// codeOf translates an error of the library.
func codeOf(err error) (zk.Code, outcome) {
	if err == nil {
		return zk.OK, answered
	}
	if errors.Is(err, gozk.ErrConnectionClosed) || errors.Is(err, gozk.ErrNoServer) || errors.Is(err, gozk.ErrClosing) {
		return zk.ConnectionLoss, lost
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code, answered
		}
	}
	var n int32
	if _, scan := fmt.Sscanf(err.Error(), "unknown error: %d", &n); scan == nil {
		return zk.Code(n), answered
	}
	return zk.BadArguments, refused // ErrInvalidPath, ErrInvalidFlags, ErrShortBuffer and the like
}

func stat(s *gozk.Stat) zk.Stat {
	if s == nil {
		return zk.Stat{}
	}
	return zk.Stat{Czxid: s.Czxid, Mzxid: s.Mzxid, Pzxid: s.Pzxid, Ctime: s.Ctime, Mtime: s.Mtime, Version: s.Version,
		Cversion: s.Cversion, Aversion: s.Aversion, EphemeralOwner: zk.SessionID(s.EphemeralOwner),
		DataLength: s.DataLength, NumChildren: s.NumChildren}
}

func toACL(list []zk.ACL) []gozk.ACL {
	if list == nil {
		return worldAll
	}
	out := make([]gozk.ACL, len(list))
	for i, a := range list {
		out[i] = gozk.ACL{Perms: a.Perms, Scheme: a.Scheme, ID: a.ID}
	}
	return out
}

func fromACL(list []gozk.ACL) []zk.ACL {
	out := make([]zk.ACL, len(list))
	for i, a := range list {
		out[i] = zk.ACL{Perms: a.Perms, Scheme: a.Scheme, ID: a.ID}
	}
	return out
}

// silent is the library's logger: what it would log reaches the user as a state or an error.
type silent struct{}

func (silent) Printf(string, ...any) {}

// wireRequest is the packet that asks for op.
func wireRequest(op zk.Op) jute.Request {
	r := jute.Request{Code: opCode(op), Op: op}
	for _, o := range op.Ops {
		code := opCode(o)
		if code == jute.OpCreateContainer || code == jute.OpCreateTTL && o.TTL == 0 {
			code = jute.OpCreate // the flag alone makes a container; a TTL flag alone is what no server can read
		}
		r.Codes = append(r.Codes, code)
	}
	return r
}

func opCode(op zk.Op) jute.OpCode {
	switch op.Kind {
	case zk.Create:
		switch op.Mode {
		case zk.Container:
			return jute.OpCreateContainer
		case zk.TTL, zk.TTLSequential:
			return jute.OpCreateTTL
		}
		return jute.OpCreate
	case zk.Delete:
		return jute.OpDelete
	case zk.Exists:
		return jute.OpExists
	case zk.Get:
		return jute.OpGetData
	case zk.Set:
		return jute.OpSetData
	case zk.Children:
		return jute.OpGetChildren2
	case zk.Check:
		return jute.OpCheck
	case zk.Multi:
		return jute.OpMulti
	case zk.Sync:
		return jute.OpSync
	case zk.GetACL:
		return jute.OpGetACL
	case zk.SetACL:
		return jute.OpSetACL
	}
	return jute.OpAuth
}
