package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypesAreFresh fails when a Go struct of the trace changed and the page's types did not.
func TestTypesAreFresh(t *testing.T) {
	want, err := types()
	require.NoError(t, err)
	have, err := os.ReadFile("../" + typesFile)
	require.NoError(t, err)
	require.Equal(t, string(want), string(have), "run: go run ./site/build -types")
}
