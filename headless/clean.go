package main

import (
	"fmt"
	"io"

	"controllerscope/core/zk/zkreal"
)

// cleanCommand removes from a ZooKeeper what this program has left there, and nothing else.
func cleanCommand(args []string, out, errw io.Writer) int {
	f := newFlags("clean", errw)
	address := f.String("zk", "", "the ZooKeeper and the chroot to remove: `HOST:PORT[,HOST:PORT…]/CHROOT`")
	rest, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	if *address == "" || len(rest) > 0 {
		return fail(errw, exitUsage, "clean takes --zk HOST:PORT/CHROOT and nothing else")
	}
	a, err := zkreal.ParseAddress(*address)
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	removed, err := zkreal.Clean(a, nil)
	if err != nil {
		return fail(errw, zkExit(err), "%v", err)
	}
	fmt.Fprintf(out, "%d nodes removed from %s\n", removed, *address)
	return exitOK
}
