package main

import (
	"strings"

	"controllerscope/core/lesson"
	"controllerscope/core/trace"
)

// textFill is the text form of a lesson: complete without stage, script or colour. It is the page of a lesson for browsers
// without scripts, and the handout that is printed.
type textFill struct {
	mapLesson
	Acts  []textAct
	Recap *lesson.Recap
	Key   []textAnswer // right answers, for the last page of the handout
	Work  *textWork    // the exercise, nil when there is none
}

// textWork is the exercise at a lesson's end. What stands in braces in its texts differs from student to student.
type textWork struct {
	ID, Title, Goal string
	Parts           []textPart
}

type textPart struct{ Title, Task string }

type textAct struct {
	Title string
	Stops []textStop
}

// textStop is one stop: what happened, why, the facts, and where it stands in the code.
type textStop struct {
	pageStop
	N          int
	Href       string // this stop on the stage
	MS         int64
	Facts      []fact
	Src, Kafka string
	Article    string
	Lane       string
}

// fact is one value that the step changed.
type fact struct{ Path, Before, After string }

// textAnswer is a question's number and its right answers.
type textAnswer struct {
	N            int
	Text, Reason string
}

func (b *builder) textPage(l *recorded, lang string, p pageLesson) error {
	path := "lessons/" + l.ID + "/text/"
	fill := textFill{mapLesson: b.here(l, lang)}
	for i, a := range p.Acts {
		act := textAct{Title: a.Title}
		for n, place := range l.places() {
			if p.Stops[n].Act == i {
				act.Stops = append(act.Stops, textOf(place, p.Stops[n]))
			}
		}
		fill.Acts = append(fill.Acts, act)
	}
	fill.Recap, fill.Work = l.Texts[lang].Recap, workOf(l, lang)
	for n, s := range p.Stops {
		if s.Ask == nil {
			continue
		}
		for _, c := range s.Ask.right() {
			fill.Key = append(fill.Key, textAnswer{n + 1, c.Text, c.Why})
		}
	}
	out := b.page(path, lang)
	out.Name, out.Description = "textpage", l.Texts[lang].Intro
	out.Title = p.Title + " · " + out.W["asText"] + " · " + out.W["app"]
	out.Fill = fill
	return b.writePage(path, "text", out)
}

func workOf(l *recorded, lang string) *textWork {
	if l.Exercise == nil {
		return nil
	}
	said := l.Texts[lang].Exercise
	out := &textWork{ID: l.Exercise.ID, Title: said.Title, Goal: unbrace(said.Goal)}
	for _, p := range l.Exercise.Parts {
		part := said.Parts[p.ID]
		out.Parts = append(out.Parts, textPart{unbrace(part.Title), unbrace(part.Task)})
	}
	return out
}

// unbrace writes the gaps of an exercise's text as names.
func unbrace(s string) string { return strings.NewReplacer("{", "", "}", "").Replace(s) }

func textOf(p place, s pageStop) textStop {
	step := p.step()
	msg := p.Lesson.runs[p.Run.ID].Msgs[step.Msg]
	return textStop{pageStop: s, N: p.N, Href: p.href(), MS: step.VTimeMS, Facts: facts(step), Src: msg.Src, Kafka: msg.Kafka, Article: msg.Article, Lane: step.Lane}
}

// facts are what a step changed in the world; what exists only for pictures (view) is no fact. A znode that appears or goes
// is told in two rows, its data and its stat.
func facts(s *trace.Step) []fact {
	var out []fact
	whole := map[string]int{} // row of the stat of a znode that appears or goes
	for _, d := range s.Diff {
		if len(d.Path) == 3 && d.Path[0] == "zk" && d.Path[2] == "czxid" {
			whole[d.Path[1]] = -1
		}
	}
	for _, d := range s.Diff {
		var row int
		var isWhole bool
		if len(d.Path) == 3 && d.Path[0] == "zk" && d.Path[2] != "data" {
			row, isWhole = whole[d.Path[1]]
		}
		switch {
		case d.Path[0] == "view":
		case !isWhole:
			out = append(out, fact{short(trace.PathText(d.Path)), text(d.Before), text(d.After)})
		case row < 0:
			whole[d.Path[1]] = len(out)
			out = append(out, fact{short(trace.PathText(d.Path[:2])), stat("∅", d.Path[2], d.Before), stat("∅", d.Path[2], d.After)})
		default:
			out[row].Before, out[row].After = stat(out[row].Before, d.Path[2], d.Before), stat(out[row].After, d.Path[2], d.After)
		}
	}
	return out
}

// stat adds a field to the text of a znode's stat; a znode that is not there has none.
func stat(sofar, field string, value any) string {
	if value == nil {
		return sofar
	}
	if sofar == "∅" {
		return field + " " + text(value)
	}
	return sofar + " · " + field + " " + text(value)
}
