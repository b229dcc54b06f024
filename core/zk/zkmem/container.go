package zkmem

import (
	"maps"
	"slices"

	"controllerscope/core/zk"
)

// CheckContainersEveryMS is how often a server looks for containers and TTL nodes to remove
// (znode.container.checkIntervalMs).
const CheckContainersEveryMS = 60_000

// HasRemovable reports whether any container or TTL node exists, so that CheckContainers may have something to do.
func (s *Store) HasRemovable() bool { return len(s.removable) > 0 }

// CheckContainers removes what a server's own check would remove now, each node in a transaction of its own
// (ContainerManager.checkContainers): containers that had a child and have none, and TTL nodes without children that
// nobody set for longer than their TTL. The store has no clock: whoever drives it calls this every CheckContainersEveryMS.
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
