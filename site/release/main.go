// Command release makes what is given to others, into out/release: one program per system with the site inside, the site as
// a zip, and SHA256SUMS. It takes the built site from site/dist (make site).
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// systems are those that programs are made for: GOOS/GOARCH.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	site := flag.String("site", "site/dist", "the built site, a `folder`")
	out := flag.String("out", "out/release", "`folder` to write")
	only := flag.String("only", "", "only these `systems`, such as linux/amd64, separated by commas")
	flag.Parse()
	if *only != "" {
		systems = strings.Split(*only, ",")
	}
	if err := release(os.DirFS(*site), *out); err != nil {
		fmt.Fprintln(os.Stderr, "site/release:", err)
		os.Exit(1)
	}
}

func release(site fs.FS, out string) error {
	if _, err := fs.Stat(site, "index.html"); err != nil {
		return fmt.Errorf("there is no built site; run: make site")
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := pack(&packed, site); err != nil {
		return err
	}
	inside := filepath.Join("site", "inside", "site.zip")
	if err := os.WriteFile(inside, packed.Bytes(), 0o644); err != nil {
		return err
	}
	defer os.Remove(inside)
	if err := os.WriteFile(filepath.Join(out, "controllerscope-site.zip"), packed.Bytes(), 0o644); err != nil {
		return err
	}
	for _, s := range systems {
		if err := compile(s, out); err != nil {
			return err
		}
	}
	return sums(out)
}

// pack writes the site as a zip that depends on its files only: sorted, without times. What is packed already is stored.
func pack(w io.Writer, site fs.FS) error {
	var names []string
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(names)
	z := zip.NewWriter(w)
	for _, name := range names {
		data, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		if ext := path.Ext(name); ext == ".br" || ext == ".gz" {
			header.Method = zip.Store
		}
		f, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// compile makes the program for one system.
func compile(system, out string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return fmt.Errorf("%q is no system; write it like linux/amd64", system)
	}
	name := "controllerscope-" + goos + "-" + goarch
	if goos == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags=withsite", "-o", filepath.Join(out, name), "./headless")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", system, err, text)
	}
	return nil
}

// sums writes the checksum of every file, as sha256sum -c reads them.
func sums(out string) error {
	files, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(data), f.Name())
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(text.String()), 0o644)
}
