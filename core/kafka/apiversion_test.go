package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPIVersions(t *testing.T) {
	for text, want := range map[string]string{"2.6": "2.6-IV0", "2.7": "2.7-IV2", "2.8": "2.8-IV1", "2.8.2": "2.8-IV1", "2.7-IV1": "2.7-IV1",
		"0.10.0": "0.10.0-IV1", "0.9.0.1": "0.9.0", "0.11.0.3": "0.11.0-IV2", "1.0": "1.0-IV0"} {
		v, err := ParseAPIVersion(text)
		require.NoError(t, err, text)
		require.Equal(t, want, v.String(), text)
	}
	for _, text := range []string{"", "3.0", "2.6-IV9", "x"} {
		_, err := ParseAPIVersion(text)
		require.EqualError(t, err, "version `"+text+"` is not a valid version")
	}
	require.Less(t, V2_6_IV0, V2_7_IV2)
	require.Equal(t, LatestAPIVersion(), V2_8_IV1)
}
