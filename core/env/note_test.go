package env_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/env"
)

// TestRecordsAreInOrder: lists of fields are compared and written as they stand, so their order must not depend on who
// made them.
func TestRecordsAreInOrder(t *testing.T) {
	want := env.Record{{Name: "10", Value: "c"}, {Name: "9", Value: int64(2)}, {Name: "a", Value: true}}
	fields := []env.Arg{env.A("a", true), env.A("9", int64(2)), env.A("10", "c")}
	r := env.R(fields...)
	require.Equal(t, want, r)
	require.Equal(t, env.A("a", true), fields[0], "the caller's list is not changed")
	require.Equal(t, want, append(env.Record{}, fields...).Sorted())
	require.Equal(t, int64(2), r.Get("9"))
	require.Nil(t, r.Get("1"))
	require.Equal(t, 3, r.Len())
	name, value := r.Field(0)
	require.Equal(t, env.A("10", "c"), env.A(name, value))
}
