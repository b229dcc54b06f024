package sim

import (
	"controllerscope/core/env"
	"controllerscope/core/zk"
)

// Containers are removed by the server itself, which looks for them once a minute of the world's clock: those that had a
// child and have none. Kafka makes none; an operator may.

// watchContainers offers the next look, at a full minute, if there is something to look at. Alone it does not keep the world
// from being idle.
func (w *World) watchContainers() {
	store, can := w.cfg.Store.(zk.ContainerChecker)
	if !can || w.checking || !store.HasRemovable() {
		return
	}
	w.checking = true
	w.checks++
	const minute = zk.CheckContainersEveryMS
	w.offer(&Choice{Kind: TimerFire, What: "containers", Due: (w.now/minute + 1) * minute, name: "zk.containers", number: w.checks,
		background: true, cause: w.at.last(), run: func() { w.checkContainers(store) }})
}

// checkContainers removes what is due, each znode in a transaction of its own (ContainerManager.checkContainers).
func (w *World) checkContainers(store zk.ContainerChecker) {
	w.checking = false
	if !w.noQuorum {
		w.at.lane = "zk"
		for _, fx := range store.CheckContainers(Epoch + w.now) {
			w.committed(fx)
			if path := fx.Nodes[0].Path; w.tracing() {
				ids := env.IDs{Zxid: env.Zxid(fx.Zxid)}
				w.nodeChanges(fx)
				w.notes.Set(ids.Zxid, "zxid")
				w.notes.Note(env.ZkDelete, path, "zk.container.removed", ids, nil, []env.Arg{env.A("path", path)})
			}
			w.effects(fx)
		}
	}
	w.watchContainers()
}
