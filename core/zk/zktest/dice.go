package zktest

// Dice are where a random history comes from: a seed, the bytes of a fuzzer, or rapid in a test.
type Dice interface {
	// Roll gives a number from 0 to n-1.
	Roll(n int) int
}

// Seed is dice that always fall the same way for one seed (splitmix64).
type Seed uint64

// Roll implements Dice.
func (s *Seed) Roll(n int) int {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return int(z % uint64(n))
}

// Bytes is dice that read a byte a roll and fall on 0 when there are no more.
type Bytes []byte

// Roll implements Dice.
func (b *Bytes) Roll(n int) int {
	if len(*b) == 0 {
		return 0
	}
	v := int((*b)[0])
	*b = (*b)[1:]
	return v % n
}
