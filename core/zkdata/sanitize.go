package zkdata

import (
	"fmt"
	"strings"
)

// Sanitize is the name of a user or client as it stands in a path and in configs: percent-encoded UTF-8, letters, digits,
// - _ . left as they are. Kafka: Sanitizer.sanitize.
func Sanitize(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
