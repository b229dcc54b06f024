package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/controller"
	"controllerscope/core/dynconfig"
	"controllerscope/core/env"
	"controllerscope/core/sim"
	"controllerscope/core/zkclient"
)

// TestPseudoNamesRealMessages: every mark of a line is a message of the core, every function stands in a known file of
// Kafka's, and both languages say something on every line.
func TestPseudoNamesRealMessages(t *testing.T) {
	known := map[string]bool{}
	for _, list := range [][]env.Message{controller.Messages, dynconfig.Messages, sim.Messages, zkclient.Messages} {
		for _, m := range list {
			known[m.Key] = true
		}
	}
	file, err := readPseudo("..")
	require.NoError(t, err)
	require.Len(t, file, 12)
	for _, f := range file {
		_, ok := addressOf(f.Kafka)
		require.True(t, ok, f.Kafka)
		require.True(t, len(f.Lines) >= 4 && len(f.Lines) <= 20, "%s has %d lines", f.Kafka, len(f.Lines))
		marked := 0
		for _, l := range f.Lines {
			require.NotEmpty(t, l.En, f.Kafka)
			require.NotEmpty(t, l.Zh, f.Kafka)
			for _, key := range l.At {
				require.True(t, known[key], "%s: %s is no message", f.Kafka, key)
				marked++
			}
		}
		require.Positive(t, marked, "%s: no step leads to it", f.Kafka)
	}
}

// TestEveryMessageHasItsFunction cuts the function of every message of these packages out of its file.
func TestEveryMessageHasItsFunction(t *testing.T) {
	s := &sources{"../..", map[string]map[string]goFunction{}}
	found := 0
	for _, m := range append(append([]env.Message{}, controller.Messages...), dynconfig.Messages...) {
		f, err := s.function(m.Src)
		require.NoError(t, err, m.Key)
		require.True(t, strings.HasPrefix(f.File, "core/"), f.File)
		require.Contains(t, f.Text, "func (", m.Src)
		require.Contains(t, f.Text, m.Src[strings.LastIndex(m.Src, ".")+1:]+"(")
		if len(f.mentions(m.Key)) > 0 {
			found++
		}
	}
	require.Greater(t, found, 60, "functions whose line is known")
	_, err := s.function("controller.(*Controller).absent")
	require.EqualError(t, err, "core/controller has no function (*Controller).absent")
	_, err = s.function("controller")
	require.EqualError(t, err, `src "controller" is no function; write PACKAGE.FUNCTION or PACKAGE.(*TYPE).METHOD`)
	f, err := s.function("controller.(*Controller).elect")
	require.NoError(t, err)
	lines := strings.Split(f.Text, "\n")
	for _, n := range f.mentions("elect.taken") {
		require.Contains(t, lines[n], `"elect.taken"`)
	}
	require.Len(t, f.mentions("elect.taken"), 1)
}

// TestInvariantsInBothLanguages has a sentence for each, and no other.
func TestInvariantsInBothLanguages(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		list, err := invariants("..", lang)
		require.NoError(t, err)
		require.Len(t, list, len(sim.Invariants()))
		for i, x := range list {
			require.Equal(t, sim.Invariants()[i].Name, x.Name)
			require.Equal(t, sim.Invariants()[i].Settled, x.Settled)
		}
	}
}

func TestAddressOf(t *testing.T) {
	a, ok := addressOf("KafkaController.elect")
	require.True(t, ok)
	require.Equal(t, "https://github.com/apache/kafka/blob/2.8.2/core/src/main/scala/kafka/controller/KafkaController.scala", a.URL)
	_, ok = addressOf("")
	require.False(t, ok)
}
