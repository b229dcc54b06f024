package zkreal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"controllerscope/core/zk"
)

// MarkNode is the child of a chroot that says whose it is. Neither Kafka's code nor a stepped world sees it.
const MarkNode = "controllerscope-mark"

// markData is what a mark node, and each node above a chroot that had to be made for it, holds.
var markData = []byte(`{"controllerscope":1}`)

// adopted is a mark's data in a chroot that was there before, empty: Clean leaves the chroot itself.
var adopted = []byte(`{"controllerscope":1,"adopted":true}`)

// guest is a session of our own for what surrounds a run: the mark, the run's folder, the cleaning.
type guest struct {
	*link
	address Address
}

// longTimeoutMS is asked of a server for sessions that end only when we say so; it grants at most 20 of its ticks.
const longTimeoutMS = 3600_000

// patience is how long a server may take to answer.
const patience = 20 * time.Second

// enter opens a session at the first server that has one for us.
func enter(dial Dialer, a Address) (*guest, error) {
	var err error
	for _, server := range a.Servers {
		var l *link
		var ok bool
		if l, _, ok, err = openLink(dial, server, identity{timeoutMS: longTimeoutMS}, patience); ok {
			return &guest{l, a}, nil
		}
	}
	return nil, fmt.Errorf("%w at %s: %v; check the address and that the server runs", ErrServer,
		strings.Join(a.Servers, ","), err)
}

// leave closes the session.
func (g *guest) leave() {
	if !g.wire.gone() {
		g.wire.closeSession(time.Second)
	}
	g.finish()
}

// ask executes a request. Codes other than OK and those in expected are errors.
func (g *guest) ask(op zk.Op, expected ...zk.Code) (zk.Result, error) {
	res, what := g.do(op, patience)
	switch {
	case what == lost:
		return res, fmt.Errorf("%w: %s went away during %s %s", ErrServer, strings.Join(g.address.Servers, ","), op.Kind, op.Path)
	case res.Err != zk.OK && !slices.Contains(expected, res.Err):
		return res, fmt.Errorf("ZooKeeper refused %s %s: %w", op.Kind, op.Path, res.Err)
	}
	return res, nil
}

// claim makes sure that the chroot exists, is marked, or is empty and gets its mark.
func (g *guest) claim() error {
	missing, ours, err := g.look()
	switch {
	case err != nil || ours:
		return err
	case missing:
		return g.found(inside(g.address.Chroot, "/"))
	}
	_, err = g.ask(zk.Op{Kind: zk.Create, Path: g.markPath(), Data: adopted}, zk.NodeExists)
	return err
}

// look finds out whose the chroot is; one that holds something, children or data, and no mark is ErrNotOurs. The names are
// read before the mark, since another run may make it meanwhile.
func (g *guest) look() (missing, ours bool, err error) {
	root := inside(g.address.Chroot, "/")
	names, err := g.ask(zk.Op{Kind: zk.Children, Path: root}, zk.NoNode)
	if err != nil || names.Err == zk.NoNode {
		return true, false, err
	}
	if ours, err = g.marked(); ours || err != nil {
		return false, ours, err
	}
	others := slices.DeleteFunc(names.Children, func(n string) bool { return root == "/" && n == "zookeeper" })
	slices.Sort(others)
	holds := summary(others)
	if len(others) == 0 {
		if holds, err = g.ownData(root); err != nil {
			return false, false, err
		}
	}
	if holds != "" {
		err = fmt.Errorf("%w: %s on %s holds somebody else's data (%s); choose another chroot", ErrNotOurs, root,
			strings.Join(g.address.Servers, ","), holds)
	}
	return false, false, err
}

// ownData says what a znode without children is to somebody else: what it holds, or that it ends with a session. A node that
// was made above a chroot is ours, and an empty one nobody's.
func (g *guest) ownData(path string) (string, error) {
	n, err := g.ask(zk.Op{Kind: zk.Get, Path: path}, zk.NoNode)
	switch {
	case err != nil || isMark(n.Data):
		return "", err
	case n.Stat.EphemeralOwner != 0:
		return "an ephemeral znode", nil
	case len(n.Data) > 0:
		return fmt.Sprintf("the znode itself, %d bytes", len(n.Data)), nil
	}
	return "", nil
}

// found makes the chroot with its mark in one transaction, and what is missing above it. Two processes may do so at once.
func (g *guest) found(root string) error {
	for i := 1; i < len(root); i++ {
		if root[i] == '/' {
			if _, err := g.ask(zk.Op{Kind: zk.Create, Path: root[:i], Data: markData}, zk.NodeExists); err != nil {
				return err
			}
		}
	}
	_, err := g.ask(zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: root, Data: []byte{}},
		{Kind: zk.Create, Path: g.markPath(), Data: markData}}}, zk.NodeExists)
	return err
}

func (g *guest) markPath() string { return g.address.Chroot + "/" + MarkNode }

// marked reports whether the chroot carries the mark.
func (g *guest) marked() (bool, error) {
	res, err := g.ask(zk.Op{Kind: zk.Get, Path: g.markPath()}, zk.NoNode)
	return err == nil && res.Err == zk.OK && isMark(res.Data), err
}

func isMark(data []byte) bool {
	return string(data) == string(markData) || string(data) == string(adopted)
}

// summary names a few of many.
func summary(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + fmt.Sprintf(" and %d more", len(names)-3)
	}
	return strings.Join(names, ", ")
}

// newRun makes the folder of one stepped run.
func (g *guest) newRun() (string, error) {
	res, err := g.ask(zk.Op{Kind: zk.Create, Path: g.address.Chroot + "/run-", Data: []byte{}, Mode: zk.PersistentSequential})
	return res.Path, err
}

// remove deletes a node and everything below it, deepest first, and returns how many nodes went.
func (g *guest) remove(path string) (int, error) {
	names, err := g.ask(zk.Op{Kind: zk.Children, Path: path}, zk.NoNode)
	if err != nil || names.Err == zk.NoNode {
		return 0, err
	}
	removed := 0
	for _, name := range names.Children {
		n, err := g.remove(path + "/" + name)
		if removed += n; err != nil {
			return removed, err
		}
	}
	res, err := g.ask(zk.Op{Kind: zk.Delete, Path: path, Version: zk.AnyVersion}, zk.NoNode, zk.NotEmpty)
	if err != nil {
		return removed, err
	}
	return removed + 1, written(path, res)
}

// written says that somebody wrote below a node while it was removed.
func written(path string, deleted zk.Result) error {
	if deleted.Err != zk.NotEmpty {
		return nil
	}
	return fmt.Errorf("somebody wrote below %s while it was removed; stop what runs there and clean again", path)
}

// Reach asks whether a run could begin at an address, and changes nothing there: ErrServer when no server answers,
// ErrNotOurs when the chroot holds somebody else's data.
func Reach(a Address, dial Dialer) error {
	g, err := enter(orDial(dial), a)
	if err != nil {
		return err
	}
	defer g.leave()
	_, _, err = g.look()
	return err
}

// Prepare claims the chroot of an address: it makes and marks it, or finds its mark there. A chroot with somebody else's
// data is ErrNotOurs, a server that cannot be reached ErrServer.
func Prepare(a Address, dial Dialer) error {
	g, err := enter(orDial(dial), a)
	if err != nil {
		return err
	}
	defer g.leave()
	return g.claim()
}
