package measure

import (
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlayed(t *testing.T) {
	p := Played{Frames: []float64{16, 17, 17, 50}}
	assert.Equal(t, 40.0, p.PerSecond(), "four frames in 100 ms")
	assert.Equal(t, 25.0, p.Missed(), "one of four")
	assert.Zero(t, Played{}.PerSecond())
	assert.Zero(t, Played{}.Missed())
	assert.Equal(t, 1, Over([]float64{49, 50, 51}, 50))
}

// TestMainTasks: of all that Chromium traces only the tasks of the page's main thread count, by what a processor worked.
func TestMainTasks(t *testing.T) {
	var raw []json.RawMessage
	for _, text := range []string{
		`{"name":"RunTask","pid":1,"tid":7,"dur":90000,"tdur":12500}`,
		`{"name":"thread_name","ph":"M","pid":1,"tid":7,"args":{"name":"CrRendererMain"}}`,
		`{"name":"RunTask","pid":1,"tid":8,"dur":5,"tdur":5}`,
		`{"name":"thread_name","ph":"M","pid":1,"tid":8,"args":{"name":"Compositor"}}`,
		`{"name":"RunTask","pid":2,"tid":7,"dur":5,"tdur":5}`,
		`{"name":"num_cpus","pid":1,"tid":0,"args":{"name":"x","number":2}}`,
		`{"name":"Layout","pid":1,"tid":7,"dur":5,"tdur":5,"args":{"beginData":{}}}`,
		`{"name":"RunTask","pid":1,"tid":7,"dur":1,"tdur":250}`,
	} {
		raw = append(raw, json.RawMessage(text))
	}
	got, err := mainTasks(raw)
	require.NoError(t, err)
	assert.Equal(t, []float64{12.5, 0.25}, got)
	_, err = mainTasks([]json.RawMessage{json.RawMessage(`{`)})
	assert.Error(t, err)
}

func TestPlaces(t *testing.T) {
	assert.Equal(t, []float64{0, 0.5, 1, 0.5}, sweep(4))
	for i, at := range jumps(100) {
		assert.True(t, at >= 0 && at < 1, "place %d is %f", i, at)
	}
}

// TestLargeWorld has the size that its name says, and more steps than one scrubs over.
func TestLargeWorld(t *testing.T) {
	tr, err := record(LargeWorld())
	require.NoError(t, err)
	require.Greater(t, len(tr.Steps), 1000)
	assert.Equal(t, LargeBrokers, len(tr.Initial.Names("broker")))
	assert.Equal(t, LargePartitions, len(tr.Initial.Names("ctx", "0", "partitionStates")))
	assert.Equal(t, 3*LargePartitions, len(tr.Initial.Names("ctx", "0", "replicaStates")))
	assert.NotZero(t, heaviest(tr))
}

// TestLink carries set-up and script as the sandbox reads them.
func TestLink(t *testing.T) {
	in := LargeWorld()
	got, err := link(in)
	require.NoError(t, err)
	head, packed, found := strings.Cut(got, "&k=")
	require.True(t, found)
	assert.Equal(t, "#v=1&seed=1", head)
	data, err := base64.RawURLEncoding.DecodeString(packed)
	require.NoError(t, err)
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(string(data))))
	require.NoError(t, err)
	var texts []string
	require.NoError(t, json.Unmarshal(text, &texts))
	assert.Equal(t, []string{in.Setup, in.Script}, texts)
}
