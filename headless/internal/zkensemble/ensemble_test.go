package zkensemble

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStandalone(t *testing.T) {
	e := ForTest(t, Options{})
	assert.Equal(t, "standalone", e.Mode(0))
	assert.Equal(t, "imok", fourLetterWord(e.Addresses()[0], "ruok"))
	require.NoError(t, e.Kill(0))
	assert.Equal(t, "", e.Mode(0))
	require.NoError(t, e.Restart(0))
	assert.Equal(t, "standalone", e.Mode(0))
}

func TestThree(t *testing.T) {
	e := ForTest(t, Options{Servers: 3, TickMS: 500})
	leader := e.Leader()
	require.GreaterOrEqual(t, leader, 0)
	require.NoError(t, e.Kill(leader))
	require.Eventually(t, func() bool { l := e.Leader(); return l >= 0 && l != leader }, startLimit, 50*time.Millisecond)
	require.NoError(t, e.Restart(leader))
	assert.Equal(t, "follower", e.Mode(leader))
}
