package env

// Changes collects changes of the world document. After Clear its lists are used again: who gets them copies them.
type Changes struct {
	List  []Change
	words []string // of the paths
}

// path keeps a path until Clear.
func (c *Changes) path(words []string) Path {
	from := len(c.words)
	c.words = append(c.words, words...)
	return c.words[from:len(c.words):len(c.words)]
}

// Set says that the value at path is after from now on.
func (c *Changes) Set(after any, path ...string) {
	c.List = append(c.List, Change{c.path(path), after})
}

// Unset says that nothing is left at and below path.
func (c *Changes) Unset(path ...string) {
	c.List = append(c.List, Change{c.path(path), nil})
}

// Add takes over changes that somebody else spelt out.
func (c *Changes) Add(changes []Change) { c.List = append(c.List, changes...) }

// Clear begins anew.
func (c *Changes) Clear() { c.List, c.words = c.List[:0], c.words[:0] }

// Teller is where a journal's notes go; every Env is one.
type Teller interface {
	Tracing() bool
	Note(Note)
}

// Journal is how a station tells what it does: what changes a value of the world document calls Set or Unset, the next note
// carries these changes. Nothing may yield (ask ZooKeeper, wait, send) between a change and its note: the document would be
// behind the world. The lists of a note are the journal's own and used again after it.
type Journal struct {
	Env Teller
	Changes
	reads []Path
	args  []Arg
}

// On reports whether anything is recorded. Paths and values are built only if it is true.
func (j *Journal) On() bool { return j.Env.Tracing() }

// Set is Changes.Set while anything is recorded.
func (j *Journal) Set(after any, path ...string) {
	if j.On() {
		j.Changes.Set(after, path...)
	}
}

// Unset is Changes.Unset while anything is recorded.
func (j *Journal) Unset(path ...string) {
	if j.On() {
		j.Changes.Unset(path...)
	}
}

// Pending reports whether there are changes that no note has carried yet.
func (j *Journal) Pending() bool { return len(j.List) > 0 }

// Read says that the next note is about a decision that was made from what stands at path.
func (j *Journal) Read(path ...string) { j.reads = append(j.reads, j.path(path)) }

// Note records one thing that happened, with the changes made since the last note. reads are further facts that a decision
// was made from.
func (j *Journal) Note(kind Kind, entity, key string, ids IDs, reads []Path, args []Arg) {
	if !j.On() {
		return
	}
	for _, r := range reads {
		j.Read(r...)
	}
	j.args = append(j.args[:0], args...)
	j.Env.Note(Note{Kind: kind, Entity: entity, Msg: key, Args: j.args, Changes: j.List, Reads: j.reads, IDs: ids})
	j.Clear()
	j.reads = j.reads[:0]
}
