package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
	"controllerscope/core/trace"
	"controllerscope/wasm/measure"
)

// readByPage gives traces, one a line, to the page's own reader, and returns what it made of each.
func readByPage(t *testing.T, traces ...[]byte) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Node")
	}
	if _, err := exec.LookPath("node"); err != nil {
		require.NoError(t, measure.ErrNoNode)
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{ResolveDir: root, Loader: api.LoaderTS, Contents: `import { readFileSync } from 'node:fs';
			import { readRecording } from './src/record.ts';
			import { useWords } from './src/i18n.ts';
			useWords('en', { badTrace: '{why}', damaged: 'step {n}' }, {});
			for (const line of readFileSync(0, 'utf8').split('\n')) {
				try { console.log(JSON.stringify(readRecording(line).trace)); } catch (e) { console.log(e.message); }
			}`},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Platform: api.PlatformNode,
	})
	require.Empty(t, result.Errors)
	file := filepath.Join(t.TempDir(), "unpack.mjs")
	require.NoError(t, os.WriteFile(file, result.OutputFiles[0].Contents, 0o600))
	cmd := exec.Command("node", file)
	cmd.Stdin = bytes.NewReader(bytes.Join(traces, []byte("\n")))
	out, err := cmd.Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestPagesReadBothForms holds the page's reader to the core's, for every recording of every lesson and for every kind of
// value, packed and in full.
func TestPagesReadBothForms(t *testing.T) {
	runs, err := measure.LessonRuns()
	require.NoError(t, err)
	var all []*trace.Trace
	for _, in := range runs {
		_, full, err := measure.Record(in)
		require.NoError(t, err)
		tr, err := trace.Read(in.Name, full)
		require.NoError(t, err)
		all = append(all, tr)
	}
	all = append(all, everyValue())
	var forms [][]byte
	for _, tr := range all {
		forms = append(forms, tr.Pack(), tr.JSON())
	}
	for i, text := range readByPage(t, forms...) {
		require.JSONEq(t, string(all[i/2].JSON()), text)
	}
}

// everyValue is a trace in which leaves of all types are there from the start, come and go.
func everyValue() *trace.Trace {
	r := trace.NewRecorder()
	for _, name := range []string{"list", "__proto__", "10", "9"} {
		r.Begin(env.Set([]any{[]any{}, int64(1), "é\n"}, "start", name), env.Set(env.Record{env.A("a", env.Record{})}, name, "record"))
	}
	for _, v := range []any{"", int64(-7), false, []any{}, env.Record{env.A("k", []any{})}} {
		r.Record(3, "lane", nil, env.Note{Kind: env.CtxSet, Reads: []env.Path{env.P("v", "w")},
			Changes: []env.Change{env.Set(v, "v", "w"), env.Set("then", "v", "w"), env.Unset("start", "10"), env.Set(v, "__proto__", "record")}})
	}
	return r.Trace(trace.Trace{})
}

// TestDamagedPackedTraces: the page's reader names the step that does not fit.
func TestDamagedPackedTraces(t *testing.T) {
	text := string(everyValue().Pack())
	for _, c := range []struct{ old, new string }{
		{`[["start","10"]]`, `[["start","11"]]`},
		{`{"lane":"lane",`, `{"lane":7,`},
		{`"diff":[`, `"diff":[7,`},
	} {
		require.Contains(t, text, c.old)
		damaged := strings.Replace(text, c.old, c.new, 1)
		require.Equal(t, "step 0", readByPage(t, []byte(damaged))[0], "%s", c.new)
	}
}
