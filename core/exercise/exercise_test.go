package exercise

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkmem"
)

func memory() zk.Store { return zkmem.New(zkmem.Options{}) }

// small has a part of each kind. Holding and releasing threads makes exactly one step each, so that the answers are plain.
func small() *Exercise {
	const setup = "cluster brokers={x},{y}\n"
	return &Exercise{ID: "E0", Version: 2,
		Vary: []Vary{{Names: []string{"x", "y"}, Of: []string{"1", "2", "3"}}},
		Parts: []Part{
			{ID: "do", Kind: Drive, Setup: setup, Operations: 2, Verbs: []string{"hold", "release {x}"}, Criteria: []Criterion{
				{ID: "both", Points: 3, Ever: []string{"step.kind = hold and step.entity contains '{x}.'", "step.kind = hold and step.entity contains '{y}.'"}},
				{ID: "end", Points: 2, End: "exists(hold) and count(hold) = 2"},
				{ID: "none", Points: 1, Never: "step.kind = release"},
			}},
			{ID: "say", Kind: Value, Setup: setup, Script: "hold {x}\nhold {y}\nrelease {x}\n", Criteria: []Criterion{
				{ID: "held", Points: 1, Value: "count(hold)"},
				{ID: "times", Points: 1, Count: "step.kind = hold"},
			}},
			{ID: "see", Kind: Detect, Setup: setup, Script: "hold {x}\nhold {y}\nrelease {x}\n", Criteria: []Criterion{
				{ID: "what", Points: 1, Choices: []Choice{{"dead", "step.kind = session.expire"}, {"held", "step.kind = hold"}}},
				{ID: "when", Points: 1, Mark: "step.kind = release"},
			}},
		}}
}

// handed is a hand-in by ada, of the class "c".
func handed(ops string, answers map[string]string) *HandIn {
	e := small()
	seed := Seed("c", "ada", e.ID)
	return &HandIn{Schema: 1, Exercise: e.ID, Version: 2, Who: "ada", Variant: SeedText(seed),
		Ops: map[string]string{"do": e.Variant(seed).Fill(ops)}, Answers: answers}
}

var right = map[string]string{"say.held": "1", "say.times": " 2 ", "see.what": "HELD", "see.when": "2"}

func points(r *Report) []int {
	var out []int
	for _, c := range r.Results {
		out = append(out, c.Points)
	}
	return out
}

func TestGrade(t *testing.T) {
	for _, c := range []struct {
		name    string
		ops     string
		answers map[string]string
		want    []int
		notes   []Note
	}{
		{"all right", "hold {x}\nhold {y}\n", right, []int{3, 2, 1, 1, 1, 1, 1}, nil},
		{"nothing", "", nil, []int{0, 0, 0, 0, 0, 0, 0}, nil},
		{"the other way round", "hold {y}\nhold {x}\n", nil, []int{0, 2, 0, 0, 0, 0, 0}, nil},
		{"letting time pass is free", "until idle\nhold {x}\nuntil idle\n\nhold {y} # the last\n", nil, []int{3, 2, 1, 0, 0, 0, 0}, nil},
		{"one operation too many", "hold {x}\nrelease {x}\nhold {y}\n", nil, []int{0, 0, 0, 0, 0, 0, 0},
			[]Note{{"do", "operations", "hold {y}"}}},
		{"a verb that is not allowed", "hold {x}\nbroker start {y}\nhold {y}\n", nil, []int{0, 0, 0, 0, 0, 0, 0},
			[]Note{{"do", "verb", "broker start {y}"}}},
		{"another cluster", "cluster brokers=7\n", nil, []int{0, 0, 0, 0, 0, 0, 0}, []Note{{"do", "verb", "cluster brokers=7"}}},
		{"wrong answers", "", map[string]string{"say.held": "2", "say.times": "", "see.what": "dead", "see.when": "1"},
			[]int{0, 0, 0, 0, 0, 0, 0}, nil},
		{"answers to nothing", "", map[string]string{"say.held": "1", "say.more": "1"}, []int{0, 0, 0, 1, 0, 0, 0},
			[]Note{{"", "unknown", "say.more"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := handed(c.ops, c.answers)
			v := small().Variant(Seed("c", "ada", "E0"))
			for i := range c.notes {
				c.notes[i].Text = v.Fill(c.notes[i].Text)
			}
			r, err := small().Grade(h, "c", memory)
			require.NoError(t, err)
			assert.Equal(t, c.want, points(r))
			assert.Equal(t, c.notes, r.Notes)
			assert.Equal(t, 10, r.Of)
		})
	}
}

// What a hand-in says of itself is noted and counts for nothing.
func TestOwnClaimsDoNotCount(t *testing.T) {
	h := handed("hold {x}\nhold {y}\n", right)
	h.Variant, h.Version = "0000000000000001", 1
	h.Hashes = map[string]string{"do": "deadbeef"}
	r, err := small().Grade(h, "c", memory)
	require.NoError(t, err)
	assert.Equal(t, 10, r.Points)
	assert.Equal(t, []Note{{"", "version", "1"}, {"", "variant", "0000000000000001"}, {"do", "hash", "deadbeef"}}, r.Notes)

	copied := handed("hold {x}\nhold {y}\n", right)
	for _, who := range []string{"bob", "carol", "dave", "erin", "frank"} {
		copied.Who = who // the operations speak of ada's brokers
		if Seed("c", who, "E0")%6 == Seed("c", "ada", "E0")%6 {
			continue
		}
		r, err := small().Grade(copied, "c", memory)
		require.NoError(t, err)
		require.Equal(t, "variant", r.Notes[0].Key)
	}
}

// A line that cannot be read or carried out ends the operations; what came before it counts.
func TestRefusedOperations(t *testing.T) {
	for ops, want := range map[string]string{
		"hold {x}\nhodl {y}\n":                        "hodl",
		"hold {x}\nhold '\n":                          "quote",
		"until step.nothing = 1\n":                    "step.nothing",
		strings.Repeat("until idle\n", 500):           "until idle",
		"hold 9\nuntil zk[/controller].data = 1\n":    "",
		"hold {x}\nuntil zk[/controller].data = 1\n":  "it never held",
		"hold {x}\n" + strings.Repeat("x", 5000) + "": "there is no",
	} {
		r, err := small().Grade(handed(ops, nil), "c", memory)
		require.NoError(t, err, ops)
		require.NotEmpty(t, r.Notes, ops)
		assert.Contains(t, r.Notes[0].Text, want)
		assert.Less(t, r.Points, 4)
	}
}

func TestSeedsAndVariants(t *testing.T) {
	// FNV-1a of "c\nada\nE0\n", then the finalizer of splitmix64; worked out with another implementation.
	assert.Equal(t, "d32270228e127526", SeedText(Seed("c", "ada", "E0")))
	assert.NotEqual(t, Seed("c", "ada", "E0"), Seed("", "cada", "E0"))
	assert.Equal(t, "000000000000000a", SeedText(10))
	dealt := map[string]int{}
	for seed := range uint64(600) {
		dealt[small().Variant(seed).Fill("{x}{y}")]++
	}
	assert.Len(t, dealt, 6, "every pair of two different values comes up: %v", dealt)
	for pair, n := range dealt {
		assert.InDelta(t, 100, n, 40, pair)
	}
}

func TestHandInForms(t *testing.T) {
	h := handed("hold {x}\n", right)
	for name, data := range map[string]string{"file": string(h.JSON()), "line": h.Line(), "with a BOM and an end of line": "\ufeff" + h.Line() + "\r\n"} {
		got, err := Read([]byte(data))
		require.NoError(t, err, name)
		assert.Equal(t, h, got, name)
	}
	for data, want := range map[string]string{
		"":                             "it is no hand-in: the JSON text ends too early",
		"{":                            "it is no hand-in: the JSON text ends too early",
		"null":                         "it is no hand-in: that is an object in braces",
		"[]":                           "it is no hand-in: that is an object in braces",
		"KCL1.{}":                      "the line after KCL1. is damaged or cut off; copy it again, whole",
		`{"schema":2}`:                 "it is of schema 2; this grader reads schema 1",
		`{"points":10}`:                `it is no hand-in: there is no field "points"`,
		`{"schema":1}`:                 "nobody's name or number is in it",
		`{"schema":1} {}`:              "something follows the hand-in; one file holds one",
		`{"schema":1,"who":""}`:        "nobody's name or number is in it",
		`{"schema":1,"who":"a\u0007"}`: "the name in it is longer than 80 characters or holds control characters",
		`{"schema":1,"who":"` + strings.Repeat("a", 81) + `"}`:      "the name in it is longer than 80 characters or holds control characters",
		`{"schema":1,"who":"` + strings.Repeat("a", MaxFile) + `"}`: "it has more than 65536 bytes; a hand-in is far smaller",
	} {
		_, err := Read([]byte(data))
		require.ErrorContains(t, err, want, "%.40s", data)
	}
}

func TestValidate(t *testing.T) {
	require.NoError(t, small().Validate())
	for want, damage := range map[string]func(e *Exercise){
		`exercise "" needs an id, a version of 1 or more, and parts`:                              func(e *Exercise) { e.ID = "" },
		"exercise E0: vary [x y] has 1 values for 2 names; there must be one for each":            func(e *Exercise) { e.Vary[0].Of = []string{"1"} },
		`exercise E0: part "do": an id is needed that no other part has`:                          func(e *Exercise) { e.Parts[1].ID = "do" },
		`exercise E0: part do: it is of kind "drove"; the kinds are drive, value, detect`:         func(e *Exercise) { e.Parts[0].Kind = "drove" },
		"exercise E0: part say: operations: N belongs to parts of kind drive, and to all of them": func(e *Exercise) { e.Parts[1].Operations = 1 },
		"exercise E0: part do: criterion end: it is met in 2 ways; give one of ever, end, never, value, count, mark, choices": func(e *Exercise) {
			e.Parts[0].Criteria[1].Never = "zxid"
		},
		"exercise E0: part do: criterion end: it gives 0 points; give at least 1": func(e *Exercise) { e.Parts[0].Criteria[1].Points = 0 },
		"exercise E0: part say: criterion held: ever, end and never belong to parts of kind drive, the other ways to value and detect": func(e *Exercise) {
			e.Parts[1].Criteria[0] = Criterion{ID: "held", Points: 1, End: "zxid"}
		},
		"there is no verb": func(e *Exercise) { e.Parts[2].Script = "hodl\n" },
	} {
		e := small()
		damage(e)
		require.ErrorContains(t, e.Validate(), want)
	}
}
