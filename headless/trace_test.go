package main

import (
	"bytes"
	"compress/gzip"
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
		{"no steps", string(data[:bytes.Index(data, []byte(`"steps"`))]) + `"steps":null}`},
		{"a message gone", strings.Replace(string(data), `"msg":{"key":"admin.broker.start"`, `"msg":{"key":"admin.broker.strat"`, 1)},
		{"a time before the beginning", strings.Replace(string(data), `"vtime_ms":0`, `"vtime_ms":-5`, 1)},
		{"a seed below 0", strings.Replace(string(data), `"seed":1`, `"seed":-1`, 1)},
		{"damaged gzip", string(compressed(t, data)[:100])},
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

func compressed(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// A trace may be compressed with gzip, as recordings of a real Kafka are, whatever it is called.
func TestATraceMayBeCompressed(t *testing.T) {
	plain, told := record(t, start)
	data, err := os.ReadFile(plain)
	require.NoError(t, err)
	packed := file(t, "t.json", string(compressed(t, data)))
	code, out, errw := headless("run", "--trace", packed)
	assert.Equal(t, exitOK, code, errw)
	assert.Equal(t, told, out)
	code, _, errw = headless("diff", plain, packed)
	assert.Equal(t, exitOK, code, errw)
}

func TestADamagedTraceIsToldInASentence(t *testing.T) {
	good, _ := record(t, start)
	data, err := os.ReadFile(good)
	require.NoError(t, err)
	for _, field := range []string{"setup", "script"} {
		was := map[string]string{"setup": `"setup":"`, "script": `"script":"cluster`}[field]
		require.Contains(t, string(data), was)
		bad := file(t, "bad.json", strings.Replace(string(data), was, `"`+field+`":"clutter`, 1))
		code, _, errw := headless("run", "--trace", bad)
		assert.Equal(t, exitUsage, code)
		assert.True(t, strings.HasPrefix(errw, "headless: "+bad+": "+field+":1:1: there is no verb clutter; expected "), errw)
	}
	for name, want := range map[string]string{"": "the file is empty; record the trace again", "\x1f\x8bx": "it is compressed with gzip and damaged: unexpected EOF"} {
		bad := file(t, "bad.json", name)
		code, _, errw := headless("run", "--trace", bad)
		assert.Equal(t, exitUsage, code)
		assert.Equal(t, "headless: "+bad+": "+want+"\n", errw)
	}
}
