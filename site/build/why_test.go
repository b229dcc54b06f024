package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"

	"controllerscope/core/trace"
	"controllerscope/wasm/measure"
)

// TestPagesAnswerWhyAsTheCore asks page and core where values come from, in every lesson: for each change of every seventh
// step the same steps must be named.
func TestPagesAnswerWhyAsTheCore(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Node")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{ResolveDir: root, Loader: api.LoaderTS, Contents: `import { readFileSync } from 'node:fs';
			import { readRecording } from './src/record.ts';
			import { whyOf, writerOf } from './src/why.ts';
			for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
				const { trace, asked } = JSON.parse(line);
				const r = readRecording(JSON.stringify(trace));
				console.log(JSON.stringify(asked.map(([path, at]) => whyOf(r, writerOf(r, path, at), path).map((s) => s.i))));
			}`},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Platform: api.PlatformNode,
	})
	require.Empty(t, result.Errors)
	file := filepath.Join(t.TempDir(), "why.mjs")
	require.NoError(t, os.WriteFile(file, result.OutputFiles[0].Contents, 0o600))
	runs, err := measure.LessonRuns()
	require.NoError(t, err)
	var in bytes.Buffer
	var want []string
	for _, lessonRun := range runs {
		_, full, err := measure.Record(lessonRun)
		require.NoError(t, err)
		tr, err := trace.Read(lessonRun.Name, full)
		require.NoError(t, err)
		asked, answers := [][2]any{}, [][]int{}
		for i := 0; i < len(tr.Steps); i += 7 {
			for _, d := range tr.Steps[i].Diff {
				if d.Path[0] == "view" {
					continue
				}
				steps := []int{}
				for _, l := range trace.Why(tr, d.Path, i) {
					steps = append(steps, l.Step.I)
				}
				asked, answers = append(asked, [2]any{d.Path, i}), append(answers, steps)
			}
		}
		question, err := json.Marshal(map[string]any{"trace": json.RawMessage(full), "asked": asked})
		require.NoError(t, err)
		in.Write(append(question, '\n'))
		text, err := json.Marshal(answers)
		require.NoError(t, err)
		want = append(want, string(text))
	}
	cmd := exec.Command("node", file)
	cmd.Stdin = &in
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, want, strings.Split(strings.TrimSpace(string(out)), "\n"))
}
