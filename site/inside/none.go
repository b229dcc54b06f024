//go:build !withsite

package inside

var packed []byte
