package zktest

import "slices"

// Shrink makes a failing case smaller: it drops runs of steps, long ones first, as long as the case still fails, until no
// single step can go and no two together. fails may be given a case that cannot be played; that is not failing.
func Shrink(c Case, fails func(*Case) bool) Case {
	for size := max(1, len(c.Steps)/2); size > 0; {
		dropped := false
		for from := 0; from+size <= len(c.Steps); {
			if smaller := c.without(from, from+size); len(smaller.Steps) > 0 && fails(&smaller) {
				c, dropped = smaller, true
				continue
			}
			from += size
		}
		if !dropped || size > 1 {
			size /= 2
		}
	}
	for second := 1; second < len(c.Steps); second++ {
		for first := range second { // a close and the open after it, for example
			smaller := c.without(second, second+1)
			if smaller = smaller.without(first, first+1); len(smaller.Steps) > 0 && fails(&smaller) {
				return Shrink(smaller, fails)
			}
		}
	}
	return c
}

// without is the case without some of its steps.
func (c Case) without(from, to int) Case {
	c.Steps = slices.Delete(slices.Clone(c.Steps), from, to)
	return c
}
