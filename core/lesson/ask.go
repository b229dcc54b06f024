package lesson

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/script"
)

// Ask is a prediction asked before the stop is shown. Its answers are vouched for by the core: see Resolve.
type Ask struct {
	// Kind is one of
	//
	//	choice   one of several; each that is right will do
	//	stop     whether it goes on: the choices are continue and stop
	//	multi    all that are right and no other
	//	order    the choices, put in order: right lists all of them
	//	value    typed in: the ids of the choices are the right answer and well-known wrong ones
	//	hotspot  a znode, chosen on the stage: the ids of the choices are paths
	//	move     a move of a state machine: the ids of the choices are FROM>TO
	Kind    string   `yaml:"kind" json:"kind"`
	Right   []string `yaml:"right" json:"right"`
	Value   string   `yaml:"value" json:"value,omitempty"` // of kinds value and move: the expression whose value is asked for
	When    string   `yaml:"when" json:"when,omitempty"`   // keys are evaluated at the first step from the stop on at which it holds; "" is the stop
	Choices []Choice `yaml:"choices" json:"choices"`

	Again *Again `yaml:"again" json:"-"` // another question like this one
	Fixed string `yaml:"fixed" json:"-"` // why there can be none: the answer is the same in every world
}

// Choice is one answer; Key is an expression. It must hold for a right choice and must not hold for another; of kind order
// the steps at which the keys hold first must come in the order that is right.
type Choice struct {
	ID  string `yaml:"id" json:"id"`
	Key string `yaml:"key" json:"key,omitempty"`
}

var kinds = []string{"choice", "stop", "multi", "order", "value", "hotspot", "move"}

// Listed reports whether the choices are shown with the question; of the other kinds they would give the answer away.
func (a *Ask) Listed() bool { return slices.Contains(kinds[:4], a.Kind) }

var states = map[string][]string{
	"Partition": {"NonExistentPartition", "NewPartition", "OnlinePartition", "OfflinePartition"},
	"Replica": {"NonExistentReplica", "NewReplica", "OnlineReplica", "OfflineReplica",
		"ReplicaDeletionStarted", "ReplicaDeletionIneligible", "ReplicaDeletionSuccessful"},
}

// States lists the states that a question of kind move chooses from: those of the machine that its answer is about.
func (a *Ask) States() []string {
	if a.Kind != "move" || len(a.Right) == 0 {
		return nil
	}
	from, _, _ := strings.Cut(a.Right[0], ">")
	for _, machine := range []string{"Partition", "Replica"} {
		if slices.Contains(states[machine], from) {
			return states[machine]
		}
	}
	return nil
}

func (a *Ask) ids() []string {
	var ids []string
	for _, c := range a.Choices {
		ids = append(ids, c.ID)
	}
	return ids
}

// validate checks what can be checked without running.
func (a *Ask) validate() error {
	if a == nil {
		return nil
	}
	if !slices.Contains(kinds, a.Kind) {
		return fmt.Errorf("it asks for a %q; the kinds are: %s", a.Kind, strings.Join(kinds, ", "))
	}
	ids := a.ids()
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return fmt.Errorf("choice %s stands there twice", id)
		}
	}
	for i, id := range a.Right {
		if !slices.Contains(ids, id) {
			return fmt.Errorf("right names %s, which is no choice; the choices are %v", id, ids)
		}
		if slices.Contains(a.Right[:i], id) {
			return fmt.Errorf("right names %s twice", id)
		}
	}
	if (a.Value != "") != (a.Kind == "value" || a.Kind == "move") {
		return fmt.Errorf("kinds value and move need value: EXPRESSION, and only they")
	}
	if err := readable(a.expressions()); err != nil {
		return err
	}
	if a.Kind == "order" {
		return a.validateOrder(ids)
	}
	if len(a.Right) == 0 || len(a.Right) == len(ids) {
		return fmt.Errorf("%d of %d choices are right; at least one must be, and one must not", len(a.Right), len(ids))
	}
	return a.validateIDs(ids)
}

// expression is one of a question: its field, and what errors call it.
type expression struct{ field, name, text string }

// readable checks that all expressions that are given can be read.
func readable(all []expression) error {
	for _, e := range all {
		if e.text == "" {
			continue
		}
		if _, err := script.ParseExpr(e.text); err != nil {
			return in(e.field, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	return nil
}

// expressions of the question.
func (a *Ask) expressions() []expression {
	out := []expression{{"value", "value", a.Value}, {"when", "when", a.When}}
	for i, c := range a.Choices {
		out = append(out, expression{fmt.Sprintf("choices[%d].key", i), "choice " + c.ID, c.Key})
	}
	return out
}

// validateOrder checks that right orders all choices, and that they are not written down in that order already.
func (a *Ask) validateOrder(ids []string) error {
	switch {
	case len(a.Right) != len(ids) || len(ids) < 2:
		return fmt.Errorf("right puts %d of %d choices in order; it must list all, two at least", len(a.Right), len(ids))
	case slices.Equal(a.Right, ids):
		return fmt.Errorf("the choices stand in the right order already; write them in another")
	}
	return a.keyed()
}

// keyed checks that every choice has a key.
func (a *Ask) keyed() error {
	for _, c := range a.Choices {
		if c.Key == "" {
			return fmt.Errorf("choice %s needs a key: kind %s has one for every choice", c.ID, a.Kind)
		}
	}
	return nil
}

// validateIDs checks the ids of kinds whose ids are answers.
func (a *Ask) validateIDs(ids []string) error {
	switch a.Kind {
	case "stop":
		if slices.Sort(ids); !slices.Equal(ids, []string{"continue", "stop"}) {
			return fmt.Errorf("the choices of kind stop are continue and stop, not %v", ids)
		}
	case "hotspot":
		for _, id := range ids {
			if !strings.HasPrefix(id, "/") {
				return fmt.Errorf("choice %s is no path of a znode", id)
			}
		}
		return a.keyed()
	case "move":
		known := a.States()
		for _, id := range ids {
			from, to, _ := strings.Cut(id, ">")
			if !slices.Contains(known, from) || !slices.Contains(known, to) {
				return fmt.Errorf("choice %s is no move; write FROM>TO with states of one machine, as OnlinePartition>OfflinePartition", id)
			}
		}
	}
	return nil
}
