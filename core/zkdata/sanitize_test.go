package zkdata

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSanitize(t *testing.T) {
	for name, want := range map[string]string{"User:a b/c*": "User%3Aa%20b%2Fc%2A", "app-1_x.y": "app-1_x.y",
		DefaultEntity: "%3Cdefault%3E", "é": "%C3%A9"} {
		require.Equal(t, want, Sanitize(name))
	}
}
