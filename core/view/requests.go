package view

import (
	"strings"

	"controllerscope/core/env"
)

// computeLane describes one request between controller and broker that is queued or under way; what brokers and clients
// say to each other is no business of the lanes.
func (p *Projector) computeLane(lane, id string) {
	place := p.doc.At("lane", lane, id)
	kind := text(place.Get("kind"))
	if codes[kind] == nil {
		p.unset("lane", lane, id)
		return
	}
	body, _ := place.Get("body").(env.Record)
	record := make(env.Record, 0, 5)
	for _, name := range []string{"brokerEpoch", "code", "controllerEpoch", "error", "state"} {
		v := place.Get(name)
		if name == "code" {
			v = code(kind, body)
		}
		if v != nil {
			record = append(record, env.A(name, v))
		}
	}
	p.set(record, "lane", lane, id)
}

var codes = map[string]any{"LeaderAndIsr": "LI", "UpdateMetadata": "UM", "StopReplica": "SR", "AlterIsr": "AI",
	"ControlledShutdown": "CS"}

// code is the two letters of a request; a StopReplica that deletes bears a cross.
func code(kind string, body env.Record) any {
	if list, ok := body.Get("partitions").([]any); ok && kind == "StopReplica" {
		for _, e := range list {
			if m, ok := e.(env.Record); ok && m.Get("delete") == true {
				return "SR✕"
			}
		}
	}
	return codes[kind]
}

func (p *Projector) computeTray(lane, what string) {
	from, to, _ := strings.Cut(lane, ">")
	machine, kind, _ := strings.Cut(what, ".")
	if !p.doc.Has("batch", from, machine, kind, to) {
		p.unset("tray", lane, what)
		return
	}
	p.setText(text(code(kind, nil)), "tray", lane, what)
}
