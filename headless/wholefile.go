package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// named says which flag's file could not be written. The path in err is that of the temporary file, which says nothing to
// anybody.
func named(flag, file string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, file, err)
	}
	return nil
}

// writeWhole writes a file so that it is there whole or not at all. A link stays a link, and what is no file (/dev/null, a
// pipe) is written to: a rename would put a file in its place.
func writeWhole(file string, data []byte) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, data, 0o644)
	}
	part, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // gone already when the rename worked
	if _, err = part.Write(data); err == nil {
		err = part.Chmod(0o644)
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}
