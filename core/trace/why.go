package trace

import (
	"slices"
	"strings"

	"controllerscope/core/env"
)

// Link is one step of an answer to "why does this stand here?". The first link wrote the path that was asked about, each
// next one is a cause of the link before it, the last one is an outside operation.
type Link struct {
	Step *Step
	// Path is what the link before read and this step wrote (the first link: what was asked). nil when this step is not
	// the writer of a fact but what ran or was delivered before.
	Path env.Path
	// Facts are what the step's decision was made from. When there are many, they are those that speak of what was asked.
	Facts []Fact
	More  int // how many facts were left out
}

// operations is the lane of what is done from outside.
const operations = "admin"

// many is when a decision has more facts than a reader takes in.
const many = 5

// Fact is one path that a step read.
type Fact struct {
	Path   env.Path
	Value  any      // nil when nothing or a subtree was there
	Below  []string // the words that followed, when it was a subtree
	Writer *Step    // who wrote it last; nil when nobody did since the start
}

// Text writes the fact: zk[/controller].data = "{...}", zk[/brokers/ids/9] = none, ctx[0].liveBrokerEpochs: 0, 1, 2.
func (f Fact) Text() string {
	if len(f.Below) > 0 {
		return PathText(f.Path) + ": " + strings.Join(f.Below, ", ")
	}
	return PathText(f.Path) + " = " + ValueText(f.Value)
}

// Why answers where the value at path, as it stands after step at, comes from: the chain of causes from its last writer
// to the outside operation that led to it, which is the latest one among all that have a part in it; the chain is the
// shortest to there. What a thread only did in between is left out. It is empty when no step up to at wrote path. A path may
// lead on into a leaf that is JSON text.
func Why(t *Trace, path env.Path, at int) []Link {
	first := lastWriter(t, path, at)
	if first == nil {
		return nil
	}
	way := chain(t, first)
	links := make([]Link, len(way))
	cursor := NewCursor(t)
	for i := len(way) - 1; i >= 0; i-- { // from the earliest, so that the cursor only moves forward
		s := way[i]
		cursor.Seek(s.I - 1)
		links[i] = Link{Step: s, Facts: facts(t, s, cursor.Doc())}
	}
	links[0].Path = path
	for i := range links[1:] {
		for _, f := range links[i].Facts {
			if f.Writer == links[i+1].Step {
				links[i+1].Path = f.Path
				break
			}
		}
	}
	links = telling(links)
	for i := range links {
		links[i].narrow(path)
	}
	return links
}

// telling leaves out what a thread did between the steps that have a part in the answer. A link stays when it wrote a fact
// that one which stays has read, when something reached it from another lane or left it for one, and when it speaks of what
// was asked.
func telling(links []Link) []Link {
	asked, entity := links[0].Path, links[0].Step.Entity
	kept := links[:1:1]
	before := true // whether the link before stays
	for i := 1; i < len(links); i++ {
		l := links[i]
		last := i == len(links)-1
		crosses := l.Step.Lane != links[i-1].Step.Lane || !last && l.Step.Lane != links[i+1].Step.Lane
		if !before {
			l.Path = nil
		}
		before = last || crosses || l.Path != nil || l.Step.speaksOf(asked, entity)
		if before {
			kept = append(kept, l)
		}
	}
	return kept
}

// speaksOf reports whether the step read or wrote the path, or is about the entity.
func (s *Step) speaksOf(path env.Path, entity string) bool {
	about := func(p env.Path) bool { return covers(p, path) }
	return entity != "" && s.Entity == entity || slices.ContainsFunc(s.Reads, about) ||
		slices.ContainsFunc(s.Diff, func(d Diff) bool { return about(d.Path) })
}

// narrow keeps of many facts those about the member that was asked about, else the first.
func (l *Link) narrow(asked env.Path) {
	all := l.Facts
	if len(all) <= many {
		return
	}
	member := asked[len(asked)-1]
	l.Facts = slices.DeleteFunc(slices.Clone(all), func(f Fact) bool {
		return !slices.ContainsFunc(f.Path, func(word string) bool { return word == member || strings.HasSuffix(word, "/"+member) })
	})
	if len(l.Facts) == 0 || len(l.Facts) > many {
		l.Facts = all[:many]
	}
	l.More = len(all) - len(l.Facts)
}

// facts looks up what the step read, in the document as it was before the step.
func facts(t *Trace, s *Step, before *Document) []Fact {
	var out []Fact
	for _, path := range s.Reads {
		out = append(out, Fact{Path: path, Value: before.Get(path...), Below: before.Names(path...), Writer: lastWriter(t, path, s.I-1)})
	}
	return out
}

// lastWriter returns the last step up to at that wrote path, something below it, or the leaf it leads into.
func lastWriter(t *Trace, path env.Path, at int) *Step {
	for i := min(at, len(t.Steps)-1); i >= 0; i-- {
		for _, d := range t.Steps[i].Diff {
			if covers(d.Path, path) {
				return t.Steps[i]
			}
		}
	}
	return nil
}

// chain finds the shortest way along causes from s to the latest outside operation that s follows from; where there is none,
// to the latest step whose cause lies before the recording.
func chain(t *Trace, s *Step) []*Step {
	parent := map[int]int{s.I: -1}
	outside, operation := -1, false
	for queue := []int{s.I}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		causes := slices.Clone(t.Steps[i].Causes)
		if op := t.Steps[i].Lane == operations; len(causes) == 0 && (op && !operation || op == operation && i > outside) {
			outside, operation = i, op
		}
		slices.Sort(causes)
		slices.Reverse(causes) // of equally short ways, the one through the latest steps
		for _, c := range causes {
			if _, met := parent[c]; !met {
				parent[c] = i
				queue = append(queue, c)
			}
		}
	}
	var way []*Step
	for i := outside; i >= 0; i = parent[i] {
		way = append(way, t.Steps[i])
	}
	slices.Reverse(way)
	return way
}
