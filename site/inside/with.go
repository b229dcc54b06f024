//go:build withsite

package inside

import _ "embed"

// packed is written by site/release before it compiles, and never committed.
//
//go:embed site.zip
var packed []byte
