package zkmem

import (
	"errors"
	"fmt"

	"controllerscope/core/zk"
)

// ErrPlanted says that nodes cannot be the beginning of a tree.
var ErrPlanted = errors.New("the tree cannot be planted")

// orphanTimeoutMS is the timeout of sessions that come with a tree: what Kafka asks for (zookeeper.session.timeout.ms).
const orphanTimeoutMS = 18_000

// planting is what a store began with: for the followers of an ensemble.
type planting struct {
	now   int64
	nodes []zk.Plant
	zxid  int64 // after it
}

// Plant implements zk.Planter. Each node gets a transaction of its own. On an error the store is unusable.
func (s *Store) Plant(now int64, nodes []zk.Plant) error {
	if s.zxid != 0 {
		return fmt.Errorf("%w: the server has transactions already", ErrPlanted)
	}
	for i := range nodes {
		if err := s.plantNode(now, &nodes[i]); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrPlanted, nodes[i].Path, err)
		}
	}
	for path, n := range s.nodes {
		if made := int32(n.children.len()); n.creates < made && !systemNode(path) {
			return fmt.Errorf("%w: %s has %d children and counts %d creates", ErrPlanted, path, made, n.creates)
		}
	}
	s.planted = planting{now, nodes, s.zxid}
	return nil
}

func (s *Store) plantNode(now int64, p *zk.Plant) error {
	if p.Path == "/" {
		s.root.data, s.root.version, s.root.creates = p.Data, p.Version, p.Creates
		return nil
	}
	if !validPath(p.Path) {
		return zk.BadArguments
	}
	parent := s.lookup(parentPath(p.Path))
	switch {
	case parent == nil:
		return zk.NoNode
	case s.nodes[p.Path] != nil:
		return zk.NodeExists
	case parent.owner != 0:
		return zk.NoChildrenForEphemerals
	}
	if p.Owner != 0 && s.sessions[p.Owner] == nil {
		s.sessions[p.Owner] = &session{id: p.Owner, timeoutMS: orphanTimeoutMS, ephemerals: newHashSet(ephemeralsCapacity),
			watches: map[watchKey]*watcher{}, auth: newAuth()}
	}
	zxid := s.draw()
	parent.pzxid = zxid
	s.attach(&node{path: p.Path, parent: parent, data: p.Data, acl: openACL, czxid: zxid, mzxid: zxid, pzxid: zxid,
		ctime: now, mtime: now, owner: p.Owner, version: p.Version, creates: p.Creates})
	return nil
}
