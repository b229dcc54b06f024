package zktest

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"controllerscope/core/zk"
)

// call makes one call of the client and waits for its answer.
func (p *StorePlayer) call(c *client, s *Step) (Result, error) {
	switch {
	case c.closed:
		return Result{"error": ShowError(zk.Closed)}, nil
	case c.cut:
		return Result{"error": "ErrNoServer"}, nil // a queued call fails at the next attempt to connect
	case s.Op == "fill":
		return p.fill(c, s)
	case s.Op == "multi":
		return p.multi(c, s)
	}
	op, refused := request(s, p.names.Path(s.Args.Path))
	if refused != "" {
		return Result{"error": refused}, nil
	}
	if s.Op == "add_auth" {
		return p.addAuth(c, op)
	}
	r, err := p.apply(c, op)
	if err != nil {
		return nil, err
	}
	c.register(s, op.Path, r.Err)
	return p.show(s, r), nil
}

// apply sends a request; a stalled client gives up its connection instead of hearing the answer.
func (p *StorePlayer) apply(c *client, op zk.Op) (zk.Result, error) {
	r, fx, err := p.store.Apply(p.tick(), c.id, op)
	if err != nil {
		return r, err
	}
	p.deliver(fx)
	if c.stalled {
		return zk.Result{Err: zk.ConnectionLoss}, p.cut(c)
	}
	if r.Err == zk.ConnectionLoss || r.Err == zk.AuthFailed {
		if err := p.cut(c); err != nil {
			return r, err
		}
		return r, p.heal(c)
	}
	c.zxid = r.Zxid
	return r, nil
}

var callKinds = map[string]zk.Kind{"create": zk.Create, "create_container": zk.Create, "create_ttl": zk.Create,
	"delete": zk.Delete, "set": zk.Set, "get": zk.Get, "get_w": zk.Get, "exists": zk.Exists, "exists_w": zk.Exists,
	"children": zk.Children, "children_w": zk.Children, "get_acl": zk.GetACL, "set_acl": zk.SetACL, "add_auth": zk.AddAuth,
	"sync": zk.Sync, "check": zk.Check}

// request is what the client sends, or the error with which it refuses.
func request(s *Step, path string) (op zk.Op, refused string) {
	a := &s.Args
	op = zk.Op{Kind: callKinds[s.Op], Path: path, Data: a.Data.bytes(), Version: version(a.Version), ACL: List(a.ACL, a.NoACL),
		Watch: strings.HasSuffix(s.Op, "_w"), Mode: zk.Mode(a.Flags), TTL: int64(a.TTLMS),
		Auth: zk.Auth{Scheme: a.Scheme, Data: []byte(a.Auth)}}
	if op.Kind == zk.AddAuth {
		return op, ""
	}
	if op.Kind == zk.Create && (op.Mode < 0 || op.Mode > zk.TTLSequential) {
		return op, fmt.Sprintf("invalid flag value: [%d]", op.Mode)
	}
	sequential := op.Kind == zk.Create && (op.Mode == zk.TTLSequential || op.Mode < zk.Container && op.Mode&2 != 0)
	if !clientTakes(path, sequential) {
		return op, "ErrInvalidPath"
	}
	timed := op.Mode == zk.TTL || op.Mode == zk.TTLSequential
	switch {
	case s.Op == "create" && timed, s.Op == "create_ttl" && !timed, s.Op == "create_container" && op.Mode != zk.Container:
		return op, "ErrInvalidFlags"
	case s.Op == "create" && op.Mode == zk.Container:
		op.Mode = zk.Persistent // the client sends a plain create, and the server makes a plain node
	}
	return op, ""
}

// clientTakes is go-zookeeper's validatePath, with its fault: the width it adds to find what follows a dot is that of the
// rune before, 0 for the first.
func clientTakes(path string, sequential bool) bool {
	n := len(path)
	if n == 0 || path[0] != '/' {
		return false
	}
	if n == 1 {
		return true
	}
	if !sequential && path[n-1] == '/' {
		return false
	}
	for i, w := 1, 0; i < n; i += w {
		r, width := utf8.DecodeRuneInString(path[i:])
		before, beforeWidth := utf8.DecodeLastRuneInString(path[:i])
		switch {
		case r == '/' && before == '/':
			return false
		case r == '.':
			if before == '.' {
				before, _ = utf8.DecodeLastRuneInString(path[:i-beforeWidth])
			}
			if before == '/' && (i+1 == n || strings.HasPrefix(path[i+w:], "/")) {
				return false
			}
		case r <= 0x1F, r >= 0x7F && r <= 0x9F, r >= 0xF000 && r <= 0xF8FF, r >= 0xFFF0 && r < 0xFFFF:
			return false
		}
		w = width
	}
	return true
}

// register adds the watch channel of a successful call.
func (c *client) register(s *Step, path string, code zk.Code) {
	switch {
	case s.Op == "exists_w" && code == zk.NoNode:
		c.watch(existSet, path, s.Args.Watch)
	case code != zk.OK:
	case s.Op == "exists_w", s.Op == "get_w":
		c.watch(dataSet, path, s.Args.Watch)
	case s.Op == "children_w":
		c.watch(childSet, path, s.Args.Watch)
	}
}

// show is the result of a call as the client gives it: on an error nil data, with an all-zero stat or none.
func (p *StorePlayer) show(s *Step, r zk.Result) Result {
	out := Result{"error": ShowError(r.Err)}
	kind := callKinds[s.Op]
	if kind == zk.Exists && r.Err == zk.NoNode {
		return Result{"error": nil, "exists": false, "stat": "zero"}
	}
	stat := p.names.Stat(r.Stat)
	if r.Err != zk.OK && (strings.HasSuffix(s.Op, "_w") || r.Err == zk.ConnectionLoss) {
		stat = nil
	}
	switch kind {
	case zk.Create, zk.Sync:
		if r.Err == zk.OK {
			out["path"] = p.names.ShowPath(r.Path)
		}
	case zk.Get:
		out["data"], out["stat"] = ShowData(r.Data), stat
	case zk.Exists:
		out["exists"], out["stat"] = r.Err == zk.OK, stat
	case zk.Set, zk.SetACL:
		out["stat"] = stat
	case zk.Children:
		out["stat"] = stat
		if r.Err == zk.OK {
			out.ShowChildren(r.Children)
		}
	case zk.GetACL:
		out["stat"] = stat
		if r.Err == zk.OK {
			out["acl"] = ShowACL(r.ACL)
		}
	}
	return out
}

// fill creates c000000… one by one.
func (p *StorePlayer) fill(c *client, s *Step) (Result, error) {
	for i := range s.Args.Count {
		op := zk.Op{Kind: zk.Create, Path: fmt.Sprintf("%s/c%06d", p.names.Path(s.Args.Path), i)}
		r, err := p.apply(c, op)
		if err != nil {
			return nil, err
		}
		if r.Err != zk.OK {
			return Result{"error": ShowError(r.Err)}, nil
		}
	}
	return Result{"error": nil}, nil
}

// addAuth remembers a credential for reconnects if the server took it.
func (p *StorePlayer) addAuth(c *client, op zk.Op) (Result, error) {
	r, err := p.apply(c, op)
	if err == nil && r.Err == zk.OK {
		c.auth = append(c.auth, op.Auth)
	}
	return Result{"error": ShowError(r.Err)}, err
}

// multi sends operations that the client does not look at. It cannot decode the answer to a container's creation, and the
// server cannot read a TTL flag in a plain create: then the whole fails without results.
func (p *StorePlayer) multi(c *client, s *Step) (Result, error) {
	op := zk.Op{Kind: zk.Multi, Ops: make([]zk.Op, len(s.Args.Ops))}
	decodable := len(op.Ops)
	for i, o := range s.Args.Ops {
		op.Ops[i] = zk.Op{Kind: callKinds[o.Op], Path: p.names.Path(o.Path), Data: o.Data.bytes(), Mode: zk.Mode(o.Flags),
			Version: version(o.Version), ACL: List(o.ACL, o.NoACL)}
		if o.Op == "create" && op.Ops[i].Mode == zk.Container {
			decodable = min(decodable, i)
		}
	}
	r, err := p.apply(c, op)
	if err != nil {
		return nil, err
	}
	out := Result{"error": ShowError(r.Err)}
	if r.Results == nil {
		out["results"] = []any{}
		return out, nil
	}
	if r.Err == zk.OK && decodable < len(r.Results) {
		out["error"] = "ErrAPIError"
		r.Results = r.Results[:decodable]
	}
	results := make([]any, len(r.Results))
	for i, one := range r.Results {
		shown := map[string]any{"error": ShowError(one.Err)}
		switch kind := op.Ops[i].Kind; {
		case r.Err != zk.OK:
		case kind == zk.Create:
			shown["path"] = p.names.ShowPath(one.Path)
		case kind == zk.Set:
			shown["stat"] = p.names.Stat(one.Stat)
		}
		results[i] = shown
	}
	out["results"] = results
	return out, nil
}

func compareWatches(a, b zk.Watch) int {
	exists := func(w zk.Watch) int {
		if w.Exists {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind), cmp.Compare(exists(a), exists(b)))
}
