package jute

import "controllerscope/core/zk"

// AppendReply appends the answer to a request: header and, if it succeeded or is a multi with results, its body. Without
// a frame. zxid is the server's last transaction as the answer shows it.
func AppendReply(b []byte, r Request, zxid int64, res zk.Result) []byte {
	if r.Code == OpMulti && res.Results != nil {
		// The header of a multi never says that one of its operations failed: the results do.
		b = ReplyHeader{Xid: r.Xid, Zxid: zxid}.Append(b)
		return appendMultiResults(b, r, res)
	}
	b = ReplyHeader{Xid: r.Xid, Zxid: zxid, Err: res.Err}.Append(b)
	if res.Err != zk.OK {
		return b
	}
	switch r.Code {
	case OpCreate, OpSync:
		return AppendString(b, res.Path)
	case OpCreate2, OpCreateContainer, OpCreateTTL:
		return AppendStat(AppendString(b, res.Path), res.Stat)
	case OpExists, OpSetData, OpSetACL:
		return AppendStat(b, res.Stat)
	case OpGetData:
		return AppendStat(AppendBuffer(b, res.Data), res.Stat)
	case OpGetChildren:
		return AppendStrings(b, res.Children)
	case OpGetChildren2:
		return AppendStat(AppendStrings(b, res.Children), res.Stat)
	case OpGetACL:
		return AppendStat(AppendACL(b, res.ACL), res.Stat)
	case OpMulti:
		return appendMultiHeader(b, -1, true, -1)
	}
	return b
}

// resultCode is the code under which a multi's result is written: every create that is not a plain one answers as
// create2, as the server does (OpResult.CreateResult with a Stat).
func resultCode(code OpCode, op zk.Op) OpCode {
	switch code {
	case OpCreate, OpCreate2, OpCreateContainer, OpCreateTTL:
		if code != OpCreate || op.Mode == zk.Container || op.Mode == zk.TTL || op.Mode == zk.TTLSequential {
			return OpCreate2
		}
	}
	return code
}

// appendMultiResults appends every operation's result; in a failed multi all of them are errors, code 0 those before the
// first failure.
func appendMultiResults(b []byte, r Request, res zk.Result) []byte {
	for i, one := range res.Results {
		if res.Err != zk.OK {
			b = AppendInt(appendMultiHeader(b, OpError, false, int32(one.Err)), int32(one.Err))
			continue
		}
		code := resultCode(r.Codes[i], r.Op.Ops[i])
		b = appendMultiHeader(b, code, false, 0)
		switch code {
		case OpCreate:
			b = AppendString(b, one.Path)
		case OpCreate2:
			b = AppendStat(AppendString(b, one.Path), one.Stat)
		case OpSetData:
			b = AppendStat(b, one.Stat)
		}
	}
	return appendMultiHeader(b, -1, true, -1)
}

// DecodeReply reads the answer to r, a packet whose xid is neither a notification's nor a ping's.
func DecodeReply(r Request, b []byte) (ReplyHeader, zk.Result, error) {
	d := NewDecoder(b)
	h := d.ReplyHeader()
	res := zk.Result{Err: h.Err, Zxid: h.Zxid}
	if h.Err != zk.OK || d.Err() != nil {
		return h, res, d.Err()
	}
	switch r.Code {
	case OpCreate, OpSync:
		res.Path = d.String()
	case OpCreate2, OpCreateContainer, OpCreateTTL:
		res.Path, res.Stat = d.String(), d.Stat()
	case OpExists, OpSetData, OpSetACL:
		res.Stat = d.Stat()
	case OpGetData:
		res.Data, res.Stat = d.Buffer(), d.Stat()
	case OpGetChildren:
		res.Children = d.Strings()
	case OpGetChildren2:
		res.Children, res.Stat = d.Strings(), d.Stat()
	case OpGetACL:
		res.ACL, res.Stat = d.ACL(), d.Stat()
	case OpMulti:
		d.multiResults(&res)
	}
	return h, res, d.Err()
}

// multiResults reads the results of a multi; the first failure becomes the error of the whole.
func (d *Decoder) multiResults(res *zk.Result) {
	res.Results = []zk.Result{}
	for {
		code, done, err := OpCode(d.Int()), d.Bool(), zk.Code(d.Int())
		if done || d.err != nil {
			return
		}
		one := zk.Result{Zxid: res.Zxid}
		switch code {
		case OpError:
			one.Err = zk.Code(d.Int())
		case OpCreate:
			one.Path = d.String()
		case OpCreate2:
			one.Path, one.Stat = d.String(), d.Stat()
		case OpSetData:
			one.Stat = d.Stat()
		case OpDelete, OpCheck:
		default:
			d.fail("byte %d: a result of operation %d (error %d) in the answer to a multi", d.off, code, err)
			return
		}
		if res.Err == zk.OK {
			res.Err = one.Err
		}
		res.Results = append(res.Results, one)
	}
}
