package kafkawire

import (
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// Received is one request that came in.
type Received struct {
	From        string // the client id that its sender gave
	Correlation int32
	Request     request.Request
	// Reply sends the answer. It may be called at any time, by anybody, once; it does not block. An answer to a connection
	// that is gone is dropped.
	Reply func(request.Response)
}

// Server takes connections on one listener and hands on what comes over them.
type Server struct {
	handle func(Received)

	mu     sync.Mutex
	l      net.Listener
	conns  map[net.Conn]struct{}
	closed bool
}

// NewServer makes a server. handle gets the requests of each connection one after the other.
func NewServer(handle func(Received)) *Server {
	return &Server{handle: handle, conns: map[net.Conn]struct{}{}}
}

// Serve takes connections until Close; then it reports nil.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	s.l = l
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return l.Close()
	}
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot take connections on %s: %w", l.Addr(), err)
		}
		s.mu.Lock()
		closed := s.closed
		if !closed {
			s.conns[c] = struct{}{}
		}
		s.mu.Unlock()
		if closed {
			c.Close()
			return nil
		}
		go s.serve(c)
	}
}

// Addr is where the server listens, nil before Serve.
func (s *Server) Addr() net.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.l == nil {
		return nil
	}
	return s.l.Addr()
}

// Close ends the listener and all connections.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.l != nil {
		s.l.Close()
	}
	for c := range s.conns {
		c.Close()
	}
}

// serve reads one connection to its end. What cannot be read or is not spoken closes it, as Kafka does.
func (s *Server) serve(c net.Conn) {
	out := newOutbox()
	go func() {
		_ = out.write(c) // a broken connection is noticed by the reader
		c.Close()
	}()
	for s.next(c, out) == nil {
	}
	out.finish()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// next reads and hands on one request.
func (s *Server) next(c net.Conn, out *outbox) error {
	frame, err := readFrame(c)
	if err != nil {
		return err
	}
	h, rest, err := parseHeader(frame)
	if err != nil {
		return err
	}
	if h.key == apiVersions {
		out.put(appendResponse(nil, h.correlation, supported(h.version)))
		return nil
	}
	if v, spoken := versions[h.key]; !spoken || v != h.version {
		return fmt.Errorf("%s v%d is not spoken here", kmsg.NameForKey(h.key), h.version)
	}
	k, err := parseBody(h, rest)
	if err != nil {
		return err
	}
	r, err := DecodeRequest(k)
	if err != nil {
		return err
	}
	s.handle(Received{From: h.client, Correlation: h.correlation, Request: r, Reply: func(answer request.Response) {
		k, err := EncodeResponse(r, answer)
		if err != nil {
			out.finish() // our own mistake; the sender sees a broken connection instead of waiting for ever
			return
		}
		out.put(appendResponse(nil, h.correlation, k))
	}})
	return nil
}

// unsupportedVersion is Kafka's error code for a version that a broker does not know.
const unsupportedVersion int16 = 35

// supported is the answer to ApiVersions: of an unknown version, version 0 with an error. Kafka: ApiVersionsResponse.
func supported(version int16) *kmsg.ApiVersionsResponse {
	k := kmsg.NewPtrApiVersionsResponse()
	if k.Version = version; version < 0 || version > maxApiVersions {
		k.Version, k.ErrorCode = 0, unsupportedVersion
	}
	for _, key := range kafka.SortedKeys(versions) {
		k.ApiKeys = append(k.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: key, MinVersion: versions[key], MaxVersion: versions[key]})
	}
	k.ApiKeys = append(k.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: apiVersions, MaxVersion: maxApiVersions})
	return k
}
