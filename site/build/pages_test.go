package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordedOnce plays all lessons for the first test that needs them.
var recordedOnce = sync.OnceValues(func() ([]*recorded, error) {
	folder, err := os.MkdirTemp("", "lessons")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	return readLessons(&siteFolder{dir: folder})
})

func testBuilder(t *testing.T) *builder {
	t.Helper()
	all, err := recordedOnce()
	require.NoError(t, err)
	words, err := readWords("..", "pages.")
	require.NoError(t, err)
	return &builder{site: "..", lessons: all, words: words}
}

// TestTheMapHasSixteenLessons in five units, numbered without a gap, each once.
func TestTheMapHasSixteenLessons(t *testing.T) {
	b := testBuilder(t)
	units, err := b.units("zh")
	require.NoError(t, err)
	require.Len(t, units, 5)
	var numbers []int
	here := 0
	for _, u := range units {
		for _, l := range u.Lessons {
			numbers = append(numbers, l.Number)
			require.NotEmpty(t, l.Title)
			if l.Here {
				here++
				require.Positive(t, l.Stops, l.ID)
			}
		}
	}
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, numbers)
	require.Equal(t, len(b.lessons), here)
}

// TestTheGlossary has 40 terms, 15 of them or more with a figure in which something changes from stop to stop.
func TestTheGlossary(t *testing.T) {
	b := testBuilder(t)
	for _, lang := range []string{"en", "zh"} {
		filled, err := fillGlossary(b, lang)
		require.NoError(t, err)
		terms := filled.([]term)
		require.Len(t, terms, 40)
		figures, ids := 0, map[string]bool{}
		for _, x := range terms {
			require.False(t, ids[x.ID], "%s stands there twice", x.ID)
			ids[x.ID] = true
			if x.Figure != nil {
				figures++
				require.Len(t, x.Figure, 3, x.ID)
			}
		}
		require.GreaterOrEqual(t, figures, 15)
		require.Equal(t, []panelRow{{terms[7].Figure[0].Rows[0].Label, b.words[lang]["yes"], false}, {terms[7].Figure[0].Rows[1].Label, "0", false}}, terms[7].Figure[0].Rows, "the watch is armed, the queue empty")
		require.Equal(t, []bool{true, true}, []bool{terms[7].Figure[1].Rows[0].Changed, terms[7].Figure[1].Rows[1].Changed}, "it fires: gone, and an event")
	}
}

// TestAFigureMustMove: values that are the same at all stops are no figure, a stop that is not there none either.
func TestAFigureMustMove(t *testing.T) {
	b := testBuilder(t)
	stops := []string{"10-bounce#busy", "10-bounce#fired"}
	_, err := b.figure(stops, []show{{"x", "zk[/controller].data.brokerid"}}, "en")
	require.ErrorContains(t, err, "are the same at all of")
	_, err = b.figure([]string{"10-bounce#nowhere"}, []show{{"x", "zxid"}}, "en")
	require.EqualError(t, err, "10-bounce#nowhere: the lesson has no such stop")
	_, err = b.figure([]string{"99-nothing#x"}, []show{{"x", "zxid"}}, "en")
	require.EqualError(t, err, "99-nothing#x: there is no lesson 99-nothing")
	_, err = b.figure(stops, []show{{"x", "zk["}}, "en")
	require.Error(t, err)
}

// TestTheArticlesLeadToStops: the sections of S0 and S4, which the lessons follow closely, all lead somewhere; the parts name
// types that exist.
func TestTheArticlesLeadToStops(t *testing.T) {
	filled, err := fillArticles(testBuilder(t), "en")
	require.NoError(t, err)
	f := filled.(articlesFill)
	require.Len(t, f.Articles, 5)
	for _, i := range []int{0, 4} {
		for _, s := range f.Articles[i].Sections {
			require.NotEmpty(t, s.Stops, "%s %s", f.Articles[i].ID, s.Heading)
		}
	}
	require.Equal(t, partBox{Kafka: "ControllerEventManager", File: "core/controller/queue.go", Type: "queue", Stops: f.Parts[0].Boxes[1].Stops}, f.Parts[0].Boxes[1])
	_, err = testBuilder(t).part("X", "core/controller noSuchType", "en")
	require.EqualError(t, err, "articles.yaml, X: core/controller has no type noSuchType")
}

// TestThePlanAsksTheLessonsQuestions and takes as long as it says.
func TestThePlanAsksTheLessonsQuestions(t *testing.T) {
	filled, err := fillTeach(testBuilder(t), "en")
	require.NoError(t, err)
	f := filled.(teachFill)
	require.Equal(t, 90, f.Blocks[len(f.Blocks)-1].To)
	require.Equal(t, "Broker 2 has come back and /brokers/ids has changed again. Will the controller get a second event?", f.Blocks[3].Ask[0].Question)
	require.Equal(t, "No, nobody has armed the watch again", f.Blocks[3].Ask[0].Answer)
}

// TestTeachNamesKeysThatThePageHas compares its table of keys with the stage's own list.
func TestTeachNamesKeysThatThePageHas(t *testing.T) {
	shell, err := os.ReadFile(filepath.Join("..", "src", "parts", "shell.ts"))
	require.NoError(t, err)
	for _, lang := range []string{"en", "zh"} {
		text, err := os.ReadFile(filepath.Join("..", "text", "pages", "teach."+lang+".md"))
		require.NoError(t, err)
		keys := regexp.MustCompile(`(?m)^\| ([A-Z?]) \|`).FindAllStringSubmatch(string(text), -1)
		require.GreaterOrEqual(t, len(keys), 8)
		for _, k := range keys {
			require.True(t, strings.Contains(string(shell), "['"+k[1]+"', 'k"), "%s: the stage has no key %s", lang, k[1])
		}
	}
}

// TestFidelityIsReadFromTheProgram: every switch with what the source says of it, every defect in both languages.
func TestFidelityIsReadFromTheProgram(t *testing.T) {
	b := testBuilder(t)
	filled, err := fillFidelity(b, "zh")
	require.NoError(t, err)
	f := filled.(fidelityFill)
	require.Contains(t, f.Guards, switched{"guard.broker-epoch off", "controller and brokers compare broker epochs (KIP-380)"})
	for _, d := range f.Defects {
		require.Equal(t, "zh", d.Lang, "text/defects.zh.yaml has no reason for %s", d.Name)
	}
}

// TestShort writes tagged identities as the stage does.
func TestShort(t *testing.T) {
	require.Equal(t, "0x7A of …beef at 00:00:01, 12", short("zxid:0x7a of session:0x1dead0000beef at time:1500, corr:12"))
	require.Equal(t, "∅", text(nil))
	require.Equal(t, "isr [1,0] · leader 1", text(map[string]any{"leader": int64(1), "isr": []any{int64(1), int64(0)}}))
}

// TestFactsFoldAZnodesStat: a znode that appears is two rows, its data and its stat; a value that changes is one.
func TestFactsFoldAZnodesStat(t *testing.T) {
	p, err := testBuilder(t).place("10-bounce#back")
	require.NoError(t, err)
	paths := map[string]fact{}
	for _, f := range facts(p.step()) {
		paths[f.Path] = f
	}
	require.Contains(t, paths, "zk[/brokers/ids/2].data")
	stat := paths["zk[/brokers/ids/2]"]
	require.Equal(t, "∅", stat.Before)
	require.Contains(t, stat.After, "czxid 0x")
	require.Contains(t, stat.After, "owner …")
	require.NotContains(t, paths, "zk[/brokers/ids/2].czxid")
	require.Equal(t, 1, strings.Count(paths["zxid"].After, "0x"))
}
