package run_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// clients plays a script in a world without brokers; after every step the document is what the world dumps.
func clients(t *testing.T, script string) *run.Run {
	t.Helper()
	var r *run.Run
	r = start(t, run.Inputs{Name: "clients", Script: "cluster brokers=none\n" + script},
		run.Options{OnStep: func(s *trace.Step, doc *trace.Document) { dumped(t, r, s, doc) }})
	require.NoError(t, r.Finish())
	return r
}

const watching = `client open A
client open B
until idle
client create A /p
until idle
client register B children /p
expect handler[B][child:/p] and not watch[/p]
client children B /p
until idle
expect watch[/p].child
`

// A watch tells of the first change; the next one goes unseen until the client has read again.
func TestAClientHearsOnce(t *testing.T) {
	r := clients(t, watching+`client create A /p/1
until idle
client create A /p/2
until idle
expect client[B].heard[/p] = 1 and count(client[B].sees[/p].children) = 0 and not watch[/p]
client children B /p
until idle
expect client[B].heard[/p] = 1 and 1 in client[B].sees[/p].children and 2 in client[B].sees[/p].children and watch[/p].child
`)
	lost := stepsOf(r, "zk.watch.lost")
	require.Len(t, lost, 1)
	assert.Equal(t, []any{"B", "/p"}, []any{arg(lost[0], "client"), lost[0].Entity})
	assert.Equal(t, []any{"1", "2"}, r.Doc().Get("client", "B", "sees", "/p", "children"))
}

// Without a handler a read arms nothing; a question for a missing znode arms, with one.
func TestAClientsReadsArmForItsHandlers(t *testing.T) {
	clients(t, `client open A
client get A /x
client exists A /x
until idle
expect not watch and not client[A].sees[/x].exists and exists(client[A].sees[/x].exists)
client register A node /x
client exists A /x
until idle
expect watch[/x].data
client create A /x one
until idle
expect client[A].heard[/x] = 1 and not client[A].sees[/x].exists
client get A /x
until idle
expect client[A].sees[/x].data = one
client delete A /x
until idle
client get A /x
until idle
expect client[A].heard[/x] = 2 and not exists(client[A].sees[/x].data)
`)
}

// A silent client's znodes go when its session expires, not before; back again it has a new session and no watch.
func TestASilentClientExpires(t *testing.T) {
	r := clients(t, watching+`client create-ephemeral B /e
client create A /d
client create-seq A /d/s-
client set A /p new
until idle
client silent B
clock +17999ms
expect zk[/e]
clock +2s
expect not zk[/e] and not watch[/p]
client create A /p/1
until idle
client back B
until idle
expect handler[B][child:/p] and not watch[/p] and not exists(client[B].heard[/p])
client close A
client close B
until idle
expect not client
expect not handler
expect zk[/d/s-0000000000]
expect zk[/p].data = new
client open A
client get A /p
until idle
expect client[A].sees[/p].data = new
`)
	expired := stepsOf(r, "zk.session.expire")
	require.Len(t, expired, 1)
	silent := stepsOf(r, "zk.session.silent")
	assert.Equal(t, silent[0].VTimeMS+18_000, expired[0].VTimeMS)
}

func TestWhatClientsAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		"client open 7":             `"7" cannot name a client: letters and digits with a letter first, and not admin`,
		"client open admin":         `"admin" cannot name a client: letters and digits with a letter first, and not admin`,
		"client open A":             "client A is open already; close it first",
		"client get B /x":           "no client B is open; open are [A]; write client open B",
		"client back A":             "client A is not silent",
		"client register A data /x": `"data" cannot be watched; write children or node`,
	} {
		r, err := run.Start(run.Inputs{Name: "c", Script: "cluster brokers=none\nclient open A\n" + line}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
		require.NoError(t, err)
		assert.EqualError(t, r.Finish(), "c:3: "+line+": "+want)
		require.NoError(t, r.Close())
	}
}
