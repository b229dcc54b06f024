package kafkawire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// maxFrame bounds what a peer may send at once. Kafka: socket.request.max.bytes.
const maxFrame = 100 << 20

// apiVersions is the one request that a client may send in a version that the server does not know.
const (
	apiVersions    int16 = 18
	maxApiVersions int16 = 3
)

// errShort says that a frame ends before its header does.
var errShort = errors.New("the frame ends within its header")

// header begins every request.
type header struct {
	key, version int16
	correlation  int32
	client       string
}

// readFrame reads one frame without its size.
func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := int32(binary.BigEndian.Uint32(size[:]))
	if n < 0 || n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes is none of Kafka's: it has 0 to %d", n, maxFrame)
	}
	frame := make([]byte, n)
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return frame, nil
}

// parseHeader reads a request's header and returns what follows its client id: for flexible versions the header's tagged
// fields, then the body.
func parseHeader(frame []byte) (h header, rest []byte, err error) {
	if len(frame) < 10 {
		return h, nil, errShort
	}
	h.key, h.version = int16(binary.BigEndian.Uint16(frame)), int16(binary.BigEndian.Uint16(frame[2:]))
	h.correlation = int32(binary.BigEndian.Uint32(frame[4:]))
	n := int16(binary.BigEndian.Uint16(frame[8:]))
	rest = frame[10:]
	if n > 0 {
		if len(rest) < int(n) {
			return h, nil, errShort
		}
		h.client, rest = string(rest[:n]), rest[n:]
	}
	return h, rest, nil
}

// skipTags skips tagged fields.
func skipTags(b []byte) ([]byte, error) {
	number := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			b = nil
			return 0
		}
		b = b[size:]
		return n
	}
	if len(b) == 0 {
		return nil, errShort
	}
	for left := number(); left > 0; left-- {
		number()
		size := number()
		if size > uint64(len(b)) || b == nil {
			return nil, errShort
		}
		b = b[size:]
	}
	return b, nil
}

// parseBody reads the message of a request whose version is one of ours.
func parseBody(h header, rest []byte) (kmsg.Request, error) {
	k := kmsg.RequestForKey(h.key)
	k.SetVersion(h.version)
	var err error
	if k.IsFlexible() {
		if rest, err = skipTags(rest); err != nil {
			return nil, err
		}
	}
	if err = k.ReadFrom(rest); err != nil {
		return nil, fmt.Errorf("%s v%d cannot be read: %w", kmsg.NameForKey(h.key), h.version, err)
	}
	return k, nil
}

// appendResponse writes the frame of an answer.
func appendResponse(out []byte, correlation int32, k kmsg.Response) []byte {
	start := len(out)
	out = append(out, 0, 0, 0, 0)
	out = binary.BigEndian.AppendUint32(out, uint32(correlation))
	if k.IsFlexible() && k.Key() != apiVersions {
		out = append(out, 0)
	}
	out = k.AppendTo(out)
	binary.BigEndian.PutUint32(out[start:], uint32(len(out)-start-4))
	return out
}

// parseResponse reads an answer into k, which knows its version. The frame begins behind the correlation id.
func parseResponse(rest []byte, k kmsg.Response) error {
	var err error
	if k.IsFlexible() && k.Key() != apiVersions {
		if rest, err = skipTags(rest); err != nil {
			return err
		}
	}
	if err = k.ReadFrom(rest); err != nil {
		return fmt.Errorf("the answer to %s v%d cannot be read: %w", kmsg.NameForKey(k.Key()), k.GetVersion(), err)
	}
	return nil
}
