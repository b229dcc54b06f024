package zkreal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"sync"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// wire is a tapped connection to a server. The library (or, on a raw connection, a pump) reads and writes through it; the
// wire watches the frames that pass and puts its own between them. Its own requests have xids below ownXid, whose answers
// the library ignores as it ignores all unknown negative ones.
//
// The library reads a frame in two reads and handles it before the next, so when the wire has seen an answer, every frame
// before that answer has been handled.
type wire struct {
	net.Conn

	// resume, if set, replaces the identity in the library's connect request: that is how a new library connection
	// carries on an old session. The library has no call for it.
	resume *jute.ConnectRequest
	// onSent hears of each request of the library that its user asked for, as it is written.
	onSent func(xid int32)
	// onAnswer hears of the header of each answer to the library, before the library does.
	onAnswer func(jute.ReplyHeader)

	writing sync.Mutex // frames are written whole
	greeted bool       // the connect request was written

	in frames

	mu        sync.Mutex
	response  *jute.ConnectResponse
	connected chan struct{} // closed when response is there
	calls     map[int32]chan []byte
	lastXid   int32
	dead      chan struct{} // closed when the connection is gone
	isDead    bool
}

// ownXid is above all xids of the wire's own requests.
const ownXid int32 = -1000

var errWireDead = errors.New("the connection is gone")
var errSilent = errors.New("the server does not answer")

func newWire(c net.Conn) *wire {
	return &wire{Conn: c, connected: make(chan struct{}), dead: make(chan struct{}), lastXid: ownXid,
		calls: map[int32]chan []byte{}}
}

// Read passes bytes to the library and looks at the frames that end in them.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.in.feed(p[:n], w.received)
	if err != nil {
		w.die()
	}
	return n, err
}

// received handles the beginning of a frame that has arrived whole.
func (w *wire) received(head []byte) {
	w.mu.Lock()
	if w.response == nil {
		if r, err := jute.DecodeConnectResponse(head); err == nil {
			w.response = &r
			close(w.connected)
		}
		w.mu.Unlock()
		return
	}
	h := jute.NewDecoder(head).ReplyHeader()
	own, ok := w.calls[h.Xid]
	delete(w.calls, h.Xid)
	w.mu.Unlock()
	if ok {
		own <- bytes.Clone(head)
	} else if h.Xid >= 0 && w.onAnswer != nil {
		w.onAnswer(h)
	}
}

// Write passes one frame of the library: it writes each in one call.
func (w *wire) Write(p []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	if !w.greeted {
		w.greeted = true
		return w.greet(p)
	}
	if w.onSent != nil && len(p) >= 12 {
		d := jute.NewDecoder(p[4:12])
		xid, code := d.Int(), jute.OpCode(d.Int())
		if xid >= 0 && code != jute.OpSetWatches && code != jute.OpClose {
			w.onSent(xid)
		}
	}
	return w.write(p)
}

// greet passes the connect request, with the identity to resume.
func (w *wire) greet(p []byte) (int, error) {
	if w.resume == nil {
		return w.write(p)
	}
	r, err := jute.DecodeConnectRequest(p[4:])
	if err != nil {
		return 0, err
	}
	r.SessionID, r.Password = w.resume.SessionID, w.resume.Password
	b := jute.BeginFrame(nil)
	if _, err := w.write(jute.EndFrame(r.Append(b), 0)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *wire) write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	if err != nil {
		w.die()
	}
	return n, err
}

// Close breaks the connection at once.
func (w *wire) Close() error {
	err := w.Conn.Close()
	w.die()
	return err
}

func (w *wire) die() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.isDead {
		w.isDead = true
		close(w.dead)
	}
}

// gone reports whether the connection is broken.
func (w *wire) gone() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.isDead
}

// greeting waits for the connect response.
func (w *wire) greeting(patience time.Duration) (jute.ConnectResponse, error) {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-w.connected:
	case <-w.dead:
		select {
		case <-w.connected: // it came just before the end
		default:
			return jute.ConnectResponse{}, errWireDead
		}
	case <-t.C:
		w.Close()
		return jute.ConnectResponse{}, errSilent
	}
	return *w.response, nil
}

// call sends requests of the wire's own together and waits for their answers.
func (w *wire) call(patience time.Duration, requests ...jute.Request) ([]zk.Result, error) {
	answers := make([]chan []byte, len(requests))
	var b []byte
	w.mu.Lock()
	for i := range requests {
		w.lastXid--
		requests[i].Xid = w.lastXid
		answers[i] = make(chan []byte, 1)
		w.calls[w.lastXid] = answers[i]
		start := len(b)
		b = jute.EndFrame(requests[i].Append(jute.BeginFrame(b)), start)
	}
	w.mu.Unlock()
	w.writing.Lock()
	_, err := w.write(b)
	w.writing.Unlock()
	if err != nil {
		return nil, errWireDead
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	out := make([]zk.Result, len(requests))
	for i, r := range requests {
		frame, err := w.await(answers[i], t.C)
		if err != nil {
			return nil, err
		}
		if _, out[i], err = jute.DecodeReply(r, frame); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// await waits for one answer. An answer that came before the end of the connection counts.
func (w *wire) await(answer chan []byte, late <-chan time.Time) ([]byte, error) {
	select {
	case frame := <-answer:
		return frame, nil
	case <-w.dead:
		select {
		case frame := <-answer:
			return frame, nil
		default:
			return nil, errWireDead
		}
	case <-late:
		w.Close()
		return nil, errSilent
	}
}

// frames follows a stream of frames and keeps the beginning of the present one, all of it if it answers the wire's own.
type frames struct {
	length [4]byte
	have   int // bytes of length
	left   int // bytes of the frame still to come
	head   []byte
}

// headSize holds a connect response and a reply header.
const headSize = 64

// feed takes the next bytes and calls each with what is kept of every frame that ends in them.
func (f *frames) feed(p []byte, each func(head []byte)) {
	for len(p) > 0 {
		if f.have < 4 {
			n := copy(f.length[f.have:], p)
			f.have, p = f.have+n, p[n:]
			if f.have < 4 {
				return
			}
			f.left = int(binary.BigEndian.Uint32(f.length[:]))
		}
		n := min(f.left, len(p))
		f.keep(p[:n])
		f.left, p = f.left-n, p[n:]
		if f.left == 0 {
			each(f.head)
			f.have, f.head = 0, f.head[:0]
		}
	}
}

// keep adds bytes of the present frame to what is kept of it.
func (f *frames) keep(p []byte) {
	if room := headSize - len(f.head); room > 0 {
		n := min(room, len(p))
		f.head, p = append(f.head, p[:n]...), p[n:]
	}
	if len(f.head) >= 4 && int32(binary.BigEndian.Uint32(f.head)) < ownXid {
		f.head = append(f.head, p...)
	}
}
