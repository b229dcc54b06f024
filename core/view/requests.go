package view

import (
	"strings"
	"unicode"
)

// computeLane describes one request that is queued or under way.
func (p *Projector) computeLane(lane, id string) {
	state := "queued"
	kind, body := p.request("lane", lane, id)
	if kind == "" {
		kind, body = p.request("wire", lane, id)
		state = p.field("wire", lane, id, "state")
	}
	if kind == "" {
		p.set(nil, "lane", lane, id)
		return
	}
	record := map[string]any{"code": code(kind, body), "state": state}
	for _, name := range []string{"controllerEpoch", "brokerEpoch", "error"} {
		if v := body[name]; v != nil {
			record[name] = v
		}
	}
	if e := p.field("wire", lane, id, "error"); e != "" {
		record["error"] = e
	}
	p.set(record, "lane", lane, id)
}

// request reads a request that stands in the document as leaves or as one record.
func (p *Projector) request(station, lane, id string) (kind string, body map[string]any) {
	if m, ok := p.doc.Get(station, lane, id).(map[string]any); ok {
		body, _ = m["body"].(map[string]any)
		return text(m["kind"]), body
	}
	body, _ = p.doc.Get(station, lane, id, "body").(map[string]any)
	return text(p.doc.Get(station, lane, id, "kind")), body
}

func (p *Projector) field(station, lane, id, name string) string {
	if m, ok := p.doc.Get(station, lane, id).(map[string]any); ok {
		return text(m[name])
	}
	return text(p.doc.Get(station, lane, id, name))
}

var codes = map[string]string{"LeaderAndIsr": "LI", "UpdateMetadata": "UM", "StopReplica": "SR", "AlterIsr": "AI",
	"ControlledShutdown": "CS"}

// code is the two letters of a request; a StopReplica that deletes bears a cross.
func code(kind string, body map[string]any) string {
	c := codes[kind]
	if c == "" {
		return initials(kind)
	}
	if list, ok := body["partitions"].([]any); ok && kind == "StopReplica" {
		for _, e := range list {
			if m, ok := e.(map[string]any); ok && m["delete"] == true {
				return c + "✕"
			}
		}
	}
	return c
}

func initials(kind string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return r
		}
		return -1
	}, kind)
}

func (p *Projector) computeTray(lane, what string) {
	from, to, _ := strings.Cut(lane, ">")
	machine, kind, _ := strings.Cut(what, ".")
	if !p.doc.Has("batch", from, machine, kind, to) {
		p.set(nil, "tray", lane, what)
		return
	}
	p.set(code(kind, nil), "tray", lane, what)
}
