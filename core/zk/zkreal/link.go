package zkreal

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// link is one connection of the library, over one wire, for one session at most. It never dials again: the library's own
// reconnection and its silent new session after an expiry cannot happen.
type link struct {
	wire *wire
	conn *gozk.Conn

	mu     sync.Mutex
	events []zk.Event // watch events not taken yet, paths as the server sends them
	sent   bool       // the request under way was written
	zxid   int64      // of the answer to the request under way
}

// openLink makes a new session, or carries on the one that who names. ok is false when that session is gone.
func openLink(dial Dialer, server string, who identity, patience time.Duration) (l *link, r jute.ConnectResponse, ok bool, err error) {
	c, err := dial("tcp", server, dialTimeout)
	if err != nil {
		return nil, r, false, err
	}
	l = &link{wire: newWire(c)}
	if who.id != 0 {
		l.wire.resume = &jute.ConnectRequest{SessionID: who.id, Password: who.password}
	}
	l.wire.onSent = func(int32) { l.mu.Lock(); l.sent = true; l.mu.Unlock() }
	l.wire.onAnswer = func(h jute.ReplyHeader) { l.mu.Lock(); l.zxid = h.Zxid; l.mu.Unlock() }
	timeout := time.Duration(who.timeoutMS) * time.Millisecond
	l.conn, _, err = gozk.Connect([]string{server}, timeout, gozk.WithHostProvider(&oneHost{}),
		gozk.WithDialer(once(l.wire)), gozk.WithEventCallback(l.hear), gozk.WithLogger(silent{}), gozk.WithLogInfo(false))
	if err != nil {
		l.wire.Close()
		return nil, r, false, err
	}
	if r, err = l.wire.greeting(patience); err != nil || r.SessionID == 0 {
		l.finish()
		return nil, r, false, err
	}
	return l, r, true, nil
}

// once is a dialer that hands out one connection, once.
func once(w *wire) gozk.Dialer {
	used := false
	return func(string, string, time.Duration) (net.Conn, error) {
		if used {
			return nil, errWireDead
		}
		used = true
		return w, nil
	}
}

// oneHost is a list of servers with one member. The library pauses a second before each round but the first.
type oneHost struct {
	server string
	asked  bool
}

func (h *oneHost) Init(servers []string) error { h.server = servers[0]; return nil }
func (h *oneHost) Len() int                    { return 1 }
func (h *oneHost) Connected()                  {}
func (h *oneHost) Next() (string, bool) {
	again := h.asked
	h.asked = true
	return h.server, again
}

// hear keeps watch events. States of the connection are the wire's to know.
func (l *link) hear(e gozk.Event) {
	if e.Type < gozk.EventNodeCreated || e.Type > gozk.EventNodeChildrenChanged {
		return
	}
	l.mu.Lock()
	l.events = append(l.events, zk.Event{Type: zk.EventType(e.Type), Path: e.Path})
	l.mu.Unlock()
}

// take returns the watch events since the last look.
func (l *link) take() []zk.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.events
	l.events = nil
	return out
}

// do executes one request and breaks the connection if the server does not answer within patience.
func (l *link) do(op zk.Op, patience time.Duration) (zk.Result, outcome) {
	l.mu.Lock()
	l.sent, l.zxid = false, 0
	l.mu.Unlock()
	late := time.AfterFunc(patience, func() { l.wire.Close() })
	res, what := do(l.conn, op)
	late.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	if what != lost && !l.sent {
		what = refused
	}
	res.Zxid = l.zxid
	return res, what
}

// raw executes one request without the library, for what it refuses to send or cannot read.
func (l *link) raw(op zk.Op, patience time.Duration) (zk.Result, outcome) {
	res, err := l.wire.call(patience, wireRequest(op))
	if err != nil {
		return zk.Result{Err: zk.ConnectionLoss}, lost
	}
	return res[0], answered
}

// finish breaks the connection and lets the library end. The session at the server is not touched.
func (l *link) finish() {
	l.wire.Close()
	go l.conn.Close() // waits up to a second for an answer that cannot come
}

// setWatches sends the watches as a client library does after a reconnect, in packets that a server takes, and returns
// the last answer's zxid. What changed since relZxid has been heard as events by then.
func (l *link) setWatches(relZxid int64, watches []zk.Watch, root string, patience time.Duration) (int64, error) {
	const packet = 128 << 10
	var requests []jute.Request
	size := 0
	for _, w := range order(watches) {
		if len(requests) == 0 || size > packet {
			requests = append(requests, jute.Request{Code: jute.OpSetWatches,
				Watches: jute.SetWatches{RelativeZxid: relZxid, Data: []string{}, Exist: []string{}, Child: []string{}}})
			size = 0
		}
		path := inside(root, w.Path)
		size += len(path) + 4
		to := &requests[len(requests)-1].Watches
		switch {
		case w.Kind == zk.ChildWatch:
			to.Child = append(to.Child, path)
		case w.Exists:
			to.Exist = append(to.Exist, path)
		default:
			to.Data = append(to.Data, path)
		}
	}
	if len(requests) == 0 {
		return 0, nil
	}
	answers, err := l.wire.call(patience, requests...)
	if err != nil {
		return 0, err
	}
	return answers[len(answers)-1].Zxid, nil
}

// order puts data watches first, then those on missing nodes, then child watches: the order in which a server judges them.
func order(watches []zk.Watch) []zk.Watch {
	out := make([]zk.Watch, 0, len(watches))
	for _, want := range []zk.Watch{{Kind: zk.DataWatch}, {Kind: zk.DataWatch, Exists: true}, {Kind: zk.ChildWatch}} {
		for _, w := range watches {
			if w.Kind == want.Kind && (w.Exists && w.Kind == zk.DataWatch) == want.Exists {
				out = append(out, w)
			}
		}
	}
	return out
}

// inside puts a path of the world under root. What is no absolute path stays as it is: every server refuses it.
func inside(root, path string) string {
	switch {
	case root == "" || !strings.HasPrefix(path, "/"):
		return path
	case path == "/":
		return root
	}
	return root + path
}

// outside is the world's form of a path under root.
func outside(root, path string) (string, error) {
	rest, ok := strings.CutPrefix(path, root)
	if !ok || rest != "" && rest[0] != '/' {
		return "", fmt.Errorf("ZooKeeper speaks of %s, which is not under %s", path, root)
	}
	if rest == "" {
		rest = "/"
	}
	return rest, nil
}
