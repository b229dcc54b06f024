package zkmem

import (
	"testing"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zktest"
)

func TestRecordedCases(t *testing.T) {
	zktest.Run(t, func() zk.Store { return New(Options{}) })
}
