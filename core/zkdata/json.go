package zkdata

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/kafka"
)

// errNotJSON is the original's JsonProcessingException: the text is not JSON at all.
var errNotJSON = errors.New("the text is not JSON")

// appendString appends s as a JSON string the way Jackson does: only the quote, the backslash and control characters are escaped.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\b':
			b = append(b, `\b`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\f':
			b = append(b, `\f`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r < 0x20:
			b = append(b, `\u00`...)
			b = append(b, hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

func appendInt[N ~int32 | ~int64](b []byte, n N) []byte { return strconv.AppendInt(b, int64(n), 10) }

func appendBrokers(b []byte, ids []kafka.BrokerID) []byte {
	return appendList(b, '[', ']', ids, func(b []byte, id kafka.BrokerID) []byte { return appendInt(b, id) })
}

// appendList appends items between the two brackets, separated by commas.
func appendList[T any](b []byte, open, end byte, items []T, each func([]byte, T) []byte) []byte {
	b = append(b, open)
	for i, x := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = each(b, x)
	}
	return append(b, end)
}

// object is a parsed JSON object.
type object map[string]any

// parse reads the first JSON value of data. Like Jackson it ignores what follows it and refuses null bytes; empty data is no
// value at all, which no caller accepts as an object.
func parse(data []byte) (any, error) {
	switch {
	case data == nil:
		return nil, errors.New("the znode has no data")
	case len(bytes.TrimSpace(data)) == 0:
		return nil, nil
	case !utf8.Valid(data):
		return nil, errNotJSON
	}
	v, _, err := jsonvalue.First(string(data))
	if err != nil {
		return nil, errNotJSON
	}
	return v, nil
}

// parseObject reads data as a JSON object. ok is false, without an error, when data is not JSON.
func parseObject(data []byte) (o object, ok bool, err error) {
	v, err := parse(data)
	if errors.Is(err, errNotJSON) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	m, isObject := v.(map[string]any)
	if !isObject {
		return nil, false, errors.New("expected a JSON object")
	}
	return m, true, nil
}

func (o object) int32(key string) (int32, error) {
	v, found := o[key]
	if !found {
		return 0, fmt.Errorf("the field %q is missing", key)
	}
	n, err := asInt32(v)
	if err != nil {
		return 0, fmt.Errorf("the field %q: %w", key, err)
	}
	return n, nil
}

func (o object) string(key string) (string, error) {
	v, found := o[key]
	if !found {
		return "", fmt.Errorf("the field %q is missing", key)
	}
	s, isString := v.(string)
	if !isString {
		return "", fmt.Errorf("the field %q: expected a string", key)
	}
	return s, nil
}

// object returns the object under key; nil when the key is missing.
func (o object) object(key string) (object, error) {
	v, found := o[key]
	if !found {
		return nil, nil
	}
	m, isObject := v.(map[string]any)
	if !isObject {
		return nil, fmt.Errorf("the field %q: expected an object", key)
	}
	return m, nil
}

func (o object) list(key string) ([]any, error) {
	l, isList := o[key].([]any)
	if !isList {
		return nil, fmt.Errorf("the field %q: expected a list", key)
	}
	return l, nil
}

func asInt32(v any) (int32, error) {
	n, isNumber := v.(jsonvalue.Number)
	if isNumber {
		if i, err := strconv.ParseInt(string(n), 10, 32); err == nil {
			return int32(i), nil
		}
	}
	return 0, errors.New("expected a whole number of 32 bits")
}

func asBrokers(v any) ([]kafka.BrokerID, error) {
	l, isList := v.([]any)
	if !isList {
		return nil, errors.New("expected a list of broker ids")
	}
	ids := make([]kafka.BrokerID, len(l))
	for i, x := range l {
		n, err := asInt32(x)
		if err != nil {
			return nil, fmt.Errorf("a broker id: %w", err)
		}
		ids[i] = kafka.BrokerID(n)
	}
	return ids, nil
}
