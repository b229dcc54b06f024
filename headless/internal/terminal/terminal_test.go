package terminal

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatWouldMoveATerminalIsWrittenOut(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":        "plain\ttext\n",
		"名字，\u3000€ é\u00a0\n": "名字，\u3000€ é\u00a0\n",
		"a\x00b\x1b[2Jc\r":     `a\x00b\x1b[2Jc\x0d`,
		"\u009b1m\u202eabc":    `\u009b1m\u202eabc`,
		"\ufffd\xff\xfe":       "\ufffd" + `\xff\xfe`,
	} {
		assert.Equal(t, want, Text(in))
		var b bytes.Buffer
		n, err := fmt.Fprint(Messages(&b), in)
		require.NoError(t, err)
		assert.Equal(t, len(in), n)
		assert.Equal(t, want, b.String())
	}
}

func TestProgressIsOnlyForTerminals(t *testing.T) {
	var b bytes.Buffer
	Progress(&b, "1 of 2", false)
	Progress(Messages(&b), "1 of 2", true)
	assert.Empty(t, b.String())
}
