package view

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/trace"
)

// record plays changes, one step each, into a recorder whose steps a Projector follows.
func record(steps ...[]env.Change) *trace.Document {
	r := trace.NewRecorder()
	r.Project = New().Project
	for _, changes := range steps {
		r.Record(0, "test", nil, env.Note{Kind: env.Fault, Changes: changes})
	}
	return r.Doc()
}

func znode(path, data, czxid string, version int) []env.Change {
	return []env.Change{env.Set(data, "zk", path, "data"), env.Set(env.Int(version), "zk", path, "version"),
		env.Set(czxid, "zk", path, "czxid")}
}

func leadershipRecord(leader int, isr []int, epoch, version, controllerEpoch int) env.Record {
	return env.Record{env.A("controllerEpoch", env.Int(controllerEpoch)), env.A("isr", env.Ints(isr)),
		env.A("leader", env.Int(leader)), env.A("leaderEpoch", env.Int(epoch)), env.A("zkVersion", env.Int(version))}
}

func assignmentRecord(replicas ...int) env.Record {
	return env.Record{env.A("adding", []any{}), env.A("removing", []any{}), env.A("replicas", env.Ints(replicas))}
}

// cluster is two brokers, one partition, broker 0 the controller, all agreed.
func cluster() []env.Change {
	var c []env.Change
	c = append(c, znode("/controller", `{"version":1,"brokerid":0,"timestamp":"1"}`, "zxid:0x20", 0)...)
	c = append(c, znode("/controller_epoch", "1", "zxid:0x21", 1)...)
	c = append(c, znode("/brokers/ids", "", "zxid:0x2", 0)...)
	c = append(c, znode("/brokers/ids/1", "{}", "zxid:0x34", 1)...)
	c = append(c, znode("/brokers/topics", "", "zxid:0x3", 0)...)
	c = append(c, znode("/brokers/topics/orders", `{"version":3,"partitions":{"0":[1,0]},"adding_replicas":{},"removing_replicas":{}}`, "zxid:0x40", 0)...)
	c = append(c, znode("/brokers/topics/orders/partitions/0/state", `{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,0]}`, "zxid:0x43", 0)...)
	c = append(c, znode("/admin/delete_topics", "", "zxid:0x5", 0)...)
	return append(c,
		env.Set(env.Int(0), "ctl", "0", "active"), env.Set(true, "ctl", "0", "isActive"),
		env.Set(env.Int(1), "ctx", "0", "epoch"), env.Set(env.Int(1), "ctx", "0", "epochZkVersion"),
		env.Set("zxid:0x34", "ctx", "0", "liveBrokerEpochs", "1"), env.Set(true, "ctx", "0", "allTopics", "orders"),
		env.Set(assignmentRecord(1, 0), "ctx", "0", "partitionAssignments", "orders-0"),
		env.Set(leadershipRecord(1, []int{1, 0}, 0, 0, 1), "ctx", "0", "partitionLeadershipInfo", "orders-0"),
		env.Set("OnlinePartition", "ctx", "0", "partitionStates", "orders-0"),
		env.Set("OnlineReplica", "ctx", "0", "replicaStates", "orders-0·0"),
		env.Set("OnlineReplica", "ctx", "0", "replicaStates", "orders-0·1"),
		env.Set(true, "broker", "1", "up"), env.Set(env.Int(3), "broker", "1", "state"),
		env.Set("leader", "broker", "1", "replica", "orders-0", "role"), env.Set(env.Int(5), "broker", "1", "log", "orders-0"))
}

func TestEverythingAgrees(t *testing.T) {
	d := record(cluster())
	require.Equal(t, "0", d.Get("view", "lead"))
	require.Equal(t, "active", d.Get("view", "controller", "0"))
	require.Equal(t, int64(0), d.Get("view", "mismatch", "0"))
	require.Equal(t, "brokerid 0", d.Get("view", "row", "/controller", "value"))
	require.Equal(t, "0", d.Get("view", "row", "/controller", "brief"))
	require.Equal(t, "czxid zxid:0x34", d.Get("view", "row", "/brokers/ids/1", "value"))
	require.Equal(t, "0:[1,0]", d.Get("view", "row", "/brokers/topics/orders", "value"))
	require.Equal(t, env.Record{env.A("depth", int64(2)), env.A("fold", false), env.A("label", "…/0/state"),
		env.A("order", "03/orders/0000000000")},
		d.Get("view", "row", "/brokers/topics/orders/partitions/0/state", "at"))
	require.Equal(t, env.Record{env.A("brief", "1"), env.A("field", "epoch · zkVersion"),
		env.A("from", []any{"ctx", "0", "epoch"}), env.A("mark", "="), env.A("value", "1 · v1")},
		d.Get("view", "belief", "0", "/controller_epoch"))
	require.Equal(t, env.Record{env.A("field", "topicsToBeDeleted"), env.A("from", []any{"ctx", "0", "topicsToBeDeleted"}),
		env.A("mark", "="), env.A("value", "∅")}, d.Get("view", "belief", "0", "/admin/delete_topics"))
	require.Equal(t, int64(2), d.Get("view", "chart", "0", "replica", "OnlineReplica"))
	require.Equal(t, env.Record{env.A("ctl", true), env.A("isr", true), env.A("log", true), env.A("role", "leader"),
		env.A("state", "OnlineReplica"), env.A("zk", true)},
		d.Get("view", "chip", "1", "orders-0"))
	require.Equal(t, env.Record{env.A("ctl", int64(1)), env.A("produce", "NONE"), env.A("really", "leader"),
		env.A("zk", int64(1))},
		d.Get("view", "partition", "orders-0"))
	require.Equal(t, "RUNNING (3)", d.Get("view", "broker", "1"))
}

func TestABounceIsAMismatchOfEpochsAndAnEmptyBroker(t *testing.T) {
	d := record(cluster(), []env.Change{
		env.Unset("zk", "/brokers/ids/1"), env.Unset("broker", "1", "replica"),
	}, znode("/brokers/ids/1", "{}", "zxid:0x7a", 1))
	require.Equal(t, env.Record{env.A("field", "broker 1"), env.A("from", []any{"ctx", "0", "liveBrokerEpochs", "1"}),
		env.A("mark", "≠"), env.A("value", "zxid:0x34")}, d.Get("view", "belief", "0", "/brokers/ids/1"))
	require.Equal(t, int64(1), d.Get("view", "mismatch", "0"))
	require.Equal(t, "", d.Get("view", "chip", "1", "orders-0").(env.Record).Get("role"))
	require.Equal(t, env.Record{env.A("ctl", int64(1)), env.A("produce", "UNKNOWN_TOPIC_OR_PARTITION"),
		env.A("really", "nothing"), env.A("zk", int64(1))},
		d.Get("view", "partition", "orders-0"))
}

func TestAbsentButBelievedAndAbsentButWatched(t *testing.T) {
	d := record(cluster(), []env.Change{env.Unset("zk", "/brokers/ids/1"),
		env.Set(true, "watch", "/admin/reassign_partitions", "data", "session:0x1")})
	require.Nil(t, d.Get("view", "row", "/brokers/ids/1", "value"))
	require.NotNil(t, d.Get("view", "row", "/brokers/ids/1", "at"))
	require.Nil(t, d.Get("view", "row", "/admin/reassign_partitions", "value"))
	require.Equal(t, env.Record{env.A("armed", int64(1)), env.A("blind", []any{})}, d.Get("view", "bell", "/admin/reassign_partitions", "data"))
	require.Equal(t, "=", d.Get("view", "belief", "0", "/admin/reassign_partitions").(env.Record).Get("mark"))
}

func TestANotificationSaysWhichConfigChanged(t *testing.T) {
	for data, want := range map[string]string{
		`{"version":2,"entity_path":"users/alice/clients/app"}`:       "users/alice/clients/app",
		`{"version":1,"entity_type":"topics","entity_name":"orders"}`: "topics/orders",
		`{"version":1,"entity_type":"topics"}`:                        `{"version":1,"entity_type":"topics"}`,
		"no JSON":                                                     "no JSON",
	} {
		const path = "/config/changes/config_change_0000000000"
		require.Equal(t, want, record(znode(path, data, "zxid:0x50", 0)).Get("view", "row", path, "value"))
	}
}

func TestABellIsBlindWhileAHandlerHasNoWatch(t *testing.T) {
	session := []env.Change{env.Set("0", "session", "session:0x1", "client"), env.Set("connected", "session", "session:0x1", "state"),
		env.Set(true, "handler", "0", "child:/brokers/ids"), env.Set(true, "watch", "/brokers/ids", "child", "session:0x1")}
	fired := []env.Change{env.Unset("watch", "/brokers/ids", "child", "session:0x1")}
	expired := []env.Change{env.Set("expired", "session", "session:0x1", "state")}
	require.Equal(t, env.Record{env.A("armed", int64(1)), env.A("blind", []any{})}, record(session).Get("view", "bell", "/brokers/ids", "child"))
	require.Equal(t, env.Record{env.A("armed", int64(0)), env.A("blind", []any{"0"})}, record(session, fired).Get("view", "bell", "/brokers/ids", "child"))
	require.Nil(t, record(session, fired, expired).Get("view", "bell", "/brokers/ids", "child"))
	require.Equal(t, "session:0x1", record(session, fired, expired).Get("view", "ring", "0"))
}

func TestALaterEpochMakesAControllerStale(t *testing.T) {
	d := record(cluster(), znode("/controller_epoch", "2", "zxid:0x21", 2))
	require.Equal(t, "stale", d.Get("view", "controller", "0"))
	require.Equal(t, "0", d.Get("view", "lead"))
	require.Equal(t, "≠", d.Get("view", "belief", "0", "/controller_epoch").(env.Record).Get("mark"))
	d = record(cluster(), znode("/controller_epoch", "2", "zxid:0x21", 2), znode("/controller", `{"brokerid":1}`, "zxid:0x90", 0),
		[]env.Change{env.Set(true, "ctl", "1", "isActive"), env.Set(env.Int(2), "ctx", "1", "epoch")})
	require.Equal(t, "1", d.Get("view", "lead"))
	require.Equal(t, "active", d.Get("view", "controller", "1"))
	require.Equal(t, "stale", d.Get("view", "controller", "0"))
}

func TestALeadershipOfAnotherVersionDiffers(t *testing.T) {
	d := record(cluster(), []env.Change{env.Set(env.Int(1), "zk", "/brokers/topics/orders/partitions/0/state", "version")})
	require.Equal(t, env.Record{env.A("field", "orders-0"),
		env.A("from", []any{"ctx", "0", "partitionLeadershipInfo", "orders-0"}), env.A("mark", "≠"),
		env.A("value", "1 [1,0] e0 v0")},
		d.Get("view", "belief", "0", "/brokers/topics/orders/partitions/0/state"))
}

func TestListsAreComparedMemberByMember(t *testing.T) {
	d := record(cluster(), znode("/admin/delete_topics/orders", "", "zxid:0x80", 0))
	require.Equal(t, "{orders}", d.Get("view", "row", "/admin/delete_topics", "value"))
	require.Equal(t, "≠", d.Get("view", "belief", "0", "/admin/delete_topics").(env.Record).Get("mark"))
	plan := `{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[0]}]}`
	d = record(cluster(), znode("/admin/reassign_partitions", plan, "zxid:0x81", 0))
	require.Equal(t, "≠", d.Get("view", "belief", "0", "/admin/reassign_partitions").(env.Record).Get("mark"))
	d = record(cluster(), znode("/admin/reassign_partitions", plan, "zxid:0x81", 0),
		[]env.Change{env.Set(true, "ctx", "0", "partitionsBeingReassigned", "orders-0")})
	require.Equal(t, "=", d.Get("view", "belief", "0", "/admin/reassign_partitions").(env.Record).Get("mark"))
}

func TestRequestsHaveCodes(t *testing.T) {
	stop := request.StopReplica{Control: request.Control{ControllerEpoch: 1, BrokerEpoch: 0x34},
		Partitions: []request.StopReplicaPartition{{TopicPartition: kafka.TopicPartition{Topic: "orders"}, Delete: true}}}
	queued := request.Leaves(stop, "queued", "0>1", "r1")
	want := env.Record{env.A("brokerEpoch", "zxid:0x34"), env.A("code", "SR✕"), env.A("controllerEpoch", int64(1)),
		env.A("state", "queued")}
	require.Equal(t, want, record(queued).Get("view", "lane", "0>1", "r1"))
	sent := []env.Change{env.Set("flight", "lane", "0>1", "r1", "state")}
	want[3].Value = "flight"
	require.Equal(t, want, record(queued, sent).Get("view", "lane", "0>1", "r1"))
}

// TestIncrementalEqualsFull changes the world at random and compares, after every step, the view paths that were kept up
// to date with those computed from scratch.
func TestIncrementalEqualsFull(t *testing.T) {
	for seed := int64(0); seed < 40; seed++ {
		dice := rand.New(rand.NewSource(seed))
		r := trace.NewRecorder()
		r.Project = New().Project
		for step := 0; step < 150; step++ {
			var changes []env.Change
			for range 1 + dice.Intn(5) {
				changes = append(changes, randomChange(dice)...)
			}
			r.Record(0, "test", nil, env.Note{Kind: env.Fault, Changes: changes})
			want, got := trace.NewDocument(), trace.NewDocument()
			for _, c := range Full(r.Doc()) {
				want.Change(c, nil)
			}
			r.Doc().Walk(func(path env.Path, value any) bool { got.Set(value, path...); return true }, "view")
			diff, differ := got.FirstDifference(want)
			require.False(t, differ, "seed %d step %d: %v\nchanges %v", seed, step, diff, changes)
		}
	}
}

func randomChange(dice *rand.Rand) []env.Change {
	b, n, topic := fmt.Sprint(dice.Intn(3)), fmt.Sprint(dice.Intn(2)), []string{"orders", "pay-day"}[dice.Intn(2)]
	tp, gone := topic+"-"+n, dice.Intn(3) == 0
	set := func(value any, path ...string) []env.Change {
		if gone {
			value = nil
		}
		return []env.Change{{Path: path, After: value}}
	}
	node := func(path, data string) []env.Change {
		if gone {
			return []env.Change{env.Unset("zk", path)}
		}
		return znode(path, data, fmt.Sprintf("zxid:0x%x", dice.Intn(4)), dice.Intn(2))
	}
	s := fmt.Sprintf("session:0x%d", dice.Intn(5))
	switch dice.Intn(22) {
	case 0:
		return node("/controller", `{"brokerid":`+b+`}`)
	case 1:
		return node("/controller_epoch", n)
	case 2:
		return node("/brokers/ids/"+b, "{}")
	case 3:
		return node("/brokers/topics/"+topic, fmt.Sprintf(`{"partitions":{"0":[0,%s],"%s":[1]},"adding_replicas":{"0":[%s]}}`, b, n, b))
	case 4:
		return node(statePath(tp), fmt.Sprintf(`{"leader":%s,"isr":[%s],"leader_epoch":%s,"controller_epoch":1}`, b, b, n))
	case 5:
		return node("/admin/delete_topics/"+topic, "")
	case 6:
		return node("/admin/reassign_partitions", fmt.Sprintf(`{"partitions":[{"topic":"%s","partition":%s}]}`, topic, n))
	case 7:
		return set(env.Int(dice.Intn(3)), "ctl", b, "active")
	case 8:
		return set(dice.Intn(3) > 0, "ctl", b, "isActive")
	case 9:
		return append(set(env.Int(dice.Intn(2)), "ctx", b, "epoch"), set(env.Int(dice.Intn(2)), "ctx", b, "epochZkVersion")...)
	case 10:
		return set(fmt.Sprintf("zxid:0x%x", dice.Intn(4)), "ctx", b, "liveBrokerEpochs", fmt.Sprint(dice.Intn(3)))
	case 11:
		return append(set(assignmentRecord(0, dice.Intn(3)), "ctx", b, "partitionAssignments", tp), set(true, "ctx", b, "allTopics", topic)...)
	case 12:
		return set(leadershipRecord(dice.Intn(3), []int{dice.Intn(3)}, dice.Intn(2), dice.Intn(2), 1), "ctx", b, "partitionLeadershipInfo", tp)
	case 13:
		return set([]string{"OnlineReplica", "OfflineReplica"}[dice.Intn(2)], "ctx", b, "replicaStates", tp+"·"+fmt.Sprint(dice.Intn(3)))
	case 14:
		return set([]string{"OnlinePartition", "OfflinePartition"}[dice.Intn(2)], "ctx", b, "partitionStates", tp)
	case 15:
		return set(true, "ctx", b, []string{"topicsToBeDeleted", "partitionsBeingReassigned"}[dice.Intn(2)], []string{topic, tp}[dice.Intn(2)])
	case 16:
		return append(set(b, "session", s, "client"), set([]string{"connected", "cut", "expired"}[dice.Intn(3)], "session", s, "state")...)
	case 17:
		return set(true, "watch", "/brokers/ids", []string{"data", "child"}[dice.Intn(2)], s)
	case 18:
		return set(true, "handler", b, []string{"data", "child"}[dice.Intn(2)]+":/brokers/ids")
	case 19:
		return append(set(env.Int(3), "broker", b, "state"), set(dice.Intn(2) > 0, "broker", b, "up")...)
	case 20:
		return append(set([]string{"leader", "follower"}[dice.Intn(2)], "broker", b, "replica", tp, "role"), set(env.Int(1), "broker", b, "log", tp)...)
	default:
		if gone {
			return []env.Change{env.Unset("ctx", b), env.Unset("broker", b, "replica")}
		}
		return set(env.Int(1), "broker", b, "meta", "partition", tp)
	}
}
