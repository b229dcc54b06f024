package zkreal

import (
	"fmt"
	"time"

	"controllerscope/core/zk"
)

// Walk visits every node in the order of their paths, as the mirror holds it, in the server's terms. Verify compares the
// mirror's tree with the server's.
func (s *Store) Walk(visit func(path string, data []byte, stat zk.Stat)) {
	s.mirror.Walk(func(path string, data []byte, stat zk.Stat) {
		if real, err := s.stat(stat); err == nil { // the mirror's tree names only transactions of this run
			visit(path, data, real)
		}
	})
}

// Verify reads the run's whole tree from the server and compares every node's data, Stat and children with the mirror's.
func (s *Store) Verify() error {
	if err := s.catchUp(); err != nil {
		return err
	}
	var err error
	s.Walk(func(path string, data []byte, stat zk.Stat) {
		if err == nil && !serversOwn(path) {
			err = s.verifyNode(path, zk.Result{Data: data, Stat: stat})
		}
	})
	return err
}

// verifyNode compares one node, unless its ACL hides it. A child too many on either side shows in the number of children.
func (s *Store) verifyNode(path string, mine zk.Result) error {
	get := zk.Op{Kind: zk.Get, Path: path}
	real, err := s.guest.ask(zk.Op{Kind: zk.Get, Path: inside(s.root, path)}, zk.NoNode, zk.NoAuth)
	if err != nil || real.Err == zk.NoAuth {
		return err
	}
	return s.same("the finished tree, node "+path, get, real, mine)
}

// catchUp waits until the guest's server shows the run's last transaction.
func (s *Store) catchUp() error {
	for deadline := time.Now().Add(patience); ; {
		if _, err := s.guest.ask(zk.Op{Kind: zk.Sync, Path: s.root}); err != nil {
			return err
		}
		res, err := s.guest.ask(zk.Op{Kind: zk.Exists, Path: s.root})
		if err != nil || res.Zxid >= s.zxids.last() {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w: it is still behind transaction 0x%x after %v", ErrServer, s.zxids.last(), patience)
		}
	}
}
