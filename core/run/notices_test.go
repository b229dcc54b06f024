package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/run"
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
	t.Run("the listing fails: no watch, until the new session asks", func(t *testing.T) {
		r := played(t, alone+`notice write '{"version":2,"entity_path":"topics/t"}'
until step.msg = dynconfig.take
zk expire 0
until step.msg = dynconfig.pass.failed
expect not exists(watch[/config/changes])
expect notices[0][/config/changes].last = -1
until idle
`)
		require.Equal(t, 1, steps(r, "dynconfig.pass.failed"))
		require.Equal(t, int64(0), lastOf(r, "0"))
		require.Equal(t, 1, r.Doc().Count("watch", "/config/changes", "child"))
	})
	t.Run("numbers that start again are never carried out", func(t *testing.T) {
		r := played(t, alone+good+good+`zk delete /config/changes/config_change_0000000000
zk delete /config/changes/config_change_0000000001
zk delete /config/changes
zk create /config/changes
zk expire 0
until idle
zk set /config/topics/t {"version":1,"config":{"retention.ms":"7"}}
`+good)
		require.True(t, r.Doc().Has("zk", "/config/changes/config_change_0000000000"))
		require.Equal(t, int64(1), lastOf(r, "0"), "as before")
		require.Nil(t, r.Doc().Get("config", "0", "topics", "t"))
		require.Equal(t, "≠", r.Doc().Get("view", "behind", "/config/topics/t", "0"))
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
// Each pass reads every name that it lists once more, to see whether the notice is old. So n notices that arrive one by one
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
		require.Equal(t, "2", r.Doc().Get("config", "0", "topics", "t").(env.Record).Get("retention.ms"), "after %d deliveries", k)
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

// 4.8: a change of a topic's config while its log is being created, after every possible number of deliveries: whichever
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
