package lessons

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/exercise"
	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

func memory() zk.Store { return zkmem.New(zkmem.Options{}) }

// exercises are those of all lessons.
func exercises(t *testing.T) []*exercise.Exercise {
	t.Helper()
	var out []*exercise.Exercise
	for _, name := range Names() {
		l, err := Embedded(name)
		require.NoError(t, err)
		if l.Exercise != nil {
			out = append(out, l.Exercise)
		}
	}
	return out
}

// handIn is a solution as its author would hand it in.
func handIn(e *exercise.Exercise, who string, s exercise.Solution) *exercise.HandIn {
	seed := exercise.Seed("", who, e.ID)
	v := e.Variant(seed)
	h := &exercise.HandIn{Schema: 1, Exercise: e.ID, Version: e.Version, Who: who, Variant: exercise.SeedText(seed),
		Ops: map[string]string{}, Answers: s.Answers}
	for part, ops := range s.Ops {
		h.Ops[part] = v.Fill(ops)
	}
	return h
}

// Every solution that an exercise lists gets the points that it lists; an empty hand-in gets none.
func TestSolutionsGetTheirPoints(t *testing.T) {
	for _, e := range exercises(t) {
		for _, s := range append([]exercise.Solution{{Name: "empty", Who: "ada"}}, e.Solutions...) {
			t.Run(e.ID+" "+s.Name, func(t *testing.T) {
				r, err := e.Grade(handIn(e, s.Who, s), "", memory)
				require.NoError(t, err)
				assert.Equal(t, s.Points, r.Points, "%+v", r)
			})
		}
	}
}

// The first solution is the model. In every variant its operations get all points that operations can get, the answers that
// the core asks for get the others, each question has exactly one answer, and nothing gets no points.
func TestEveryVariantIsFair(t *testing.T) {
	for _, e := range exercises(t) {
		for i := range 20 {
			who := fmt.Sprintf("student %d", i)
			t.Run(e.ID+" "+who, func(t *testing.T) {
				h := handIn(e, who, e.Solutions[0])
				h.Answers = nil
				first, err := e.Grade(h, "", memory)
				require.NoError(t, err)
				h.Answers = map[string]string{}
				for _, r := range first.Results {
					if r.Want != "" {
						h.Answers[r.Part+"."+r.Criterion] = r.Want
					}
				}
				full, err := e.Grade(h, "", memory)
				require.NoError(t, err)
				assert.Equal(t, e.Points(), full.Points, "%+v", full)
				assert.Empty(t, full.Notes)
				none, err := e.Grade(handIn(e, who, exercise.Solution{}), "", memory)
				require.NoError(t, err)
				assert.Zero(t, none.Points, "%+v", none)
			})
		}
	}
}
