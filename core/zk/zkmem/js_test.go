//go:build !js

package zkmem

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnderJS compares emulator and model on random histories in a build for the browser, under Node.
func TestUnderJS(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped 1: -short leaves out the build for GOOS=js")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped 1: there is no node on the PATH to run a build for GOOS=js")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	wrapper := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	if _, err := os.Stat(wrapper); err != nil || runtime.GOOS == "windows" {
		t.Skipf("skipped 1: there is no %s to run a build for GOOS=js", wrapper)
	}
	cmd := exec.Command("go", "test", "-exec", wrapper, "-run", "TestSeededHistories|TestRandomHistories$|TestRecordedCases|TestModelPlays|FuzzHistories", "-short", ".")
	// Node's arguments and environment have to fit into the 12 KiB that Go's glue has for them.
	cmd.Env = append([]string{"GOOS=js", "GOARCH=wasm"}, keep("PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "TMPDIR")...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "ok")
}

// keep is a part of the environment.
func keep(names ...string) (out []string) {
	for _, name := range names {
		if value, set := os.LookupEnv(name); set {
			out = append(out, name+"="+value)
		}
	}
	return out
}
