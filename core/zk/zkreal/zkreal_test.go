package zkreal

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/zk"
	"controllerscope/core/zk/jute"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"h":                      {[]string{"h:2181"}, "/controllerscope"},
		"h1:1,h2:65535, h3/a/b":  {[]string{"h1:1", "h2:65535", "h3:2181"}, "/a/b"},
		"127.0.0.1:2181/":        {[]string{"127.0.0.1:2181"}, ""},
		"[::1]/x,y":              {[]string{"[::1]:2181"}, "/x,y"},
		"[::1]:7":                {[]string{"[::1]:7"}, "/controllerscope"},
		"h:2181/zookeeper-tests": {[]string{"h:2181"}, "/zookeeper-tests"},
	} {
		got, err := ParseAddress(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
		again, err := ParseAddress(got.String())
		require.NoError(t, err, got.String())
		assert.Equal(t, got, again)
	}
	for text, want := range map[string]string{
		"":              `ZooKeeper address "": a host is missing; write host:port,host:port/chroot`,
		"a,,b":          `ZooKeeper address "a,,b": a host is missing; write host:port,host:port/chroot`,
		"h:0":           `ZooKeeper address "h:0": "0" is not a port; 1 to 65535 are`,
		"h:x/y":         `ZooKeeper address "h:x/y": "x" is not a port; 1 to 65535 are`,
		":1":            `ZooKeeper address ":1": ":1" is not host:port`,
		"h/a/":          `ZooKeeper address "h/a/": the chroot /a/ is not a path; write /name or /name/name`,
		"h/a/../b":      `ZooKeeper address "h/a/../b": the chroot /a/../b is not a path; write /name or /name/name`,
		"h/zookeeper/x": `ZooKeeper address "h/zookeeper/x": the chroot /zookeeper/x belongs to ZooKeeper itself; choose another`,
	} {
		_, err := ParseAddress(text)
		assert.EqualError(t, err, want)
	}
}

// TestFramesInAnyPieces cuts a stream of frames at every place.
func TestFramesInAnyPieces(t *testing.T) {
	long := make([]byte, 200)
	foreign := jute.ReplyHeader{Xid: 7, Zxid: 1}.Append(nil)
	own := jute.ReplyHeader{Xid: ownXid - 1, Zxid: 2}.Append(nil)
	frames3 := [][]byte{append(foreign, long...), {}, append(own, long...)}
	want := [][]byte{append(foreign, long[:headSize-len(foreign)]...), {}, frames3[2]}
	var stream []byte
	for _, f := range frames3 {
		start := len(stream)
		stream = jute.EndFrame(append(jute.BeginFrame(stream), f...), start)
	}
	stream = append(stream, 0, 0) // the beginning of a next one
	for a := range stream {
		for b := a; b < len(stream); b += 7 {
			var f frames
			var got [][]byte
			for _, piece := range [][]byte{stream[:a], stream[a:b], stream[b:]} {
				f.feed(piece, func(head []byte) { got = append(got, append([]byte{}, head...)) })
			}
			require.Equal(t, want, got, "cut at %d and %d", a, b)
		}
	}
}

func TestZxids(t *testing.T) {
	var z zxids
	assert.Zero(t, z.last())
	for m, s := range []int64{100, 101, 107, 1 << 32} { // others worked between, then a new leader
		assert.True(t, z.add(int64(m+1), s))
	}
	assert.False(t, z.add(5, 1<<32), "not a new transaction")
	for m, s := range map[int64]int64{0: 0, 1: 100, 3: 107, 4: 1 << 32, -1: -1} {
		got, ok := z.toServer(m)
		assert.True(t, ok)
		assert.Equal(t, s, got)
	}
	_, ok := z.toServer(6)
	assert.False(t, ok)
	for s, m := range map[int64]int64{0: 0, 99: 0, 100: 1, 106: 2, 107: 3, 1 << 40: 4} {
		assert.Equal(t, m, z.toMirror(s), s)
	}
}

func TestPathsUnderARoot(t *testing.T) {
	for path, want := range map[string]string{"/": "/r", "/a": "/r/a", "": "", "a": "a", "//": "/r//"} {
		assert.Equal(t, want, inside("/r", path), path)
		assert.Equal(t, path, inside("", path), path)
	}
	assert.Equal(t, "/r/", rooted("/r", zk.Op{Kind: zk.Create, Path: "/", Mode: zk.EphemeralSequential}).Path)
	back, err := outside("/r", "/r/a")
	require.NoError(t, err)
	assert.Equal(t, "/a", back)
	_, err = outside("/r", "/run")
	assert.EqualError(t, err, "ZooKeeper speaks of /run, which is not under /r")
}
