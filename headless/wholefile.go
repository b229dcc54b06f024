package main

import (
	"errors"
	"fmt"
	"io/fs"
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

// writable says, before any work is done, why a flag's file could not be written when it is over; nothing is changed and
// nothing stays behind. What fails after this (a full disk) is no fault of the flag.
func writable(flag, file string) error {
	if file == "" {
		return nil
	}
	file = linked(file)
	switch info, err := os.Stat(file); {
	case err == nil && info.IsDir():
		return named(flag, file, errors.New("that is a folder; name a file in it"))
	case err == nil && info.Mode()&fs.ModeNamedPipe != 0: // opening it would wait for its reader
		return nil
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err == nil {
			f.Close()
		}
		return named(flag, file, err)
	}
	part, err := partOf(file)
	if err != nil {
		return named(flag, file, err)
	}
	part.Close()
	return named(flag, file, os.Remove(part.Name()))
}

// writeWhole writes a file so that it is there whole or not at all. A link stays a link, and what is no file (/dev/null, a
// pipe) is written to: a rename would put a file in its place.
func writeWhole(file string, data []byte) error {
	file = linked(file)
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, data, 0o644)
	}
	part, err := partOf(file)
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

// linked is the file that a link leads to.
func linked(file string) string {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		return target
	}
	return file
}

// partOf makes the temporary file beside a file.
func partOf(file string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
}
