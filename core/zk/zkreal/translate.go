package zkreal

import (
	"fmt"
	"slices"

	"controllerscope/core/zk"
)

// zxid is the server's name for a transaction of the mirror.
func (s *Store) zxid(mirror int64) (int64, error) {
	real, ok := s.zxids.toServer(mirror)
	if !ok {
		return 0, fmt.Errorf("the emulator speaks of transaction %d, which no request of this run took", mirror)
	}
	return real, nil
}

// owner is the server's id of a session of the mirror, 0 for none.
func (s *Store) owner(mirror zk.SessionID) zk.SessionID {
	if ss := s.byMirror[mirror]; ss != nil {
		return ss.id
	}
	return mirror
}

// stat is a Stat of the mirror in the server's terms; its times are the world's.
func (s *Store) stat(st zk.Stat) (zk.Stat, error) {
	for _, z := range []*int64{&st.Czxid, &st.Mzxid, &st.Pzxid} {
		real, err := s.zxid(*z)
		if err != nil {
			return st, err
		}
		*z = real
	}
	st.EphemeralOwner = s.owner(st.EphemeralOwner)
	return st, nil
}

// effects is what a transaction caused in the server's terms. The mirror's own slices are not touched.
func (s *Store) effects(mine zk.Effects) (zk.Effects, error) {
	out := zk.Effects{Nodes: slices.Clone(mine.Nodes), Fired: slices.Clone(mine.Fired),
		Armed: slices.Clone(mine.Armed), Dropped: slices.Clone(mine.Dropped)}
	var err error
	if out.Zxid, err = s.zxid(mine.Zxid); err != nil {
		return out, err
	}
	for i := range out.Nodes {
		if out.Nodes[i].Stat, err = s.stat(out.Nodes[i].Stat); err != nil {
			return out, err
		}
	}
	for i := range out.Fired {
		out.Fired[i].Session = s.owner(out.Fired[i].Session)
	}
	for _, list := range [][]zk.ArmedAt{out.Armed, out.Dropped} {
		for i := range list {
			list[i].Session = s.owner(list[i].Session)
		}
	}
	return out, nil
}

// result is an answer of the mirror in the server's terms.
func (s *Store) result(mine zk.Result) (zk.Result, error) {
	var err error
	if mine.Zxid, err = s.zxid(mine.Zxid); err != nil {
		return mine, err
	}
	if mine.Stat, err = s.stat(mine.Stat); err != nil {
		return mine, err
	}
	mine.Results = slices.Clone(mine.Results)
	for i := range mine.Results {
		if mine.Results[i], err = s.result(mine.Results[i]); err != nil {
			return mine, err
		}
	}
	return mine, nil
}
