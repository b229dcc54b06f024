package controller

import (
	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// journal is how the controller tells what it does. What changes a value of the world document calls set or unset; the
// next note carries these changes. Nothing may yield (ask ZooKeeper, wait, send) between a change and its note: the
// document would be behind the world. The package's tests compare the two after every note.
type journal struct {
	e       env.Env
	id      string // the name of this process in the document: its broker id
	pending []env.Change
}

// on reports whether anything is recorded. Paths and values are built only if it is true.
func (j *journal) on() bool { return j.e.Tracing() }

func (j *journal) set(after any, path ...string) {
	if j.on() {
		j.pending = append(j.pending, env.Set(after, path...))
	}
}

func (j *journal) add(changes []env.Change) { j.pending = append(j.pending, changes...) }

func (j *journal) unset(path ...string) {
	if j.on() {
		j.pending = append(j.pending, env.Unset(path...))
	}
}

// note records one thing that happened, with the changes made since the last note.
func (j *journal) note(kind env.Kind, entity, key string, args ...env.Arg) {
	j.because(kind, entity, key, nil, args...)
}

// because is note for a decision: reads are the facts that it was made from.
func (j *journal) because(kind env.Kind, entity, key string, reads []env.Path, args ...env.Arg) {
	if !j.on() {
		return
	}
	j.emit(env.Note{Kind: kind, Entity: entity, Msg: key, Args: args, Reads: reads})
}

// flush records pending changes under key; without any it says nothing.
func (j *journal) flush(entity, key string, args ...env.Arg) {
	if len(j.pending) > 0 {
		j.note(env.CtxSet, entity, key, args...)
	}
}

// event records what happens to an event of the queue. Who takes it out reads what was put there: the put is a cause.
func (j *journal) event(kind env.Kind, ev *queuedEvent, key string, args ...env.Arg) {
	if !j.on() {
		return
	}
	n := env.Note{Kind: kind, Entity: ev.event.name(), Msg: key, IDs: env.IDs{Event: ev.id},
		Args: append([]env.Arg{env.A("event", ev.event.name()), env.A("id", ev.id)}, args...)}
	if kind == env.EventTake || kind == env.EventPreempt {
		n.Reads = []env.Path{env.P("queue", j.id, ev.id)}
	}
	j.emit(n)
}

func (j *journal) emit(n env.Note) {
	n.Changes, j.pending = j.pending, nil
	j.e.Note(n)
}

// names are the arguments of notes that list brokers, partitions or replicas.

func brokerArg(name string, ids []kafka.BrokerID) env.Arg { return env.A(name, env.Ints(ids)) }

func partitionArg(name string, tps []kafka.TopicPartition) env.Arg {
	return env.A(name, partitionNames(tps))
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
