// Package input reads the files that people give to the command line.
package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Plain unpacks what is compressed with gzip, whatever its file is called; everything else is as it is.
func Plain(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(z)
	}
	if err != nil {
		return nil, errors.New("it is compressed with gzip and damaged: " + err.Error())
	}
	return data, nil
}
