package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// journal is the controller's env.Journal. The package's tests compare document and world after every note.
type journal struct {
	e   env.Env
	all env.Journal
	id  string // the name of this process in the document: its broker id
}

func newJournal(e env.Env, id string) *journal { return &journal{e, env.Journal{Env: e}, id} }

func (j *journal) on() bool { return j.all.On() }

func (j *journal) set(after any, path ...string) { j.all.Set(after, path...) }

func (j *journal) add(changes []env.Change) { j.all.Add(changes) }

func (j *journal) unset(path ...string) { j.all.Unset(path...) }

// note records one thing that happened, with the changes made since the last note.
func (j *journal) note(kind env.Kind, entity, key string, args ...env.Arg) {
	j.all.Note(kind, entity, key, env.IDs{}, nil, args)
}

// because is note for a decision: reads are the facts that it was made from.
func (j *journal) because(kind env.Kind, entity, key string, reads []env.Path, args ...env.Arg) {
	j.all.Note(kind, entity, key, env.IDs{}, reads, args)
}

// flush records pending changes under key; without any it says nothing.
func (j *journal) flush(entity, key string, args ...env.Arg) {
	if j.all.Pending() {
		j.note(env.CtxSet, entity, key, args...)
	}
}

// event records what happens to an event of the queue. Who takes it out reads what was put there: the put is a cause.
func (j *journal) event(kind env.Kind, ev *queuedEvent, key string, args ...env.Arg) {
	if !j.on() {
		return
	}
	name, ids := ev.event.name(), env.IDs{Event: ev.id}
	if ev.said[0].Value == nil {
		ev.said = [2]env.Arg{env.A("event", name), env.A("id", ev.id)}
	}
	var some [4]env.Arg
	all := append(append(some[:0], ev.said[:]...), args...)
	if kind == env.EventTake || kind == env.EventPreempt {
		j.all.Read("queue", j.id, ev.id)
	}
	j.all.Note(kind, name, key, ids, nil, all)
}

// names are the arguments of notes that list brokers, partitions or replicas.

func brokerArg(name string, ids []kafka.BrokerID) env.Arg { return env.A(name, env.Ints(ids)) }

func partitionArg(name string, tps []kafka.TopicPartition) env.Arg {
	return env.A(name, partitionNames(tps))
}

// partitionArg is spelled out only if the note is kept: a failover names every partition.
func (j *journal) partitionArg(name string, tps []kafka.TopicPartition) env.Arg {
	if !j.on() {
		return env.Arg{}
	}
	return partitionArg(name, tps)
}

func replicaArg(name string, replicas []kafka.PartitionReplica) env.Arg {
	names := make([]any, len(replicas))
	for i, r := range replicas {
		names[i] = r.String()
	}
	return env.A(name, names)
}

func partitionNames(tps []kafka.TopicPartition) []any {
	out := make([]any, len(tps))
	for i, tp := range tps {
		out[i] = tp.String()
	}
	return out
}
