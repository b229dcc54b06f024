package run

import "strings"

// gusts are the verbs that go wrong by themselves, the gentle ones first: a breeze has those only, a storm all. Both also
// undo what they did, so that nothing stays held, paused or down for good.
const gusts = "broker start,broker resume,release,delay,hold,broker pause,broker bounce,broker stop,broker kill,broker crash,drop,duplicate,zk delete"

// gentle is how many of them a breeze has.
const gentle = 7

// Gust is the line that the weather blows now, breezy or storm, drawn by the run's seed and step: first a verb that could be
// carried out, then one of its lines. "" when nothing can happen.
func (r *Run) Gust(weather string) string {
	all := r.Options()
	for _, p := range r.Choices() {
		all = append(all, p.Ways[2:]...) // what is under way is not held: no option lets it go
	}
	verbs := strings.Split(gusts, ",")
	if weather == "breezy" {
		verbs = verbs[:gentle]
	}
	dice := generator{seed: r.in.Seed<<32 + uint64(r.Steps())}
	for range 99 { // so often that what can happen is found
		verb := verbs[dice.draw(len(verbs))]
		for range all {
			if o := &all[dice.draw(len(all))]; o.Legal && strings.HasPrefix(o.Line, verb) {
				return o.Line
			}
		}
	}
	return ""
}
