package kafkawire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// Options of a Client.
type Options struct {
	ClientID string
	// AskVersions has the client ask for ApiVersions before anything else, as Kafka's AlterIsr channel and admin clients do
	// and a controller's channels do not.
	AskVersions bool
	// DialTimeout bounds the making of the connection; 0 is 10 s. Kafka: socket.connection.setup.timeout.ms.
	DialTimeout time.Duration
}

// ErrDropped is what calls get that were under way when their client was closed.
var ErrDropped = errors.New("the connection was closed by its owner")

// Client is one connection to a broker. It connects in the background; once it has failed it stays failed.
type Client struct {
	o    Options
	addr string
	out  *outbox

	mu      sync.Mutex
	pending map[int32]call
	failed  error
	closed  bool
	conn    net.Conn
}

// call is a request without its answer.
type call struct {
	request request.Request
	answer  kmsg.Response // to be read into
	done    func(request.Response, error)
}

// askVersionsCorrelation is that of ApiVersions; those of requests are the caller's, from 1 on.
const askVersionsCorrelation int32 = 0

// Dial begins a connection to host:port and returns at once.
func Dial(addr string, o Options) *Client {
	if o.DialTimeout == 0 {
		o.DialTimeout = 10 * time.Second
	}
	c := &Client{o: o, addr: addr, out: newOutbox(), pending: map[int32]call{}}
	go c.run()
	return c
}

// Send sends a request under a correlation id that is not in use (1 or higher) and returns at once. done is called exactly
// once, from a goroutine of the client: with the answer, or with an error when the connection could not be made or broke;
// then the request may have been processed.
func (c *Client) Send(correlation int32, r request.Request, done func(request.Response, error)) {
	k, err := EncodeRequest(r)
	if err != nil {
		go done(nil, err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil || c.closed {
		err := c.failed
		if err == nil {
			err = ErrDropped
		}
		go done(nil, err)
		return
	}
	answer := k.ResponseKind()
	answer.SetVersion(k.GetVersion())
	c.pending[correlation] = call{r, answer, done}
	c.out.put(c.frame(k, correlation))
}

func (c *Client) frame(k kmsg.Request, correlation int32) []byte {
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID(c.o.ClientID)).AppendRequest(nil, k, correlation)
}

// Close lets what was sent go out and hears no answers any more: calls under way get ErrDropped.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	lost := c.takePending()
	c.mu.Unlock()
	c.out.finish()
	go lose(lost, ErrDropped)
}

// Abort closes the connection at once, as the end of a process does.
func (c *Client) Abort() {
	c.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		c.conn.Close()
	}
}

// takePending empties the list of calls under way. The caller holds mu.
func (c *Client) takePending() []call {
	var out []call
	for _, correlation := range kafka.SortedKeys(c.pending) {
		out = append(out, c.pending[correlation])
	}
	clear(c.pending)
	return out
}

func lose(calls []call, err error) {
	for _, x := range calls {
		x.done(nil, err)
	}
}

// run connects and reads answers until the connection ends.
func (c *Client) run() {
	conn, err := net.DialTimeout("tcp", c.addr, c.o.DialTimeout)
	if err == nil {
		c.mu.Lock()
		c.conn = conn
		c.mu.Unlock()
		defer conn.Close()
		if c.o.AskVersions {
			err = c.askVersions(conn)
		}
	}
	if err == nil {
		go func() {
			if c.out.write(conn) == nil {
				closeWrite(conn)
			}
		}()
		for err == nil {
			err = c.next(conn)
		}
	}
	c.mu.Lock()
	c.failed = fmt.Errorf("connection to %s: %w", c.addr, err)
	lost := c.takePending()
	c.mu.Unlock()
	c.out.finish()
	lose(lost, c.failed)
}

// askVersions makes sure that the broker speaks the versions that we send.
func (c *Client) askVersions(conn net.Conn) error {
	k := &kmsg.ApiVersionsRequest{Version: maxApiVersions, ClientSoftwareName: "controllerscope", ClientSoftwareVersion: "1"}
	if _, err := conn.Write(c.frame(k, askVersionsCorrelation)); err != nil {
		return err
	}
	frame, err := readFrame(conn)
	if err != nil {
		return err
	}
	answer := kmsg.NewPtrApiVersionsResponse()
	answer.Version = maxApiVersions
	if len(frame) < 4 {
		return errShort
	}
	if err := parseResponse(frame[4:], answer); err != nil {
		return err
	}
	for _, a := range answer.ApiKeys {
		if v, ours := versions[a.ApiKey]; ours && (v < a.MinVersion || v > a.MaxVersion) {
			return fmt.Errorf("the broker speaks %s v%d to v%d, not v%d", kmsg.NameForKey(a.ApiKey), a.MinVersion, a.MaxVersion, v)
		}
	}
	return nil
}

// next reads one answer and hands it to its caller.
func (c *Client) next(conn net.Conn) error {
	frame, err := readFrame(conn)
	if err != nil {
		return err
	}
	if len(frame) < 4 {
		return errShort
	}
	correlation := int32(binary.BigEndian.Uint32(frame))
	c.mu.Lock()
	x, known := c.pending[correlation]
	closed := c.closed
	delete(c.pending, correlation)
	c.mu.Unlock()
	if !known {
		if closed {
			return nil // of a call that was dropped
		}
		return fmt.Errorf("an answer came to correlation id %d, which no request has", correlation)
	}
	if err = parseResponse(frame[4:], x.answer); err != nil {
		go x.done(nil, err)
		return err
	}
	answer, err := DecodeResponse(x.request, x.answer)
	if err != nil {
		go x.done(nil, err)
		return err
	}
	x.done(answer, nil)
	return nil
}
