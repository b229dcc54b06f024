package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
	"controllerscope/core/zk/zkmem"
)

// Every preset runs, and has its words in both languages.
func TestPresetsRun(t *testing.T) {
	presets, err := readPresets("..")
	require.NoError(t, err)
	require.NotEmpty(t, presets)
	words, err := readWords("..", "sandbox.")
	require.NoError(t, err)
	for _, p := range presets {
		t.Run(p.ID, func(t *testing.T) {
			r, err := run.Start(run.Inputs{Name: p.ID, Setup: p.whole(), Script: p.Script, Seed: 1}, run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
			require.NoError(t, err)
			defer r.Close()
			require.NoError(t, r.Finish())
			for lang := range words {
				require.NotEmpty(t, words[lang]["preset."+p.ID], lang)
				require.NotEmpty(t, words[lang]["preset."+p.ID+".about"], lang)
			}
		})
	}
}
