package kafkawire

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// serve starts a server; what comes in goes to the channel.
func serve(t *testing.T) (addr string, in chan Received, s *Server) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	in = make(chan Received, 100)
	s = NewServer(func(x Received) { in <- x })
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() { s.Close(); require.NoError(t, <-done) })
	return l.Addr().String(), in, s
}

// outcome is what a call ended with.
type outcome struct {
	answer request.Response
	err    error
}

func send(c *Client, correlation int32, r request.Request) chan outcome {
	out := make(chan outcome, 2)
	c.Send(correlation, r, func(answer request.Response, err error) { out <- outcome{answer, err} })
	return out
}

func shutdown(id kafka.BrokerID) request.ControlledShutdown {
	return request.ControlledShutdown{BrokerID: id}
}

// Requests arrive in order; each answer finds its request, whatever the order.
func TestOrder(t *testing.T) {
	addr, in, _ := serve(t)
	c := Dial(addr, Options{ClientID: "broker-1-to-controller", AskVersions: true})
	defer c.Close()
	first, second := send(c, 1, shutdown(10)), send(c, 2, shutdown(20))
	x, y := <-in, <-in
	assert.Equal(t, shutdown(10), x.Request)
	assert.Equal(t, shutdown(20), y.Request)
	assert.Equal(t, "broker-1-to-controller", x.From)
	assert.Equal(t, int32(2), y.Correlation)
	y.Reply(request.ControlledShutdownResponse{Error: kafka.STALE_BROKER_EPOCH})
	assert.Equal(t, outcome{request.ControlledShutdownResponse{Error: kafka.STALE_BROKER_EPOCH}, nil}, <-second)
	x.Reply(request.ControlledShutdownResponse{})
	assert.Equal(t, outcome{request.ControlledShutdownResponse{}, nil}, <-first)
}

// A connection that breaks, cannot be made or is closed ends every call once.
func TestLost(t *testing.T) {
	addr, in, s := serve(t)
	c := Dial(addr, Options{})
	call := send(c, 1, shutdown(1))
	<-in
	s.Close()
	assert.EqualError(t, (<-call).err, "connection to "+addr+": EOF")
	assert.EqualError(t, (<-send(c, 2, shutdown(1))).err, "connection to "+addr+": EOF")
	refused := Dial(addr, Options{})
	assert.ErrorContains(t, (<-send(refused, 1, shutdown(1))).err, "connection refused")
	assert.EqualError(t, (<-send(refused, 2, foreignRequest{})).err, "ForeignRequest has no form on the wire")
	assert.Empty(t, call)
}

type foreignRequest struct{}

func (foreignRequest) Kind() string { return "ForeignRequest" }

// What was sent before Close still arrives.
func TestCloseSends(t *testing.T) {
	addr, in, _ := serve(t)
	c := Dial(addr, Options{})
	call := send(c, 1, shutdown(1))
	c.Close()
	assert.ErrorIs(t, (<-call).err, ErrDropped)
	assert.Equal(t, shutdown(1), (<-in).Request)
	assert.ErrorIs(t, (<-send(c, 2, shutdown(1))).err, ErrDropped)
}

// A server closes the connection on what it cannot read or does not speak, as Kafka does.
func TestBadFrames(t *testing.T) {
	addr, _, _ := serve(t)
	metadata := kmsg.NewRequestFormatter().AppendRequest(nil, &kmsg.MetadataRequest{Version: 9}, 1)
	old := kmsg.NewRequestFormatter().AppendRequest(nil, &kmsg.ControlledShutdownRequest{Version: 2}, 1)
	for name, frame := range map[string][]byte{
		"too large":      {0x7f, 0xff, 0xff, 0xff},
		"negative":       {0xff, 0xff, 0xff, 0xff},
		"short header":   {0, 0, 0, 3, 0, 7, 0},
		"short client":   {0, 0, 0, 10, 0, 7, 0, 3, 0, 0, 0, 1, 0, 9},
		"no tags":        {0, 0, 0, 10, 0, 7, 0, 3, 0, 0, 0, 1, 0xff, 0xff},
		"endless tags":   {0, 0, 0, 13, 0, 7, 0, 3, 0, 0, 0, 1, 0xff, 0xff, 1, 1, 99},
		"torn body":      {0, 0, 0, 12, 0, 7, 0, 3, 0, 0, 0, 1, 0xff, 0xff, 0, 1},
		"not spoken":     metadata,
		"other version":  old,
		"no such key":    {0, 0, 0, 10, 0x7f, 0xff, 0, 0, 0, 0, 0, 1, 0xff, 0xff},
		"validated only": kmsg.NewRequestFormatter().AppendRequest(nil, &kmsg.CreateTopicsRequest{Version: 7, ValidateOnly: true}, 1),
	} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", addr)
			require.NoError(t, err)
			defer c.Close()
			_, err = c.Write(frame)
			require.NoError(t, err)
			n, _ := io.ReadAll(c) // the end, or a reset when bytes were left unread
			assert.Empty(t, n)
		})
	}
}

// ApiVersions is answered in every version that 2.8.2 knows; a later one gets version 0 with error 35.
func TestApiVersions(t *testing.T) {
	addr, _, _ := serve(t)
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer c.Close()
	for version, want := range map[int16]int16{0: 0, 1: 1, 2: 2, 3: 3, 4: 0} {
		_, err = c.Write(kmsg.NewRequestFormatter().AppendRequest(nil, &kmsg.ApiVersionsRequest{Version: version}, int32(version)))
		require.NoError(t, err)
		frame, err := readFrame(c)
		require.NoError(t, err)
		assert.Equal(t, uint32(version), binary.BigEndian.Uint32(frame))
		k := kmsg.NewPtrApiVersionsResponse()
		k.Version = want
		require.NoError(t, parseResponse(frame[4:], k))
		assert.Equal(t, version == 4, k.ErrorCode == 35)
		spoken := map[int16][2]int16{}
		for _, a := range k.ApiKeys {
			spoken[a.ApiKey] = [2]int16{a.MinVersion, a.MaxVersion}
		}
		assert.Equal(t, map[int16][2]int16{1: {12, 12}, 4: {5, 5}, 5: {3, 3}, 6: {7, 7}, 7: {3, 3}, 18: {0, 3}, 19: {7, 7}, 20: {5, 5}, 37: {3, 3}, 43: {2, 2}, 44: {1, 1}, 45: {0, 0}, 46: {0, 0}, 49: {1, 1}, 56: {0, 0}}, spoken)
	}
}

// A client does not send to a broker that does not speak its versions.
func TestOlderBroker(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = readFrame(c)
		k := kmsg.NewPtrApiVersionsResponse()
		k.Version = 3
		k.ApiKeys = []kmsg.ApiVersionsResponseApiKey{{ApiKey: 7, MaxVersion: 2}}
		_, _ = c.Write(appendResponse(nil, 0, k))
	}()
	c := Dial(l.Addr().String(), Options{AskVersions: true})
	assert.EqualError(t, (<-send(c, 1, shutdown(1))).err, "connection to "+l.Addr().String()+": the broker speaks ControlledShutdown v0 to v2, not v3")
}

func TestReadFrame(t *testing.T) {
	_, err := readFrame(bytes.NewReader([]byte{0, 0, 0, 2, 1}))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = readFrame(bytes.NewReader([]byte{0x10, 0, 0, 0}))
	assert.EqualError(t, err, "a frame of 268435456 bytes is none of Kafka's: it has 0 to 104857600")
}
