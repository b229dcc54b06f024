package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"controllerscope/site/inside"
	"controllerscope/site/serve"
)

// serveCommand hands out the built site until it is interrupted.
func serveCommand(args []string, out, errw io.Writer) int {
	f := newFlags("serve", errw)
	dir := f.String("dir", "", "the built site, a `folder`; without it the site inside this program, or site/dist")
	port := f.Int("port", 8080, "`port`; another free one when it is taken")
	lan := f.Bool("lan", false, "also for other machines of the local network")
	rest, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	switch {
	case len(rest) > 0:
		return fail(errw, exitUsage, "serve takes no arguments, only flags; got %q", rest[0])
	case *port < 0 || *port > 65535:
		return fail(errw, exitUsage, "--port %d is no port; choose one from 0 (any free one) to 65535", *port)
	}
	site, err := siteOf(*dir)
	if err != nil {
		return fail(errw, exitEnvironment, "%v", err)
	}
	l, note, err := serve.Listen(*port, *lan)
	if err != nil {
		return fail(errw, exitEnvironment, "no port can be opened: %v", err)
	}
	if note != "" {
		fmt.Fprintln(errw, note)
	}
	for _, a := range serve.Addresses(l, *lan) {
		fmt.Fprintln(out, a)
	}
	fmt.Fprintln(errw, "Ctrl+C ends it.")
	return serveUntil(l, site, interrupted(), errw)
}

// siteOf is the site of a folder; without one that inside this program, else the folder that make site fills.
func siteOf(dir string) (fs.FS, error) {
	if dir == "" {
		if site, err := inside.Site(); site != nil || err != nil {
			return site, err
		}
		dir = "site/dist"
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return nil, fmt.Errorf("%s holds no built site; run: make site", dir)
	}
	return os.DirFS(dir), nil
}

func interrupted() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	return c
}

// serveUntil serves until the first signal.
func serveUntil(l net.Listener, site fs.FS, end <-chan os.Signal, errw io.Writer) int {
	server := &http.Server{Handler: serve.Handler(site)}
	go func() {
		<-end
		server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fail(errw, exitEnvironment, "serving ended: %v", err)
	}
	return exitOK
}
