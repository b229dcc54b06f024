package zkreal

import (
	"fmt"
	"strings"

	"controllerscope/core/zk"
)

// Clean removes a marked chroot with everything in it, and the nodes above it that were made for it, and returns the
// number of nodes removed. A chroot without mark is ErrNotOurs and stays untouched, as does one that live sessions use; one
// that does not exist is 0.
func Clean(a Address, dial Dialer) (int, error) {
	g, err := enter(orDial(dial), a)
	if err != nil {
		return 0, err
	}
	defer g.leave()
	root := inside(a.Chroot, "/")
	mark, err := g.ask(zk.Op{Kind: zk.Get, Path: g.markPath()}, zk.NoNode)
	if err != nil {
		return 0, err
	}
	if mark.Err == zk.NoNode || !isMark(mark.Data) {
		there, err := g.ask(zk.Op{Kind: zk.Exists, Path: root}, zk.NoNode)
		if err != nil || there.Err == zk.NoNode {
			return 0, err
		}
		return 0, fmt.Errorf("%w: %s carries no mark of controllerscope; nothing was removed", ErrNotOurs, root)
	}
	path, owner, err := g.used(root)
	if err == nil && owner != 0 {
		err = fmt.Errorf("%s is in use: %s belongs to session 0x%x; stop what runs there, or wait until the session has expired; nothing was removed",
			root, path, owner)
	}
	if err != nil {
		return 0, err
	}
	return g.clean(root, string(mark.Data) == string(adopted))
}

// used looks below a node for one that lives as long as a session, which has no children.
func (g *guest) used(path string) (ephemeral string, owner zk.SessionID, err error) {
	names, err := g.ask(zk.Op{Kind: zk.Children, Path: path}, zk.NoNode)
	if err != nil {
		return "", 0, err
	}
	if len(names.Children) == 0 {
		res, err := g.ask(zk.Op{Kind: zk.Exists, Path: path}, zk.NoNode)
		return path, res.Stat.EphemeralOwner, err
	}
	for _, name := range names.Children {
		below, owner, err := g.used(strings.TrimSuffix(path, "/") + "/" + name)
		if owner != 0 || err != nil {
			return below, owner, err
		}
	}
	return "", 0, nil
}

// clean removes the mark last, so that a chroot which could not be removed whole can be cleaned again.
func (g *guest) clean(root string, keepRoot bool) (int, error) {
	names, err := g.ask(zk.Op{Kind: zk.Children, Path: root})
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, name := range names.Children {
		if name == MarkNode || root == "/" && name == "zookeeper" {
			continue
		}
		n, err := g.remove(g.address.Chroot + "/" + name)
		if removed += n; err != nil {
			return removed, err
		}
	}
	last := []zk.Op{{Kind: zk.Delete, Path: g.markPath(), Version: zk.AnyVersion}}
	if !keepRoot && root != "/" {
		last = append(last, zk.Op{Kind: zk.Delete, Path: root, Version: zk.AnyVersion})
	}
	res, err := g.ask(zk.Op{Kind: zk.Multi, Ops: last}, zk.NotEmpty)
	if err == nil {
		err = written(root, res)
	}
	if err != nil {
		return removed, err
	}
	return removed + len(last) + g.cleanAbove(root), nil
}

// cleanAbove removes the empty nodes above a chroot that were made for it.
func (g *guest) cleanAbove(root string) int {
	removed := 0
	for i := strings.LastIndexByte(root, '/'); i > 0; i = strings.LastIndexByte(root[:i], '/') {
		res, err := g.ask(zk.Op{Kind: zk.Get, Path: root[:i]}, zk.NoNode)
		if err != nil || string(res.Data) != string(markData) || res.Stat.NumChildren > 0 {
			break
		}
		if _, err := g.ask(zk.Op{Kind: zk.Delete, Path: root[:i], Version: res.Stat.Version}); err != nil {
			break
		}
		removed++
	}
	return removed
}
