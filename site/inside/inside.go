// Package inside is the site inside a released program. make release puts it there; a program built otherwise has none.
package inside

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
)

// Site is the built site, nil when this program holds none.
func Site() (fs.FS, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("the site in this program: %w; it was built wrong, take another copy", err)
	}
	return files, nil
}
