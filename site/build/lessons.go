package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/lesson"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
	"controllerscope/lessons"
)

// recorded is a lesson with the names of its recordings and the steps of its stops.
type recorded struct {
	*lesson.Lesson
	number int
	traces []string // file names, one a run
	at     map[string]int
	msgs   map[string]bool // keys of the messages that the recordings use
	runs   map[string]*trace.Trace
}

// record plays every run of a lesson with the core and resolves its anchors.
func record(l *lesson.Lesson, s *siteFolder) (*recorded, error) {
	digits, _, _ := strings.Cut(l.ID, "-")
	number, err := strconv.Atoi(digits)
	if err != nil {
		return nil, fmt.Errorf("%s: a lesson's folder begins with its number", l.ID)
	}
	out := &recorded{Lesson: l, number: number, at: map[string]int{}, msgs: map[string]bool{}, runs: map[string]*trace.Trace{}}
	for _, r := range l.Runs {
		t, stops, err := play(l, r)
		if err != nil {
			return nil, err
		}
		out.runs[r.ID] = t
		for i, stop := range r.Stops {
			out.at[stop.ID] = stops[i]
		}
		out.traces = append(out.traces, s.hashed(l.ID+"-"+r.ID+".json", t.Pack()))
		for _, step := range t.Steps {
			out.msgs[step.Msg] = true
		}
	}
	return out, nil
}

func play(l *lesson.Lesson, r lesson.Run) (t *trace.Trace, stops []int, err error) {
	run, err := run.Start(l.Inputs(r), run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	if err != nil {
		return nil, nil, err
	}
	defer run.Close()
	if err := run.Finish(); err != nil {
		return nil, nil, err
	}
	t = run.Trace()
	stops, err = l.Resolve(r, t)
	return t, stops, err
}

// The lesson as the page reads it (src/lesson.ts); one file per language.
type (
	pageLesson struct {
		ID     string        `json:"id"`
		Number int           `json:"number"`
		Title  string        `json:"title"`
		Acts   []pageAct     `json:"acts"`
		Runs   []pageRun     `json:"runs"`
		Stops  []pageStop    `json:"stops"`
		Side   string        `json:"side"` // what the inspector fetches later, relative to the lesson\'s own file
		Recap  *lesson.Recap `json:"recap"`
		// Messages are the sentences that the recordings use; the page fetches the others later.
		Messages map[string]string `json:"messages"`
	}
	pageAct struct {
		Title  string `json:"title"`
		Charts string `json:"charts,omitempty"`
	}
	pageRun struct {
		Trace string `json:"trace"` // relative to the lesson's own file
		From  int    `json:"from"`
	}
	pageStop struct {
		ID       string   `json:"id"`
		Run      int      `json:"run"`
		Act      int      `json:"act"`
		At       int      `json:"at"`
		Title    string   `json:"title"`
		Headline string   `json:"headline"`
		Sentence string   `json:"sentence"`
		Method   string   `json:"method,omitempty"`
		Focus    []string `json:"focus,omitempty"`
		Ask      *pageAsk `json:"ask,omitempty"`
	}
	pageAsk struct {
		Kind     string       `json:"kind"`
		Question string       `json:"question"`
		Choices  []pageChoice `json:"choices"`
		Order    []string     `json:"order,omitempty"`  // of kind order: the ids as is right
		States   []string     `json:"states,omitempty"` // of kind move: what it chooses from
		Listed   bool         `json:"-"`                // whether the choices are shown with the question
	}
	pageChoice struct {
		ID    string `json:"id"`
		Text  string `json:"text"`
		Why   string `json:"why"`
		Right bool   `json:"right"`
	}
)

// message is the entry of a key that the recordings use.
func (r *recorded) message(key string) env.Message {
	for _, run := range r.Runs {
		if m, ok := r.runs[run.ID].Msgs[key]; ok {
			return m
		}
	}
	return env.Message{}
}

// inLanguage joins what the machine needs with the words of one language.
func (r *recorded) inLanguage(lang string, sentences map[string]string) pageLesson {
	text := r.Texts[lang]
	page := pageLesson{ID: r.ID, Number: r.number, Title: text.Title, Recap: text.Recap}
	page.Messages = map[string]string{}
	for key, sentence := range sentences {
		if r.msgs[key] || strings.HasPrefix(key, "value.") {
			page.Messages[key] = sentence
		}
	}
	acts := map[string]int{}
	for i, a := range r.Acts {
		acts[a.ID] = i
		page.Acts = append(page.Acts, pageAct{text.Acts[a.ID], a.Charts})
	}
	for n, run := range r.Runs {
		page.Runs = append(page.Runs, pageRun{Trace: strings.TrimPrefix(r.traces[n], "a/")})
		for _, s := range run.Stops {
			t := text.Stops[s.ID]
			page.Stops = append(page.Stops, pageStop{ID: s.ID, Run: n, Act: acts[s.Act], At: r.at[s.ID], Title: t.Title,
				Headline: t.Headline, Sentence: t.Sentence, Method: s.Method, Focus: s.Focus, Ask: ask(s.Ask, t)})
		}
	}
	return page
}

func ask(a *lesson.Ask, t lesson.StopText) *pageAsk {
	if a == nil {
		return nil
	}
	out := &pageAsk{Kind: a.Kind, Question: t.Question, States: a.States(), Listed: a.Listed()}
	if a.Kind == "order" {
		out.Order = a.Right
	}
	for _, c := range a.Choices {
		for _, words := range t.Choices {
			if words.ID == c.ID {
				out.Choices = append(out.Choices, pageChoice{c.ID, words.Text, words.Why, slices.Contains(a.Right, c.ID)})
			}
		}
	}
	return out
}

// right lists the right choices, those of kind order as they have to stand.
func (a *pageAsk) right() []pageChoice {
	var out []pageChoice
	for _, c := range a.Choices {
		if c.Right {
			out = append(out, c)
		}
	}
	if a.Order != nil {
		slices.SortFunc(out, func(x, y pageChoice) int { return slices.Index(a.Order, x.ID) - slices.Index(a.Order, y.ID) })
	}
	return out
}

// readLessons reads and records all lessons, in order.
func readLessons(s *siteFolder) ([]*recorded, error) {
	var all []*recorded
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		if err != nil {
			return nil, err
		}
		r, err := record(l, s)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, s.err
}

func toJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only plain structs of strings come here
	}
	return text
}
