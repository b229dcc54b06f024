package env

import (
	"strconv"
)

// Tagged strings: identities that differ from run to run or exceed JavaScript's integers. They are written like this
// wherever they occur, also inside values, so that normalising a trace is one pass.

// Zxid tags a transaction id, and so a broker epoch: "zxid:0x7a"; -1, the unknown broker epoch, stays "-1".
func Zxid(z int64) string {
	if z < 0 {
		return strconv.FormatInt(z, 10)
	}
	return tagged("zxid:0x", uint64(z), 16)
}

// Session tags a session id: "session:0x100000000000003"; 0 is "".
func Session(id int64) string {
	if id == 0 {
		return ""
	}
	return tagged("session:0x", uint64(id), 16)
}

// Time tags a server's or process's wall clock in ms: "time:1669713420123".
func Time(ms int64) string {
	var room [32]byte
	return string(strconv.AppendInt(append(room[:0], "time:"...), ms, 10))
}

// Correlation tags the number that pairs a request with its answer.
func Correlation(n int64) string { return "corr:" + strconv.FormatInt(n, 10) }

func tagged(prefix string, n uint64, base int) string {
	var room [32]byte
	return string(strconv.AppendUint(append(room[:0], prefix...), n, base))
}

// Int is a whole number as a document value.
func Int[N ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint32](n N) int64 { return int64(n) }

// Ints is a list of whole numbers as a document value, in their order.
func Ints[N ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint32](list []N) []any {
	out := make([]any, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return out
}

// Strings is a list of strings as a document value, in their order.
func Strings(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
