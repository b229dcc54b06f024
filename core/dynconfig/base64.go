package dynconfig

import (
	"fmt"
	"strings"
)

// javaLength is how many UTF-16 units a text has.
func javaLength(s string) (n int) {
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func base64(data []byte) string {
	var out []byte
	for ; len(data) > 0; data = data[min(3, len(data)):] {
		var group [3]byte
		n := copy(group[:], data)
		v := int(group[0])<<16 | int(group[1])<<8 | int(group[2])
		for i := range 4 {
			if i > n {
				out = append(out, '=')
				continue
			}
			out = append(out, base64Digits[v>>(18-6*i)&63])
		}
	}
	return string(out)
}

func unbase64(text string) (out []byte, err error) {
	digits := strings.TrimRight(text, "=")
	if len(text)%4 != 0 || len(text)-len(digits) > 2 {
		return nil, fmt.Errorf("%q is not base64", text)
	}
	v, bits := 0, 0
	for _, c := range digits {
		d := strings.IndexRune(base64Digits, c)
		if d < 0 {
			return nil, fmt.Errorf("%q is not base64", text)
		}
		if v, bits = v<<6|d, bits+6; bits >= 8 {
			bits -= 8
			out = append(out, byte(v>>bits))
			v &= 1<<bits - 1
		}
	}
	return out, nil
}
