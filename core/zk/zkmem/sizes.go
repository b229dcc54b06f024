package zkmem

import "controllerscope/core/zk"

// Sizes are a server's own numbers, as its mntr and srvr show them: its tree holds the root a second time, under the
// empty path (DataTree). The data size is summed up on each call.
func (s *Store) Sizes() zk.Sizes {
	z := zk.Sizes{Nodes: len(s.nodes) + 1, DataBytes: int64(len(s.root.data))}
	for path, n := range s.nodes {
		z.DataBytes += int64(len(path) + len(n.data))
	}
	for _, ss := range s.sessions {
		z.Ephemerals += ss.ephemerals.len()
		z.Watches += len(ss.watches)
	}
	return z
}
