package main

import (
	"encoding/json"
	"fmt"
	"io"

	"controllerscope/core/env"
	"controllerscope/core/lesson"
	"controllerscope/core/trace"
	"controllerscope/headless/internal/terminal"
)

// teller writes a trace for people: stops with headline and sentence, and the steps between them.
type teller struct {
	out       io.Writer
	sentences map[string]string
	o         runFlags
	locate    func(error) error // gives an error of a run its place in a file; nil when it has one
}

// title introduces a lesson.
func (t *teller) title(l *lesson.Lesson) {
	if t.o.json {
		return
	}
	text := l.Texts[t.o.lang]
	fmt.Fprintf(t.out, "%s\n\n%s\n\n", text.Title, text.Intro)
}

// tell writes the steps, and the stops of a lesson where they stand.
func (t *teller) tell(tr *trace.Trace, l *lesson.Lesson, r lesson.Run, stops []int) {
	next, act := 0, ""
	for i, s := range tr.Steps {
		if t.o.json {
			t.out.Write(append(s.AppendJSON(nil), '\n'))
			continue
		}
		if !t.o.brief || l == nil {
			fmt.Fprintln(t.out, t.line(s))
		}
		for next < len(stops) && stops[next] == i {
			t.stop(l, r.Stops[next], &act)
			next++
		}
	}
}

// stop writes a stop and, where a new act begins, the act. A question stands before the headline, which answers it.
func (t *teller) stop(l *lesson.Lesson, s lesson.Stop, act *string) {
	text := l.Texts[t.o.lang]
	if s.Act != *act {
		*act = s.Act
		fmt.Fprintf(t.out, "\n=== %s ===\n", text.Acts[s.Act])
	}
	stop := text.Stops[s.ID]
	if s.Ask != nil {
		fmt.Fprintf(t.out, "\n  ? %s\n", stop.Question)
		for _, c := range stop.Choices {
			if s.Ask.Listed() {
				fmt.Fprintf(t.out, "    - %s\n", c.Text)
			}
		}
	}
	fmt.Fprintf(t.out, "\n  * %s\n    %s\n", stop.Headline, stop.Sentence)
	for _, c := range stop.Choices {
		fmt.Fprintf(t.out, "    - %s: %s\n", c.Text, c.Why)
	}
	if !t.o.brief {
		fmt.Fprintln(t.out)
	}
}

// line is one step as a sentence.
func (t *teller) line(s *trace.Step) string {
	out := fmt.Sprintf("%5d %8.3f s  %-18s %s", s.I, float64(s.VTimeMS)/1000, s.Lane, sentence(t.sentences, s))
	for _, broken := range s.Invariants {
		out += "  !! " + broken
	}
	return terminal.Text(out)
}

// world prints the document at the end of the trace, without what is only for pictures.
func (t *teller) world(tr *trace.Trace) {
	c := trace.NewCursor(tr)
	c.Seek(len(tr.Steps) - 1)
	c.Doc().Walk(func(path env.Path, value any) bool {
		switch {
		case path[0] == "view":
		case t.o.json:
			words, _ := json.Marshal(path) // words always marshal
			fmt.Fprintf(t.out, `{"path":%s,"value":%s}`+"\n", words, trace.ValueText(value))
		default:
			fmt.Fprintf(t.out, "%s = %s\n", terminal.Text(trace.PathText(path)), terminal.Text(trace.ValueText(value)))
		}
		return true
	})
}

// explain prints the chain of causes behind a value, at the end or at the first moment at which the expression holds.
func (t *teller) explain(tr *trace.Trace) error {
	if t.o.whyAt != nil {
		if tr = cutAt(tr, t.o.whyAt); tr == nil {
			return fmt.Errorf("--why %s: what stands behind the @ holds at no step", t.o.why)
		}
	}
	links := trace.Why(tr, t.o.whyPath, len(tr.Steps)-1)
	if len(links) == 0 {
		return fmt.Errorf("--why %s: no step wrote it", t.o.why)
	}
	fmt.Fprintf(t.out, "why %s\n", trace.PathText(t.o.whyPath))
	for _, link := range links {
		fmt.Fprintf(t.out, "  %s\n", t.line(link.Step))
		for _, f := range link.Facts {
			fmt.Fprintf(t.out, "        read %s\n", terminal.Text(f.Text()))
		}
		if link.More > 0 {
			fmt.Fprintf(t.out, "        and %d more\n", link.More)
		}
	}
	return nil
}
