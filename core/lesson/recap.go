package lesson

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Recap is what one language says at a lesson's end.
type Recap struct {
	Points [3]string `json:"points"` // what to keep in mind
	Last   string    `json:"last"`   // what is different in Kafka 3.9, the last release with ZooKeeper
	KRaft  string    `json:"kraft"`  // what takes this part's place without ZooKeeper
	points int
}

// recapLimits are the characters of a point, and of a line about another Kafka.
var recapLimits = map[string][2]int{"en": {130, 210}, "zh": {50, 90}}

// add takes one line: three points, then what 3.9 and KRaft do.
func (r *Recap) add(line string) error {
	item, ok := strings.CutPrefix(line, "- ")
	last, isLast := strings.CutPrefix(item, "**3.9** ")
	kraft, isKRaft := strings.CutPrefix(item, "**KRaft** ")
	switch {
	case ok && isLast && r.points == len(r.Points) && r.Last == "":
		r.Last = last
	case ok && isKRaft && r.Last != "" && r.KRaft == "":
		r.KRaft = kraft
	case ok && !isLast && !isKRaft && r.points < len(r.Points):
		r.Points[r.points] = item
		r.points++
	default:
		return fmt.Errorf("expected three items - SENTENCE, then - **3.9** SENTENCE and - **KRaft** SENTENCE")
	}
	return nil
}

// complete checks that the recap is there, whole, and not too long.
func (r *Recap) complete(lang string) error {
	if r == nil || r.KRaft == "" {
		return fmt.Errorf("no recap, or only a part; add ## recap with three items and the lines **3.9** and **KRaft**")
	}
	limits := recapLimits[lang]
	for i, text := range append(r.Points[:len(r.Points):len(r.Points)], r.Last, r.KRaft) {
		limit := limits[0]
		if i >= len(r.Points) {
			limit = limits[1]
		}
		if n := utf8.RuneCountInString(text); n > limit {
			return fmt.Errorf("recap: %q has %d characters; at most %d fit", text, n, limit)
		}
	}
	return nil
}
