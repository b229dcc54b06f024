package controller

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every listed key stands in the source of the package, once listed, and names a function of ours.
func TestMessagesAreUsed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var source strings.Builder
	for _, f := range files {
		if f == "messages.go" || strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		source.Write(text)
	}
	seen := map[string]bool{}
	for _, m := range Messages {
		require.False(t, seen[m.Key], m.Key)
		seen[m.Key] = true
		require.Contains(t, source.String(), `"`+m.Key+`"`)
		name := m.Src[strings.LastIndexByte(m.Src, '.')+1:]
		require.Contains(t, source.String(), ") "+name+"(", m.Key)
	}
}
