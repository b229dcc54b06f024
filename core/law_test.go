package core_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// law says which core packages a core package may import, besides nothing. Downwards it is the reading order.
var law = map[string]string{
	"jsonvalue":       "",
	"kafka":           "",
	"env":             "kafka",
	"zk":              "",
	"zk/zkmem":        "zk",
	"zk/jute":         "zk",
	"zk/zktest":       "zk",
	"zk/zktest/drawn": "zk/zktest",
	"zk/zktree":       "zk",
	"zk/zkreal":       "zk zk/zkmem zk/jute",
	"zkdata":          "kafka jsonvalue",
	"zkclient":        "kafka zk zkdata env",
	"election":        "kafka",
	"request":         "kafka env",
	"controller":      "kafka env election zk zkdata zkclient request",
	"dynconfig":       "kafka env zk zkdata zkclient jsonvalue",
	"broker":          "kafka env zk zkdata zkclient request dynconfig",
	"admin":           "kafka env zk zkdata zkclient request dynconfig jsonvalue",
	"server":          "controller broker dynconfig admin request zk zkclient zkdata env kafka",
	"trace":           "kafka env jsonvalue",
	"sim":             "kafka env zk zkdata zkclient election request controller dynconfig broker admin server trace",
	"view":            "kafka env trace zkdata jsonvalue",
	"script":          "jsonvalue",
	"run":             "script trace sim view zk zk/zktree kafka env request broker server controller zkclient dynconfig admin zkdata jsonvalue",
	"exercise":        "kafka jsonvalue script run trace zk",
	"lesson":          "script run trace exercise",
	"cases":           "kafka env election zk zk/zkmem zkdata zkclient request controller dynconfig broker admin server trace sim view script run",
}

// banned imports in core, zkreal excepted; the value says what to use instead.
var banned = map[string]string{
	"time": "env.Env's clock", "math/rand": "the world's dice", "math/rand/v2": "the world's dice", "sync": "nothing: one coroutine runs at a time",
	"sync/atomic": "nothing: one coroutine runs at a time", "os": "what the caller hands in", "net": "request.Net", "log": "notes", "log/slog": "notes",
}

// heavy are packages that core.wasm is to be without, with what is used instead. Whoever does not end up in it may import them.
var (
	heavy   = map[string]string{"encoding/json": "core/jsonvalue", "regexp": "package strings", "text/template": "package strings"}
	outside = []string{"lesson", "cases", "zk/zkreal", "zk/zktest", "zk/zktest/drawn"}
	// unreached are files of packages in core.wasm whose functions are not.
	unreached = []string{"trace/read.go", "trace/pack.go", "trace/values.go", "trace/trace.go", "zk/zktree/redact.go"}
)

// TestImportLaw walks every non-test file of core, without regard to build tags, so that it speaks for every GOOS.
func TestImportLaw(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			return nil
		}
		allowed, known := law[pkg]
		require.True(t, known, "%s: package %s is not in the import law", path, pkg)
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			name := strings.Trim(i.Path.Value, `"`)
			if inside, ok := strings.CutPrefix(name, "controllerscope/core/"); ok {
				require.Contains(t, strings.Fields(allowed), inside, "%s: %s may not import %s", path, pkg, inside)
				continue
			}
			require.False(t, strings.HasPrefix(name, "controllerscope/"), "%s: core imports %s, which is outside", path, name)
			if instead, bad := banned[name]; bad && pkg != "zk/zkreal" {
				require.Fail(t, path+" imports "+name+"; use "+instead)
			}
			if instead, weighs := heavy[name]; weighs && !slices.Contains(outside, pkg) && !slices.Contains(unreached, filepath.ToSlash(path)) {
				require.Fail(t, path+" imports "+name+", which makes core.wasm a tenth larger; use "+instead)
			}
			if strings.HasPrefix(name, "github.com/go-zookeeper/") {
				require.Equal(t, "zk/zkreal", pkg, "%s: only zkreal may import %s", path, name)
			}
		}
		return nil
	})
	require.NoError(t, err)
}

// TestLawIsAcyclic proves that the law itself runs one way.
func TestLawIsAcyclic(t *testing.T) {
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		require.NotContains(t, above, pkg, "the law has a cycle: %v", above)
		for _, next := range strings.Fields(law[pkg]) {
			require.Contains(t, law, next)
			visit(next, append(slices.Clone(above), pkg))
		}
	}
	for pkg := range law {
		visit(pkg, nil)
	}
}
