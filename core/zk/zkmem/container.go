package zkmem

import (
	"maps"
	"slices"

	"controllerscope/core/zk"
)

// HasRemovable implements zk.ContainerChecker.
func (s *Store) HasRemovable() bool { return len(s.removable) > 0 }

// CheckContainers removes what a server's own check would remove now, each node in a transaction of its own
// (ContainerManager.checkContainers): containers that had a child and have none, and TTL nodes without children that
// nobody set for longer than their TTL. The store has no clock: whoever drives it calls this every zk.CheckContainersEveryMS.
// Candidates are chosen before the first is removed and go in order of their paths.
func (s *Store) CheckContainers(now int64) []zk.Effects {
	var due []*node
	for _, path := range slices.Sorted(maps.Keys(s.removable)) {
		n := s.removable[path]
		if n.children.len() > 0 {
			continue
		}
		if n.container && n.creates > 0 || n.ttl != 0 && now-n.mtime > n.ttl {
			due = append(due, n)
		}
	}
	var all []zk.Effects
	for _, n := range due {
		t := transaction{store: s, zxid: s.draw(), now: now}
		t.remove(n)
		t.finish()
		t.fx.Zxid = t.zxid
		all = append(all, t.fx)
	}
	return all
}
