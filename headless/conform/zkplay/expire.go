package zkplay

import (
	"fmt"
	"io"
	"net"
	"time"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

// expire ends the session that owns an ephemeral node, if it is one of the case's whose network is cut: it is resumed on
// another connection and closed there. For everybody else, and for its client once the network is there again, that is what
// an expiry is: one closeSession transaction.
func (p *player) expire(path string) error {
	there, stat, err := p.admin.conn.Exists(path)
	if err != nil || !there {
		return err
	}
	for _, s := range p.sessions {
		if cut, _ := s.tap.get(); cut && s.conn.SessionID() == stat.EphemeralOwner {
			return p.end(s.tap.identity())
		}
	}
	return nil
}

// end resumes a session and closes it.
func (p *player) end(id zk.SessionID, password []byte) error {
	c, err := p.target.Dial("tcp", p.target.Servers[0], patience)
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience)) // a connection that is up takes one
	const timeoutMS = 10_000                    // it is closed at once
	hello := jute.ConnectRequest{TimeoutMS: timeoutMS, SessionID: id, Password: password}
	answer, err := ask(c, hello.Append)
	if err != nil {
		return err
	}
	if r, err := jute.DecodeConnectResponse(answer); err != nil || r.SessionID != id {
		return fmt.Errorf("session 0x%x could not be resumed: it is answered 0x%x, %v", int64(id), int64(r.SessionID), err)
	}
	_, err = ask(c, jute.Request{Xid: 1, Code: jute.OpClose}.Append)
	return err
}

// ask sends one frame and reads one.
func ask(c net.Conn, body func([]byte) []byte) ([]byte, error) {
	if _, err := c.Write(jute.EndFrame(body(jute.BeginFrame(nil)), 0)); err != nil {
		return nil, err
	}
	var head [4]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return nil, err
	}
	n, err := jute.FrameLength(head, jute.MaxFrame)
	if err != nil {
		return nil, err
	}
	frame := make([]byte, n)
	_, err = io.ReadFull(c, frame)
	return frame, err
}
