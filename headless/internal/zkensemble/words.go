package zkensemble

import (
	"io"
	"net"
	"time"
)

// fourLetterWord asks a server; empty if it does not answer.
func fourLetterWord(address, word string) string {
	c, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := io.WriteString(c, word); err != nil {
		return ""
	}
	b, _ := io.ReadAll(c)
	return string(b)
}
