package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// record writes the trace of a script.
func record(t *testing.T, script string) (trace, told string) {
	t.Helper()
	trace = filepath.Join(t.TempDir(), "t.json")
	code, out, errw := headless("run", "-f", file(t, "s.txt", script), "--record", trace)
	require.Equal(t, exitOK, code, errw)
	return trace, out
}

func TestARecordedTraceTellsTheSame(t *testing.T) {
	trace, told := record(t, start)
	code, out, errw := headless("run", "--trace", trace)
	assert.Equal(t, exitOK, code, errw)
	assert.Equal(t, told, out)
	others, err := os.ReadDir(filepath.Dir(trace))
	require.NoError(t, err)
	assert.Len(t, others, 1) // no temporary file stays behind
}

func TestTracesThatAgree(t *testing.T) {
	a, told := record(t, start)
	b, _ := record(t, start)
	for _, flags := range [][]string{nil, {"--per-lane"}} {
		code, out, errw := headless(append([]string{"diff", a, b}, flags...)...)
		assert.Equal(t, exitOK, code, errw)
		assert.Equal(t, fmt.Sprintf("the traces agree: %d steps\n", len(lines(told))), out)
	}
}

func TestTracesThatPart(t *testing.T) {
	a, _ := record(t, start)
	b, _ := record(t, "cluster brokers=0,1\nbroker start 1\nuntil idle\n")
	code, out, errw := headless("diff", a, b)
	assert.Equal(t, exitFailed, code, errw)
	assert.Equal(t, "the traces part at admin#1: entity: \"broker 0\" | \"broker 1\"", lines(out)[0])
	assert.Contains(t, out, "\na: #0 0 ms admin#1 admin broker 0: admin.broker.start broker=0")
	assert.Contains(t, out, "\nb: #0 0 ms admin#1 admin broker 1: admin.broker.start broker=1")
}

func TestATraceThatIsDamaged(t *testing.T) {
	good, _ := record(t, start)
	data, err := os.ReadFile(good)
	require.NoError(t, err)
	for _, c := range []struct{ name, text string }{
		{"empty", ""},
		{"cut off", string(data[:len(data)/2])},
		{"no JSON", "a trace"},
		{"another schema", strings.Replace(string(data), `"schema":1`, `"schema":7`, 1)},
		{"a step changed", strings.Replace(string(data), `"after":"connected"`, `"after":"connectde"`, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := file(t, c.name+".json", c.text)
			for _, args := range [][]string{{"run", "--trace", bad}, {"diff", good, bad}} {
				code, out, errw := headless(args...)
				assert.Equal(t, exitUsage, code, "%v: %s", args, out)
				assert.Len(t, lines(errw), 1, errw)
				assert.Contains(t, errw, filepath.Base(bad))
			}
		})
	}
	assert.True(t, bytes.Contains(data, []byte(`"after":"connected"`)))
}
