package fidelity

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	root := t.TempDir()
	none, err := Read(root)
	require.NoError(t, err)
	require.Empty(t, none)
	r := Result{Against: "Kafka 2.8.2", Played: "the world", Core: "1.0", Rows: []Row{{Name: "one", Steps: 3, Played: 2, Passed: 1, Failed: 1}}}
	require.NoError(t, Write(root, "b", r))
	require.NoError(t, Write(root, "a", Result{Against: "ZooKeeper"}))
	all, err := Read(root)
	require.NoError(t, err)
	require.Equal(t, []Result{{Against: "ZooKeeper"}, r}, all)
	file := filepath.Join(root, filepath.FromSlash(Folder), "a.json")
	require.NoError(t, os.WriteFile(file, []byte("{"), 0o644))
	_, err = Read(root)
	require.ErrorContains(t, err, "a.json")
	require.ErrorContains(t, err, "delete it and run the tests again")
}
