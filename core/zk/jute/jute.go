// Package jute is ZooKeeper's wire format: the primitive types, the records of a connection, and the translation of
// requests and replies to and from the words of core/zk. It has no network and no state; a frame's four bytes of length
// belong to whoever reads and writes connections (BeginFrame, EndFrame, FrameLength).
//
// All numbers are big-endian. A buffer, string or vector is preceded by its length, and -1 stands for null.
package jute

import (
	"encoding/binary"
	"fmt"
)

// MaxFrame is the largest packet that a ZooKeeper server takes from a client, in bytes without the four of its length
// (jute.maxbuffer, 0xfffff).
const MaxFrame = 0xfffff

// BeginFrame appends room for a frame's length; EndFrame fills it in.
func BeginFrame(b []byte) []byte { return append(b, 0, 0, 0, 0) }

// EndFrame writes the length of the frame whose BeginFrame was called when b had start bytes.
func EndFrame(b []byte, start int) []byte {
	binary.BigEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	return b
}

// FrameLength reads a frame's length and refuses what a ZooKeeper server refuses. limit is MaxFrame on a server.
func FrameLength(b [4]byte, limit int) (int, error) {
	n := int32(binary.BigEndian.Uint32(b[:]))
	if n < 0 || int(n) > limit {
		return 0, fmt.Errorf("jute: the frame announces %d bytes; 0 to %d are allowed", n, limit)
	}
	return int(n), nil
}

// AppendInt appends a 32-bit integer.
func AppendInt(b []byte, v int32) []byte { return binary.BigEndian.AppendUint32(b, uint32(v)) }

// AppendLong appends a 64-bit integer.
func AppendLong(b []byte, v int64) []byte { return binary.BigEndian.AppendUint64(b, uint64(v)) }

// AppendBool appends one byte, 0 or 1.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendBuffer appends length and bytes; nil is null, which differs from empty.
func AppendBuffer(b, v []byte) []byte {
	if v == nil {
		return AppendInt(b, -1)
	}
	return append(AppendInt(b, int32(len(v))), v...)
}

// AppendString appends a string, never null.
func AppendString(b []byte, v string) []byte { return append(AppendInt(b, int32(len(v))), v...) }

// AppendStrings appends a vector of strings, never null.
func AppendStrings(b []byte, v []string) []byte {
	b = AppendInt(b, int32(len(v)))
	for _, s := range v {
		b = AppendString(b, s)
	}
	return b
}

// Decoder reads primitives one after the other. After the first failure every read gives a zero value and Err says where
// the bytes ended; so a record is read whole and checked once.
type Decoder struct {
	b   []byte
	off int
	err error
}

// NewDecoder reads from b, which it never keeps: strings and buffers are copies.
func NewDecoder(b []byte) *Decoder { return &Decoder{b: b} }

// Err is the first failure, nil if there was none.
func (d *Decoder) Err() error { return d.err }

// Rest is the number of bytes not read yet.
func (d *Decoder) Rest() int { return len(d.b) - d.off }

// fail records the first failure.
func (d *Decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("jute: "+format, args...)
	}
}

// take returns the next n bytes, nil after a failure.
func (d *Decoder) take(n int, what string) []byte {
	if d.err != nil {
		return nil
	}
	if n > d.Rest() {
		d.fail("byte %d: %s of %d bytes does not fit into the %d that are left", d.off, what, n, d.Rest())
		return nil
	}
	d.off += n
	return d.b[d.off-n : d.off]
}

// Int reads a 32-bit integer.
func (d *Decoder) Int() int32 {
	if p := d.take(4, "an int"); p != nil {
		return int32(binary.BigEndian.Uint32(p))
	}
	return 0
}

// Long reads a 64-bit integer.
func (d *Decoder) Long() int64 {
	if p := d.take(8, "a long"); p != nil {
		return int64(binary.BigEndian.Uint64(p))
	}
	return 0
}

// Bool reads one byte; anything but 0 is true.
func (d *Decoder) Bool() bool {
	p := d.take(1, "a boolean")
	return p != nil && p[0] != 0
}

// length reads the length of a buffer, string or vector; null reports -1, also if it is a failure.
func (d *Decoder) length(what string) int {
	n := d.Int()
	if n < -1 {
		d.fail("byte %d: %s has length %d", d.off-4, what, n)
	}
	if d.err != nil || n < 0 {
		return -1
	}
	return int(n)
}

// Buffer reads bytes; nil is null.
func (d *Decoder) Buffer() []byte {
	n := d.length("a buffer")
	if n < 0 {
		return nil
	}
	p := d.take(n, "a buffer")
	if d.err != nil {
		return nil
	}
	return append(make([]byte, 0, n), p...)
}

// String reads a string; null reads as the empty one.
func (d *Decoder) String() string {
	n := d.length("a string")
	if n <= 0 {
		return ""
	}
	return string(d.take(n, "a string"))
}

// vector reads the length of a vector whose members take at least size bytes each, so that a false length never makes
// the reader allocate more than the frame could hold. ok is false for null and after a failure.
func (d *Decoder) vector(size int, what string) (n int, ok bool) {
	n = d.length(what)
	if n > 0 && n > d.Rest()/size {
		d.fail("byte %d: %s of %d members does not fit into the %d bytes that are left", d.off, what, n, d.Rest())
		return 0, false
	}
	return n, n >= 0
}

// Strings reads a vector of strings; nil is null.
func (d *Decoder) Strings() []string {
	n, ok := d.vector(4, "a vector of strings")
	if !ok {
		return nil
	}
	out := make([]string, 0, n)
	for range n {
		out = append(out, d.String())
	}
	return out
}
