package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk"
)

const alone = `cluster brokers=0 auto.leader.rebalance.enable=false
broker start 0
until idle
topic create t 1x1
until idle
`

const good = `notice write '{"version":2,"entity_path":"topics/t"}'
until idle
`

// steps counts the steps with a message.
func steps(r *run.Run, msg string) (n int) {
	for _, s := range r.Trace().Steps {
		if s.Msg == msg {
			n++
		}
	}
	return n
}

func lastOf(r *run.Run, broker string) any {
	return r.Doc().Get("notices", broker, "/config/changes", "last")
}

// kafka-znodes-and-config.md 3.3: what malformed payloads do. The number counts as done, and what comes later is heard.
func TestMalformedNotices(t *testing.T) {
	for payload, failed := range map[string]int{
		"not json": 0, "[]": 1, "7": 1, `"x"`: 1, `{"entity_path":"topics/t"}`: 1, `{"version":"2","entity_path":"topics/t"}`: 1,
		`{"version":3,"entity_path":"topics/t"}`: 1, `{"version":1,"entity_name":"t"}`: 1,
		`{"version":1,"entity_type":"users","entity_name":"t"}`: 1, `{"version":1,"entity_type":"topics"}`: 1, `{"version":2}`: 1,
		`{"version":2,"entity_path":null}`: 1, `{"version":2,"entity_path":"planets/t"}`: 1, `{"version":2,"entity_path":"topics"}`: 1,
		`{"version":2,"entity_path":"topics/"}`: 1, `{"version":2,"entity_path":"users/a/b"}`: 1, `{"version":2,"entity_path":"topics//t"}`: 1,
		`{"version":2,"entity_path":"brokers/x"}`: 1, `{"version":2,"entity_path":"ips/no.such.host"}`: 1, `{"version":2,"entity_path":"topics/none"}`: 0,
	} {
		r := played(t, alone+"notice write '"+payload+"'\nuntil idle\n"+good)
		require.Equal(t, failed, steps(r, "dynconfig.notice.failed"), payload)
		require.Equal(t, int64(1), lastOf(r, "0"), payload)
		require.Equal(t, true, r.Doc().Get("broker", "0", "up"), payload)
	}
}

// The other rows of 3.3, and 3.4.
func TestFailureMatrix(t *testing.T) {
	t.Run("without data: skipped, and never purged", func(t *testing.T) {
		r := played(t, alone+"zk create-seq /config/changes/config_change_\nuntil idle\nclock +16m\n"+good)
		require.Equal(t, 1, steps(r, "dynconfig.notice.absent"))
		require.Equal(t, int64(1), lastOf(r, "0"))
		require.True(t, r.Doc().Has("zk", "/config/changes/config_change_0000000000"))
	})
	t.Run("gone between list and read", func(t *testing.T) {
		r := played(t, alone+`hold client.0
notice write '{"version":2,"entity_path":"topics/t"}'
until idle
release client.0
until step.kind = zk.read and step.entity = /config/changes and exists(zk[/config/changes/config_change_0000000000])
zk delete /config/changes/config_change_0000000000
until idle
`)
		require.Equal(t, 1, steps(r, "dynconfig.notice.absent"))
		require.Equal(t, int64(0), lastOf(r, "0"))
		require.Zero(t, steps(r, "dynconfig.notice.purge"))
	})
	t.Run("session expired while a notice is read", func(t *testing.T) {
		r := played(t, alone+`notice write '{"version":2,"entity_path":"topics/t"}'
until step.msg = dynconfig.pass and step.args.listed = 1
zk expire 0
until idle
`)
		require.Equal(t, 1, steps(r, "dynconfig.pass.failed"))
		require.Equal(t, int64(0), lastOf(r, "0"), "the pass of the new session goes on from there")
	})
	t.Run("a name that is too short ends the pass, purge and all", func(t *testing.T) {
		r := played(t, alone+good+"zk create /config/changes/foo x\nuntil idle\nclock +16m\n"+good+"clock +16m\n"+good)
		require.Equal(t, int64(3), lastOf(r, "0"), "names before it are carried out")
		require.Equal(t, 3, steps(r, "dynconfig.pass.failed"))
		require.Zero(t, steps(r, "dynconfig.notice.purge"))
	})
	t.Run("no digits where the number should be", func(t *testing.T) {
		r := played(t, alone+"zk create /config/changes/config_change_abc x\nuntil idle\n")
		require.Equal(t, 1, steps(r, "dynconfig.pass.failed"))
		require.Equal(t, int64(-1), lastOf(r, "0"))
	})
	t.Run("without its directory the broker is deaf until a new session", func(t *testing.T) {
		r := played(t, alone+"zk delete /config/changes\nuntil idle\nzk create /config/changes\nuntil idle\n"+good)
		require.Equal(t, int64(-1), lastOf(r, "0"))
		require.NoError(t, r.Append("zk expire 0"))
		require.NoError(t, r.Append("until idle"))
		require.Equal(t, int64(0), lastOf(r, "0"))
	})
	t.Run("after the wrap: never carried out, but purged", func(t *testing.T) {
		r := played(t, alone+`zk create /config/changes/config_change_2147483647 {"version":2,"entity_path":"topics/t"}
until idle
zk create /config/changes/config_change_-2147483648 {"version":2,"entity_path":"topics/t"}
until idle
clock +16m
zk create /config/changes/config_change_-2147483647 {"version":2,"entity_path":"topics/t"}
until idle
`)
		require.Equal(t, int64(2147483647), lastOf(r, "0"))
		require.Equal(t, 1, steps(r, "dynconfig.notice.done"))
		require.Equal(t, 2, steps(r, "dynconfig.notice.purge"))
		require.True(t, r.Doc().Has("zk", "/config/changes/config_change_-2147483647"))
	})
}

// Survivors by hand. Notices of the ages 16:00 and 14:50 are there when the next one comes: by a clock that is together only
// the first goes, by one 20 minutes ahead all three, by one 20 minutes behind none.
func TestSurvivorsOfAPurge(t *testing.T) {
	for skew, want := range map[string][]bool{"+0m": {false, true, true}, "+20m": {false, false, false}, "-20m": {true, true, true}} {
		r := played(t, alone+"skew 0 "+skew+"\nhold client.0\n"+`notice write '{"version":2,"entity_path":"topics/t"}'
clock +70s
notice write '{"version":2,"entity_path":"topics/t"}'
clock +890s
notice write '{"version":2,"entity_path":"topics/t"}'
release client.0
until idle
`)
		for n, stays := range want {
			require.Equal(t, stays, r.Doc().Has("zk", fmt.Sprintf("/config/changes/config_change_%010d", n)), "%s notice %d", skew, n)
		}
	}
}

// A thousand notices, one watch, one pass, in the order of their numbers though ZooKeeper lists them in another.
func TestAThousandNoticesInOnePass(t *testing.T) {
	r := start(t, run.Inputs{Name: t.Name(), Setup: alone + "hold client.0\n", Script: ""}, run.Options{Bare: true})
	for range 1000 {
		r.World().Zk(zk.Op{Kind: zk.Create, Path: "/config/changes/config_change_", Mode: zk.PersistentSequential,
			Data: []byte(`{"version":2,"entity_path":"topics/t"}`)})
	}
	require.NoError(t, r.World().RunToIdle(0, nil))
	require.NoError(t, r.World().Release("client.0"))
	require.NoError(t, r.World().RunToIdle(0, nil))
	want, fired := int64(0), 0
	for _, s := range r.Trace().Steps {
		switch {
		case s.Msg == "dynconfig.notice.done":
			require.Equal(t, want, s.Arg("last"))
			want++
		case s.Kind == "watch.fire" && s.Entity == "/config/changes":
			fired++
		}
	}
	require.Equal(t, int64(1000), want)
	require.Equal(t, 1, fired)
	require.Equal(t, 1, steps(r, "dynconfig.pass.done"))
	require.Equal(t, int64(1000), r.Doc().Get("notices", "0", "/config/changes", "listed"))
}

// Each pass reads every name that it lists once more, to see whether the notice is old. So n notices that arrive one by one
// cost 1+2+…+n of these reads on a broker, and n when one pass finds them all.
func TestNoticesThatArriveSinglyAreQuadratic(t *testing.T) {
	const n = 40
	read := func(text string) (reads int, listed any) {
		r := played(t, alone+text)
		for _, s := range r.Trace().Steps {
			if s.Msg == "zk.get" && strings.HasPrefix(s.Entity, "/config/changes/") {
				reads++
			}
		}
		return reads, r.Doc().Get("notices", "0", "/config/changes", "listed")
	}
	reads, listed := read(strings.Repeat(good, n))
	require.Equal(t, int64(820), listed, "40·41/2")
	require.Equal(t, n+820, reads, "each to carry it out, and the purge's")
	reads, listed = read("hold client.0\n" + strings.Repeat(good, n) + "release client.0\nuntil idle\n")
	require.Equal(t, int64(n), listed)
	require.Equal(t, n+n, reads)
}

// Two changes of one entity, the second after every possible number of deliveries of the first: they are one pass exactly
// when the second is there before the first pass lists, and the last state always wins.
func TestTwoChangesInAllOrders(t *testing.T) {
	coalesced, separate := 0, 0
	for k := 0; ; k++ {
		r := start(t, run.Inputs{Name: t.Name(), Setup: alone}, run.Options{Bare: true})
		change := func(n int) {
			r.World().Zk(zk.Op{Kind: zk.Set, Path: "/config/topics/t", Version: zk.AnyVersion, Data: fmt.Appendf(nil, `{"version":1,"config":{"retention.ms":"%d"}}`, n)})
			r.World().Zk(zk.Op{Kind: zk.Create, Path: "/config/changes/config_change_", Mode: zk.PersistentSequential,
				Data: []byte(`{"version":2,"entity_path":"topics/t"}`)})
		}
		change(1)
		left := k
		require.NoError(t, r.World().RunToIdle(0, func() bool { left--; return left < 0 }))
		atRest := r.World().Idle()
		change(2)
		require.NoError(t, r.World().RunToIdle(0, nil))
		require.Equal(t, "2", r.Doc().Get("config", "0", "topics", "t").(map[string]any)["retention.ms"], "after %d deliveries", k)
		require.Equal(t, int64(1), lastOf(r, "0"))
		created, listed, passes := -1, -1, 0
		for _, s := range r.Trace().Steps {
			switch {
			case s.Kind == "zk.create" && strings.HasPrefix(s.Entity, "/config/changes/config_change_"):
				created = s.I // the last one stays
			case s.Msg == "zk.children" && s.Entity == "/config/changes" && listed < 0:
				listed = s.I
			case s.Msg == "dynconfig.pass":
				passes++
			}
		}
		want := 2
		if created < listed {
			want, coalesced = 1, coalesced+1
		} else {
			separate++
		}
		require.Equal(t, want, passes, "after %d deliveries", k)
		if atRest {
			break
		}
	}
	require.Positive(t, coalesced)
	require.Positive(t, separate)
}

// 3.1: a pass that is asked for is not asked for again: while the thread stands still, the bell leaves a work item and the new
// session finds it there.
func TestOneWorkItem(t *testing.T) {
	r := played(t, alone+"hold 0.config\n"+good+"zk expire 0\nuntil idle\n")
	require.Equal(t, 2, steps(r, "dynconfig.ask"), "at start, by the bell")
	require.Equal(t, 1, steps(r, "dynconfig.asked"))
	require.Equal(t, true, r.Doc().Get("notices", "0", "/config/changes", "asked"))
	require.NoError(t, r.Append("release 0.config"))
	require.NoError(t, r.Append("until idle"))
	require.Equal(t, int64(0), lastOf(r, "0"))
	require.Equal(t, 1, steps(r, "dynconfig.notice.done"))
	require.Nil(t, r.Doc().Get("notices", "0", "/config/changes", "asked"))
}

// ACL and token changes go the same way: listed, counted as done, purged.
func TestChangesOfACLsAndTokens(t *testing.T) {
	r := played(t, `cluster brokers=0 authorizer.class.name=kafka.security.authorizer.AclAuthorizer delegation.token.secret.key=secret
broker start 0
until idle
zk create-seq /kafka-acl-changes/acl_changes_ Topic:t
zk create-seq /delegation_token/token_changes/token_change_ owner
until idle
clock +16m
zk create-seq /kafka-acl-changes/acl_changes_ Topic:u
until idle
`)
	doc := r.Doc()
	require.Equal(t, int64(1), doc.Get("notices", "0", "/kafka-acl-changes", "last"))
	require.Equal(t, int64(0), doc.Get("notices", "0", "/delegation_token/token_changes", "last"))
	require.Equal(t, int64(-1), doc.Get("notices", "0", "/kafka-acl-extended-changes", "last"))
	require.False(t, doc.Has("zk", "/kafka-acl-changes/acl_changes_0000000000"), "purged")
	require.True(t, doc.Has("zk", "/delegation_token/token_changes/token_change_0000000000"), "no pass, no purge")
	require.NoError(t, r.Append("broker stop 0"))
	require.NoError(t, r.Append("until idle"))
	require.False(t, doc.Has("notices", "0"))
}

// What a picture shows: how old a notice is to each broker's own clock, what is done, and watches against the simple design.
func TestViewOfNotices(t *testing.T) {
	const path = "/config/changes/config_change_0000000000"
	seen := map[string]map[string]any{}
	r := start(t, run.Inputs{Name: t.Name(), Script: `cluster brokers=0,1 auto.leader.rebalance.enable=false
broker start 0
until idle
broker start 1
until idle
topic create t 1x2
topic create u 1x2
until idle
skew 1 +10m
config set topics/t retention.ms=1
until idle
clock +6m
config set topics/u retention.ms=1
until idle
`}, run.Options{OnStep: func(s *trace.Step, doc *trace.Document) {
		if s.Msg == "dynconfig.pass" && s.Arg("listed") == int64(2) {
			b := s.Lane[:1]
			seen[b], _ = doc.Get("view", "notice", path, b).(map[string]any)
		}
	}})
	require.NoError(t, r.Finish())
	for b, old := range map[string]bool{"0": false, "1": true} {
		require.Equal(t, old, seen[b]["old"], b)
		require.Equal(t, true, seen[b]["done"], b)
	}
	require.Equal(t, int64(600_000), seen["1"]["age"].(int64)-seen["0"]["age"].(int64))
	require.Nil(t, r.Doc().Get("view", "notice", path, "0"), "purged by broker 1")
	require.Equal(t, map[string]any{"armed": int64(2), "naive": int64(4)}, r.Doc().Get("view", "watching"))
}

// A broker is behind while it has not applied what the config znode says; a broker's own config concerns no other.
func TestViewOfBrokersThatAreBehind(t *testing.T) {
	r := played(t, `cluster brokers=0,1 auto.leader.rebalance.enable=false
broker start 0
until idle
broker start 1
until idle
topic create t 1x2
until idle
hold client.1
config set topics/t retention.ms=1
config set brokers/0 log.cleaner.threads=2
until idle
`)
	behind := func() any { return r.Doc().Names("view", "behind", "/config/topics/t") }
	require.Equal(t, []string{"1"}, behind())
	require.Equal(t, "≠", r.Doc().Get("view", "behind", "/config/topics/t", "1"))
	require.Empty(t, r.Doc().Names("view", "behind", "/config/brokers/0"))
	appended := func(lines ...string) {
		for _, line := range lines {
			require.NoError(t, r.Append(line))
		}
	}
	appended("release client.1", "until idle")
	require.Empty(t, behind())
	appended("zk set /config/topics/t {}", "broker stop 1", "until idle")
	require.Equal(t, []string{"0"}, behind(), "no notice, no pass; a broker that is gone is not behind")
}

// 4.8: a change of a topic's config while its log is being created, after every possible number of deliveries: whichever
// comes first, the broker ends with the new config, and the log has it.
func TestConfigChangesBesideTheCreationOfALog(t *testing.T) {
	during, after := 0, 0
	for k := 0; ; k++ {
		r := start(t, run.Inputs{Name: t.Name(), Setup: "cluster brokers=0 auto.leader.rebalance.enable=false\nbroker start 0\nuntil idle\n"}, run.Options{Bare: true})
		require.NoError(t, r.Append("topic create t 1x1"))
		left := k
		require.NoError(t, r.World().RunToIdle(0, func() bool { left--; return left < 0 }))
		atRest := r.World().Idle()
		if !r.Doc().Has("zk", "/config/topics/t") {
			continue // nothing to change yet
		}
		r.World().Zk(zk.Op{Kind: zk.Set, Path: "/config/topics/t", Version: zk.AnyVersion, Data: []byte(`{"version":1,"config":{"retention.ms":"2"}}`)})
		r.World().Zk(zk.Op{Kind: zk.Create, Path: "/config/changes/config_change_", Mode: zk.PersistentSequential, Data: []byte(`{"version":2,"entity_path":"topics/t"}`)})
		require.NoError(t, r.World().RunToIdle(0, nil))
		require.Equal(t, "2", r.Doc().Get("config", "0", "topics", "t").(map[string]any)["retention.ms"], "after %d deliveries", k)
		require.True(t, r.Doc().Has("broker", "0", "log", "t-0"))
		// The last read of the config by the broker comes after the write: it is the notice's, or the second one of the log.
		written, read, logged, applied := -1, -1, -1, -1
		for _, s := range r.Trace().Steps {
			switch {
			case s.Kind == "zk.set" && s.Entity == "/config/topics/t":
				written = s.I
			case s.Msg == "zk.get" && s.Entity == "/config/topics/t":
				read = s.I
			case s.Msg == "dynconfig.apply":
				applied = s.I
			}
			for _, c := range s.Diff {
				if len(c.Path) == 4 && c.Path[2] == "log" && c.Before == nil {
					logged = s.I
				}
			}
		}
		require.Greater(t, read, written, "after %d deliveries", k)
		if applied < logged {
			during++
		} else {
			after++
		}
		if atRest {
			break
		}
	}
	require.Positive(t, during)
	require.Positive(t, after)
}

// A config that is refused says why: key, value and what is allowed, beside Kafka's error.
func TestRefusedConfigs(t *testing.T) {
	r := played(t, alone+`config set topics/t retention.ms=-5
until idle
config set brokers/0 broker.id=4
until idle
config set topics/t nonsense=1
until idle
`)
	require.Equal(t, []string{"t: NONE", "topics/t: INVALID_REQUEST", "brokers/0: INVALID_REQUEST", "topics/t: INVALID_CONFIG"}, outcomes(r))
	var why []any
	for _, s := range r.Trace().Steps {
		if s.Msg == "admin.refused" {
			why = append(why, s.Arg("why"))
		}
	}
	require.Equal(t, []any{
		"Invalid config value for resource ConfigResource(type=TOPIC, name='t'): Invalid value -5 for configuration retention.ms: Value must be at least -1",
		"Invalid config value for resource ConfigResource(type=BROKER, name='0'): Cannot update these configs dynamically: Set(broker.id)",
		"Unknown topic config name: nonsense"}, why)
}
