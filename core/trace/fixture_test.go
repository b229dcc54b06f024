package trace

import (
	"encoding/json"

	"controllerscope/core/env"
)

// election is a small run: two brokers exist, an operator kills broker 1, its session expires, the controller hears of it
// and looks who is alive. base shifts the zxids, as on another ZooKeeper.
func election(base int64) *Recorder {
	r := NewRecorder()
	r.Begin(env.Set("zxid:0x1", "broker", "1", "epoch"))
	epoch := env.Zxid(base + 1)
	start := r.Record(0, "op", nil, env.Note{Kind: env.Admin, Entity: "cluster", Msg: "op.cluster"})
	reg := r.Record(2, "zk", []int{start}, env.Note{
		Kind: env.ZkCreate, Entity: "/brokers/ids/1", Msg: "zk.created", Args: []env.Arg{env.A("path", "/brokers/ids/1")},
		Changes: []env.Change{
			env.Set(`{"host":"b1","port":9092}`, "zk", "/brokers/ids/1", "data"),
			env.Set(epoch, "zk", "/brokers/ids/1", "czxid"),
			env.Set(env.Record{env.A("epoch", epoch), env.A("isr", env.Ints([]int{1, 2}))}, "ctx", "0", "info"),
		},
		IDs: env.IDs{Zxid: epoch, Session: "session:0x100"},
	})
	kill := r.Record(5, "op", nil, env.Note{Kind: env.BrokerState, Entity: "broker 1", Msg: "op.kill"})
	gone := r.Record(6, "zk", []int{kill}, env.Note{
		Kind: env.SessionExpire, Msg: "session.expired", Reads: []env.Path{env.P("zk", "/brokers/ids/1")},
		Changes: []env.Change{env.Unset("zk", "/brokers/ids/1"), env.Set(env.Zxid(base+2), "zxid")},
	})
	take := r.Record(7, "0.controller", []int{gone}, env.Note{Kind: env.EventTake, Msg: "event.broker-change"})
	r.Record(8, "0.controller", []int{take}, env.Note{
		Kind: env.CtxSet, Entity: "broker 1", Msg: "ctx.dead", Args: []env.Arg{env.A("text", "was <"+epoch+">")},
		Reads:   []env.Path{env.P("ctx", "0", "info"), env.P("zk", "/brokers/ids/1", "data")},
		Changes: []env.Change{env.Set(int64(1), "ctx", "0", "dead"), env.Unset("ctx", "0", "info")},
	})
	_ = reg
	return r
}

func electionTrace(base int64) *Trace {
	return election(base).Trace(Trace{
		Core: "1.0", Setup: json.RawMessage(`{ "brokers": [1, 2] }`), Seed: 7, Script: "broker kill 1\n",
		Msgs: map[string]env.Message{
			"op.cluster": {}, "op.kill": {}, "session.expired": {}, "event.broker-change": {},
			"zk.created": {Src: "sim.create", Kafka: "-"},
			"ctx.dead":   {Src: "controller.removeLiveBrokers", Kafka: "ControllerContext.removeLiveBrokers", Article: "S2"},
		},
	})
}
