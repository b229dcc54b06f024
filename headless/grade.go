package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"controllerscope/core/exercise"
	"controllerscope/core/zk"
	"controllerscope/headless/internal/terminal"
	"controllerscope/lessons"
)

// graded is one file of the folder and what came of it.
type graded struct {
	File     string           `json:"file"`
	Who      string           `json:"who,omitempty"`
	Exercise string           `json:"exercise,omitempty"`
	Status   string           `json:"status"` // graded, unreadable
	Why      string           `json:"why,omitempty"`
	Report   *exercise.Report `json:"report,omitempty"`
	Also     string           `json:"also,omitempty"` // the first file of the same name and exercise
	missed   []string
}

// gradeCommand grades a folder of hand-ins. Each is executed again on the variant of its author; what a file says of its own
// result counts for nothing, and a broken file costs only itself.
func gradeCommand(args []string, out, errw io.Writer) int {
	f := newFlags("grade", errw)
	file := f.String("csv", "", "write the marks to `FILE`, one row a hand-in; without it they are printed")
	class := f.String("class", "", "the `WORD` that the class was given; it decides who has which variant")
	lang := f.String("lang", "en", "language of the sentences: `en|zh`")
	asJSON := f.Bool("json", false, "print everything as JSON lines, with the script that leads to each step")
	jobs := f.Int("j", runtime.NumCPU(), "how many are graded at once")
	rest, err := parse(f, args)
	switch {
	case err != nil:
		return usage(err)
	case len(rest) != 1 || *jobs < 1:
		return fail(errw, exitUsage, "grade takes one folder of hand-ins, and -j of at least 1")
	}
	g, err := newGrader(*class, *lang)
	if err == nil {
		err = writable("--csv", *file)
	}
	if err != nil {
		return fail(errw, exitUsage, "grade: %v", err)
	}
	names, others, err := handIns(rest[0])
	if err != nil {
		return fail(errw, exitUsage, "grade: %v", err)
	}
	all := g.folder(rest[0], names, *jobs, errw)
	again(all)
	if err := write(all, *file, *lang, *asJSON, out); err != nil {
		return fail(errw, exitEnvironment, "grade: %v", err)
	}
	if len(others) > 0 {
		fmt.Fprintf(errw, "left out, for only files are graded: %s\n", clipped(strings.Join(others, ", ")))
	}
	unreadable := 0
	for _, one := range all {
		if one.Report == nil {
			unreadable++
		}
	}
	fmt.Fprintf(errw, "%d graded, %d unreadable\n", len(all)-unreadable, unreadable)
	if unreadable > 0 {
		return exitUsage
	}
	return exitOK
}

// handIns lists the regular files of a folder by name, and what else is there: folders, links and pipes. Hidden files are
// the file system's own.
func handIns(dir string) (names, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is no folder that can be read; give the folder with the hand-ins", dir)
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.Type().IsRegular():
			names = append(names, e.Name())
		default:
			others = append(others, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("no hand-in is in %s", dir)
	}
	return names, others, nil
}

// grader knows all exercises with their texts.
type grader struct {
	class, lang string
	exercises   map[string]*exercise.Exercise
	texts       map[string]*exercise.Text
	store       func() zk.Store
}

func newGrader(class, lang string) (*grader, error) {
	g := &grader{class: class, lang: lang, exercises: map[string]*exercise.Exercise{}, texts: map[string]*exercise.Text{}, store: embedded}
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		if err != nil {
			return nil, err
		}
		text := l.Texts[lang]
		if text == nil {
			return nil, fmt.Errorf("there is no language %q; there are en and zh", lang)
		}
		if l.Exercise != nil {
			g.exercises[l.Exercise.ID], g.texts[l.Exercise.ID] = l.Exercise, text.Exercise
		}
	}
	return g, nil
}

// folder grades all files, several at once; the order is that of the names.
func (g *grader) folder(dir string, names []string, jobs int, errw io.Writer) []graded {
	all := make([]graded, len(names))
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(jobs, len(names)) {
		wait.Go(func() {
			for i := range next {
				all[i] = g.file(dir, names[i])
			}
		})
	}
	for i := range names {
		terminal.Progress(errw, fmt.Sprintf("%d of %d hand-ins", i, len(names)), false)
		next <- i
	}
	close(next)
	wait.Wait()
	terminal.Progress(errw, "", true)
	return all
}

// file grades one hand-in. Whatever goes wrong with it stays with it.
func (g *grader) file(dir, name string) (out graded) {
	out = graded{File: name, Status: "unreadable"}
	defer func() {
		if r := recover(); r != nil {
			out.Report, out.Why = nil, fmt.Sprintf("grading it met a mistake of this program: %v; please report it with the file", r)
		}
	}()
	h, err := readHandIn(filepath.Join(dir, name))
	if err != nil {
		out.Why = err.Error()
		return out
	}
	out.Who, out.Exercise = h.Who, h.Exercise
	e := g.exercises[h.Exercise]
	if e == nil {
		out.Exercise = ""
		out.Why = fmt.Sprintf("there is no exercise %.20q", h.Exercise)
		return out
	}
	report, err := e.Grade(h, g.class, g.store)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	out.Status, out.Report = "graded", report
	v := e.Variant(exercise.Seed(g.class, h.Who, e.ID))
	out.missed = sentences(g.lang, g.texts[e.ID], v, report)
	return out
}

func readHandIn(file string) (*exercise.HandIn, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, errors.New("it cannot be read")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, exercise.MaxFile+1))
	if err != nil {
		return nil, errors.New("it cannot be read")
	}
	return exercise.Read(data)
}

// noteWords say what a note means; %s is what it is about.
var noteWords = map[string]map[string]string{
	"en": {
		"variant": "the variant in the file (%s) is not that of this name in this class; graded on the right one", "version": "made for version %s of the exercise",
		"hash": "the trace that the page had is not what the core makes of it now", "operations": "more operations than allowed, left out from %s on",
		"verb": "%s may not be used here; left out from there on", "refused": "refused: %s", "unknown": "there is no %s in this exercise",
		"again": "the same name has handed this exercise in as %s too"},
	"zh": {
		"variant": "文件里的变体（%s）不属于此班的这个名字；按正确的变体评分", "version": "按练习的第 %s 版做的",
		"hash": "页面上的轨迹与内核现在算出的不同", "operations": "操作数超过限制，从 %s 起不计",
		"verb": "这里不能用 %s；从这里起不计", "refused": "被拒绝：%s", "unknown": "本练习里没有 %s",
		"again": "同一个名字还以 %s 交过此练习"},
}

// sentences say of each missed criterion at which step and why, and what is odd about the hand-in.
func sentences(lang string, t *exercise.Text, v exercise.Variant, r *exercise.Report) []string {
	var out []string
	for _, c := range r.Results {
		if c.Met() {
			continue
		}
		text := v.Fill(t.Parts[c.Part].Criteria[c.Criterion].Missed)
		where := fmt.Sprintf("%s.%s: ", c.Part, c.Criterion)
		if c.Step >= 0 {
			where = map[string]string{"en": "%s.%s, step %d: ", "zh": "%s.%s，第 %d 步："}[lang]
			where = fmt.Sprintf(where, c.Part, c.Criterion, c.Step)
		}
		out = append(out, where+text)
	}
	for _, n := range r.Notes {
		words := noteWords[lang][n.Key]
		if strings.Contains(words, "%s") {
			words = fmt.Sprintf(words, clipped(n.Text))
		}
		if n.Part != "" {
			words = n.Part + ": " + words
		}
		out = append(out, words)
	}
	return out
}

// clipped is a piece of somebody's text, on one line and not long.
func clipped(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}
