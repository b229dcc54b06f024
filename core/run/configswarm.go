package run

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/sim"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// ConfigSwarm tries random scripts of config changes, restarts, expiries and slow readers. In a world at rest every broker
// has the configs that ZooKeeper has, as long as clocks agree within 15 minutes and nobody is held for longer.
type ConfigSwarm struct {
	Operations int  // about how many lines; 0 is 24
	Skewed     bool // clocks may be 20 minutes off
	Store      func() zk.Store
}

// Lost is a script after which brokers have other configs than ZooKeeper.
type Lost struct {
	Script string   // as drawn
	Shrunk string   // without every line that it fails without
	Where  []string // "1 topics/t0": broker and entity, of the shrunk script
}

// Try makes the random script of a seed and runs it; nil when no update is lost.
func (s ConfigSwarm) Try(seed uint64) (*Lost, error) {
	g := &generator{seed: seed}
	var err error
	if g.run, err = Start(Inputs{Name: "configs", Seed: seed}, Options{Store: s.Store(), MaxChoices: restless}); err != nil {
		return nil, err
	}
	defer g.run.Close()
	g.do("cluster brokers=0,1,2 auto.leader.rebalance.enable=false")
	for id := range 3 {
		g.do("broker start %d", id)
	}
	for _, line := range []string{"until idle", "topic create t0 1x3", "topic create t1 1x3", "until idle"} {
		g.do("%s", line)
	}
	operations := s.Operations
	if operations == 0 {
		operations = 24
	}
	for range operations {
		s.operation(g)
	}
	for _, held := range g.run.world.Held() {
		g.do("release %s", held)
	}
	g.do("until idle")
	for _, id := range g.run.world.Brokers() {
		if g.run.world.CanStart(id) == nil {
			g.do("broker start %d", id)
		}
	}
	g.do("until idle")
	if g.err != nil {
		return nil, g.err
	}
	if where, err := s.lost(g.text.String()); err != nil || len(where) == 0 {
		return nil, err
	}
	found := &Lost{Script: g.text.String(), Shrunk: s.shrink(g.text.String())}
	found.Where, err = s.lost(found.Shrunk)
	return found, err
}

// operation writes one line. All the time that a script lets pass is below 15 minutes.
func (s ConfigSwarm) operation(g *generator) {
	entities := []string{"topics/t0 retention.ms", "topics/t1 retention.ms", "users/alice producer_byte_rate", "clients/app consumer_byte_rate",
		"brokers/<default> log.retention.ms"}
	key := entities[g.draw(len(entities))]
	switch g.draw(10) {
	case 0, 1, 2, 3:
		g.do("config set %s=%d", key, 1+g.draw(9))
	case 4:
		g.do("clock +%ds", 1+g.draw(800/(1+max(24, s.Operations))))
	case 5:
		if held := g.run.world.Held(); len(held) > 0 {
			g.do("release %s", held[g.draw(len(held))])
		} else {
			g.do("hold client.%d", g.draw(3))
		}
	case 6:
		if g.draw(2) == 0 {
			g.expire()
		} else if !g.start() {
			g.onBroker("broker kill %d", func(id kafka.BrokerID) bool { return g.run.world.CanEnd(id) == nil })
		}
	case 7:
		if s.Skewed {
			g.do("skew %d %s", g.draw(3), []string{"+20m", "-20m"}[g.draw(2)])
		}
	default:
		g.do("until idle")
	}
}

// lost says which brokers have another config than ZooKeeper once a script has come to rest.
func (s ConfigSwarm) lost(script string) ([]string, error) {
	r, err := Start(Inputs{Name: "configs", Script: script}, Options{Store: s.Store(), Record: true, Bare: true, MaxChoices: restless})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Finish(); err != nil {
		return nil, err
	}
	if r.world == nil || !r.world.Settled() {
		return nil, nil
	}
	return unheard(r.world, r.Doc()), nil
}

// unheard compares what running brokers apply with what ZooKeeper holds.
func unheard(w *sim.World, doc *trace.Document) (out []string) {
	for _, id := range w.Brokers() {
		if !w.Started(id) {
			continue
		}
		for _, path := range doc.Names("zk") {
			entity, found := strings.CutPrefix(path, zkdata.ConfigPath+"/")
			entityType, name, named := strings.Cut(entity, "/")
			if !found || !named || path == zkdata.ConfigChangesPath || strings.HasPrefix(path, zkdata.ConfigChangesPath+"/") {
				continue
			}
			data, _ := doc.Get("zk", path, "data").(string)
			stored, err := zkdata.DecodeConfig(path, []byte(data))
			applied := w.Server(id).Config().Config(entityType, name)
			if err == nil && configText(stored) != configText(applied) {
				out = append(out, fmt.Sprintf("%d %s", id, entity))
			}
		}
	}
	return out
}

func configText(config map[string]string) string { return string(zkdata.EncodeConfig(config)) }

// shrink takes lines out, one at a time and in pairs, as long as an update is still lost.
func (s ConfigSwarm) shrink(text string) string {
	lines := strings.SplitAfter(text, "\n")
	without := func(drop ...int) bool {
		var rest []string
		for i, line := range lines {
			if !slices.Contains(drop, i) {
				rest = append(rest, line)
			}
		}
		where, err := s.lost(strings.Join(rest, ""))
		if err == nil && len(where) > 0 {
			lines = rest
			return true
		}
		return false
	}
	for again := true; again; {
		again = false
		for i := len(lines) - 1; i >= 0; i-- {
			again = without(i) || again
		}
	}
	for i := 0; i < len(lines); i++ {
		for j := i + 1; j < len(lines); j++ {
			if without(i, j) {
				i, j = -1, len(lines)
			}
		}
	}
	return strings.Join(lines, "")
}
