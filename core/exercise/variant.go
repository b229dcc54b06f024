package exercise

import (
	"slices"
	"strconv"
	"strings"
)

// Variant is what one student's exercise differs by: a value for each name.
type Variant struct {
	Seed   uint64
	values *strings.Replacer
}

// Seed is the seed of a student's variant: a hash (FNV-1a, 64 bits, mixed) of class, student and exercise. It keeps
// neighbours from copying; it is no secret.
func Seed(class, who, exercise string) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range []string{class, who, exercise} {
		for _, b := range []byte(s + "\n") {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return mix(h)
}

// SeedText writes a seed as hand-ins carry it: 16 hex digits, so that JavaScript never rounds it.
func SeedText(seed uint64) string {
	s := strconv.FormatUint(seed, 16)
	return strings.Repeat("0", 16-len(s)) + s
}

// mix is the finalizer of splitmix64: every bit of the seed reaches every bit of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Variant deals the values: for each vary a shuffle of what there is (Fisher–Yates), the first ones to the names.
func (e *Exercise) Variant(seed uint64) Variant {
	var pairs []string
	state := seed
	for _, v := range e.Vary {
		deck := slices.Clone(v.Of)
		for i := len(deck) - 1; i > 0; i-- {
			state += 0x9e3779b97f4a7c15
			j := mix(state) % uint64(i+1)
			deck[i], deck[j] = deck[j], deck[i]
		}
		for i, name := range v.Names {
			pairs = append(pairs, "{"+name+"}", deck[i])
		}
	}
	return Variant{seed, strings.NewReplacer(pairs...)}
}

// Fill puts the variant's values into a text. A value may name others: a script that is dealt speaks of a broker that is
// dealt.
func (v Variant) Fill(text string) string { return v.values.Replace(v.values.Replace(text)) }

// Deal gives the parts of the exercise as this variant has them.
func (e *Exercise) Deal(v Variant) []Part {
	out := make([]Part, len(e.Parts))
	for i := range e.Parts {
		out[i] = *v.part(&e.Parts[i])
	}
	return out
}

func (v Variant) part(p *Part) *Part {
	out := *p
	fill := v.Fill
	out.Setup, out.Script = fill(p.Setup), fill(p.Script)
	out.Verbs = slices.Clone(p.Verbs)
	for i := range out.Verbs {
		out.Verbs[i] = fill(out.Verbs[i])
	}
	out.Criteria = make([]Criterion, len(p.Criteria))
	for i, c := range p.Criteria {
		c.End, c.Never, c.Value, c.Count, c.Mark = fill(c.End), fill(c.Never), fill(c.Value), fill(c.Count), fill(c.Mark)
		c.Ever = slices.Clone(c.Ever)
		for j := range c.Ever {
			c.Ever[j] = fill(c.Ever[j])
		}
		c.Choices = slices.Clone(c.Choices)
		for j := range c.Choices {
			c.Choices[j].Key = fill(c.Choices[j].Key)
		}
		out.Criteria[i] = c
	}
	return &out
}
