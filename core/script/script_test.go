package script

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyVerb has each verb of the language at least once, in canonical spacing.
const everyVerb = `# two brokers of three
cluster brokers=0,1,2 racks=a,b,c auto.leader.rebalance.enable=false

start 1
broker start 2
broker stop 2
broker kill 2
broker crash 2
broker bounce 2 # faster than the controller can look
broker pause 1
broker resume 1
broker config 1 inter.broker.protocol.version=2.8 listener.security.protocol.map=PLAINTEXT:PLAINTEXT,EXTRA:PLAINTEXT
broker set-listener 2 127.0.0.1:9093
topic create orders 2x3
topic create orders [1,2,0] [2,0,1] config retention.ms=1000 max.message.bytes=2000
topic create .. [1]
topic delete orders many
topic add-partitions t [3,2] [2,1]
reassign t-1 [5,4] t-0 [3,1]
kafka-reassign-partitions --bootstrap-server x --verify --reassignment-json-file '{"version":1,"partitions":[]}'
reassign cancel t-0 t-1
elect preferred *
elect preferred t-0 ghost-3
elect unclean t-0
config set brokers/<default> background.threads=5
config set users/alice/clients/app-1 producer_byte_rate=10
config delete brokers/2 listener.security.protocol.map listeners
notice write {"version":2,"entity_path":"topics/t"}
produce t-0 5
produce t-0
lag 2 orders-0
catch-up 2 orders-0
alterisr 4 2 t-0 2 2 [2]
alterisr 4 2 t-0 2 2 [2] E2.1
request shutdown 3
request shutdown 3 E3.1
logdir block 2 1 d-0
logdir unblock 2 1 d-0
logdir fail 2
logdir fail 2 1
zk get /controller
zk set /brokers/ids/1 not JSON # data
zk create /admin/delete_topics/t
zk create /admin/preferred_replica_election this is not JSON
zk create-seq /config/changes/config_change_ {"version":2,"entity_path":"topics"}
zk create-container /c {}
zk delete /controller
zk expire 1
zk cut 1
zk heal 1
zk sync /x
zk lag 1
zk catch-up 1
zk move admin 2
zk lose-quorum
zk regain-quorum
zk lose-reply 1 /controller
client open A
client register A children /brokers/ids
client register A node /controller
client get A /controller
client exists A /controller
client children A /brokers/ids
client create A /brokers
client create-ephemeral A /controller {"version":1,"brokerid":0}
client create-seq A /isr_change_notification/isr_change_
client set A /brokers not JSON
client delete A /brokers/ids/1
client silent A
client back A
client close A
hold 0.controller
release 0
deliver 0>1/r3
drop 0>1/r3
delay 0>1/r3 +5s
duplicate 0>1/r3
clock +15m
skew 1 -20m
wait 1h30m
until idle
until broker[2].replica[orders-1].role = leader # a comment
run
expect count(ctx[0].liveBrokerEpochs) = 2 and not zk[/controller]
never step.kind = zk.create and step.args.path in [/controller, "/a b"]
guard.broker-epoch off
order scala
fix.kafka-12345 on
`

func TestPrintsWhatItParsed(t *testing.T) {
	canonical := strings.ReplaceAll(everyVerb, `[/controller, "/a b"]`, `[/controller,"/a b"]`)
	s, err := Parse("all", canonical)
	require.NoError(t, err)
	assert.Equal(t, canonical, s.String())
	seen := map[string]bool{}
	for _, l := range s.Operations() {
		seen[l.Verb] = true
	}
	for _, v := range Verbs() {
		assert.True(t, seen[v.Words], "%s is not in the test", v.Words)
	}
	assert.Len(t, s.Operations(), strings.Count(canonical, "\n")-2, "all lines but the comment and the empty one")
}

func TestCanonicalSpacing(t *testing.T) {
	for in, want := range map[string]string{
		"  broker   start\t2  ":                        "broker start 2",
		"topic create t [1, 2 ,0]   config  a=b  # c ": "topic create t [1,2,0] config a=b # c",
		"until   a-1   in ctx[0].allTopics":            "until a-1 in ctx[0].allTopics",
		"until ctx[0].epoch=2":                         "until ctx[0].epoch = 2",
		"expect ( not(  zk[/a] ) )or 1 = [ 1 , 2 ]":    "expect (not (zk[/a])) or 1 = [1,2]",
		"expect count( zk )>=1":                        "expect count(zk) >= 1",
		"zk set /a   'it''s' # note":                   "zk set /a 'it''s' # note",
		"zk set /a ''":                                 "zk set /a ''",
		"zk set /a 'plain'":                            "zk set /a plain",
		"zk set /a ' x '":                              "zk set /a ' x '",
		"config set topics/t a='b c' 'd=e'":            "config set topics/t a='b c' d=e",
		"topic delete 'a b' '#x' '[y'":                 "topic delete 'a b' '#x' '[y'",
		`topic delete "a b" "it's" "x""y" '"' "t"`:     `topic delete 'a b' 'it''s' 'x"y' '"' t`,
		`config set topics/t a="b ""c" "d=e"`:          `config set topics/t a='b "c' d=e`,
		`zk set /a "x`:                                 `zk set /a "x`, // data as it stands
		"#only":                                        "#only",
		"":                                             "",
	} {
		l, err := ParseLine("", 1, in)
		if assert.NoError(t, err, in) {
			assert.Equal(t, want, l.String())
			again, err := ParseLine("", 1, want)
			if assert.NoError(t, err, want) {
				assert.Equal(t, want, again.String())
			}
		}
	}
}

func line(t *testing.T, text string) *Line {
	l, err := ParseLine("", 1, text)
	require.NoError(t, err)
	return l
}

func TestArguments(t *testing.T) {
	l := line(t, "topic create orders [1,2,0] [2,0,1] config retention.ms=1000 a=b=c")
	assert.Equal(t, "topic create", l.Verb)
	assert.Equal(t, "orders", l.Text("T"))
	assert.Equal(t, []Arg{
		{Name: "PxR|[ids]", Kind: List, Text: "[1,2,0]", Ints: []int64{1, 2, 0}},
		{Name: "PxR|[ids]", Kind: List, Text: "[2,0,1]", Ints: []int64{2, 0, 1}},
	}, l.All("PxR|[ids]"))
	assert.Equal(t, []Option{{"retention.ms", "1000"}, {"a", "b=c"}}, l.Options)
	v, ok := l.Option("a")
	assert.Equal(t, "b=c", v)
	assert.True(t, ok)
	_, ok = l.Option("x")
	assert.False(t, ok)

	assert.Equal(t, []Arg{{Name: "PxR|[ids]", Kind: Shape, Text: "2x3", Ints: []int64{2, 3}}}, line(t, "topic create t 2x3").Args[1:])
	assert.Equal(t, []Arg{
		{Name: "T-P", Kind: Partition, Text: "a-b-10", Topic: "a-b", Int: 10}, {Name: "[ids]", Kind: List, Text: "[]", Ints: []int64{}},
		{Name: "T-P", Kind: Partition, Text: "c-0", Topic: "c"}, {Name: "[ids]", Kind: List, Text: "[3]", Ints: []int64{3}},
	}, line(t, "reassign a-b-10 [] c-0 [3]").Args)
	l = line(t, "alterisr 4 2 t-0 -1 7 [2] E2.1")
	assert.Equal(t, []int64{4, 2, -1, 7}, []int64{l.Int("TO"), l.Int("FROM"), l.Int("LEADER-EPOCH"), l.Int("ZK-VERSION")})
	e, _ := l.Arg("Ei.n")
	assert.Equal(t, []int64{2, 1}, e.Ints)
	l = line(t, "guard.broker-epoch off")
	assert.Equal(t, "guard", l.Verb)
	assert.Equal(t, "broker-epoch", l.Text("NAME"))
	assert.Equal(t, int64(0), l.Int("on|off"))
	assert.Equal(t, int64(1), line(t, "fix.x on").Int("on|off"))
	l = line(t, "broker set-listener 2 [::1]:9093")
	assert.Equal(t, Arg{Name: "HOST:PORT", Kind: HostPort, Text: "[::1]:9093", Topic: "[::1]", Int: 9093}, l.Args[1])
	l = line(t, "zk create /a {\"x\": [1, 2]} # no comment")
	assert.Equal(t, "{\"x\": [1, 2]} # no comment", l.Text("DATA"))
	_, ok = line(t, "zk create /a").Arg("DATA")
	assert.False(t, ok, "no data is not empty data")
	a, ok := line(t, "zk create /a '' # c").Arg("DATA")
	assert.True(t, ok)
	assert.Equal(t, "", a.Text)
}

func TestDurations(t *testing.T) {
	for in, want := range map[string]int64{"4s": 4000, "+15m": 900_000, "-20m": -1_200_000, "250ms": 250, "1h30m": 5_400_000, "1m1ms": 60_001} {
		assert.Equal(t, want, line(t, "wait "+in).Int("TIME"), in)
	}
	for _, in := range []string{"4", "s", "+", "4x", "1.5s", "--4s", "4s5", "99999999999h"} {
		_, err := ParseLine("", 1, "wait "+in)
		assert.Error(t, err, in)
	}
}

func TestLineErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"broker start two", `f:7:14: expected a broker id, such as 1: broker start N
    broker start two
                 ^^^`},
		{"broker start", `f:7:13: expected a broker id, such as 1: broker start N
    broker start
                ^`},
		{"broker strat 1", `f:7:8: expected start, stop, kill, crash, bounce, pause, resume, config or set-listener after broker
    broker strat 1
           ^^^^^`},
		{"broker", `f:7:7: expected start, stop, kill, crash, bounce, pause, resume, config or set-listener after broker
    broker
          ^`},
		{"broker start 1 2", `f:7:16: expected the end of the line: broker start N
    broker start 1 2
                   ^`},
		{"topic create t [1,x]", `f:7:16: expected partitions x replicas up to a million, such as 2x3 or a list of broker ids, such as [1,2,0]: topic create T PxR|[ids]... [config K=V...]
    topic create t [1,x]
                   ^^^^^`},
		{"topic create t 1001x1000", `f:7:16: expected partitions x replicas up to a million, such as 2x3 or a list of broker ids, such as [1,2,0]: topic create T PxR|[ids]... [config K=V...]
    topic create t 1001x1000
                   ^^^^^^^^^`},
		{"topic create t 2x3 conf a=b", `f:7:20: expected partitions x replicas up to a million, such as 2x3, a list of broker ids, such as [1,2,0], config or the end of the line: topic create T PxR|[ids]... [config K=V...]
    topic create t 2x3 conf a=b
                       ^^^^`},
		{"topic create t 2x3 config", `f:7:26: expected name=value: topic create T PxR|[ids]... [config K=V...]
    topic create t 2x3 config
                             ^`},
		{"topic create t [1,2", `f:7:16: the list is not closed; expected ] before the end of the line
    topic create t [1,2
                   ^^^^`},
		{"reassign t-0 [1] t-1", `f:7:21: expected a list of broker ids, such as [1,2,0]: reassign T-P [ids] ...
    reassign t-0 [1] t-1
                        ^`},
		{"zk get controller", `f:7:8: expected the path of a znode, such as /controller: zk get PATH
    zk get controller
           ^^^^^^^^^^`},
		{"topic delete é 'x", `f:7:16: the quote is not closed; expected ' before the end of the line
    topic delete é 'x
                   ^^`},
		{"topic create \"untermin [0]", `f:7:14: the quote is not closed; expected " before the end of the line
    topic create "untermin [0]
                 ^^^^^^^^^^^^^`},
		{"config set topics/t a=\"b", `f:7:23: the quote is not closed; expected " before the end of the line
    config set topics/t a="b
                          ^^`},
		{"notice write", `f:7:13: expected data: notice write JSON
    notice write
                ^`},
		{"guard.x maybe", `f:7:9: expected on or off: guard.NAME on|off
    guard.x maybe
            ^^^^^`},
		{"guard. on", `f:7:1: expected a name after the dot: guard.NAME on|off
    guard. on
    ^^^^^^`},
		{"config set planets/mars a=b", `f:7:12: expected an entity, such as topics/orders or brokers/<default>: config set TYPE/NAME K=V...
    config set planets/mars a=b
               ^^^^^^^^^^^^`},
		{"until", `f:7:6: expected a path, a value, not or (
    until
         ^`},
		{"expect ctx[0].epoch = # x", `f:7:23: expected a path, a value, not or (
    expect ctx[0].epoch = # x
                          ^`},
	} {
		_, err := ParseLine("f", 7, c.in)
		if assert.Error(t, err, c.in) {
			assert.Equal(t, c.want, err.Error())
		}
	}
	_, err := ParseLine("", 2, "guard on")
	assert.Contains(t, err.Error(), "2:1: there is no verb guard; expected alterisr, broker, catch-up, client, clock, cluster, config,")
	assert.Contains(t, err.Error(), "fix.NAME, guard.NAME, hold,")
}

func TestParseReportsEveryLine(t *testing.T) {
	_, err := Parse("s", "broker start 1\r\n\nbroker x\nrun\nrun 1\n")
	require.Error(t, err)
	assert.Contains(t, err.Error(), "s:3:8: expected start,")
	assert.Contains(t, err.Error(), "s:5:5: expected the end of the line: run")
	s, err := Parse("s", "")
	assert.NoError(t, err)
	assert.Equal(t, "", s.String())
}

func FuzzLine(f *testing.F) {
	for _, l := range strings.Split(everyVerb, "\n") {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if strings.ContainsAny(in, "\r\n") {
			return
		}
		Complete(in, nil)
		l, err := ParseLine("f", 1, in)
		if err != nil {
			assert.NotEmpty(t, err.Error())
			return
		}
		once := l.String()
		again, err := ParseLine("f", 1, once)
		if assert.NoError(t, err, "%q from %q", once, in) {
			assert.Equal(t, once, again.String())
			assert.Equal(t, l.Args, again.Args)
			assert.Equal(t, l.Options, again.Options)
		}
	})
}

func TestAFileThatIsNoScriptIsToldInFewWords(t *testing.T) {
	_, err := Parse("x", strings.Repeat("foo\n", 100_000))
	require.Error(t, err)
	assert.Equal(t, 20, strings.Count(err.Error(), "there is no verb foo"))
	assert.True(t, strings.HasSuffix(err.Error(), "\n20 lines cannot be read so far; what follows line 20 was not looked at"), err)
}

func TestALongLineIsShownAroundTheWrongWord(t *testing.T) {
	_, err := Parse("x", "topic delete "+strings.Repeat("a", 1000)+" 'open "+strings.Repeat("b", 1000))
	require.Error(t, err)
	shown := strings.Split(err.Error(), "\n")
	require.Len(t, shown, 3)
	assert.Equal(t, "x:1:1015: the quote is not closed; expected ' before the end of the line", shown[0])
	assert.Equal(t, "    …"+strings.Repeat("a", 79)+" 'open "+strings.Repeat("b", 74)+"…", shown[1])
	assert.Equal(t, "     "+strings.Repeat(" ", 80)+strings.Repeat("^", 80), shown[2])
}

func TestAWrongWordWithoutEndIsCut(t *testing.T) {
	_, err := Parse("x", strings.Repeat("\x00", 1_000_000))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 3000)
	assert.NotContains(t, err.Error(), "\x00")
}

func TestAByteOrderMarkIsNoWord(t *testing.T) {
	s, err := Parse("x", "\ufeffuntil idle\r\n")
	require.NoError(t, err)
	assert.Equal(t, "until idle\n", s.String())
}
