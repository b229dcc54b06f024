package view

import "strings"

// touch takes one change of one leaf into the indexes and makes stale what depends on it.
func (p *Projector) touch(path []string, before, after any) {
	switch path[0] {
	case "zk":
		p.touchZnode(path[1], path[2], after)
	case "watch":
		p.mark(bells, path[1], path[2])
		p.mark(rows, path[1], "at")
		if path[1] == configChangesPath {
			p.mark(watching, "", "")
		}
	case "handler":
		kind, znode, ok := strings.Cut(path[2], ":")
		if ok {
			put(p.handlers, item{znode, kind}, path[1], after != nil)
			p.mark(bells, znode, kind)
			p.mark(rows, znode, "at")
		}
	case "session":
		p.touchSession(path, before, after)
	case "ctl":
		p.touchController(path, after)
	case "ctx":
		p.touchContext(path, before, after)
	case "broker":
		p.touchBroker(path, before == nil || after == nil)
	case "lane":
		p.mark(lanes, path[1], path[2])
	case "batch":
		p.mark(trays, path[1]+">"+path[4], path[2]+"."+path[3])
	case "notices":
		p.touchListener(path, before, after)
	case "config":
		p.mark(behind, configPrefix+path[2]+"/"+path[3], path[1])
	case "clock":
		p.allNotices(path[1])
	case "metric":
		p.mark(metrics, path[1], path[2])
	}
}

func (p *Projector) touchZnode(znode, leaf string, after any) {
	switch leaf {
	case "data":
		p.mark(rows, znode, "value")
		p.markBeliefs(znode)
	case "version":
		p.markBeliefs(znode)
	case "czxid":
		p.mark(rows, znode, "at")
		p.mark(rows, znode, "value")
		p.markBeliefs(znode)
		p.touchChild(znode, after != nil)
		p.touchEntity(znode, after != nil)
	case "ctime":
		if strings.HasPrefix(znode, configChangesPath+"/") {
			for b := range p.listeners {
				p.mark(notices, znode, b)
			}
		}
	}
	if leaf == "data" || leaf == "czxid" {
		p.reparse(znode)
	}
	if leaf == "data" && strings.HasPrefix(znode, configPrefix) {
		for b := range p.listeners {
			p.mark(behind, znode, b)
		}
	}
	if znode == controllerPath || znode == controllerEpochPath {
		p.mark(lead, "", "")
		for b := range p.active {
			p.mark(controllers, b, "")
		}
	}
}

// touchChild keeps the children of the znodes that serve as lists.
func (p *Projector) touchChild(znode string, exists bool) {
	i := strings.LastIndexByte(znode, '/')
	if i <= 0 {
		return
	}
	parent, name := znode[:i], znode[i+1:]
	switch parent {
	case deleteTopicsPath:
		put(p.listing, parent, name, exists)
		p.mark(rows, parent, "value")
		for b := range p.active {
			p.compareDeletion(b, name)
		}
	case configChangesPath, isrChangePath, logDirEventPath:
		put(p.listing, parent, name, exists)
		p.mark(rows, parent, "value")
	}
}

func (p *Projector) touchSession(path []string, before, after any) {
	if len(path) < 3 {
		return
	}
	client := text(p.doc.Get("session", path[1], "client"))
	if path[2] == "client" {
		if before != nil {
			put(p.sessions, text(before), path[1], false)
			p.sessionMoved(text(before))
		}
		if after != nil {
			put(p.sessions, text(after), path[1], true)
		}
	}
	if path[2] == "client" || path[2] == "state" {
		p.sessionMoved(client)
	}
}

// sessionMoved says that a client's sessions are not what they were: who hears what may be different now.
func (p *Projector) sessionMoved(client string) {
	p.mark(rings, client, "")
	for _, h := range p.doc.Names("handler", client) {
		if kind, znode, ok := strings.Cut(h, ":"); ok {
			p.mark(bells, znode, kind)
		}
	}
}

func (p *Projector) touchController(path []string, after any) {
	b := path[1]
	switch path[2] {
	case "active":
		p.markBelief(b, controllerPath)
	case "isActive":
		is := after == true
		if is == p.active.has(b) {
			return
		}
		p.active.put(b, is)
		p.mark(lead, "", "")
		p.mark(controllers, b, "")
		p.mark(mismatches, b, "")
		p.compareAll(b)
		for znode := range p.rows {
			p.mark(rows, znode, "at")
			p.mark(beliefs, b, znode)
		}
	}
}

// touchBroker: of most leaves it matters only whether they are there (moved: they came or went).
func (p *Projector) touchBroker(path []string, moved bool) {
	b := path[1]
	switch path[2] {
	case "state", "up":
		p.mark(brokers, b, "")
		for tp := range p.led[b] {
			p.mark(partitions, tp, "")
		}
	case "replica":
		if path[4] == "role" {
			p.mark(chips, b, path[3])
			p.mark(partitions, path[3], "")
		}
	case "log":
		if moved {
			p.mark(chips, b, path[3])
		}
	case "meta":
		if path[3] == "partition" && moved {
			p.mark(partitions, path[4], "")
		}
	}
}
