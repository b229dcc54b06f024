package zkreal

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/zk"
)

// agree compares an answer of the server with the mirror's and returns it in the world's terms: zxids and session ids of
// the server, times of the mirror, children in the server's order.
func (s *Store) agree(request string, op zk.Op, real, mine zk.Result) (zk.Result, error) {
	out, err := s.result(mine)
	if err != nil {
		return out, err
	}
	if err := s.same(request, op, real, out); err != nil {
		return out, err
	}
	out.Children = real.Children
	if op.Path == "/" && real.Children != nil {
		out.Children = append(real.Children, "zookeeper")
	}
	return out, nil
}

// same compares an answer with the mirror's, which is in the server's terms. The library does not show the Stat of a create.
func (s *Store) same(request string, op zk.Op, real, mine zk.Result) error {
	names, others := sorted(real.Children), sorted(mine.Children)
	if op.Path == "/" {
		others = slices.DeleteFunc(others, func(n string) bool { return n == "zookeeper" })
	}
	switch {
	case real.Err != mine.Err:
		return &Difference{request, "error", real.Err.Error(), mine.Err.Error()}
	case real.Path != mine.Path:
		return &Difference{request, "path", real.Path, mine.Path}
	case !bytes.Equal(real.Data, mine.Data) || (real.Data == nil) != (mine.Data == nil):
		return &Difference{request, "data", show(real.Data), show(mine.Data)}
	case !slices.Equal(real.ACL, mine.ACL):
		return &Difference{request, "acl", fmt.Sprint(real.ACL), fmt.Sprint(mine.ACL)}
	case !slices.Equal(names, others):
		return &Difference{request, "children", words(names), words(others)}
	case len(real.Results) != len(mine.Results):
		return &Difference{request, "number of results", strconv.Itoa(len(real.Results)), strconv.Itoa(len(mine.Results))}
	}
	for i, one := range mine.Results {
		where := fmt.Sprintf("%s, operation %d (%s %s)", request, i+1, op.Ops[i].Kind, op.Ops[i].Path)
		if err := s.same(where, op.Ops[i], real.Results[i], one); err != nil {
			return err
		}
	}
	if op.Kind == zk.Create || real.Stat == (zk.Stat{}) && mine.Stat == (zk.Stat{}) {
		return nil
	}
	return s.sameStat(request, op.Path, real.Stat, mine.Stat)
}

// sameStat compares all fields but the times. mine is in the server's terms.
func (s *Store) sameStat(request, path string, real, mine zk.Stat) error {
	s.asRoot(path, &real)
	for _, f := range []struct {
		name       string
		real, mine int64
		hex        bool
	}{
		{"czxid", real.Czxid, mine.Czxid, true}, {"mzxid", real.Mzxid, mine.Mzxid, true},
		{"pzxid", real.Pzxid, mine.Pzxid, true}, {"version", int64(real.Version), int64(mine.Version), false},
		{"cversion", int64(real.Cversion), int64(mine.Cversion), false},
		{"aversion", int64(real.Aversion), int64(mine.Aversion), false},
		{"ephemeralOwner", int64(real.EphemeralOwner), int64(mine.EphemeralOwner), true},
		{"dataLength", int64(real.DataLength), int64(mine.DataLength), false},
		{"numChildren", int64(real.NumChildren), int64(mine.NumChildren), false},
	} {
		if f.real == f.mine {
			continue
		}
		d := &Difference{request, "stat." + f.name, strconv.FormatInt(f.real, 10), strconv.FormatInt(f.mine, 10)}
		if f.hex {
			d.Server, d.Mirror = hex(f.real), hex(f.mine)
		}
		return d
	}
	return nil
}

// asRoot shows the run's folder as a fresh server shows its root: what was before the run has zxid 0, and /zookeeper is a
// child that was planted, not created.
func (s *Store) asRoot(path string, st *zk.Stat) {
	if path != "/" {
		return
	}
	for _, z := range []*int64{&st.Czxid, &st.Mzxid, &st.Pzxid} {
		if *z <= s.before {
			*z = 0
		}
	}
	st.Cversion--
	st.NumChildren++
}

// sameEvents compares what a session heard with what the mirror fired for it.
func sameEvents(request string, ss *session, got []zk.Event, fired []zk.Fired, ordered bool) error {
	var want []zk.Event
	for _, f := range fired {
		if f.Session == ss.mirror && !serversOwn(f.Event.Path) {
			want = append(want, f.Event)
		}
	}
	a, b := eventWords(got), eventWords(want)
	if !ordered {
		slices.Sort(a)
		slices.Sort(b)
	}
	if !slices.Equal(a, b) {
		return &Difference{request, fmt.Sprintf("events of session 0x%x", ss.id), words(a), words(b)}
	}
	return nil
}

func eventWords(events []zk.Event) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.Type.String() + " " + e.Path
	}
	return out
}

func words(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return out
}

// show abbreviates data for a message.
func show(data []byte) string {
	if data == nil {
		return "null"
	}
	if len(data) > 200 {
		return fmt.Sprintf("%q and %d bytes more", data[:200], len(data)-200)
	}
	return strconv.Quote(string(data))
}

func hex(n int64) string { return "0x" + strconv.FormatUint(uint64(n), 16) }
