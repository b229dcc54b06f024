package broker

import (
	"strconv"

	"controllerscope/core/env"
)

// journal is how the broker tells what it does: set and unset collect changes, the next note carries them. Nothing may
// yield between a change and its note.
type journal struct {
	e       env.Env
	id      string // the broker's name in the document
	pending []env.Change
}

// on reports whether anything is recorded. Paths and values are built only if it is true.
func (j *journal) on() bool { return j.e.Tracing() }

func (j *journal) set(after any, path ...string) {
	if j.on() {
		j.pending = append(j.pending, env.Set(after, path...))
	}
}

func (j *journal) unset(path ...string) {
	if j.on() {
		j.pending = append(j.pending, env.Unset(path...))
	}
}

func (j *journal) note(kind env.Kind, entity, key string, args ...env.Arg) {
	j.because(kind, entity, key, nil, args...)
}

// because is note for a decision: reads are the facts that it was made from.
func (j *journal) because(kind env.Kind, entity, key string, reads []env.Path, args ...env.Arg) {
	if !j.on() {
		return
	}
	n := env.Note{Kind: kind, Entity: entity, Msg: key, Args: args, Reads: reads, Changes: j.pending}
	j.pending = nil
	j.e.Note(n)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
