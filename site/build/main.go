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

	"controllerscope/wasm/measure"
)

func main() {
	site := flag.String("site", "site", "the site's `folder`")
	out := flag.String("out", "", "`folder` to write (default site/dist)")
	wasm := flag.String("wasm", "", "the compiled core, a `file`; made when none is given")
	only := flag.Bool("types", false, "only write "+typesFile)
	fast := flag.Bool("fast", false, "do not pack (for work on the pages)")
	flag.Parse()
	if *out == "" {
		*out = filepath.Join(*site, "dist")
	}
	err := writeTypes(*site)
	if err == nil && !*only {
		err = buildAll(*site, *out, *wasm, !*fast)
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

// buildAll builds the site with this core, or makes the core first.
func buildAll(site, out, wasm string, pack bool) error {
	if wasm == "" {
		folder, err := os.MkdirTemp("", "controllerscope-core-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if wasm, err = measure.Build(context.Background(), "controllerscope/wasm", folder); err != nil {
			return err
		}
	}
	return build(site, out, wasm, pack)
}

// build writes the whole site beside out and puts it in out's place when all went well.
func build(site, out, wasm string, pack bool) error {
	next := filepath.Clean(out) + ".next"
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := write(&siteFolder{dir: next}, site, wasm, pack); err != nil {
		os.RemoveAll(next)
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	return os.Rename(next, out)
}

func write(s *siteFolder, site, wasm string, pack bool) error {
	assets, err := bundle(site, s)
	if err != nil {
		return err
	}
	core, err := os.ReadFile(wasm)
	if err != nil {
		return fmt.Errorf("the core: %w", err)
	}
	assets.Wasm = s.hashed("core.wasm", core)
	icon, err := os.ReadFile(filepath.Join(site, "icon.svg"))
	if err != nil {
		return err
	}
	s.write("icon.svg", icon)
	if err := pages(s, assets, site); err != nil {
		return err
	}
	s.offline(assets.offline)
	if pack {
		s.pack()
	}
	return s.err
}
