package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/lesson"
	"controllerscope/core/script"
	"controllerscope/core/trace"
)

// lesson finds a lesson by its folder's name; nil when it is not here yet.
func (b *builder) lesson(id string) *recorded {
	for _, l := range b.lessons {
		if l.ID == id {
			return l
		}
	}
	return nil
}

// place is a stop of a lesson with where to find it.
type place struct {
	Lesson *recorded
	Run    lesson.Run
	Stop   lesson.Stop
	N      int // number of the stop in its lesson, from 1
}

// place finds LESSON#STOP; the lesson must be here.
func (b *builder) place(name string) (place, error) {
	id, stop, _ := strings.Cut(name, "#")
	l := b.lesson(id)
	if l == nil {
		return place{}, fmt.Errorf("%s: there is no lesson %s", name, id)
	}
	for _, p := range l.places() {
		if p.Stop.ID == stop {
			return p, nil
		}
	}
	return place{}, fmt.Errorf("%s: the lesson has no such stop", name)
}

// places are the stops of a lesson in order.
func (r *recorded) places() []place {
	var out []place
	for _, run := range r.Runs {
		for _, s := range run.Stops {
			out = append(out, place{r, run, s, len(out) + 1})
		}
	}
	return out
}

// step is the step of the stop in its recording.
func (p place) step() *trace.Step { return p.Lesson.runs[p.Run.ID].Steps[p.Lesson.at[p.Stop.ID]] }

// href is the address of a stop from the root of a language, with the hash that the page checks.
func (p place) href() string {
	return fmt.Sprintf("lessons/%s/#s=%d&c=%s", p.Lesson.ID, p.N, p.step().Hash)
}

// cursor stands at the step of the stop.
func (p place) cursor() *trace.Cursor {
	c := trace.NewCursor(p.Lesson.runs[p.Run.ID])
	c.Seek(p.Lesson.at[p.Stop.ID])
	return c
}

// eval is the value of an expression at a cursor.
func eval(e *script.Expr, c *trace.Cursor) any {
	return e.Eval(&script.Moment{Now: c.Doc(), Before: trace.Past{Doc: c.Doc(), Step: c.Step()}, Step: c.Step()})
}

// text is a value as the pages write it: tagged identities in short, lists in brackets, records as their fields, nothing as ∅.
func text(v any) string {
	switch x := v.(type) {
	case nil:
		return "∅"
	case string:
		return short(x)
	case []any:
		parts := make([]string, len(x))
		for i, v := range x {
			parts[i] = text(v)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, k := range kafka.SortedKeys(x) {
			parts = append(parts, k+" "+text(x[k]))
		}
		return strings.Join(parts, " · ")
	case env.Record:
		parts := make([]string, len(x))
		for i, f := range x {
			parts[i] = f.Name + " " + text(f.Value)
		}
		return strings.Join(parts, " · ")
	}
	return fmt.Sprint(v)
}

var (
	zxidTag    = regexp.MustCompile(`zxid:0x([0-9a-f]+)`)
	sessionTag = regexp.MustCompile(`session:0x[0-9a-f]*([0-9a-f]{4})\b`)
	timeTag    = regexp.MustCompile(`time:(\d+)`)
	corrTag    = regexp.MustCompile(`corr:(\d+)`)
)

// short writes tagged identities as the stage does (src/fmt.ts): zxid:0x7a is 0x7A, a session its last four digits.
func short(s string) string {
	s = zxidTag.ReplaceAllStringFunc(s, func(m string) string { return "0x" + strings.ToUpper(m[len("zxid:0x"):]) })
	s = sessionTag.ReplaceAllString(s, "…$1")
	s = timeTag.ReplaceAllStringFunc(s, func(m string) string {
		ms, err := strconv.ParseInt(m[len("time:"):], 10, 64)
		if err != nil {
			return m
		}
		return time.UnixMilli(ms).UTC().Format("15:04:05")
	})
	return corrTag.ReplaceAllString(s, "$1")
}
