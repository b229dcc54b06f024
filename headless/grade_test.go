package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/exercise"
	"controllerscope/lessons"
)

// grading runs the command on a folder; it returns the exit code and both outputs.
func grading(dir string, flags ...string) (int, string, string) {
	var out, errw bytes.Buffer
	code := gradeCommand(append(flags, dir), &out, &errw)
	return code, out.String(), errw.String()
}

func put(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
}

// bounce is the hand-in of a student who bounces broker b of her variant.
func bounce(class, who string) *exercise.HandIn {
	l, _ := lessons.Embedded("10-bounce")
	v := l.Exercise.Variant(exercise.Seed(class, who, "E10"))
	return &exercise.HandIn{Schema: 1, Exercise: "E10", Version: 1, Who: who, Variant: exercise.SeedText(exercise.Seed(class, who, "E10")),
		Ops:     map[string]string{"drive": v.Fill("hold 0\nbroker kill {b}\nbroker start {b}\nuntil broker[{b}].state = 3\nrelease 0\n")},
		Answers: map[string]string{}}
}

func TestGradeAFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "ada.kcl.json", bounce("", "ada").JSON())
	put(t, dir, "grace.txt", []byte(bounce("", "grace").Line()+"\n"))
	put(t, dir, "nothing.json", (&exercise.HandIn{Schema: 1, Exercise: "E10", Version: 1, Who: "=1+1", Variant: exercise.SeedText(exercise.Seed("", "=1+1", "E10"))}).JSON())
	put(t, dir, "broken.json", []byte(`{"schema":1,`))
	put(t, dir, "other.json", []byte(`{"schema":1,"who":"x","exercise":"E99"}`))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	file := filepath.Join(t.TempDir(), "marks.csv")
	code, out, errs := grading(dir, "--csv", file)
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Equal(t, "left out, for only files are graded: folder\n3 graded, 2 unreadable\n", errs)
	marks, err := os.ReadFile(file)
	require.NoError(t, err)
	const notBounced = "drive.bounced: It never found %[1]s bounced: the end and the start of the process must both fall between two looks at /brokers/ids."
	lines := strings.SplitN(string(marks), "\n", 3)
	assert.Equal(t, "file,who,exercise,points,of,status,remarks", lines[0])
	assert.True(t, strings.HasPrefix(lines[1], `ada.kcl.json,ada,E10,6,10,graded,"first.case, step `), lines[1])
	for _, want := range []string{
		"\nbroken.json,,,0,,unreadable,it is no hand-in: the JSON text ends too early\n",
		"\ngrace.txt,grace,E10,6,10,graded,",
		"\nnothing.json,'=1+1,E10,0,10,graded,\"" + fmt.Sprintf(notBounced, broker("=1+1")),
		"\nother.json,x,,0,,unreadable,\"there is no exercise \"\"E99\"\"\"\n",
	} {
		assert.Contains(t, string(marks), want)
	}
}

// A name that stands in two files is told to who marks; which of them counts is the teacher's to say.
func TestGradeTellsOfTwoHandInsOfOneName(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.json", bounce("", "ada").JSON())
	put(t, dir, "b.txt", []byte(bounce("", "ada").Line()))
	put(t, dir, "c.json", bounce("", "grace").JSON())
	code, out, errs := grading(dir)
	require.Equal(t, exitOK, code, errs)
	assert.Equal(t, 1, strings.Count(out, "the same name has handed this exercise in as a.json too"))
	_, out, _ = grading(dir, "--json")
	assert.Equal(t, 1, strings.Count(out, `"also":"a.json"`))
	assert.Contains(t, strings.Split(out, "\n")[1], `"file":"b.txt"`)
}

func TestGradeNamesTheFileThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.json", bounce("", "ada").JSON())
	file := filepath.Join(dir, "no", "marks.csv")
	code, _, errs := grading(dir, "--csv", file)
	assert.Equal(t, exitUsage, code)
	assert.Equal(t, "headless: grade: --csv "+file+": no such file or directory\n", errs)
}

// broker is the broker of a student's variant.
func broker(who string) string {
	l, _ := lessons.Embedded("10-bounce")
	return l.Exercise.Variant(exercise.Seed("", who, "E10")).Fill("{b}")
}

func TestGradeRefuses(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		dir  string
		args []string
		want string
	}{
		{filepath.Join(empty, "no"), nil, "is no folder that can be read; give the folder with the hand-ins"},
		{empty, nil, "no hand-in is in "},
		{empty, []string{"--lang", "fr"}, `there is no language "fr"; there are en and zh`},
		{empty, []string{"-j", "0"}, "grade takes one folder of hand-ins, and -j of at least 1"},
	} {
		code, out, errs := grading(c.dir, c.args...)
		assert.Equal(t, exitUsage, code)
		assert.Empty(t, out)
		assert.Contains(t, errs, c.want)
	}
}

// Two hundred random hand-ins, broken and hostile ones among them, give the same bytes whatever the order of the work.
func TestGradingTwiceGivesTheSameBytes(t *testing.T) {
	const seed = 7
	dice := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	pieces := []string{"hold 0", "hold 1", "broker kill 1", "broker kill 2", "broker start 1", "broker start 2", "broker stop 2",
		"until broker[2].state = 3", "until idle", "release 0", "zk delete /controller", "hold zk.0", "deliver nothing", "until step.i > 1000000",
		"broker pause 0", "broker resume 0", "until count(zk) < 0", "'", "\x00"}
	for i := range 200 {
		h := bounce("c", fmt.Sprintf("student %d", i))
		if i%4 > 0 {
			var ops []string
			for range dice.IntN(8) {
				ops = append(ops, pieces[dice.IntN(len(pieces))])
			}
			h.Ops["drive"] = strings.Join(ops, "\n")
		}
		h.Answers["first.case"] = []string{"bounced", "dead", "dead-new", strings.Repeat("9", 1000)}[dice.IntN(4)]
		h.Answers["first.step"] = fmt.Sprint(dice.IntN(1 << 30))
		data := h.JSON()
		if i%10 == 9 {
			data[dice.IntN(len(data))] ^= byte(1 + dice.IntN(255))
		}
		put(t, dir, fmt.Sprintf("%03d", i), data)
	}
	first, out1, _ := grading(dir, "--class", "c", "--json", "-j", "1")
	second, out2, _ := grading(dir, "--class", "c", "--json", "-j", "8")
	assert.Equal(t, first, second, "seed %d", seed)
	assert.Equal(t, out1, out2, "seed %d", seed)
	assert.Equal(t, 200, strings.Count(out1, "\n"))
	assert.NotContains(t, out1, "mistake of this program")
}
