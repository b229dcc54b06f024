package zkmem

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/zk"
)

// TestSizes starts from what a fresh 3.8.0 answers to mntr: 5 nodes, 44 bytes.
func TestSizes(t *testing.T) {
	s := New(Options{})
	assert.Equal(t, zk.Sizes{Nodes: 5, DataBytes: 44}, s.Sizes())
	id, _, _, _ := s.Open(0, 4000)
	_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Create, Path: "/e", Data: []byte("abc"), Mode: zk.Ephemeral})
	_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Get, Path: "/e", Watch: true})
	_, _, _ = s.Apply(0, id, zk.Op{Kind: zk.Children, Path: "/", Watch: true})
	assert.Equal(t, zk.Sizes{Nodes: 6, Ephemerals: 1, Watches: 2, DataBytes: 49}, s.Sizes())
}
