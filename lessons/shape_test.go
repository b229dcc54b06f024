package lessons

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is wrong with a lesson.yaml is told with file, line, field and what is wanted, and in no words of Go. Each case
// replaces one text by another in a lesson that is right.
func TestWhatDoesNotFitIsToldWithItsPlace(t *testing.T) {
	const top = "the fields are acts, exercise, id, kafka, minutes, needs, runs, sources"
	lessons := strings.Join(Names(), ", ")
	for _, c := range []struct{ old, new, want string }{
		{"minutes: 12", "minutes: many", `:5: minutes: a whole number is wanted, not "many"`},
		{"minutes: 12", "minutes: 1.5", `:5: minutes: a whole number is wanted, not "1.5"`},
		{"minutes: 12", `minutes: "12"`, `:5: minutes: a whole number is wanted, not "12"`},
		{"minutes: 12", "minutes: 99999999999999999999", `:5: minutes: a whole number is wanted, not "99999999999999999999"`},
		{"minutes: 12", "minutes: [12]", `:5: minutes: a whole number is wanted, not a list`},
		{"minutes: 12", "minutes: -1", `:5: minutes: -1; say how long it takes to work through`},
		{"minutes: 12", "minuets: 12", `:5: there is no field "minuets"; ` + top},
		{"minutes: 12", "minutes: 12\nminutes: 13", `:6: mapping key "minutes" already defined at [5:1]`},
		{"seed: 1", "seed: x", `:21: runs[0].seed: a whole number is wanted, 0 or more, not "x"`},
		{"seed: 1", "seed: -1", `:21: runs[0].seed: a whole number is wanted, 0 or more, not "-1"`},
		{"seed: 1", "seed: 9223372036854775808", `:21: runs[0].seed: a whole number is wanted, 0 or more, not "9223372036854775808"`},
		{"seed: 1", "seed: 1\n    sead: 1", `:22: there is no field "sead" in runs[0]; the fields are id, script, seed, setup, stops`},
		{"needs: [03-election]", "needs: 3", `:2: needs: a list is wanted, not "3"`},
		{"needs: [03-election]", "needs: {a: b}", `:2: needs: a list is wanted, not fields`},
		{"needs: [03-election]", "needs: [3-election]", `:2: needs[0]: there is no lesson "3-election"; there are ` + lessons},
		{"id: 10-bounce", "id: [a]", `:1: id: a text is wanted, not a list`},
		{"id: 10-bounce", "id: 10-bonce", `:1: id is "10-bonce", but the folder is 10-bounce`},
		{"id: 10-bounce", "id:", `: field id is missing; write id: 10-bounce, the name of the folder`},
		{"id: unseen\n    charts: closed", "id: unseen\n    charts: ajar", `:8: act unseen: charts: there is no "ajar"; there are closed, open, first, age`},
		{"- id: unseen\n", "- unseen\n  - id: unseen\n", `:7: acts[0]: fields are wanted (NAME: VALUE) of charts, id, not "unseen"`},
		{"acts:", "---\nacts:", `:7: a second document begins here; one is read`},
		{"      broker stop 2", "      broker stopp 2", ":34:14: expected start, stop, kill, crash, bounce, pause, resume, config or set-listener after broker\n" +
			"          broker stopp 2\n                 ^^^^^"},
		{"at: step.kind = hold and step.args.what = '0.controller'", "at: step.kind = = hold", ":43: stop busy: at: 1:13: expected a path, a value, not or (\n" +
			"    step.kind = = hold\n                ^"},
	} {
		t.Run(c.new, func(t *testing.T) {
			err := opened(t, c.old, c.new)
			require.EqualError(t, err, "10-bounce/lesson.yaml"+c.want)
		})
	}
	for _, whole := range []string{"", "\n\n", "# nothing\n"} {
		assert.EqualError(t, opened(t, "", whole), "10-bounce/lesson.yaml is empty; README.md of the lessons says what stands in it")
	}
	assert.EqualError(t, opened(t, "", "hello"), `10-bounce/lesson.yaml:1: fields are wanted (NAME: VALUE) of `+strings.TrimPrefix(top, "the fields are ")+`, not "hello"`)
	assert.EqualError(t, opened(t, "", "- a\n"), `10-bounce/lesson.yaml:1: fields are wanted (NAME: VALUE) of `+strings.TrimPrefix(top, "the fields are ")+`, not a list`)
}

// opened reads lesson 10 with one text replaced by another, or with another lesson.yaml in whole.
func opened(t *testing.T, old, new string) error {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "10-bounce")
	require.NoError(t, os.CopyFS(folder, os.DirFS("10-bounce")))
	file := filepath.Join(folder, "lesson.yaml")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	if old != "" {
		require.Contains(t, string(data), old)
		new = strings.Replace(string(data), old, new, 1)
	}
	require.NoError(t, os.WriteFile(file, []byte(new), 0o600))
	_, err = Open(folder)
	return err
}

// A lesson of somebody's own may need another that lies beside it.
func TestALessonMayNeedOneBesideIt(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"10-bounce", "03-election"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(name)))
	}
	require.NoError(t, os.Rename(filepath.Join(dir, "03-election"), filepath.Join(dir, "a-race")))
	file := filepath.Join(dir, "10-bounce", "lesson.yaml")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(data), "needs: [03-election]", "needs: [a-race]", 1)), 0o600))
	_, err = Open(filepath.Join(dir, "10-bounce"))
	assert.NoError(t, err)
}

func TestPlacesOfFields(t *testing.T) {
	l, err := Open("10-bounce")
	require.NoError(t, err)
	for field, line := range map[string]int{"id": 1, "needs[0]": 2, "acts[1].id": 9, "runs[0]": 20, "runs[0].seed": 21, "runs[0].setup": 23, "runs[0].stops[0].id": 41} {
		assert.Equal(t, line, l.Places[field].Line, field)
	}
	assert.Equal(t, 6, l.Places["runs[0].setup"].Indent)
}
