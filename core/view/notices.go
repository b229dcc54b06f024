package view

import (
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/env"
)

// expirationMS is how old a notification must grow to be purged. Kafka: ZkNodeChangeNotificationListener.changeExpirationMs.
const expirationMS = 15 * 60 * 1000

const (
	configPrefix = "/config/"
	changePrefix = configChangesPath + "/config_change_"
)

// touchListener takes over what a broker's listener of config changes says of itself.
func (p *Projector) touchListener(path []string, before, after any) {
	b, root, leaf := path[1], path[2], path[3]
	if root != configChangesPath {
		return
	}
	if leaf == "last" && before != nil && after != nil && number(after, -1) >= 0 {
		p.mark(notices, changePrefix+fmt.Sprintf("%010d", number(after, -1)), b)
		return
	}
	if leaf == "last" && (before == nil) != (after == nil) {
		p.listeners.put(b, after != nil)
		p.mark(watching, "", "")
		for znode := range p.entities {
			p.mark(behind, znode, b)
		}
	}
	if leaf == "last" || leaf == "now" {
		p.allNotices(b)
	}
}

// allNotices makes every notification stale for one broker.
func (p *Projector) allNotices(b string) {
	for name := range p.listing[configChangesPath] {
		p.mark(notices, configChangesPath+"/"+name, b)
	}
}

// computeNotice says what a notification is to one broker.
func (p *Projector) computeNotice(znode, b string) {
	born, dated := moment(p.doc.Get("zk", znode, "ctime"))
	if !dated || !p.listeners.has(b) {
		p.unset("notice", znode, b)
		return
	}
	skew := number(p.doc.Get("clock", b), 0)
	n, err := strconv.ParseInt(strings.TrimPrefix(znode, changePrefix), 10, 64)
	x := make(env.Record, 0, 4)
	now, passing := moment(p.doc.Get("notices", b, configChangesPath, "now"))
	if passing {
		x = append(x, env.A("age", now-born))
	}
	x = append(x, env.A("done", err == nil && n <= number(p.doc.Get("notices", b, configChangesPath, "last"), -1)))
	if passing {
		x = append(x, env.A("old", now-born > expirationMS))
	}
	x = append(x, env.A("over", env.Time(born+expirationMS-skew)))
	p.set(x, "notice", znode, b)
}

// moment reads a tagged time.
func moment(v any) (ms int64, ok bool) {
	digits, tagged := strings.CutPrefix(text(v), "time:")
	ms, err := strconv.ParseInt(digits, 10, 64)
	return ms, tagged && err == nil
}

// touchEntity counts the znodes that hold a config.
func (p *Projector) touchEntity(znode string, exists bool) {
	if !isEntity(znode) {
		return
	}
	p.entities.put(znode, exists)
	p.mark(watching, "", "")
}

// isEntity reports whether a znode holds a config: /config/TYPE/NAME, or that of a user's client.
func isEntity(znode string) bool {
	rest, below := strings.CutPrefix(znode, configPrefix)
	words := strings.Split(rest, "/")
	return below && words[0] != "changes" && (len(words) == 2 || len(words) == 4)
}

// computeBehind marks a broker that has not applied what a config znode says now. The znode of a broker concerns only that
// one.
func (p *Projector) computeBehind(znode, b string) {
	entityType, entity, _ := strings.Cut(strings.TrimPrefix(znode, configPrefix), "/")
	if !isEntity(znode) || !p.listeners.has(b) || entityType == "brokers" && entity != b && entity != "<default>" {
		p.set(nil, "behind", znode, b)
		return
	}
	applied, _ := p.doc.Get("config", b, entityType, entity).(env.Record)
	written, _ := object(text(p.doc.Get("zk", znode, "data")))["config"].(map[string]any)
	var mark any
	if !sameConfig(applied, written) {
		mark = "≠"
	}
	p.set(mark, "behind", znode, b)
}

// sameConfig compares what was applied with what a znode says.
func sameConfig(applied env.Record, written map[string]any) bool {
	for _, a := range applied {
		if v, is := written[a.Name]; !is || text(v) != text(a.Value) {
			return false
		}
	}
	return len(applied) == len(written)
}

// computeWatching compares the watches that are armed for config changes with those of a design without notifications.
func (p *Projector) computeWatching(string, string) {
	if len(p.listeners) == 0 {
		p.unset("watching")
		return
	}
	p.set(env.R(env.A("armed", int64(len(p.doc.Names("watch", configChangesPath, "child")))),
		env.A("naive", int64(len(p.listeners)*len(p.entities)))), "watching")
}
