package trace

import (
	"slices"
	"strings"
)

// room hands out pieces of larger pieces of memory: a recording consists of very many small things that stay as long as it
// does.
type room[T any] struct {
	free []T
	made int // how many elements room was made for at once the last time
}

// fewest and most are how many elements room is made for at once: each time twice as many, since what is short should be small, and
// the collector walks few large pieces faster than many.
const fewest, most = 64, 512

// one returns a new element.
func (r *room[T]) one() *T { return &r.take(1)[0] }

// take returns n new elements; the list cannot be appended to in place.
func (r *room[T]) take(n int) []T { return r.end(r.begin(n)[:n]) }

// begin returns an empty list with room for n elements, to be appended to; end keeps it. Nothing else may be taken between.
func (r *room[T]) begin(n int) []T {
	if n > len(r.free) {
		r.made = min(max(fewest, 2*r.made), most)
		r.free = slices.Grow[[]T](nil, max(n, r.made)) // as much as the allocator gives anyway
		r.free = r.free[:cap(r.free)]
	}
	return r.free[:0]
}

// end keeps what became of the list that begin returned, nil of an empty one.
func (r *room[T]) end(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	if cap(list) == cap(r.free) { // else it has outgrown the room
		r.free = r.free[len(list):]
	}
	return slices.Clip(list)
}

// keep returns a copy of a list, nil of an empty one.
func (r *room[T]) keep(list []T) []T { return r.end(append(r.begin(len(list)), list...)) }

// join returns list with one more element.
func (r *room[T]) join(list []T, last T) []T {
	return r.end(append(append(r.begin(len(list)+1), list...), last))
}

// texts is room for short texts.
type texts struct{ free strings.Builder }

// keep returns what the bytes say.
func (t *texts) keep(text []byte) string {
	if t.free.Cap()-t.free.Len() < len(text) {
		t.free = strings.Builder{}
		t.free.Grow(max(len(text), 1<<10))
	}
	from := t.free.Len()
	t.free.Write(text)
	return t.free.String()[from:]
}
