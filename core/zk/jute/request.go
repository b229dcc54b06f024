package jute

import "controllerscope/core/zk"

// OpCode is the code of a request on the wire (ZooDefs.OpCode).
type OpCode int32

const (
	OpError           OpCode = -1 // in the results of a multi only
	OpCreate          OpCode = 1
	OpDelete          OpCode = 2
	OpExists          OpCode = 3
	OpGetData         OpCode = 4
	OpSetData         OpCode = 5
	OpGetACL          OpCode = 6
	OpSetACL          OpCode = 7
	OpGetChildren     OpCode = 8 // the answer has no Stat
	OpSync            OpCode = 9
	OpPing            OpCode = 11
	OpGetChildren2    OpCode = 12
	OpCheck           OpCode = 13 // inside a multi only
	OpMulti           OpCode = 14
	OpCreate2         OpCode = 15 // the answer has a Stat
	OpCreateContainer OpCode = 19
	OpCreateTTL       OpCode = 21
	OpAuth            OpCode = 100
	OpSetWatches      OpCode = 101
	OpSetWatches2     OpCode = 105
	OpClose           OpCode = -11
)

// Request is one packet of a client after the connect request.
type Request struct {
	Xid  int32
	Code OpCode
	// Op is what the store is asked; its Kind is 0 for ping, close, setWatches and codes that are not known.
	Op zk.Op
	// Codes are the codes of Op.Ops in a multi: the answer repeats them.
	Codes []OpCode
	// Watches of setWatches and setWatches2.
	Watches SetWatches
	// AuthType is a number that clients write before a credential and servers ignore.
	AuthType int32
}

// DecodeRequest reads a packet. A code that is not known is no error: the server answers it with UNIMPLEMENTED.
func DecodeRequest(b []byte) (Request, error) {
	d := NewDecoder(b)
	r := Request{Xid: d.Int(), Code: OpCode(d.Int())}
	switch r.Code {
	case OpMulti:
		r.Op, r.Codes = d.multi()
	case OpAuth:
		r.AuthType = d.Int()
		r.Op = zk.Op{Kind: zk.AddAuth, Auth: zk.Auth{Scheme: d.String(), Data: d.Buffer()}}
	case OpSetWatches, OpSetWatches2:
		r.Watches = SetWatches{RelativeZxid: d.Long(), Data: d.Strings(), Exist: d.Strings(), Child: d.Strings()}
		if r.Code == OpSetWatches2 {
			r.Watches.Persistent, r.Watches.Recursive = d.Strings(), d.Strings()
		}
	case OpCheck: // known inside a multi only
	default:
		r.Op, _ = d.op(r.Code)
	}
	return r, d.Err()
}

// op reads the body of a request for a single node; ok is false if the code is none of those.
func (d *Decoder) op(code OpCode) (op zk.Op, ok bool) {
	switch code {
	case OpCreate, OpCreate2, OpCreateContainer, OpCreateTTL:
		op = zk.Op{Kind: zk.Create, Path: d.String(), Data: d.Buffer(), ACL: d.ACL(), Mode: zk.Mode(d.Int())}
		if code == OpCreateTTL {
			op.TTL = d.Long()
		}
	case OpDelete:
		op = zk.Op{Kind: zk.Delete, Path: d.String(), Version: d.Int()}
	case OpSetData:
		op = zk.Op{Kind: zk.Set, Path: d.String(), Data: d.Buffer(), Version: d.Int()}
	case OpCheck:
		op = zk.Op{Kind: zk.Check, Path: d.String(), Version: d.Int()}
	case OpExists:
		op = zk.Op{Kind: zk.Exists, Path: d.String(), Watch: d.Bool()}
	case OpGetData:
		op = zk.Op{Kind: zk.Get, Path: d.String(), Watch: d.Bool()}
	case OpGetChildren, OpGetChildren2:
		op = zk.Op{Kind: zk.Children, Path: d.String(), Watch: d.Bool()}
	case OpSync:
		op = zk.Op{Kind: zk.Sync, Path: d.String()}
	case OpGetACL:
		op = zk.Op{Kind: zk.GetACL, Path: d.String()}
	case OpSetACL:
		op = zk.Op{Kind: zk.SetACL, Path: d.String(), ACL: d.ACL(), Version: d.Int()}
	default:
		return zk.Op{}, false
	}
	return op, true
}

// multi reads the operations of a multi up to the header that says done.
func (d *Decoder) multi() (zk.Op, []OpCode) {
	op := zk.Op{Kind: zk.Multi, Ops: []zk.Op{}}
	codes := []OpCode{}
	for {
		code, done := OpCode(d.Int()), d.Bool()
		d.Int()
		if done || d.err != nil {
			return op, codes
		}
		one, ok := d.op(code)
		if !ok || !(one.Kind.IsWrite() || one.Kind == zk.Check) || one.Kind == zk.SetACL {
			d.fail("byte %d: a multi holds create, delete, set and check, not operation %d", d.off, code)
			return op, codes
		}
		op.Ops, codes = append(op.Ops, one), append(codes, code)
	}
}

// Append appends the packet, without a frame.
func (r Request) Append(b []byte) []byte {
	b = AppendInt(AppendInt(b, r.Xid), int32(r.Code))
	switch r.Code {
	case OpMulti:
		for i, op := range r.Op.Ops {
			b = appendOp(appendMultiHeader(b, r.Codes[i], false, -1), r.Codes[i], op)
		}
		return appendMultiHeader(b, -1, true, -1)
	case OpAuth:
		return AppendBuffer(AppendString(AppendInt(b, r.AuthType), r.Op.Auth.Scheme), r.Op.Auth.Data)
	case OpSetWatches, OpSetWatches2:
		w := r.Watches
		b = AppendStrings(AppendStrings(AppendStrings(AppendLong(b, w.RelativeZxid), w.Data), w.Exist), w.Child)
		if r.Code == OpSetWatches2 {
			b = AppendStrings(AppendStrings(b, w.Persistent), w.Recursive)
		}
		return b
	case OpCheck:
		return b
	}
	return appendOp(b, r.Code, r.Op)
}

// appendOp appends the body of a request for a single node, nothing for other codes.
func appendOp(b []byte, code OpCode, op zk.Op) []byte {
	switch code {
	case OpCreate, OpCreate2, OpCreateContainer, OpCreateTTL:
		b = AppendInt(AppendACL(AppendBuffer(AppendString(b, op.Path), op.Data), op.ACL), int32(op.Mode))
		if code == OpCreateTTL {
			b = AppendLong(b, op.TTL)
		}
	case OpDelete, OpCheck:
		b = AppendInt(AppendString(b, op.Path), op.Version)
	case OpSetData:
		b = AppendInt(AppendBuffer(AppendString(b, op.Path), op.Data), op.Version)
	case OpExists, OpGetData, OpGetChildren, OpGetChildren2:
		b = AppendBool(AppendString(b, op.Path), op.Watch)
	case OpSync, OpGetACL:
		b = AppendString(b, op.Path)
	case OpSetACL:
		b = AppendInt(AppendACL(AppendString(b, op.Path), op.ACL), op.Version)
	}
	return b
}

// appendMultiHeader precedes each operation and each result of a multi, and ends both lists.
func appendMultiHeader(b []byte, code OpCode, done bool, err int32) []byte {
	return AppendInt(AppendBool(AppendInt(b, int32(code)), done), err)
}
