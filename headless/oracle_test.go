package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOracleSaysWhatIsMissing(t *testing.T) {
	module := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module oracle\n"), 0o644))
	for _, c := range []struct {
		path string
		args []string
		want string
	}{
		{"", nil, "oracle: say where the recorder is: make oracle ORACLE=DIR, or headless oracle --recorder DIR"},
		{"", []string{"--recorder", "nowhere"}, "oracle: nowhere is not the recorder's folder: it has no go.mod; give its DIR by ORACLE=DIR"},
		{t.TempDir(), []string{"--recorder", module}, "oracle: the recorder runs a real Kafka and needs Java 11 or later: java is not on the PATH; install it and try again"},
	} {
		t.Setenv("ORACLE", "")
		t.Setenv("PATH", c.path)
		var out, errw bytes.Buffer
		require.Equal(t, exitUsage, oracleCommand(c.args, &out, &errw))
		require.Contains(t, errw.String(), c.want)
	}
}

func TestRecorderArgs(t *testing.T) {
	require.Equal(t, []string{"run", ".", "-slot", "2", "-o", "/out", "/a.yaml"}, recorderArgs(2, 0, "/out", []string{"/a.yaml"}))
	require.Equal(t, []string{"run", ".", "-slot", "2", "-o", "/out", "-quiet", "4000", "/a.yaml"}, recorderArgs(2, 4000, "/out", []string{"/a.yaml"}))
}

// Every script that is marked has its recording beside it, so that nobody need run the recorder to compare.
func TestMarkedScripts(t *testing.T) {
	scripts, err := markedScripts([]string{"conform/kafkaplay/testdata/oracle"})
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(scripts), 25)
	for _, s := range scripts {
		require.FileExists(t, s[:len(s)-len(".yaml")]+".json.gz")
	}
	_, err = markedScripts([]string{"testdata"})
	require.ErrorContains(t, err, "carries oracle: true")
}
