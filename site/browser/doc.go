// Package browser drives the built site in Chromium. Its tests need `npm ci` in site/ and a Chromium; `make test` sees to both.
package browser
