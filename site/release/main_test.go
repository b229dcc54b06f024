package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestThePackedSiteIsTheSiteAndTheSameEveryTime(t *testing.T) {
	site := fstest.MapFS{"index.html": {Data: []byte("home")}, "a/x.js": {Data: bytes.Repeat([]byte("x"), 1000)}, "a/x.js.br": {Data: []byte("b")}}
	var once, twice bytes.Buffer
	require.NoError(t, pack(&once, site))
	require.NoError(t, pack(&twice, site))
	require.Equal(t, once.Bytes(), twice.Bytes())
	z, err := zip.NewReader(bytes.NewReader(once.Bytes()), int64(once.Len()))
	require.NoError(t, err)
	require.NoError(t, fstest.TestFS(z, "index.html", "a/x.js", "a/x.js.br"))
	data, err := fs.ReadFile(z, "a/x.js")
	require.NoError(t, err)
	require.Equal(t, site["a/x.js"].Data, data)
	require.Equal(t, []uint16{zip.Deflate, zip.Store, zip.Deflate}, []uint16{z.File[0].Method, z.File[1].Method, z.File[2].Method})
}

func TestWithoutABuiltSiteThereIsNoRelease(t *testing.T) {
	require.ErrorContains(t, release(fstest.MapFS{}, t.TempDir()), "make site")
}
