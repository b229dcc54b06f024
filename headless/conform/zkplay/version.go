package zkplay

import (
	"errors"
	"io"
	"net"
	"strings"
	"time"
)

// ServerVersion asks a server for its release with the four-letter word srvr, which is allowed by default.
func ServerVersion(address string) (string, error) {
	text, err := FourLetterWord(address, "srvr")
	if err != nil {
		return "", err
	}
	version, ok := strings.CutPrefix(strings.SplitN(text, "\n", 2)[0], "Zookeeper version: ")
	if !ok {
		return "", errors.New("it does not answer srvr")
	}
	version, _, _ = strings.Cut(version, ",")
	return version, nil
}

// FourLetterWord sends one and returns the whole answer.
func FourLetterWord(address, word string) (string, error) {
	c, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.WriteString(c, word); err != nil {
		return "", err
	}
	b, err := io.ReadAll(c)
	if err != nil {
		return "", err
	}
	return string(b), nil
}
