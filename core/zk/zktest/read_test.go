package zktest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file is a case file around steps.
func file(steps string) []byte {
	return []byte(`{"format":"zkcases/1","cases":[{"name":"n","steps":[` + steps + `]}]}`)
}

const open = `{"session":"A","op":"open"},`

func TestRecordedFileIsRead(t *testing.T) {
	f := Recorded()
	require.Len(t, f.Cases, 53)
	steps := 0
	for _, c := range f.Cases {
		steps += len(c.Steps)
	}
	assert.Equal(t, 486, steps)
	assert.Len(t, Found().Cases, 8)
}

// TestBadFiles: file, case, step, word, and what is allowed.
func TestBadFiles(t *testing.T) {
	const paths = "~ and what is under it; /, /zookeeper, /zookeeper/config and /zookeeper/quota; " +
		"any path in a step that expects an error"
	for want, data := range map[string]string{
		"f: the file is empty; a JSON object is expected":                                                 "",
		"f: line 2 is not JSON: invalid character 'x' looking for beginning of object key string":         "{\n x",
		"f: the file is not JSON: it ends in the middle":                                                  `{"format":`,
		"f: line 1: more text follows the end of the JSON object":                                         `{} {}`,
		`f: the file must be a JSON object, but is [1]`:                                                   `[1]`,
		`f: the file has no field "casses"; allowed: format, about, cases`:                                `{"casses":[]}`,
		`f: format "zkcases/2" is not known; allowed: zkcases/1`:                                          `{"format":"zkcases/2"}`,
		`f: there are no cases: "cases" must be a list with at least one`:                                 `{"format":"zkcases/1"}`,
		`f: field "cases" is "no", where a list belongs`:                                                  `{"format":"zkcases/1","cases":"no"}`,
		`f: case "number 1": the case has no "name"`:                                                      `{"format":"zkcases/1","cases":[{}]}`,
		`f: case "n": the case has no "steps"`:                                                            string(file("")),
		`f: case "n", step 1: session "A" does not exist: its first step must be open; allowed: none yet`: string(file(`{"session":"A","op":"get"}`)),
		`f: case "n", step 2: session "B" does not exist: its first step must be open; allowed: A`:        string(file(open + `{"session":"B","op":"get"}`)),
		`f: case "n", step 1: the step has no "session"`:                                                  string(file(`{"op":"open"}`)),
		`f: case "n", step 2: a step has no field "arg"; allowed: session, op, args, async, expect`:       string(file(open + `{"session":"A","op":"get","arg":{}}`)),
		`f: case "n", step 2: args of get has no field "version"; allowed: path`:                          string(file(open + `{"session":"A","op":"get","args":{"version":1}}`)),
		`f: case "n", step 2: field "version" is "x", where a number belongs`:                             string(file(open + `{"session":"A","op":"set","args":{"version":"x"}}`)),
		`f: case "n", step 2: expect of get has no field "children"; allowed: error, data, stat`:          string(file(open + `{"session":"A","op":"get","expect":{"children":[]}}`)),
		`f: case "n", step 2: expected stat has no field "ctime"; allowed: czxid, mzxid, pzxid, version, cversion, aversion, ephemeralOwner, dataLength, numChildren`: string(file(open + `{"session":"A","op":"get","expect":{"stat":{"ctime":1}}}`)),
		`f: case "n", step 2: watch "w" was not set by session A; allowed: none yet`:                                                                                  string(file(open + `{"session":"A","op":"watch","args":{"watch":"w"}}`)),
		`f: case "n", step 2: handle "h" was not started by session A; allowed: none yet`:                                                                             string(file(open + `{"session":"A","op":"await","args":{"handle":"h"}}`)),
		`f: case "n", step 2: async: cut is no call of the client and cannot run in the background`:                                                                   string(file(open + `{"session":"A","op":"cut","async":"h"}`)),
		`f: case "n", step 2: path "/a" of create does not begin with ~; allowed: ` + paths:                                                                           string(file(open + `{"session":"A","op":"create","args":{"path":"/a"}}`)),
		`f: case "n", step 2: path "a" of multi does not begin with ~; allowed: ` + paths:                                                                             string(file(open + `{"session":"A","op":"multi","args":{"ops":[{"op":"set","path":"a"}]},"expect":{"error":null}}`)),
		`f: case "n", step 2: operation 1 of the multi: op "get" is not known; allowed: check, create, delete, set`:                                                   string(file(open + `{"session":"A","op":"multi","args":{"ops":[{"op":"get"}]}}`)),
		`f: case "n", step 2: operation 1 of the multi (check) has no field "data"; allowed: op, path, version`:                                                       string(file(open + `{"session":"A","op":"multi","args":{"ops":[{"op":"check","data":"x"}]}}`)),
		`f: case "n", step 2: field "data": data 7 is neither a string nor {"repeat":"x","count":n}`:                                                                  string(file(open + `{"session":"A","op":"set","args":{"data":7}}`)),
		`f: case "n", step 2: field "data": data of 99999999 × "x" is too large; allowed are 16777216 bytes`:                                                          string(file(open + `{"session":"A","op":"set","args":{"data":{"repeat":"x","count":99999999}}}`)),
	} {
		_, err := Read("f", []byte(data))
		assert.EqualError(t, err, want, "%s", data)
	}
}

// A step that nobody knows fails its case, not the file, and is not asked of the player.
func TestAnUnknownStepFailsByItself(t *testing.T) {
	f, err := Read("f", []byte(`{"format":"zkcases/1","cases":[{"name":"new","steps":[`+open+
		`{"session":"A","op":"fetch","args":{"path":1},"async":"h"},{"session":"A","op":"await","args":{"handle":"h"}}]},`+
		`{"name":"old","steps":[{"session":"A","op":"open"}]}]}`))
	require.NoError(t, err)
	require.Len(t, f.Cases, 2)
	require.Len(t, f.Cases[0].Steps, 2)
	asked := &deaf{}
	_, err = Replay(&f.Cases[0], asked)
	assert.EqualError(t, err, `case new, step 2 ("fetch"): this op is not known; there are add_auth, await, await_gone, children, children_w, close, `+
		`create, create_container, create_ttl, cut, delete, events, exists, exists_w, fill, get, get_acl, get_w, heal, multi, open, set, set_acl, stall, state, sync, watch`)
	assert.Equal(t, []string{"open"}, asked.ops)
	_, err = Replay(&f.Cases[1], asked)
	assert.NoError(t, err)
}

// deaf is a player that sees nothing.
type deaf struct{ ops []string }

func (d *deaf) Do(s *Step) (Result, error) { d.ops = append(d.ops, s.Op); return nil, nil }

func (d *deaf) Visible(*Step, string, any) (any, int) { return nil, 0 }

func TestPathOutsideTheBaseIsAllowedWhereNothingCanBeWritten(t *testing.T) {
	for _, step := range []string{
		`{"session":"A","op":"get","args":{"path":"/a"}}`,
		`{"session":"A","op":"create","args":{"path":"a"},"expect":{"error":"ErrInvalidPath"}}`,
		`{"session":"A","op":"set","args":{"path":"/"}}`,
	} {
		_, err := Read("f", file(open+step))
		assert.NoError(t, err, step)
	}
}

func TestCaseIsWrittenAsItIsRead(t *testing.T) {
	for _, c := range Recorded().Cases {
		f, err := Read("again", []byte(`{"format":"zkcases/1","cases":[`+c.JSON()+`]}`))
		require.NoError(t, err, c.Name)
		assert.Equal(t, c, f.Cases[0])
	}
}

func FuzzRead(f *testing.F) {
	f.Add(recorded)
	f.Add(file(open + `{"session":"A","op":"multi","args":{"ops":[{"op":"check"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Read("f", data); err != nil {
			require.IsType(t, &Error{}, err)
		}
	})
}
