package serve

import (
	"bytes"

	"github.com/andybalholm/brotli"
)

// Pack is data as the .br files of a built site hold it: brotli at its best quality with the largest window that every
// browser takes.
func Pack(data []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return b.Bytes()
}
