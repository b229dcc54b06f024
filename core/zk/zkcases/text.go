package zkcases

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Text is a value in one line, as JSON with sorted fields.
func Text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
