package zkserver

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"controllerscope/core/zk"
)

// Version is what the server calls itself: the release it imitates.
const Version = "3.8.0-controllerscope, built on 2022-02-25 08:49 UTC"

// counters are packets of a connection, or of all since the server started. Watch events and answers both count as sent.
type counters struct {
	received, sent atomic.Int64
}

// latency is how long requests waited for their answer to be queued, in microseconds, since the server started.
type latency struct {
	count, total, min, max int64
}

func (l *latency) add(d time.Duration) {
	us := d.Microseconds()
	if l.count == 0 || us < l.min {
		l.min = us
	}
	l.max = max(l.max, us)
	l.count, l.total = l.count+1, l.total+us
}

// avgMS is the mean in ms as the server writes it: at most four places, at least one.
func (l *latency) avgMS() string {
	if l.count == 0 {
		return "0.0"
	}
	text := strings.TrimRight(strconv.FormatFloat(float64(l.total)/float64(l.count)/1000, 'f', 4, 64), "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text
}

// fourLetterWord answers an operator's word; ok is false if it is none.
func (s *Server) fourLetterWord(w string) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch w {
	case "ruok":
		if s.fault != nil {
			return "", true // a server that is not well does not answer
		}
		return "imok", true
	case "isro":
		return "rw", true
	case "srvr":
		return s.header() + s.summary(), true
	case "stat":
		return s.header() + "Clients:\n" + s.clients() + "\n" + s.summary(), true
	case "mntr":
		return s.monitor(), true
	case "conf":
		return fmt.Sprintf("tickTime=%d\nminSessionTimeout=%d\nmaxSessionTimeout=%d\n", s.opts.TickMS,
			s.opts.MinSessionMS, s.opts.MaxSessionMS), true
	case "cons", "crst", "dirs", "dump", "envi", "gtmk", "hash", "lead", "srst", "stmk", "wchc", "wchp", "wchs":
		return w + " is not executed because it is not in the whitelist.\n", true
	}
	return "", false
}

// header is the first line of srvr and stat.
func (s *Server) header() string { return "Zookeeper version: " + Version + "\n" }

// clients lists the connections, as stat does, in order of their addresses.
func (s *Server) clients() string {
	lines := make([]string, 0, len(s.conns))
	for c := range s.conns {
		lines = append(lines, fmt.Sprintf(" /%s[%d](queued=0,recved=%d,sent=%d)\n", c.net.RemoteAddr(),
			connected(c), c.stats.received.Load(), c.stats.sent.Load()))
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

// connected is 1 for a connection with a session, as the server's interest in reading from it is shown.
func connected(c *conn) int {
	if c.session != nil {
		return 1
	}
	return 0
}

// sizes are the store's, zero if it does not count.
func (s *Server) sizes() zk.Sizes {
	if z, ok := s.store.(zk.Sizer); ok {
		return z.Sizes()
	}
	return zk.Sizes{}
}

// summary is the body of srvr and stat.
func (s *Server) summary() string {
	return fmt.Sprintf("Latency min/avg/max: %d/%s/%d\nReceived: %d\nSent: %d\nConnections: %d\nOutstanding: 0\n"+
		"Zxid: 0x%x\nMode: standalone\nNode count: %d\n",
		s.waits.min/1000, s.waits.avgMS(), s.waits.max/1000, s.stats.received.Load(), s.stats.sent.Load(), len(s.conns), s.lastZxid, s.sizes().Nodes)
}

// monitor is mntr: one name and value a line, separated by a tab.
func (s *Server) monitor() string {
	z := s.sizes()
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "zk_%s\t%v\n", name, value) }
	line("version", Version)
	line("server_state", "standalone")
	line("ephemerals_count", z.Ephemerals)
	line("num_alive_connections", len(s.conns))
	line("avg_latency", s.waits.avgMS())
	line("outstanding_requests", 0)
	line("znode_count", z.Nodes)
	line("global_sessions", len(s.sessions))
	line("packets_sent", s.stats.sent.Load())
	line("packets_received", s.stats.received.Load())
	line("watch_count", z.Watches)
	line("uptime", time.Since(s.started).Milliseconds())
	line("min_latency", s.waits.min/1000)
	line("max_latency", s.waits.max/1000)
	line("approximate_data_size", z.DataBytes)
	return b.String()
}
