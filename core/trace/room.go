package trace

import "strings"

// room hands out pieces of larger pieces of memory: a recording consists of very many small things that stay as long as it
// does.
type room[T any] struct{ free []T }

// pieces is how many elements room is made for at once.
const pieces = 64

// one returns a new element.
func (r *room[T]) one() *T { return &r.take(1)[0] }

// take returns n new elements; the list cannot be appended to in place.
func (r *room[T]) take(n int) []T {
	if n > len(r.free) {
		r.free = make([]T, max(n, pieces))
	}
	out := r.free[:n:n]
	r.free = r.free[n:]
	return out
}

// keep returns a copy of a list, nil of an empty one.
func (r *room[T]) keep(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := r.take(len(list))
	copy(out, list)
	return out
}

// join returns list with one more element.
func (r *room[T]) join(list []T, last T) []T {
	out := r.take(len(list) + 1)
	copy(out, list)
	out[len(list)] = last
	return out
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
