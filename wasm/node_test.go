//go:build !js

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"controllerscope/wasm/api"
	"controllerscope/wasm/measure"
)

// needNode skips under -short, and fails without Node.
func needNode(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Node and a WASM build")
	}
	if _, err := exec.LookPath("node"); err != nil {
		require.NoError(t, measure.ErrNoNode)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestNativeEqualsWASM compares the traces of all lessons and 50 random scripts, byte for byte.
func TestNativeEqualsWASM(t *testing.T) {
	ctx := needNode(t)
	var native bytes.Buffer
	require.NoError(t, measure.Hashes(50, &native))
	file, err := measure.Build(ctx, "controllerscope/wasm/nodecheck", t.TempDir())
	require.NoError(t, err)
	wasm, err := measure.Node(ctx, file, "hashes", "50")
	require.NoError(t, err)
	require.Greater(t, strings.Count(wasm, "\n"), 52)
	require.Equal(t, native.String(), wasm)
}

// TestTheFourCalls asks the core.wasm of the site what the native API is asked, and gets the same answers.
func TestTheFourCalls(t *testing.T) {
	ctx := needNode(t)
	file, err := measure.Build(ctx, "controllerscope/wasm", t.TempDir())
	require.NoError(t, err)
	runs, err := measure.LessonRuns()
	require.NoError(t, err)
	load, err := json.Marshal(map[string]any{"setup": runs[0].Setup, "script": runs[0].Script, "seed": runs[0].Seed})
	require.NoError(t, err)
	questions := [][2]string{
		{"eval", `{"at":0,"expr":"zk"}`},
		{"load", string(load)},
		{"load", `{"speed":1}`},
		{"choices", `{"at":30}`},
		{"act", `{"base":30,"line":"broker kill 0"}`},
		{"act", `{"base":99999,"line":"until idle"}`},
		{"act", `{"base":30,"line":"broker kil 0"}`},
		{"act", `{"base":20,"line":"until idle"}`},
		{"eval", `{"at":20,"expr":"zk[/controller_epoch].data"}`},
		{"eval", `{"at":20,"expr":"watch[/controller]"}`},
		{"load", `not JSON`},
	}
	native := api.New()
	want := []string{`["act","choices","eval","load"]`}
	var input bytes.Buffer
	for _, q := range questions {
		want = append(want, native.Call(q[0], q[1]))
		line, err := json.Marshal(q)
		require.NoError(t, err)
		fmt.Fprintf(&input, "%s\n", line)
	}
	lib, err := measure.GoLib(ctx)
	require.NoError(t, err)
	cmd := exec.CommandContext(ctx, "node", filepath.Join("testdata", "calls.cjs"), filepath.Join(lib, "wasm_exec.js"), file)
	cmd.Stdin = &input
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	require.Equal(t, len(want), len(got))
	for i := range want {
		require.True(t, want[i] == got[i], "answer %d: native %.300s …, WASM %.300s …", i, want[i], got[i]) // megabytes: no diff
	}
}
