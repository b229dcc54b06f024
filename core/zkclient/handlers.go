package zkclient

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/zk"
)

// ZNodeChangeHandler hears of one znode; a nil function ignores that kind of event. The functions run outside any thread
// and only enqueue something. Kafka: ZNodeChangeHandler.
type ZNodeChangeHandler struct {
	Created, Deleted, DataChanged func()
}

// RegisterZNodeChangeHandler makes h the handler of path, replacing any other. Nothing is sent: the next exists or get of
// that path arms the watch. Kafka: ZooKeeperClient.registerZNodeChangeHandler.
func (c *Client) RegisterZNodeChangeHandler(path string, h ZNodeChangeHandler) {
	_, again := c.changeHandlers[path]
	c.changeHandlers[path] = h
	if !again {
		c.noteHandler(zk.DataWatch, path, true)
	}
}

// UnregisterZNodeChangeHandler forgets the handler of path. A watch that the server holds fires in vain.
func (c *Client) UnregisterZNodeChangeHandler(path string) {
	if _, found := c.changeHandlers[path]; found {
		delete(c.changeHandlers, path)
		c.noteHandler(zk.DataWatch, path, false)
	}
}

// RegisterZNodeChildChangeHandler makes changed the handler of path's children; the next listing that wants a watch arms
// it. Kafka: ZooKeeperClient.registerZNodeChildChangeHandler.
func (c *Client) RegisterZNodeChildChangeHandler(path string, changed func()) {
	_, again := c.childHandlers[path]
	c.childHandlers[path] = changed
	if !again {
		c.noteHandler(zk.ChildWatch, path, true)
	}
}

// UnregisterZNodeChildChangeHandler forgets the handler of path's children.
func (c *Client) UnregisterZNodeChildChangeHandler(path string) {
	if _, found := c.childHandlers[path]; found {
		delete(c.childHandlers, path)
		c.noteHandler(zk.ChildWatch, path, false)
	}
}

// RegisterZNodeChangeHandlerAndCheckExistence registers h and asks whether path exists, which arms the watch either way.
// Kafka: KafkaZkClient.registerZNodeChangeHandlerAndCheckExistence.
func (c *Client) RegisterZNodeChangeHandlerAndCheckExistence(path string, h ZNodeChangeHandler) (bool, error) {
	c.RegisterZNodeChangeHandler(path, h)
	return c.PathExists(path)
}

// WatchEvent implements zk.Owner: it calls the handler that is registered at this moment, if any. The deletion of a znode
// never reaches a handler of its children. Kafka: ZooKeeperClient.ZooKeeperClientWatcher.
func (c *Client) WatchEvent(e zk.Event) {
	var handle func()
	switch e.Type {
	case zk.NodeChildrenChanged:
		handle = c.childHandlers[e.Path]
	case zk.NodeCreated:
		handle = c.changeHandlers[e.Path].Created
	case zk.NodeDeleted:
		handle = c.changeHandlers[e.Path].Deleted
	case zk.NodeDataChanged:
		handle = c.changeHandlers[e.Path].DataChanged
	}
	if handle != nil {
		handle()
	}
}

// Interested implements zk.Owner: whether a handler of that kind is registered.
func (c *Client) Interested(path string, kind zk.WatchKind) bool {
	if kind == zk.ChildWatch {
		_, found := c.childHandlers[path]
		return found
	}
	_, found := c.changeHandlers[path]
	return found
}

// withWatches are ops with the watch flags that the handlers registered at the time of sending want; where those differ it is
// a new list.
func (c *Client) withWatches(ops []zk.Op) []zk.Op {
	given := true
	for i := range ops {
		if wanted := c.shouldWatch(&ops[i]); wanted != ops[i].Watch {
			if given {
				ops, given = slices.Clone(ops), false
			}
			ops[i].Watch = wanted
		}
	}
	return ops
}

// shouldWatch: exists and get ask for a watch if there is a handler for the path, children if the caller wants one and there
// is a handler too. Kafka: ZooKeeperClient.shouldWatch.
func (c *Client) shouldWatch(op *zk.Op) bool {
	switch op.Kind {
	case zk.Exists, zk.Get:
		return c.Interested(op.Path, zk.DataWatch)
	case zk.Children:
		return op.Watch && c.Interested(op.Path, zk.ChildWatch)
	}
	return op.Watch
}

func (c *Client) handlerPath(kind zk.WatchKind, path string) env.Path {
	return env.P("handler", c.o.Client, kind.String()+":"+path)
}

func (c *Client) noteHandler(kind zk.WatchKind, path string, registered bool) {
	if !c.e.Tracing() {
		return
	}
	n := env.Note{Kind: env.CtxSet, Entity: path, Msg: "zkclient.handler.unregister",
		Args:    []env.Arg{env.A("path", path), env.A("watch", kind.String())},
		Changes: []env.Change{{Path: c.handlerPath(kind, path)}}}
	if registered {
		n.Msg, n.Changes[0].After = "zkclient.handler.register", true
	}
	c.e.Note(n)
}
