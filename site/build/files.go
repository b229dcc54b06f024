package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"controllerscope/site/serve"
)

// siteFolder collects what is written; the first failure stays in err.
type siteFolder struct {
	dir   string
	files []string
	sums  map[string][]byte // a hash of each file's content
	err   error
}

// write puts a file at its path below the folder.
func (s *siteFolder) write(name string, data []byte) {
	if s.err != nil {
		return
	}
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if s.err = os.MkdirAll(filepath.Dir(file), 0o755); s.err == nil {
		s.err = os.WriteFile(file, data, 0o644)
	}
	s.files = append(s.files, name)
	if s.sums == nil {
		s.sums = map[string][]byte{}
	}
	sum := sha256.Sum256(data)
	s.sums[name] = sum[:]
}

// hashed writes a file under a/ with a hash of its content in its name, and returns that name.
func (s *siteFolder) hashed(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := filepath.Ext(name)
	full := "a/" + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
	s.write(full, data)
	return full
}

// pack writes .gz and .br beside every file that gains by it.
func (s *siteFolder) pack() {
	for _, name := range s.files {
		if s.err != nil {
			return
		}
		file := filepath.Join(s.dir, filepath.FromSlash(name))
		data, err := os.ReadFile(file)
		if err != nil {
			s.err = err
			return
		}
		var gz bytes.Buffer
		g, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression)
		g.Write(data)
		g.Close()
		for ext, packed := range map[string][]byte{".gz": gz.Bytes(), ".br": serve.Pack(data)} {
			if len(packed) < len(data) && s.err == nil {
				s.err = os.WriteFile(file+ext, packed, 0o644)
			}
		}
	}
}
