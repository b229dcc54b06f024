package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"controllerscope/core/kafka"
	"controllerscope/core/zk/zkreal"
	"controllerscope/headless/live"
	"controllerscope/lessons"
)

// maxBrokerID is the highest id that Kafka lets an administrator choose (reserved.broker.max.id).
const maxBrokerID = 1000

// shutdownBackoff is our default of controlled.shutdown.retry.backoff.ms: who stops the whole cluster need not wait 5 s
// for another controller.
const shutdownBackoff = "500"

// clusterFlags are what `headless cluster` takes.
type clusterFlags struct {
	brokers, record, lang string
	config                live.Config
}

// clusterCommand runs live brokers until it is interrupted.
func clusterCommand(args []string, out, errw io.Writer) int {
	ctx, stop := interrupt()
	defer stop()
	return cluster(ctx, args, out, errw)
}

// interrupt is a context that ends with the first interrupt; a second one ends the program at once.
func interrupt() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// cluster runs until ctx ends or no broker is left.
func cluster(ctx context.Context, args []string, out, errw io.Writer) int {
	o, err := parseCluster(args, errw)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		return exitUsage
	}
	sentences, err := lessons.Sentences(o.lang)
	if err != nil {
		return fail(errw, exitUsage, "%v", err)
	}
	r := newReporter(out, sentences, o.lang)
	defer r.close()
	o.config.Hear = r.hear
	if o.record != "" {
		var file *os.File
		defer func() { file.Close() }() // of nil it is an error that says nothing
		o.config.Record = func() (rec *live.Recorder, err error) {
			if file, err = os.Create(o.record); err == nil {
				rec, err = live.NewRecorder(file, o.setup())
			}
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errRecord, named("--record", o.record, err))
			}
			return rec, nil
		}
	}
	c, err := live.Start(o.config)
	if err != nil {
		return fail(errw, clusterCode(err), "%v", err)
	}
	return o.await(ctx, c, errw)
}

// errRecord is wrapped by what keeps a trace from being begun, though its file could be written.
var errRecord = errors.New("the trace cannot be begun")

// clusterCode tells what is missing outside from a configuration that makes no sense.
func clusterCode(err error) int {
	if errors.Is(err, zkreal.ErrServer) || errors.Is(err, live.ErrPort) || errors.Is(err, errRecord) {
		return exitEnvironment
	}
	return exitUsage
}

// await runs the cluster to its end and stops it.
func (o *clusterFlags) await(ctx context.Context, c *live.Cluster, errw io.Writer) int {
	left := make(chan struct{})
	go func() {
		for _, b := range c.Brokers {
			<-b.Ended()
		}
		close(left)
	}()
	select {
	case <-ctx.Done():
	case <-left:
	}
	code := exitOK
	if err := c.Stop(); err != nil {
		code = fail(errw, exitEnvironment, "%v", err)
	} else {
		for i, b := range c.Brokers {
			if why := b.Why(); why != "" {
				code = fail(errw, exitEnvironment, "broker %d ended: %s", o.config.Brokers[i], why)
			}
		}
	}
	if err := c.Recorder.Err(); err != nil {
		code = fail(errw, exitEnvironment, "the trace is incomplete: %v", err)
	}
	return code
}

// setup is what a trace says of how it came about.
func (o *clusterFlags) setup() any {
	return map[string]any{"cluster": map[string]any{"brokers": o.config.Brokers, "zk": o.config.ZK, "props": o.config.Props}}
}

// parseCluster reads the flags; what is wrong has been said.
func parseCluster(args []string, errw io.Writer) (*clusterFlags, error) {
	o := &clusterFlags{config: live.Config{Props: map[string]string{"controlled.shutdown.retry.backoff.ms": shutdownBackoff}}}
	f := newFlags("cluster", errw)
	f.StringVar(&o.brokers, "brokers", "", "the brokers that run here: `ID,ID,…`")
	f.StringVar(&o.config.ZK, "zk", "", "a real ZooKeeper: `HOST:PORT[,HOST:PORT…]/CHROOT`; without it the emulator in this process")
	f.IntVar(&o.config.ListenBase, "listen-base", 0, "broker N listens on 127.0.0.1:`PORT`+N; 0 takes free ports")
	f.StringVar(&o.record, "record", "", "write the trace to `FILE` as it comes, one step a line")
	f.StringVar(&o.lang, "lang", "en", "language: `en|zh`")
	var entries []string
	f.Func("props", "entries of server.properties: `KEY=VALUE` …", func(entry string) error { entries = append(entries, entry); return nil })
	rest, err := parse(f, args)
	if err != nil {
		return nil, err
	}
	for _, entry := range append(entries, rest...) {
		if err = o.property(entry); err != nil {
			break
		}
	}
	if err == nil {
		o.config.Brokers, err = parseBrokers(o.brokers)
	}
	if highest := o.config.ListenBase + maxBrokerID; err == nil && (o.config.ListenBase < 0 || highest > 65535) {
		err = fmt.Errorf("--listen-base is 0, or 1 to %d", 65535-maxBrokerID)
	}
	if err == nil {
		err = writable("--record", o.record)
	}
	if err != nil {
		fail(errw, exitUsage, "cluster: %v", err)
	}
	return o, err
}

// property takes one entry of server.properties.
func (o *clusterFlags) property(entry string) error {
	key, value, ok := strings.Cut(entry, "=")
	if !ok || key == "" {
		return fmt.Errorf("%q is no entry of server.properties; write --props KEY=VALUE KEY=VALUE", entry)
	}
	if key == "broker.id" {
		return errors.New("broker.id is one broker's own; write --brokers 1,2,3")
	}
	o.config.Props[key] = value
	return nil
}

// parseBrokers reads the ids of --brokers.
func parseBrokers(list string) ([]kafka.BrokerID, error) {
	if list == "" {
		return nil, errors.New("--brokers is missing; write for example --brokers 1,2,3")
	}
	var out []kafka.BrokerID
	for _, word := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 0 || n > maxBrokerID {
			return nil, fmt.Errorf("--brokers %s: %q is no broker id; 0 to %d are", list, word, maxBrokerID)
		}
		if slices.Contains(out, kafka.BrokerID(n)) {
			return nil, fmt.Errorf("--brokers %s: broker %d stands twice", list, n)
		}
		out = append(out, kafka.BrokerID(n))
	}
	return out, nil
}
