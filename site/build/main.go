// Command build makes the static site: it bundles site/src and site/css, records every lesson with the core, writes one
// page per lesson and language, and packs everything into site/dist with hashed names, .gz and .br.
//
//	go run ./site/build            build site/dist
//	go run ./site/build -types     write the page's types of a trace
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"controllerscope/wasm/measure"
)

func main() {
	site := flag.String("site", "site", "the site's `folder`")
	out := flag.String("out", "", "`folder` to write (default site/dist)")
	wasm := flag.String("wasm", "", "the compiled core, a `file`; made when none is given")
	only := flag.Bool("types", false, "only write "+typesFile)
	fast := flag.Bool("fast", false, "do not pack (for work on the pages)")
	base := flag.String("base", "/", "the `path` of the site's root on its host; only the page for wrong addresses needs it")
	flag.Parse()
	if *out == "" {
		*out = filepath.Join(*site, "dist")
	}
	err := writeTypes(*site)
	if err == nil && !*only {
		err = buildAll(options{*site, *out, *wasm, *base, !*fast})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site/build:", err)
		os.Exit(1)
	}
}

func writeTypes(site string) error {
	text, err := types()
	if err != nil {
		return err
	}
	file := filepath.Join(site, typesFile)
	if have, err := os.ReadFile(file); err == nil && string(have) == string(text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// options say what to build from what.
type options struct {
	site, out, wasm string
	base            string // the path of the site's root on its host, with a slash at both ends
	pack            bool
}

// buildAll builds the site with the given core, or makes the core first.
func buildAll(o options) error {
	if !strings.HasPrefix(o.base, "/") || !strings.HasSuffix(o.base, "/") {
		return fmt.Errorf("-base %s: a path with a slash at both ends is wanted, such as /kafka/", o.base)
	}
	if o.wasm == "" {
		folder, err := os.MkdirTemp("", "controllerscope-core-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if o.wasm, err = measure.Build(context.Background(), "controllerscope/wasm", folder); err != nil {
			return err
		}
	}
	return build(o)
}

// build writes the whole site beside out and puts it in out's place when all went well.
func build(o options) error {
	next := filepath.Clean(o.out) + ".next"
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := write(&siteFolder{dir: next}, o); err != nil {
		os.RemoveAll(next)
		return err
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	return os.Rename(next, o.out)
}

func write(s *siteFolder, o options) error {
	assets, err := bundle(o.site, s)
	if err != nil {
		return err
	}
	core, err := os.ReadFile(o.wasm)
	if err != nil {
		return fmt.Errorf("the core: %w", err)
	}
	assets.Wasm = s.hashed("core.wasm", core)
	icon, err := os.ReadFile(filepath.Join(o.site, "icon.svg"))
	if err != nil {
		return err
	}
	s.write("icon.svg", icon)
	if err := pages(s, assets, o); err != nil {
		return err
	}
	s.offline(assets.offline)
	if o.pack {
		s.pack()
	}
	return s.err
}
