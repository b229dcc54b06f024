package script

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func FuzzExpr(f *testing.F) {
	for _, text := range []string{
		"ctx[0].epoch = 2 and not zk[/controller]", "count(zk[/a]) >= 1 or exists(step.args.x)", `"a" in [1,"b",[none]]`,
		"before.ctx[0].epoch != after.ctx[0].epoch", "step.kind = zk.create", `zk[/a\]b].data.x.0 contains é`, "not (1 < 2.5)",
	} {
		f.Add(text)
	}
	m := moment()
	f.Fuzz(func(t *testing.T, in string) {
		e, err := ParseExpr(in)
		if err != nil {
			assert.NotEmpty(t, err.Error())
			return
		}
		again, err := ParseExpr(e.String())
		if assert.NoError(t, err, "%q from %q", e.String(), in) {
			assert.Equal(t, e.String(), again.String())
			assert.Equal(t, e.True(m), again.True(m))
		}
	})
}

func BenchmarkTrue(b *testing.B) {
	e, err := ParseExpr("ctx[0].epoch = 2 and zk[/controller].data.brokerid = 2 and step.kind = zk.create")
	require.NoError(b, err)
	m := moment()
	for b.Loop() {
		e.True(m)
	}
}
