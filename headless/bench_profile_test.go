package main

import (
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
)

// sampled is a sample of so many nanoseconds with a stack, innermost function first.
func sampled(ns int64, stack ...string) *profile.Sample {
	s := &profile.Sample{Value: []int64{1, ns}}
	for _, name := range stack {
		s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
	}
	return s
}

func TestSharesOfAProfile(t *testing.T) {
	p := &profile.Profile{Sample: []*profile.Sample{
		sampled(30, "syscall.write", "github.com/go-zookeeper/zk.(*Conn).sendData", "controllerscope/headless.pipelined"),
		sampled(20, "runtime.mallocgc", "controllerscope/core/zk/zkmem.(*Store).Apply", "controllerscope/headless/zkserver.(*Server).request"),
		sampled(10, "runtime.gcBgMarkWorker"),
		sampled(40, "github.com/go-zookeeper/zk.(*Conn).recvLoop"),
	}}
	got, all := shares(p, pipeParts)
	assert.Equal(t, []int64{70, 20, 10}, got)
	assert.EqualValues(t, 100, all)
}
