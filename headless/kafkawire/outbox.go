package kafkawire

import (
	"net"
	"sync"
)

// outbox writes frames to a connection in their order, from a goroutine of its own, so that nobody waits for the network.
type outbox struct {
	mu     sync.Mutex
	wake   *sync.Cond
	frames []byte
	ending bool // nothing more is taken; what is there is still written
}

func newOutbox() *outbox {
	o := &outbox{}
	o.wake = sync.NewCond(&o.mu)
	return o
}

// put appends a frame; after finish it is dropped.
func (o *outbox) put(frame []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ending {
		o.frames = append(o.frames, frame...)
		o.wake.Signal()
	}
}

// finish ends write once everything has been written.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ending = true
	o.wake.Signal()
}

// write writes until finish or an error.
func (o *outbox) write(c net.Conn) error {
	for {
		o.mu.Lock()
		for len(o.frames) == 0 && !o.ending {
			o.wake.Wait()
		}
		frames := o.frames
		o.frames = nil
		o.mu.Unlock()
		if len(frames) == 0 {
			return nil
		}
		if _, err := c.Write(frames); err != nil {
			return err
		}
	}
}

// closeWrite tells the other end that nothing more comes, so that it can still answer.
func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // a connection that is broken already is fine
	} else {
		c.Close()
	}
}
