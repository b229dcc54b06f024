// Package zkensemble starts real ZooKeeper servers on loopback for tests: one, or several that form an ensemble. It uses
// the jars of the Debian package zookeeper and installs nothing; headless/internal/setup does that.
package zkensemble

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Jar is ZooKeeper's; the class path of the others is in its manifest.
const Jar = "/usr/share/java/zookeeper.jar"

// InstallCommand is what provides it, and Java.
const InstallCommand = "go run ./headless/internal/setup (as root; it runs apt-get install -y zookeeper)"

// ErrMissing says that ZooKeeper cannot be run here.
var ErrMissing = errors.New("ZooKeeper is not installed")

// Check reports, in one sentence with the command that helps, what is missing to run ZooKeeper.
func Check() error {
	if _, err := os.Stat(Jar); err != nil {
		return fmt.Errorf("%w: there is no %s; run %s", ErrMissing, Jar, InstallCommand)
	}
	if _, err := exec.LookPath("java"); err != nil {
		return fmt.Errorf("%w: there is no java on the PATH; run %s", ErrMissing, InstallCommand)
	}
	return nil
}

// Options of an ensemble; the zero value is one standalone server with ZooKeeper's defaults.
type Options struct {
	Servers int               // 1 if 0
	TickMS  int               // tickTime, 2000 if 0
	Config  map[string]string // more lines of zoo.cfg
	Java    []string          // more arguments of java, such as -Dzookeeper.extendedTypesEnabled=true
}

// Ensemble is a set of running servers.
type Ensemble struct {
	dir     string
	options Options
	servers []*server
}

// server is one ZooKeeper process.
type server struct {
	dir     string
	address string // host:port for clients
	peer    string // quorum and election ports, as zoo.cfg writes them
	cmd     *exec.Cmd
	done    chan struct{} // the process has ended
}

// startLimit is how long a server may take until it serves.
const startLimit = 60 * time.Second

// Start starts the servers and returns when all of them serve. A port that somebody else took meanwhile is tried again
// with others.
func Start(o Options) (*Ensemble, error) {
	if err := Check(); err != nil {
		return nil, err
	}
	var err error
	for range 3 {
		var e *Ensemble
		if e, err = start(o); err == nil {
			return e, nil
		}
	}
	return nil, err
}

func start(o Options) (*Ensemble, error) {
	o.Servers, o.TickMS = max(o.Servers, 1), max(o.TickMS, 0)
	if o.TickMS == 0 {
		o.TickMS = 2000
	}
	dir, err := os.MkdirTemp("", "zookeeper-")
	if err != nil {
		return nil, fmt.Errorf("zkensemble: %w", err)
	}
	e := &Ensemble{dir: dir, options: o}
	ports, err := freePorts(3 * o.Servers)
	if err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	for i := range o.Servers {
		e.servers = append(e.servers, &server{dir: filepath.Join(dir, fmt.Sprint(i+1)), address: fmt.Sprintf("127.0.0.1:%d", ports[3*i]),
			peer: fmt.Sprintf("127.0.0.1:%d:%d", ports[3*i+1], ports[3*i+2])})
	}
	for i := range e.servers {
		if err := e.launch(i); err != nil {
			return nil, errors.Join(err, e.Stop())
		}
	}
	for i := range e.servers {
		if err := e.Await(i); err != nil {
			return nil, errors.Join(err, e.Stop())
		}
	}
	return e, nil
}

// freePorts finds ports that are free at this moment.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("zkensemble: no free port: %w", err)
		}
		defer l.Close() // all are held until all are found, so that they differ
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// config is a server's zoo.cfg.
func (e *Ensemble) config(s *server) string {
	_, port, _ := net.SplitHostPort(s.address)
	var b strings.Builder
	fmt.Fprintf(&b, "tickTime=%d\ninitLimit=20\nsyncLimit=10\ndataDir=%s\nclientPortAddress=127.0.0.1\nclientPort=%s\n", e.options.TickMS, s.dir, port)
	fmt.Fprintf(&b, "maxClientCnxns=0\nadmin.enableServer=false\n4lw.commands.whitelist=*\n")
	if len(e.servers) > 1 {
		for i, peer := range e.servers {
			fmt.Fprintf(&b, "server.%d=%s\n", i+1, peer.peer)
		}
	}
	for k, v := range e.options.Config {
		fmt.Fprintf(&b, "%s=%s\n", k, v)
	}
	return b.String()
}

// launch starts the process of server i over whatever data it has.
func (e *Ensemble) launch(i int) error {
	s := e.servers[i]
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("zkensemble: %w", err)
	}
	config := filepath.Join(s.dir, "zoo.cfg")
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err == nil {
		defer log.Close()
		err = errors.Join(os.WriteFile(config, []byte(e.config(s)), 0o644),
			os.WriteFile(filepath.Join(s.dir, "myid"), []byte(fmt.Sprintln(i+1)), 0o644))
	}
	if err != nil {
		return fmt.Errorf("zkensemble: %w", err)
	}
	args := append([]string{"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"}, e.options.Java...)
	s.cmd = exec.Command("java", append(args, "-cp", Jar, "org.apache.zookeeper.server.quorum.QuorumPeerMain", config)...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	endWithParent(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("zkensemble: %w", err)
	}
	s.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) {
		_ = cmd.Wait() // how it ended is in its log
		close(done)
	}(s.cmd, s.done)
	return nil
}

// Await waits until server i serves clients: alone, as leader or as follower.
func (e *Ensemble) Await(i int) error {
	s := e.servers[i]
	for end := time.Now().Add(startLimit); time.Now().Before(end); {
		if e.Mode(i) != "" {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("zkensemble: server %d ended: %s", i+1, s.lastWords())
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("zkensemble: server %d does not serve after %v: %s", i+1, startLimit, s.lastWords())
}

// lastWords are the end of a server's log.
func (s *server) lastWords() string {
	b, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return strings.TrimSpace(string(b[max(0, len(b)-800):]))
}

// Mode is standalone, leader or follower, or empty while the server does not serve.
func (e *Ensemble) Mode(i int) string {
	for _, line := range strings.Split(fourLetterWord(e.servers[i].address, "srvr"), "\n") {
		if mode, ok := strings.CutPrefix(line, "Mode: "); ok {
			return mode
		}
	}
	return ""
}

// Leader and Follower are the numbers, from 0, of the leader and of a server that is none; -1 if there is none at present.
func (e *Ensemble) Leader() int   { return e.first("leader") }
func (e *Ensemble) Follower() int { return e.first("follower") }

func (e *Ensemble) first(mode string) int {
	for i := range e.servers {
		if e.Mode(i) == mode {
			return i
		}
	}
	return -1
}

// Addresses are the servers' host:port for clients.
func (e *Ensemble) Addresses() []string {
	out := make([]string, len(e.servers))
	for i, s := range e.servers {
		out[i] = s.address
	}
	return out
}

// Connect is the connection string of all servers, without a chroot.
func (e *Ensemble) Connect() string { return strings.Join(e.Addresses(), ",") }

// Kill ends server i at once, as a crash does, and returns when it is gone. Its data stay.
func (e *Ensemble) Kill(i int) error {
	s := e.servers[i]
	if s.cmd == nil {
		return nil
	}
	err := s.cmd.Process.Kill()
	<-s.done
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	return err
}

// Restart starts server i again over its data, after Kill, and returns when it serves.
func (e *Ensemble) Restart(i int) error {
	if err := e.launch(i); err != nil {
		return err
	}
	return e.Await(i)
}

// Stop ends all servers and removes their data.
func (e *Ensemble) Stop() error {
	var wait sync.WaitGroup
	for i, s := range e.servers {
		if s.cmd != nil && s.cmd.Process != nil {
			wait.Go(func() { _ = e.Kill(i) }) // one that is gone already is fine
		}
	}
	wait.Wait()
	return os.RemoveAll(e.dir)
}
