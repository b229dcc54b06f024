package server

import (
	"maps"

	"controllerscope/core/dynconfig"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Levels are the values of this broker: server.properties and both dynamic levels as it last heard of them.
func (s *Server) Levels() dynconfig.Levels {
	return dynconfig.Levels{Static: s.cfg.Props, All: s.dynamic.all, Own: s.dynamic.own}
}

// layers is what layers/B/KEY say: one record for each config that a dynamic level sets. Of levels that do not fit together
// none of the dynamic ones may be in effect.
func (s *Server) layers() map[string]env.Record {
	keys := maps.Clone(s.dynamic.all)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, s.dynamic.own)
	out := map[string]env.Record{}
	for key := range keys {
		var value, source any
		var all []any
		for _, l := range dynconfig.ExplainBroker(key, s.Levels()) {
			all = append(all, l.String())
			if v, set := s.dynamic.current[l.Key]; value == nil && (l.Source == "DEFAULT_CONFIG" || set && v == l.Value) {
				value, source = l.Shown(), l.Source
			}
		}
		if len(all) == 0 {
			continue
		}
		out[key] = env.R(env.A("layers", all))
		if value != nil {
			out[key] = append(out[key], env.A("source", source), env.A("value", value))
		}
	}
	return out
}

// noteLayers says which values are in effect now, and no longer as in old.
func (s *Server) noteLayers(entity string, old map[string]env.Record) {
	if !s.e.Tracing() {
		return
	}
	now := s.layers()
	var changes []env.Change
	for _, key := range kafka.SortedKeys(old) {
		if now[key] == nil {
			changes = append(changes, env.Unset("layers", s.id, key))
		}
	}
	for _, key := range kafka.SortedKeys(now) {
		changes = append(changes, env.Set(now[key], "layers", s.id, key))
	}
	if len(changes) > 0 {
		s.e.Note(env.Note{Kind: env.ConfigApply, Entity: "brokers/" + entity, Msg: "server.config.layers",
			Args: []env.Arg{env.A("keys", env.Strings(kafka.SortedKeys(now)))}, Changes: changes})
	}
}

// dumpLayers adds layers/B/KEY.
func (s *Server) dumpLayers(d env.Dump) {
	for key, x := range s.layers() {
		d.Set(x, "layers", s.id, key)
	}
}
