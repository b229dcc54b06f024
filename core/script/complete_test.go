package script

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHelp(t *testing.T) {
	help := Help()
	for _, v := range Verbs() {
		assert.NotEmpty(t, v.About)
		assert.Contains(t, help, v.Usage()+"\n    "+v.About+"\n")
	}
	assert.Contains(t, help, "alterisr TO FROM T-P LEADER-EPOCH ZK-VERSION [isr] [Ei.n]\n")
	assert.Contains(t, help, "reassign T-P [ids] ...\n")
}

func TestComplete(t *testing.T) {
	values := func(k Kind) []string {
		return map[Kind][]string{Broker: {"1", "2"}, Partition: {"orders-0", "t-0"}}[k]
	}
	for in, want := range map[string][]string{
		"bro":                      {"broker"},
		"broker s":                 {"set-listener", "start", "stop"},
		"broker start ":            {"1", "2"},
		"broker start 1 ":          nil,
		"re":                       {"reassign", "release", "request"},
		"reassign ":                {"cancel", "orders-0", "t-0"},
		"reassign cancel o":        {"orders-0"},
		"reassign t-0 [1] ":        {"orders-0", "t-0"},
		"elect preferred ":         {"*", "orders-0", "t-0"},
		"topic create t 2x3 ":      {"config"},
		"topic create t 2x3 con":   {"config"},
		"guard.x ":                 {"off", "on"},
		"until i":                  {"idle"},
		"until ctx[0].epoch = 1 a": {"and"},
		"expect not zk":            {"zk"},
		"config set t":             {"topics/"},
		"broker oops ":             nil,
		"broker start x ":          nil,
		"# bro":                    nil,
	} {
		assert.Equal(t, want, Complete(in, values), in)
	}
	assert.Len(t, Complete("", nil), 33)
	assert.Contains(t, Complete("until zx", nil), "zxid")
}
