package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
	"controllerscope/core/zk/zktree"
)

// dumpCommand prints the tree of any ZooKeeper as text. It only reads. Secrets that Kafka keeps there are left out.
func dumpCommand(args []string, out, errw io.Writer) int {
	var server, file string
	f := newFlags("dump", errw)
	f.StringVar(&server, "zk", "", "the ZooKeeper: `HOST:PORT[,HOST:PORT…][/CHROOT]`; without a chroot the whole tree")
	f.StringVar(&file, "o", "", "write to `FILE` instead of standard output")
	rest, err := parse(f, args)
	switch {
	case err != nil:
		return usage(err)
	case len(rest) > 0 || server == "":
		return fail(errw, exitUsage, "dump takes --zk HOST:PORT/CHROOT and nothing else but -o FILE")
	}
	if !strings.Contains(server, "/") {
		server += "/"
	}
	address, err := zkreal.ParseAddress(server)
	if err == nil {
		err = writable("-o", file)
	}
	if err != nil {
		return fail(errw, exitUsage, "dump: %v", err)
	}
	text, summary, err := dump(address)
	switch {
	case errors.Is(err, zk.NoNode):
		return fail(errw, exitUsage, "dump: %v", err)
	case err != nil:
		return fail(errw, exitEnvironment, "dump: %v", err)
	case file == "":
		_, err = io.WriteString(out, text)
	default:
		err = named("-o", file, writeWhole(file, []byte(text)))
	}
	if err != nil {
		return fail(errw, exitEnvironment, "dump: %v", err)
	}
	fmt.Fprintln(errw, summary)
	return exitOK
}

// dump reads the tree; the summary says how much it holds and what was left out.
func dump(a zkreal.Address) (text, summary string, err error) {
	var tree zktree.Tree
	redacted, owned := 0, 0
	hidden, err := zkreal.Visit(a, nil, func(path string, data []byte, stat zk.Stat) {
		n := zktree.Node(path, data, stat)
		if zktree.Redact(&n) {
			redacted++
		}
		if n.Owner != 0 {
			owned++
		}
		tree = append(tree, n)
	})
	if err != nil {
		return "", "", err
	}
	text = tree.String()
	for _, path := range hidden {
		text += "# " + path + ": its ACL lets nobody read it; the data is left out\n"
	}
	return text, fmt.Sprintf("%d nodes of %s, %d of them ephemeral; secrets left out of %d, %d not readable", len(tree), a, owned,
		redacted, len(hidden)), nil
}
