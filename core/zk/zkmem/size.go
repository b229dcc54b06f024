package zkmem

import "controllerscope/core/zk"

// maxRequest is the largest request packet a server takes, without its length prefix (jute.maxbuffer). Above it the server
// closes the connection.
const maxRequest = 1<<20 - 1

// requestSize is the size of a request on the wire: header (xid and type) and record.
func requestSize(op *zk.Op) int {
	const header = 8
	if op.Kind != zk.Multi {
		return header + recordSize(op)
	}
	const opHeader = 9 // type, done, error; one more closes the list
	size := header + opHeader
	for i := range op.Ops {
		size += opHeader + recordSize(&op.Ops[i])
	}
	return size
}

func recordSize(op *zk.Op) int {
	size := 4 + len(op.Path)
	switch op.Kind {
	case zk.Create:
		size += 4 + len(op.Data) + aclSize(op.ACL) + 4
		if timed(op.Mode) {
			size += 8
		}
	case zk.Set:
		size += 4 + len(op.Data) + 4
	case zk.SetACL:
		size += aclSize(op.ACL) + 4
	case zk.Delete, zk.Check:
		size += 4
	case zk.Exists, zk.Get, zk.Children:
		size++
	case zk.AddAuth:
		size = 4 + 4 + len(op.Auth.Scheme) + 4 + len(op.Auth.Data)
	}
	return size
}

func aclSize(list []zk.ACL) int {
	if list == nil {
		list = openACL.entries
	}
	size := 4
	for _, a := range list {
		size += 4 + 4 + len(a.Scheme) + 4 + len(a.ID)
	}
	return size
}
