package zkreal

import (
	"io"
	"net"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// Dialer opens a connection to a server.
type Dialer func(network, address string, timeout time.Duration) (net.Conn, error)

// dialTimeout is how long one server may take to accept a connection.
const dialTimeout = 2 * time.Second

// identity is what resumes a session.
type identity struct {
	id        zk.SessionID
	password  []byte
	timeoutMS int32
}

// resumeRaw carries a session on over a connection without library. The server closes the session's former connection,
// and with it go that connection's watches, before it answers. ok is false when the session is gone.
func resumeRaw(dial Dialer, server string, who identity, patience time.Duration) (w *wire, ok bool, err error) {
	c, err := dial("tcp", server, dialTimeout)
	if err != nil {
		return nil, false, err
	}
	w = newWire(c)
	r := jute.ConnectRequest{TimeoutMS: who.timeoutMS, SessionID: who.id, Password: who.password}
	if _, err := w.write(jute.EndFrame(r.Append(jute.BeginFrame(nil)), 0)); err != nil {
		return nil, false, err
	}
	go io.Copy(io.Discard, w) // ends with the connection
	resp, err := w.greeting(patience)
	if err != nil {
		w.Close()
		return nil, false, err
	}
	if resp.SessionID == 0 {
		w.Close()
		return nil, false, nil
	}
	return w, true, nil
}

// keepAlive pings until the connection ends.
func (w *wire) keepAlive(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-w.dead:
			return
		case <-t.C:
			w.ping()
		}
	}
}

// ping sends one ping. Its answer is nobody's.
func (w *wire) ping() {
	packet := jute.EndFrame(jute.Request{Xid: jute.XidPing, Code: jute.OpPing}.Append(jute.BeginFrame(nil)), 0)
	w.writing.Lock()
	defer w.writing.Unlock()
	w.write(packet)
}

// closeSession ends the session of this connection at the server and returns the transaction that did it.
func (w *wire) closeSession(patience time.Duration) (zxid int64, err error) {
	h, err := w.call(patience, jute.Request{Code: jute.OpClose})
	if err != nil {
		return 0, err
	}
	return h[0].Zxid, nil
}
