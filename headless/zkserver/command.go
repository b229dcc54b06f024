package zkserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"controllerscope/core/zk/zkmem"
	"controllerscope/headless/internal/flags"
)

// commandUsage is the whole help.
const commandUsage = `usage: headless zookeeper [--listen host:port] [--tick MS] [--max-session MS] [--extended-types]
Serves the emulator to any ZooKeeper client until interrupted. It starts empty and keeps everything in memory.
`

// Command is headless zookeeper: 0 after an interrupt, 2 usage, 3 if it cannot listen or its store failed.
func Command(args []string, out, errw io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return command(ctx, args, out, errw)
}

// command serves until ctx ends.
func command(ctx context.Context, args []string, out, errw io.Writer) int {
	f := flag.NewFlagSet("zookeeper", flag.ContinueOnError)
	f.SetOutput(errw)
	f.Usage = func() { fmt.Fprint(errw, commandUsage) }
	listen := f.String("listen", "127.0.0.1:2181", "where clients connect")
	tick := f.Int("tick", 2000, "tickTime in ms")
	longest := f.Int("max-session", 0, "maxSessionTimeout in ms, 20 ticks if 0")
	extended := f.Bool("extended-types", false, "allow TTL nodes, as zookeeper.extendedTypesEnabled does")
	rest, err := flags.Parse(f, args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		fmt.Fprintf(errw, "zookeeper: %v\n", err)
		return 2
	}
	if len(rest) > 0 || *tick < 1 || *tick > 1_000_000 || *longest < 0 || *longest > 1_000_000_000 {
		fmt.Fprintf(errw, "zookeeper: no further argument is wanted; --tick is 1 to 1000000 ms, --max-session 0 to 1000000000\n%s", commandUsage)
		return 2
	}
	if *listen == "" {
		fmt.Fprintln(errw, "zookeeper: --listen is empty, which would be any port of every interface; write host:port, or leave it out for 127.0.0.1:2181")
		return 2
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		fmt.Fprintf(errw, "zookeeper: cannot listen: %v; choose another address with --listen\n", err)
		var wrong *net.AddrError // no address at all
		if errors.As(err, &wrong) {
			return 2
		}
		return 3
	}
	s := New(zkmem.New(zkmem.Options{TickMS: int32(*tick), ExtendedTypes: *extended}), Options{TickMS: int32(*tick), MaxSessionMS: int32(*longest)})
	fmt.Fprintf(out, "ZooKeeper %s on %s\n", Version, l.Addr())
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case <-ctx.Done():
	case err = <-done:
	}
	if err = errors.Join(err, s.Close()); err != nil {
		fmt.Fprintf(errw, "zookeeper: %v\n", err)
		return 3
	}
	return 0
}
