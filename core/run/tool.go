package run

import (
	"fmt"
	"strings"

	"controllerscope/core/script"
)

// reassignTool calls kafka-reassign-partitions; what it prints and how it ends come as the world goes on.
func (r *Run) reassignTool(l *script.Line) error {
	args, err := shellWords(l.Text("OPTIONS"))
	if err == nil {
		r.world.Reassign(args)
	}
	return err
}

// shellWords splits a command line at spaces, except within 'single' or "double" quotes, which are taken away.
func shellWords(text string) (words []string, err error) {
	var word strings.Builder
	open, begun := rune(0), false
	for _, c := range text {
		switch {
		case open != 0 && c == open:
			open = 0
		case open == 0 && (c == '\'' || c == '"'):
			open, begun = c, true
		case open == 0 && (c == ' ' || c == '\t'):
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if open != 0 {
		return nil, fmt.Errorf("the quotation mark %c is opened but not closed", open)
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
