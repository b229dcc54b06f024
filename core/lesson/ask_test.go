package lesson

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asks are right questions of every kind about step 1 of script3, where 1 is held after 0 and before 0.startup.
func asks() map[string]*Ask {
	held, free := "exists(hold[1.controller])", "not exists(hold[1.controller])"
	return map[string]*Ask{
		"stop": {Kind: "stop", Right: []string{"stop"}, Choices: []Choice{{"continue", free}, {"stop", held}}},
		"multi": {Kind: "multi", Right: []string{"0", "1"},
			Choices: []Choice{{"0", "exists(hold[0.controller])"}, {"1", held}, {"s", "exists(hold[0.startup])"}}},
		"later": {Kind: "multi", Right: []string{"s"}, When: "step.i = 3",
			Choices: []Choice{{"0", "exists(hold[0.controller])"}, {"s", "exists(hold[0.startup])"}}},
		"order": {Kind: "order", Right: []string{"0", "1", "s"},
			Choices: []Choice{{"1", held}, {"s", "exists(hold[0.startup])"}, {"0", "exists(hold[0.controller])"}}},
		"value":   {Kind: "value", Right: []string{"1.Controller"}, Value: "step.args.what", Choices: []Choice{{ID: "1.Controller"}, {ID: "0"}}},
		"hotspot": {Kind: "hotspot", Right: []string{"/a"}, Choices: []Choice{{"/a", held}, {"/b", free}}},
		"move": {Kind: "move", Right: []string{"NewReplica>OnlineReplica"}, Value: "step.i",
			Choices: []Choice{{ID: "NewReplica>OnlineReplica"}, {ID: "NewReplica>OfflineReplica"}}},
	}
}

func TestEveryKindIsVouchedForByTheCore(t *testing.T) {
	tr := play(t)
	resolve := func(a *Ask) error {
		_, err := (&Lesson{ID: "x"}).Resolve(Run{Stops: []Stop{{ID: "s", At: "step.i = 1", Ask: a}}}, tr)
		return err
	}
	for _, name := range []string{"stop", "multi", "later", "order", "value", "hotspot"} {
		require.NoError(t, asks()[name].validate(), name)
		require.NoError(t, resolve(asks()[name]), name)
	}
	for _, c := range []struct {
		kind   string
		damage func(a *Ask)
		want   string
	}{
		{"stop", func(a *Ask) { a.Right = []string{"continue"} }, "choice continue: its key says false, right says true: not exists(hold[1.controller])"},
		{"multi", func(a *Ask) { a.Right = []string{"0"} }, "choice 1: its key says true, right says false: exists(hold[1.controller])"},
		{"later", func(a *Ask) { a.When = "" }, "choice 0: its key says true, right says false: exists(hold[0.controller])"},
		{"later", func(a *Ask) { a.When = "step.i = 0" }, "when: it holds at no step from the stop on: step.i = 0"},
		{"order", func(a *Ask) { a.Right = []string{"1", "0", "s"} }, "choice 0: it comes at step 0 and 1 at step 1, but right puts 1 first"},
		{"order", func(a *Ask) { a.Choices[0].Key = "step.i = 9" }, "choice 1: its key holds at no step: step.i = 9"},
		{"value", func(a *Ask) { a.Right = []string{"0"} }, "choice 1.Controller: the value is 1.controller, right says false: step.args.what"},
		{"value", func(a *Ask) { a.Value = "step.args.absent" }, "value: there is no value there: step.args.absent"},
		{"hotspot", func(a *Ask) { a.Right = []string{"/b"} }, "choice /a: its key says true, right says false: exists(hold[1.controller])"},
		{"move", func(*Ask) {}, "choice NewReplica>OnlineReplica: the value is >1, right says true: step.i"},
	} {
		a := asks()[c.kind]
		c.damage(a)
		assert.EqualError(t, resolve(a), "x/lesson.yaml: stop s, "+c.want)
	}
}

func TestAMoveIsTheValueBeforeAndAfterItsStep(t *testing.T) {
	a := &Ask{Kind: "move", Right: []string{">held"}, Value: "hold[1.controller]", Choices: []Choice{{ID: "x"}}}
	_, err := (&Lesson{ID: "x"}).Resolve(Run{Stops: []Stop{{ID: "s", At: "step.i = 4", Ask: a}}}, play(t))
	assert.EqualError(t, err, "x/lesson.yaml: stop s, value: there is no value there: hold[1.controller]", "after the release")
}

func TestAskIsValidated(t *testing.T) {
	for _, c := range []struct {
		kind   string
		damage func(a *Ask)
		want   string
	}{
		{"stop", func(a *Ask) { a.Choices[0].ID = "go" }, "the choices of kind stop are continue and stop, not [go stop]"},
		{"multi", func(a *Ask) { a.Right = []string{"0", "0"} }, "right names 0 twice"},
		{"multi", func(a *Ask) { a.Right = []string{"0", "1", "s"} }, "3 of 3 choices are right; at least one must be, and one must not"},
		{"multi", func(a *Ask) { a.Value = "step.i" }, "kinds value and move need value: EXPRESSION, and only they"},
		{"order", func(a *Ask) { a.Right = a.Right[:2] }, "right puts 2 of 3 choices in order; it must list all, two at least"},
		{"order", func(a *Ask) { a.Right = []string{"1", "s", "0"} }, "the choices stand in the right order already; write them in another"},
		{"order", func(a *Ask) { a.Choices[1].Key = "" }, "choice s needs a key: kind order has one for every choice"},
		{"value", func(a *Ask) { a.Value = "" }, "kinds value and move need value: EXPRESSION, and only they"},
		{"hotspot", func(a *Ask) { a.Choices[1].ID = "b" }, "choice b is no path of a znode"},
		{"hotspot", func(a *Ask) { a.Choices[1].Key = "" }, "choice /b needs a key: kind hotspot has one for every choice"},
		{"move", func(a *Ask) { a.Choices[1].ID = "NewReplica>OfflinePartition" },
			"choice NewReplica>OfflinePartition is no move; write FROM>TO with states of one machine, as OnlinePartition>OfflinePartition"},
	} {
		a := asks()[c.kind]
		c.damage(a)
		assert.EqualError(t, a.validate(), c.want)
	}
	assert.Len(t, asks()["move"].States(), 7)
	assert.Nil(t, asks()["value"].States())
}

func TestBare(t *testing.T) {
	for _, s := range []string{"[2, 0, 1]", "2,0,1", " 2，0，1 ", "{2,0,1}"} {
		assert.Equal(t, "2,0,1", Bare(s))
	}
	assert.Equal(t, "newpartition", Bare("NewPartition"))
}
