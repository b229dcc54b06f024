package run

import (
	"fmt"

	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/zk"
)

// clientVerbs are what plain clients of ZooKeeper can be told.
var clientVerbs = map[string]verb{
	"client open":             onWord("NAME", (*sim.World).OpenClient),
	"client register":         registerClient,
	"client get":              onClient(zk.Op{Kind: zk.Get}),
	"client exists":           onClient(zk.Op{Kind: zk.Exists}),
	"client children":         onClient(zk.Op{Kind: zk.Children, Watch: true}),
	"client create":           onClient(zk.Op{Kind: zk.Create}),
	"client create-ephemeral": onClient(zk.Op{Kind: zk.Create, Mode: zk.Ephemeral}),
	"client create-seq":       onClient(zk.Op{Kind: zk.Create, Mode: zk.PersistentSequential}),
	"client set":              onClient(zk.Op{Kind: zk.Set}),
	"client delete":           onClient(zk.Op{Kind: zk.Delete}),
	"client silent":           onWord("NAME", (*sim.World).SilenceClient),
	"client back":             onWord("NAME", (*sim.World).WakeClient),
	"client close":            onWord("NAME", (*sim.World).CloseClient),
}

// onClient has a client send the request, with the path and the data of the line.
func onClient(request zk.Op) verb {
	return func(r *Run, l *script.Line) error {
		op := nodeOp(request.Kind, l)
		op.Mode, op.Watch = request.Mode, request.Watch
		return r.world.CallClient(l.Text("NAME"), op)
	}
}

func registerClient(r *Run, l *script.Line) error {
	what := l.Text("children|node")
	if what != "children" && what != "node" {
		return fmt.Errorf("%q cannot be watched; write children or node", what)
	}
	return r.world.RegisterClient(l.Text("NAME"), l.Text("PATH"), what == "children")
}
