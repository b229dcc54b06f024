package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// JSONError says a type error of encoding/json in words of JSON: which field, what is wanted there, what stands there. Other
// errors are as they are.
func JSONError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	got, rest, _ := strings.Cut(wrong.Value, " ") // "number 1.5": it is the number that does not fit
	if rest == "" {
		rest = map[string]string{"object": "an object", "array": "a list", "string": "a text", "number": "a number", "bool": "true or false"}[got]
	}
	sentence := fmt.Sprintf("%s is wanted, not %s", wanted(wrong.Type), rest)
	if wrong.Field != "" {
		sentence = "field " + wrong.Field + ": " + sentence
	}
	return errors.New(sentence)
}

// wanted names what JSON has for a type of Go.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
