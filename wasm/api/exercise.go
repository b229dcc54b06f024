package api

import (
	"errors"
	"fmt"
	"strconv"

	"controllerscope/core/exercise"
	"controllerscope/core/jsonvalue"
	"controllerscope/core/run"
)

// student is who does an exercise: the exercise as the build wrote it (the JSON of exercise.Exercise), and whose variant.
type student struct {
	exercise, who, class, part string
}

// fields adds what a question says of a student to its other fields.
func (s *student) fields(f fields) fields {
	f["exercise"], f["who"], f["class"], f["part"] = &s.exercise, &s.who, &s.class, &s.part
	return f
}

// dealt is the exercise with the student's variant.
func (s *student) dealt() (*exercise.Exercise, exercise.Variant, error) {
	e, err := readExercise(s.exercise)
	if err != nil {
		return nil, exercise.Variant{}, err
	}
	return e, e.Variant(exercise.Seed(s.class, s.who, e.ID)), nil
}

// begin makes the run of a part the present one: in {exercise, who, class, part}, out what load answers, with the variant's
// seed and the values of its names, and of a drive part how many operations it may take and which.
func (a *API) begin(s student) (string, error) {
	e, v, err := s.dealt()
	if err != nil {
		return "", err
	}
	for _, p := range e.Deal(v) {
		if p.ID != s.part {
			continue
		}
		in := run.Inputs{Name: p.ID, Setup: p.Setup, Script: p.Script, Seed: p.Seed}
		if p.Kind == exercise.Value {
			in.Script = "" // what comes out is asked for, not shown
		}
		r, err := a.execute(in)
		if err != nil {
			return "", err
		}
		a.present(r)
		values := map[string]any{}
		for _, vary := range e.Vary {
			for _, name := range vary.Names {
				values[name] = v.Fill("{" + name + "}")
			}
		}
		extra := map[string]any{"variant": exercise.SeedText(v.Seed), "values": values, "operations": int64(p.Operations), "verbs": p.Verbs}
		return `{"trace":` + string(r.Trace().JSON()) + `,"inputs":` + inputsText(r) + `,"dealt":` + string(jsonvalue.Append(nil, extra)) + failure(r) + `}`, nil
	}
	return "", fmt.Errorf("the exercise %s has no part %q", e.ID, s.part)
}

// grade grades a hand-in: in {exercise, who, class, part?, handin}, out {report, file, line}. handin is the JSON of its own
// fields ops, answers and hashes; the rest is filled in.
func (a *API) grade(s student, handin string) (string, error) {
	e, v, err := s.dealt()
	if err != nil {
		return "", err
	}
	value, err := jsonvalue.Parse(handin)
	given, ok := value.(map[string]any)
	if err != nil || !ok {
		return "", errors.New("the hand-in is no object")
	}
	given["schema"], given["exercise"], given["version"] = jsonvalue.Number("1"), e.ID, jsonvalue.Number(strconv.Itoa(e.Version))
	given["who"], given["variant"], given["core"] = s.who, exercise.SeedText(v.Seed), run.Version
	h, err := exercise.Read(jsonvalue.Append(nil, given))
	if err != nil {
		return "", err
	}
	var only []string
	if s.part != "" {
		only = []string{s.part}
	}
	report, err := e.Grade(h, s.class, a.store, only...)
	if err != nil {
		return "", err
	}
	out := map[string]any{"points": int64(report.Points), "of": int64(report.Of)}
	out["results"] = listed(report.Results, func(r exercise.Result) map[string]any {
		return map[string]any{"part": r.Part, "criterion": r.Criterion, "points": int64(r.Points), "of": int64(r.Of), "step": int64(r.Step)}
	})
	out["notes"] = listed(report.Notes, func(n exercise.Note) map[string]any {
		return map[string]any{"part": n.Part, "key": n.Key, "text": n.Text}
	})
	return string(jsonvalue.Append(nil, map[string]any{"report": out, "file": string(h.JSON()), "line": h.Line()})), nil
}

// readExercise reads what the build wrote.
func readExercise(text string) (*exercise.Exercise, error) {
	value, err := jsonvalue.Parse(text)
	o, ok := value.(map[string]any)
	if err != nil || !ok {
		return nil, errors.New("the exercise is no object")
	}
	e := &exercise.Exercise{ID: textIn(o, "id"), Version: int(numberIn(o, "version"))}
	for _, v := range objectsIn(o, "vary") {
		e.Vary = append(e.Vary, exercise.Vary{Names: textsIn(v, "names"), Of: textsIn(v, "of")})
	}
	for _, p := range objectsIn(o, "parts") {
		part := exercise.Part{ID: textIn(p, "id"), Kind: textIn(p, "kind"), Seed: uint64(numberIn(p, "seed")), Setup: textIn(p, "setup"), Script: textIn(p, "script"),
			Operations: int(numberIn(p, "operations")), Verbs: textsIn(p, "verbs")}
		for _, c := range objectsIn(p, "criteria") {
			criterion := exercise.Criterion{ID: textIn(c, "id"), Points: int(numberIn(c, "points")), Ever: textsIn(c, "ever"), End: textIn(c, "end"), Never: textIn(c, "never"),
				Value: textIn(c, "value"), Count: textIn(c, "count"), Mark: textIn(c, "mark")}
			for _, choice := range objectsIn(c, "choices") {
				criterion.Choices = append(criterion.Choices, exercise.Choice{ID: textIn(choice, "id"), Key: textIn(choice, "key")})
			}
			part.Criteria = append(part.Criteria, criterion)
		}
		e.Parts = append(e.Parts, part)
	}
	return e, e.Validate()
}

func textIn(o map[string]any, name string) string {
	s, _ := o[name].(string)
	return s
}

func numberIn(o map[string]any, name string) int64 {
	n, _ := o[name].(jsonvalue.Number)
	i, _ := n.Int64()
	return i
}

func textsIn(o map[string]any, name string) []string {
	items, _ := o[name].([]any)
	var out []string
	for _, item := range items {
		s, _ := item.(string)
		out = append(out, s)
	}
	return out
}

func objectsIn(o map[string]any, name string) []map[string]any {
	items, _ := o[name].([]any)
	var out []map[string]any
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			out = append(out, object)
		}
	}
	return out
}
