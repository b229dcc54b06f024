package kafkawire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/request"
)

// The versions in the cases of Kafka's ControllerChannelManagerTest: this package speaks those of 2.8-IV1 and no other.

// version is the version that a request goes out in.
func version(t *testing.T, r request.Request) int16 {
	k, err := EncodeRequest(r)
	require.NoError(t, err)
	return k.GetVersion()
}

// CCM-04: LeaderAndIsr is sent in version 5.
func TestCCM_04(t *testing.T) { require.EqualValues(t, 5, version(t, request.LeaderAndIsr{})) }

// CCM-09: UpdateMetadata is sent in version 7.
func TestCCM_09(t *testing.T) { require.EqualValues(t, 7, version(t, request.UpdateMetadata{})) }

// CCM-18: StopReplica is sent in version 3.
func TestCCM_18(t *testing.T) { require.EqualValues(t, 3, version(t, request.StopReplica{})) }
