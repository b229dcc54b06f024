package broker

import (
	"strconv"

	"controllerscope/core/env"
)

// journal is the broker's env.Journal.
type journal struct {
	e   env.Env
	all env.Journal
	id  string // the broker's name in the document
}

func newJournal(e env.Env, id string) journal { return journal{e, env.Journal{Env: e}, id} }

func (j *journal) on() bool { return j.all.On() }

func (j *journal) set(after any, path ...string) { j.all.Set(after, path...) }

func (j *journal) unset(path ...string) { j.all.Unset(path...) }

func (j *journal) note(kind env.Kind, entity, key string, args ...env.Arg) {
	j.all.Note(kind, entity, key, env.IDs{}, nil, args)
}

// because is note for a decision: reads are the facts that it was made from.
func (j *journal) because(kind env.Kind, entity, key string, reads []env.Path, args ...env.Arg) {
	j.all.Note(kind, entity, key, env.IDs{}, reads, args)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
