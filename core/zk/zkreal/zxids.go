package zkreal

import (
	"slices"
	"sort"
)

// zxids pairs the mirror's transactions with the server's. Both only rise; the server's may jump, for other clients' work
// and by an epoch in the upper half when an ensemble changes its leader.
type zxids struct {
	mirror, server []int64
}

// add pairs the newest transaction of both. It reports false when the server's is not newer than the last.
func (z *zxids) add(mirror, server int64) bool {
	if server <= z.last() {
		return false
	}
	z.mirror, z.server = append(z.mirror, mirror), append(z.server, server)
	return true
}

// last is the server's newest transaction of this run, 0 before the first.
func (z *zxids) last() int64 {
	if len(z.server) == 0 {
		return 0
	}
	return z.server[len(z.server)-1]
}

// toServer translates a transaction of the mirror; ok is false for one it never told. What was there before the run has
// zxid 0 on both sides.
func (z *zxids) toServer(mirror int64) (zxid int64, ok bool) {
	if mirror <= 0 {
		return mirror, true
	}
	i, ok := slices.BinarySearch(z.mirror, mirror)
	if !ok {
		return 0, false
	}
	return z.server[i], true
}

// toMirror translates "the last transaction seen": the newest of the mirror's whose counterpart is not after server.
func (z *zxids) toMirror(server int64) int64 {
	i := sort.Search(len(z.server), func(i int) bool { return z.server[i] > server })
	if i == 0 {
		return 0
	}
	return z.mirror[i-1]
}
