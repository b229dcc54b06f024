package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAVersionIsWhatTheProgramSaysNotWhatItComplainsOf(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, c := range []struct{ name, body, want, fails string }{
		{"wrapped", "echo '9: unexpected operator' >&2; echo Program 1.2", "Program 1.2", ""},
		{"aside", "echo version 17 >&2; echo more >&2", "version 17", ""},
		{"broken", "echo half; echo no such library >&2; exit 7", "", "broken --version: exit status 7: no such library"},
		{"", "", "", "there is no nosuch on the PATH"},
	} {
		name := c.name
		if name == "" {
			name = "nosuch"
		} else {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+c.body+"\n"), 0o755))
		}
		found, err := version(name, "--version")()
		assert.Equal(t, c.want, found, name)
		if c.fails != "" {
			assert.EqualError(t, err, c.fails)
		} else {
			assert.NoError(t, err, name)
		}
	}
}
