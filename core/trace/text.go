package trace

import (
	"strings"
)

// PathText writes a path as expressions do: zk[/controller].data, ctx[0].liveBrokerEpochs[2]. A word that is not a plain
// name stands in brackets as it is; a closing bracket or backslash inside it is escaped by a backslash.
func PathText(path []string) string {
	var b strings.Builder
	for i, word := range path {
		switch {
		case !plainWord(word):
			b.WriteByte('[')
			for j := 0; j < len(word); j++ {
				if word[j] == ']' || word[j] == '\\' {
					b.WriteByte('\\')
				}
				b.WriteByte(word[j])
			}
			b.WriteByte(']')
		case i > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(word)
		}
	}
	return b.String()
}

// plainWord reports whether word is a letter followed by letters, digits, - and _.
func plainWord(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '-' || c == '_')) {
			return false
		}
	}
	return word != ""
}
