//go:build !js

package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoNode says that Node is not there.
var ErrNoNode = errors.New("node is missing: install Node.js 20, it runs the WASM build of the core")

// flags of a release. Without inlining the core is a tenth smaller and as fast as before, but for the runtime: its allocator
// takes a third longer without.
var flags = []string{"-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-gcflags=runtime=", "-gcflags=internal/runtime/...="}

// Build builds one of our packages for GOOS=js as releases are built, and returns the file.
func Build(ctx context.Context, pkg, folder string) (string, error) {
	file := filepath.Join(folder, filepath.Base(pkg)+".wasm")
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build"}, flags...), "-o", file, pkg)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s for WASM: %w\n%s", pkg, err, out)
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if module, err = JoinSegments(module); err != nil {
		return "", fmt.Errorf("%s: %w", pkg, err)
	}
	return file, os.WriteFile(file, module, 0o755)
}

// Node runs a WASM program with Node, as Go's own wrapper does, and returns what it printed.
func Node(ctx context.Context, file string, args ...string) (string, error) {
	if _, err := exec.LookPath("node"); err != nil {
		return "", ErrNoNode
	}
	lib, err := GoLib(ctx)
	if err != nil {
		return "", err
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(lib, "go_js_wasm_exec"), append([]string{file}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s under node: %w\n%s", filepath.Base(file), err, errs.String())
	}
	return out.String(), nil
}

// GoLib is the folder with Go's own JavaScript for WASM.
func GoLib(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm"), nil
}
