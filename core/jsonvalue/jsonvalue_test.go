package jsonvalue_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/jsonvalue"
)

// standard is what encoding/json says about the first value of a text.
func standard(text string) (any, string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return ours(v), text[min(int(d.InputOffset()), len(text)):], err
}

func ours(v any) any {
	switch x := v.(type) {
	case json.Number:
		return jsonvalue.Number(x)
	case []any:
		for i := range x {
			x[i] = ours(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = ours(x[k])
		}
	}
	return v
}

// agree compares both readers on a text.
func agree(t *testing.T, text string) {
	t.Helper()
	want, rest, wrong := standard(text)
	got, gotRest, err := jsonvalue.First(text)
	if wrong != nil {
		require.Error(t, err, "%.60q: encoding/json says %v", text, wrong)
		require.Nil(t, got)
	} else {
		require.NoError(t, err, "%.60q", text)
		require.Equal(t, want, got, "%.60q", text)
		require.Equal(t, rest, gotRest, "%.60q", text)
	}
	_, err = jsonvalue.Parse(text)
	require.Equal(t, json.Valid([]byte(text)), err == nil, "%.60q as a whole", text)
	out, ok := jsonvalue.AppendCompact([]byte("x"), text)
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) != nil {
		require.False(t, ok)
		require.Equal(t, "x", string(out))
		return
	}
	require.Equal(t, "x"+compact.String(), string(out), "%.60q", text)
}

var texts = []string{
	``, ` `, `null`, `nul`, `nulll`, `true`, `false`, `tru`, `0`, `-0`, `01`, `-`, `-x`, `1.`, `1.5`, `.5`, `1e`, `1e+`, `1E-7`, `12e3 `, `1x`, `+1`, `NaN`,
	`""`, `"a`, `"a"b`, "\"a\nb\"", "\"\x00\"", `"\n\t\r\b\f\/\\\""`, `"\x"`, `"\u00e9"`, `"\u00E9"`, `"\u00e"`, `"\u00g0"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83d\u0041"`,
	`"\ud83dx"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\ud83d\n"`, `"\ud83d\u00"`, "\"\xff\"", "\"\xe4\xb8\"", `"主"`, `"\u2028"`, `"\`, `"\u`, "\"a\x7f\"",
	`[]`, `[ ]`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `[1`, `[`, `]`, `[[],{}]`, `[1]]`, ` [ 1 , "a b" , null ] x`,
	`{}`, `{ }`, `{"a":1}`, `{"a":1,}`, `{"a" :1 , "b": [true]}`, `{"a":1,"a":2}`, `{a:1}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{`, `{"a`, `{"a":1`, `{"a":1}}`, `{1:2}`,
	`{"version":1,"brokerid":0,"timestamp":"1660000000000"}`, "\v1", "\ufeff{}",
}

func TestReadsAsEncodingJSON(t *testing.T) {
	for _, text := range texts {
		agree(t, text)
	}
	agree(t, strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000))
	agree(t, strings.Repeat("[", 10_001)+strings.Repeat("]", 10_001))
	agree(t, strings.Repeat(`{"a":`, 10_001)+"1"+strings.Repeat("}", 10_001))
}

// TestReadsBrokenTextAsEncodingJSON cuts and changes texts at random.
func TestReadsBrokenTextAsEncodingJSON(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	const letters = "{}[]\",:\\u0123456789abcdefnrt +-.eE\n\x80\xff"
	for range 20_000 {
		b := []byte(texts[dice.IntN(len(texts))] + texts[dice.IntN(len(texts))])
		for range dice.IntN(4) {
			if len(b) > 0 {
				at := dice.IntN(len(b))
				b = append(b[:at:at], append([]byte{letters[dice.IntN(len(letters))]}, b[min(len(b), at+dice.IntN(3)):]...)...)
			}
		}
		agree(t, string(b))
	}
}

func TestWritesAsEncodingJSON(t *testing.T) {
	for _, s := range []string{"", "a b", `"\/`, "\x00\x1f\b\f\n\r\t\x7f", "é主😀", "\xff\xe4\xb8", "\u2028\u2029", "<default>&", "a\ufffdb"} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(s))
		require.Equal(t, strings.TrimSuffix(b.String(), "\n"), string(jsonvalue.AppendString(nil, s)), "%q", s)
	}
	value := map[string]any{"b": []any{nil, true, int64(-7), 0.25, jsonvalue.Number("1e9")}, "a": []string{"x", "y"}, "": map[string]any{}}
	require.Equal(t, `{"":{},"a":["x","y"],"b":[null,true,-7,0.25,1e9]}`, string(jsonvalue.Append(nil, value)))
}

func TestSpellings(t *testing.T) {
	fields, ok := jsonvalue.Fields(` { "a" : [1 , 2] , "b":"x\u0041", "a" :  null,"c":{} } `)
	require.True(t, ok)
	require.Equal(t, map[string]string{"a": "null", "b": `"x\u0041"`, "c": "{}"}, fields)
	items, ok := jsonvalue.Items(`[ 1.50, [2 ,3],{"a": 1} ]`)
	require.True(t, ok)
	require.Equal(t, []string{"1.50", "[2 ,3]", `{"a": 1}`}, items)
	fields, ok = jsonvalue.Fields(" {}")
	require.True(t, ok)
	require.Empty(t, fields)
	items, ok = jsonvalue.Items("[ ] ")
	require.True(t, ok)
	require.Empty(t, items)
	for _, text := range []string{"", "null", "1", "[", `"a"`} {
		_, ok = jsonvalue.Fields(text + "]")
		require.False(t, ok, text)
		_, ok = jsonvalue.Items(text + "}")
		require.False(t, ok, text)
	}
}

func TestNumbers(t *testing.T) {
	i, err := jsonvalue.Number("9223372036854775807").Int64()
	require.NoError(t, err)
	require.Equal(t, int64(9223372036854775807), i)
	_, err = jsonvalue.Number("1.5").Int64()
	require.Error(t, err)
	f, err := jsonvalue.Number("1.5").Float64()
	require.NoError(t, err)
	require.Equal(t, 1.5, f)
}

func TestErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"a" 1}`: `at byte 5 of the JSON text stands '1', expected a colon`,
		`[1`:      `the JSON text ends too early`,
		`1 2`:     `the JSON text goes on after its value at byte 2`,
	} {
		_, err := jsonvalue.Parse(text)
		require.EqualError(t, err, want)
	}
}
