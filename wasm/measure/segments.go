//go:build !js

package measure

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// Sections of a WASM module.
const (
	moduleHeader = 8 // magic and version
	sectionData  = 11
)

// What a data segment of Go's linker is made of: it lies in memory 0, at a constant.
const (
	opI32Const = 0x41
	opEnd      = 0x0b
)

// maxGap is how many zero bytes are written out rather than beginning another segment.
const maxGap = 1 << 20

var errModule = errors.New("the module is not as Go's linker writes it")

// JoinSegments writes the data of a WASM module in a few long segments. Go's linker leaves out every run of eight zero bytes
// and begins another segment there, a hundred thousand in all; their addresses hardly pack, zeros pack to nothing. Memory
// is the same afterwards, since it is zero before.
func JoinSegments(module []byte) ([]byte, error) {
	if len(module) < moduleHeader || string(module[:4]) != "\x00asm" {
		return nil, errModule
	}
	out := slices.Clone(module[:moduleHeader])
	r := wasmReader{rest: module[moduleHeader:], ok: true}
	for r.ok && len(r.rest) > 0 {
		id := r.byte()
		body := r.bytes()
		if id == sectionData {
			segments, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			body = joined(segments)
		}
		out = binary.AppendUvarint(append(out, id), uint64(len(body)))
		out = append(out, body...)
	}
	if !r.ok {
		return nil, errModule
	}
	return out, nil
}

// segment is data and where in memory they begin.
type segment struct {
	at   int64
	data []byte
}

func (s segment) end() int64 { return s.at + int64(len(s.data)) }

func readSegments(section []byte) ([]segment, error) {
	r := wasmReader{rest: section, ok: true}
	var list []segment
	for n := r.uint(); r.ok && n > 0; n-- {
		memory, op := r.uint(), r.byte()
		s := segment{at: r.int()}
		end := r.byte()
		s.data = r.bytes()
		r.ok = r.ok && memory == 0 && op == opI32Const && end == opEnd
		list = append(list, s)
	}
	if !r.ok || len(r.rest) > 0 {
		return nil, errModule
	}
	slices.SortFunc(list, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	for i := range list {
		if i > 0 && list[i].at < list[i-1].end() {
			return nil, errModule
		}
	}
	return list, nil
}

// joined is the data section of the segments, which are in order.
func joined(list []segment) []byte {
	var long []segment
	for _, s := range list {
		last := len(long) - 1
		if last < 0 || s.at-long[last].end() > maxGap {
			long = append(long, segment{s.at, bytes.Clone(s.data)})
			continue
		}
		gap := make([]byte, s.at-long[last].end())
		long[last].data = append(append(long[last].data, gap...), s.data...)
	}
	out := binary.AppendUvarint(nil, uint64(len(long)))
	for _, s := range long {
		out = appendInt(append(out, 0, opI32Const), s.at)
		out = binary.AppendUvarint(append(out, opEnd), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out
}

// appendInt writes a signed number as WASM does (LEB128).
func appendInt(out []byte, n int64) []byte {
	for n < -64 || n > 63 {
		out = append(out, byte(n)|0x80)
		n >>= 7
	}
	return append(out, byte(n)&0x7f)
}

// wasmReader takes things off the front; ok turns false when something is not there and stays so.
type wasmReader struct {
	rest []byte
	ok   bool
}

func (r *wasmReader) byte() byte {
	if len(r.rest) == 0 {
		r.ok = false
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *wasmReader) uint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.ok = false
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *wasmReader) int() (n int64) {
	for shift := 0; r.ok && shift < 64; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.ok = false
	return 0
}

// bytes takes a length and as many bytes.
func (r *wasmReader) bytes() []byte {
	n := r.uint()
	if n > uint64(len(r.rest)) {
		r.ok = false
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
