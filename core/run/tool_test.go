package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// configs are the nodes whose data printed adds where the first tool has ended.
var configs = []string{"/config/topics/orders", "/config/brokers/0", "/config/brokers/3"}

// printed plays a script and lists what the tools in it have printed, an end in brackets, and the configs after the first.
func printed(t *testing.T, script string) (lines, after []string, r *run.Run) {
	r, err := run.Start(run.Inputs{Script: script, Seed: 1}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true, OnStep: func(s *trace.Step, doc *trace.Document) {
		switch s.Msg {
		case "admin.tool.line":
			lines = append(lines, s.Arg("line").(string))
		case "admin.tool.end":
			for _, path := range configs {
				if data, ok := doc.Get("zk", path, "data").(string); ok && len(after) < len(configs) {
					after = append(after, data)
				}
			}
			lines = append(lines, map[bool]string{true: "[ok]", false: "[failed]"}[s.Arg("ok").(bool)])
		}
	}})
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	require.NoError(t, r.Finish())
	return lines, after, r
}

// clusterOf4 has brokers 0 to 3 on two racks and a topic on brokers 0 and 1.
const clusterOf4 = `cluster brokers=0,1,2,3 racks=a,b,a,b
broker start 0
broker start 1
broker start 2
broker start 3
until idle
topic create orders [0,1] [1,0]
until idle
`

const tool = "kafka-reassign-partitions "

func moveOrders0(to string) string {
	return ` --reassignment-json-file '{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":` + to + `}]}'` + "\n"
}

const before = `{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[0,1],"log_dirs":["any","any"]}]}`

// TestReassignToolThroughItsStages: begun with a throttle, refused a second time, listed, verified, throttles gone at the end.
func TestReassignToolThroughItsStages(t *testing.T) {
	lines, after, r := printed(t, clusterOf4+
		tool+"--bootstrap-server x --execute --throttle 1000"+moveOrders0("[2,3]")+
		"until step.msg = admin.tool.end\n"+
		tool+"--bootstrap-server x --execute"+moveOrders0("[1,0]")+"until step.msg = admin.tool.end\n"+
		tool+"--bootstrap-server x --list\nuntil step.msg = admin.tool.end\n"+
		tool+"--bootstrap-server x --verify"+moveOrders0("[2,3]")+"until idle\n"+
		tool+"--bootstrap-server x --verify"+moveOrders0("[2,3]")+"until idle\n"+
		tool+"--bootstrap-server x --verify --preserve-throttles"+moveOrders0("[0,3]")+"until idle\n")
	require.Equal(t, []string{
		"Current partition replica assignment", before, "Save this to use as the --reassignment-json-file option during rollback",
		"Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is removed.",
		"The inter-broker throttle limit was set to 1000 B/s",
		"Successfully started partition reassignment for orders-0", "[ok]",
		"Cannot execute because there is an existing partition assignment.  Use --additional to override this and create a new partition assignment in addition to the existing one. The --additional flag can also be used to change the throttle by resubmitting the current reassignment.", "[failed]",
		"Current partition reassignments:", "orders-0: replicas: 2,3,0,1. adding: 2,3. removing: 0,1.", "[ok]",
		"Status of partition reassignment:", "Reassignment of partition orders-0 is still in progress.", "[ok]",
		"Status of partition reassignment:", "Reassignment of partition orders-0 is complete.",
		"Clearing broker-level throttles on brokers 0,1,2,3", "Clearing topic-level throttles on topic orders", "[ok]",
		"Status of partition reassignment:", "There is no active reassignment of partition orders-0, but replica set is 2,3 rather than 0,3.", "[ok]",
	}, lines)
	require.Equal(t, []string{
		`{"version":1,"config":{"leader.replication.throttled.replicas":"0:0,0:1","follower.replication.throttled.replicas":"0:2,0:3"}}`,
		`{"version":1,"config":{"leader.replication.throttled.rate":"1000","follower.replication.throttled.rate":"1000"}}`,
		`{"version":1,"config":{"leader.replication.throttled.rate":"1000","follower.replication.throttled.rate":"1000"}}`}, after)
	for _, path := range []string{"/config/topics/orders", "/config/brokers/0", "/config/brokers/1", "/config/brokers/2", "/config/brokers/3"} {
		require.Equal(t, `{"version":1,"config":{}}`, r.Doc().Get("zk", path, "data"), path)
	}
}

// TestReassignToolCancels: what is under way goes back; what is not is left alone.
func TestReassignToolCancels(t *testing.T) {
	lines, _, r := printed(t, clusterOf4+"hold 2\n"+
		tool+"--bootstrap-server x --execute"+moveOrders0("[2,3]")+"until step.msg = admin.tool.end\n"+
		tool+"--bootstrap-server x --cancel --preserve-throttles"+moveOrders0("[2,3]")+"until step.msg = admin.tool.end\nrelease 2\nuntil idle\n"+
		tool+"--bootstrap-server x --cancel --preserve-throttles"+moveOrders0("[2,3]")+"until idle\n")
	require.Equal(t, []string{
		"Current partition replica assignment", before, "Save this to use as the --reassignment-json-file option during rollback",
		"Successfully started partition reassignment for orders-0", "[ok]",
		"Successfully cancelled partition reassignment for: orders-0", "None of the specified partition moves are active.", "[ok]",
		"None of the specified partition reassignments are active.", "None of the specified partition moves are active.", "[ok]",
	}, lines)
	require.JSONEq(t, `{"0":[0,1],"1":[1,0]}`, partitionsIn(r.Doc()))
}

func partitionsIn(doc *trace.Document) string {
	data := doc.Get("zk", "/brokers/topics/orders", "data").(string)
	_, rest, _ := strings.Cut(data, `"partitions":`)
	text, _, _ := strings.Cut(rest, "}")
	return text + "}"
}

// TestReassignToolOverZooKeeper: the legacy form writes configs and the znode itself, over a session of its own.
func TestReassignToolOverZooKeeper(t *testing.T) {
	lines, after, r := printed(t, clusterOf4+
		tool+"--zookeeper x --execute --throttle 1000"+moveOrders0("[1,3]")+"until step.msg = admin.tool.end\n"+
		"expect zk[/admin/reassign_partitions].data.partitions != none\n"+
		tool+"--zookeeper x --execute"+moveOrders0("[1,0]")+"until step.msg = admin.tool.end\nuntil idle\n"+
		tool+"--zookeeper x --verify"+moveOrders0("[1,3]")+"until idle\n")
	deprecated := "Warning: --zookeeper is deprecated, and will be removed in a future version of Kafka."
	require.Equal(t, []string{deprecated,
		"Current partition replica assignment", before, "Save this to use as the --reassignment-json-file option during rollback",
		"Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is removed.",
		"The inter-broker throttle limit was set to 1000 B/s", "Successfully started partition reassignment for orders-0", "[ok]",
		deprecated, "Cannot execute because there is an existing partition assignment.  Use --additional to override this and create a new partition assignment in addition to the existing one. The --additional flag can also be used to change the throttle by resubmitting the current reassignment.", "[failed]",
		deprecated, "Warning: because you are using the deprecated --zookeeper option, the results may be incomplete.  Use --bootstrap-server instead for more accurate results.",
		"Status of partition reassignment:", "Reassignment of partition orders-0 is complete.",
		"Clearing broker-level throttles on brokers 0,1,2,3", "Clearing topic-level throttles on topic orders", "[ok]",
	}, lines)
	require.Equal(t, []string{
		`{"version":1,"config":{"leader.replication.throttled.replicas":"0:0,0:1","follower.replication.throttled.replicas":"0:3"}}`,
		`{"version":1,"config":{"leader.replication.throttled.rate":"1000","follower.replication.throttled.rate":"1000"}}`,
		`{"version":1,"config":{"leader.replication.throttled.rate":"1000","follower.replication.throttled.rate":"1000"}}`}, after)
	require.False(t, r.Doc().Has("zk", "/admin/reassign_partitions"))
	require.Equal(t, `{"version":1,"config":{}}`, r.Doc().Get("zk", "/config/topics/orders", "data"))
}

// TestReassignToolRefusals: by name what the tool, a broker and the controller refuse.
func TestReassignToolRefusals(t *testing.T) {
	for options, want := range map[string][]string{
		"--bootstrap-server x --execute" + moveOrders0("[0,9]"): {"Error: Unknown broker id 9"},
		"--zookeeper x --execute" + moveOrders0("[0,9]"): {"Warning: --zookeeper is deprecated, and will be removed in a future version of Kafka.",
			"Error: The proposed assignment contains non-existent brokerIDs: 9"},
		"--zookeeper x --execute" + strings.ReplaceAll(moveOrders0("[0,1]"), `"partition":0`, `"partition":7`): {
			"Warning: --zookeeper is deprecated, and will be removed in a future version of Kafka.",
			"Error: The proposed assignment contains non-existent partitions: List(orders-7)"},
		"--bootstrap-server x --execute" + strings.ReplaceAll(moveOrders0("[0,1]"), "orders", "ghost"): {
			"Error: org.apache.kafka.common.errors.UnknownTopicOrPartitionException: This server does not host this topic-partition."},
		"--bootstrap-server x --execute" + strings.ReplaceAll(moveOrders0("[0,1]"), `"partition":0`, `"partition":7`): {
			"Current partition replica assignment", `{"version":1,"partitions":[]}`, "Save this to use as the --reassignment-json-file option during rollback",
			"Error reassigning partition(s):", "orders-7: The partition does not exist."},
		"--bootstrap-server x --verify" + strings.ReplaceAll(moveOrders0("[0,1]"), `"partition":0`, `"partition":2`): {
			"Error: Index 2 out of bounds for length 2"},
		"--bootstrap-server x --generate --broker-list 0,1,9 --topics-to-move-json-file '{\"topics\":[{\"topic\":\"ghost\"}]}'\n": {
			"Error: org.apache.kafka.common.errors.UnknownTopicOrPartitionException: This server does not host this topic-partition."},
		"--bootstrap-server x --generate --broker-list 3 --topics-to-move-json-file '{\"topics\":[{\"topic\":\"orders\"}]}'\n": {
			"Error: Replication factor: 2 larger than available brokers: 1."},
		"--list\n": {"Please specify --bootstrap-server"},
	} {
		lines, _, _ := printed(t, clusterOf4+tool+options+"until idle\n")
		require.Equal(t, append(want, "[failed]"), lines, options)
	}
}

// TestReassignToolGenerates: rack-aware over the brokers named, which no two replicas of one rack share.
func TestReassignToolGenerates(t *testing.T) {
	lines, _, _ := printed(t, clusterOf4+
		tool+`--bootstrap-server x --generate --broker-list 1,2 --topics-to-move-json-file '{"topics":[{"topic":"orders"}],"version":1}'`+"\nuntil idle\n"+
		tool+`--zookeeper x --generate --broker-list 1,3 --disable-rack-aware --topics-to-move-json-file '{"topics":[{"topic":"orders"}]}'`+"\nuntil idle\n")
	require.Len(t, lines, 11)
	require.Equal(t, []string{"Current partition replica assignment",
		`{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[0,1],"log_dirs":["any","any"]},{"topic":"orders","partition":1,"replicas":[1,0],"log_dirs":["any","any"]}]}`,
		"Proposed partition reassignment configuration"}, lines[:3])
	for _, at := range []int{3, 9} {
		other := map[int]string{3: "2", 9: "3"}[at]
		require.Contains(t, []string{placed("1", other), placed(other, "1")}, lines[at])
	}
}

// placed is what two partitions over two brokers come to, the first led by a.
func placed(a, b string) string {
	return `{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[` + a + "," + b + `],"log_dirs":["any","any"]},` +
		`{"topic":"orders","partition":1,"replicas":[` + b + "," + a + `],"log_dirs":["any","any"]}]}`
}
