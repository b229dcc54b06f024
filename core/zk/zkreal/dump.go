package zkreal

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// Visit shows every node under the chroot of an address, as it is called from there, in order of the paths' names, parents
// first. It only reads, and needs no mark. ZooKeeper's own nodes are left out, and those that go while they are looked for. A
// chroot that does not exist is NoNode, a server that cannot be reached ErrServer. Nodes whose ACL hides their data are
// shown with null data, and their paths returned.
func Visit(a Address, dial Dialer, visit func(path string, data []byte, stat zk.Stat)) (hidden []string, err error) {
	g, err := enter(orDial(dial), a)
	if err != nil {
		return nil, err
	}
	defer g.leave()
	todo := []string{"/"}
	for len(todo) > 0 {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if serversOwn(path) {
			continue
		}
		node, children, err := g.node(inside(a.Chroot, path))
		switch {
		case err != nil:
			return hidden, err
		case node.Err == zk.NoNode && path == "/":
			return hidden, fmt.Errorf("there is no %s on that server: %w", inside(a.Chroot, "/"), zk.NoNode)
		case node.Err == zk.NoNode:
			continue
		case node.Err == zk.NoAuth:
			hidden = append(hidden, path)
		}
		visit(path, node.Data, node.Stat)
		slices.Sort(children)
		for _, name := range slices.Backward(children) {
			todo = append(todo, strings.TrimSuffix(path, "/")+"/"+name)
		}
	}
	return hidden, nil
}

// node reads one node. The Stat is that of the list of children, so that both belong together.
func (g *guest) node(path string) (zk.Result, []string, error) {
	node, err := g.ask(zk.Op{Kind: zk.Get, Path: path}, zk.NoNode, zk.NoAuth)
	if err != nil || node.Err == zk.NoNode {
		return node, nil, err
	}
	if node.Err == zk.NoAuth {
		there, err := g.ask(zk.Op{Kind: zk.Exists, Path: path}, zk.NoNode)
		if err != nil || there.Err == zk.NoNode {
			return there, nil, err
		}
		node.Stat = there.Stat
	}
	if node.Stat.NumChildren == 0 {
		return node, nil, nil
	}
	list, err := g.ask(zk.Op{Kind: zk.Children, Path: path}, zk.NoNode, zk.NoAuth)
	switch {
	case err != nil:
		return node, nil, err
	case list.Err == zk.NoNode:
		return list, nil, nil
	case list.Err == zk.OK:
		node.Stat = list.Stat
	}
	return node, list.Children, nil
}
