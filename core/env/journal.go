package env

// Journal is how a station tells what it does: what changes a value of the world document calls Set or Unset, the next note
// carries these changes. Nothing may yield (ask ZooKeeper, wait, send) between a change and its note: the document would be
// behind the world. The lists of a note are the journal's own and used again after it.
type Journal struct {
	Env     Env
	changes []Change
	reads   []Path
	args    []Arg
	words   []string // of the paths in changes and reads
}

// On reports whether anything is recorded. Paths and values are built only if it is true.
func (j *Journal) On() bool { return j.Env.Tracing() }

// path keeps a path until after the next note.
func (j *Journal) path(words []string) Path {
	from := len(j.words)
	j.words = append(j.words, words...)
	return j.words[from:len(j.words):len(j.words)]
}

// Set says that the value at path is after from now on.
func (j *Journal) Set(after any, path ...string) {
	if j.On() {
		j.changes = append(j.changes, Change{j.path(path), after})
	}
}

// Unset says that nothing is left at and below path.
func (j *Journal) Unset(path ...string) {
	if j.On() {
		j.changes = append(j.changes, Change{j.path(path), nil})
	}
}

// Add takes over changes that somebody else spelt out.
func (j *Journal) Add(changes []Change) { j.changes = append(j.changes, changes...) }

// Pending reports whether there are changes that no note has carried yet.
func (j *Journal) Pending() bool { return len(j.changes) > 0 }

// Note records one thing that happened, with the changes made since the last note. reads are the facts that a decision was
// made from.
func (j *Journal) Note(kind Kind, entity, key string, ids IDs, reads []Path, args []Arg) {
	if !j.On() {
		return
	}
	j.reads = j.reads[:0]
	for _, r := range reads {
		j.reads = append(j.reads, j.path(r))
	}
	j.args = append(j.args[:0], args...)
	j.Env.Note(Note{Kind: kind, Entity: entity, Msg: key, Args: j.args, Changes: j.changes, Reads: j.reads, IDs: ids})
	j.changes, j.words = j.changes[:0], j.words[:0]
}
