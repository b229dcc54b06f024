package lessons

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/core/lesson"
	"controllerscope/core/run"
	"controllerscope/core/trace"
	"controllerscope/core/zk/zkmem"
)

// play carries out one run of a lesson on the emulator.
func play(t *testing.T, l *lesson.Lesson, r lesson.Run) *trace.Trace {
	t.Helper()
	started, err := run.Start(l.Inputs(r), run.Options{Store: zkmem.New(zkmem.Options{}), Record: true})
	require.NoError(t, err)
	defer started.Close()
	require.NoError(t, started.Finish())
	return started.Trace()
}

// eachRun plays every run of every lesson.
func eachRun(t *testing.T, f func(t *testing.T, l *lesson.Lesson, r lesson.Run, tr *trace.Trace)) {
	for _, name := range Names() {
		l, err := Embedded(name)
		require.NoError(t, err)
		for _, r := range l.Runs {
			t.Run(name+"/"+r.ID, func(t *testing.T) { f(t, l, r, play(t, l, r)) })
		}
	}
}

func TestEveryStopOfEveryRunIsFound(t *testing.T) {
	eachRun(t, func(t *testing.T, l *lesson.Lesson, r lesson.Run, tr *trace.Trace) {
		stops, err := l.Resolve(r, tr)
		require.NoError(t, err)
		assert.Len(t, stops, len(r.Stops))
	})
}

func TestTheLessonsThatThereAre(t *testing.T) {
	assert.Equal(t, []string{"01-znodes", "03-election", "04-epochs", "07-topic", "08-broker-dies", "09-broker-joins", "10-bounce", "13-deletion", "15-config", "16-purge"}, Names())
	_, err := Embedded("99-nowhere")
	assert.EqualError(t, err, "99-nowhere: no such lesson; there are [01-znodes 03-election 04-epochs 07-topic 08-broker-dies 09-broker-joins 10-bounce 13-deletion 15-config 16-purge]")
}

func TestALessonOpensFromAFolder(t *testing.T) {
	opened, err := Open("10-bounce")
	require.NoError(t, err)
	embedded, err := Embedded("10-bounce")
	require.NoError(t, err)
	assert.Equal(t, embedded, opened)
}

// What an editor puts before a text is taken off, and one that saves in another encoding is told so.
func TestALessonInTheEncodingOfAnEditor(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "10-bounce")
	require.NoError(t, os.CopyFS(folder, os.DirFS("10-bounce")))
	file := filepath.Join(folder, "lesson.yaml")
	rewrite := func(file string, change func([]byte) []byte) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, change(data), 0o600))
	}
	mark := func(data []byte) []byte { return append([]byte("\ufeff"), data...) }
	for _, name := range []string{"lesson.yaml", "en.md", "zh.md"} {
		rewrite(filepath.Join(folder, name), mark)
	}
	opened, err := Open(folder)
	require.NoError(t, err)
	embedded, err := Embedded("10-bounce")
	require.NoError(t, err)
	assert.Equal(t, embedded, opened)

	rewrite(file, func([]byte) []byte { return []byte("\xff\xfei\x00d\x00") })
	_, err = Open(folder)
	assert.EqualError(t, err, "10-bounce/lesson.yaml is not text in UTF-8; save it with that encoding")
}

// What the epoch check protects from: with it off, a world at rest has a leader that hosts nothing.
func TestTheMuseumRunEndsWithALeaderThatHostsNothing(t *testing.T) {
	l, err := Embedded("10-bounce")
	require.NoError(t, err)
	for _, r := range l.Runs {
		tr := play(t, l, r)
		broken := tr.Steps[len(tr.Steps)-1].Invariants
		if r.ID == "museum" {
			assert.Contains(t, broken, "leader-hosts orders-1")
		} else {
			assert.Empty(t, broken, r.ID)
		}
	}
}
