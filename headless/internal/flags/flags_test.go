package flags

import (
	"bytes"
	"errors"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
)

func set() (*flag.FlagSet, *bytes.Buffer) {
	f := flag.NewFlagSet("headless try", flag.ContinueOnError)
	var b bytes.Buffer
	f.SetOutput(&b)
	f.Int("port", 1, "`port`")
	f.Uint64("seed", 1, "seed")
	f.Bool("json", false, "as JSON")
	f.String("f", "", "a `FILE`")
	f.Func("switch", "a `LINE`", func(string) error { return errors.New("it is no switch") })
	return f, &b
}

func TestFlagsStandAnywhere(t *testing.T) {
	f, out := set()
	rest, err := Parse(f, []string{"a", "--port", "7", "b", "-json", "c"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "c"}, rest)
	assert.Equal(t, "7", f.Lookup("port").Value.String())
	assert.Equal(t, "true", f.Lookup("json").Value.String())
	assert.Empty(t, out.String())
}

func TestWhatIsWrongIsASentence(t *testing.T) {
	for want, args := range map[string][]string{
		`--port "x": a whole number is wanted`:                    {"--port", "x"},
		`--port "99999999999999999999": a whole number is wanted`: {"-port=99999999999999999999"},
		`--seed "-1": a whole number is wanted, 0 or more`:        {"a", "--seed", "-1"},
		`--json "maybe": true or false is wanted, or nothing`:     {"--json=maybe"},
		`--switch "x": it is no switch`:                           {"--switch", "x"},
		"-f needs a value: FILE":                                  {"-f"},
		"--port needs a value: port":                              {"a", "--port"},
		"there is no flag --nosuch; try -h lists the flags":       {"--nosuch"},
		"there is no flag -x; try -h lists the flags":             {"a", "-x"},
		"bad flag syntax: ---x; try -h lists the flags":           {"---x"},
	} {
		f, out := set()
		_, err := Parse(f, args)
		assert.EqualError(t, err, want)
		assert.Empty(t, out.String(), args)
	}
}

func TestHelpIsGiven(t *testing.T) {
	f, out := set()
	_, err := Parse(f, []string{"a", "-h"})
	assert.ErrorIs(t, err, flag.ErrHelp)
	assert.Contains(t, out.String(), "Usage of headless try:\n  -f FILE\n")
	f.Usage = func() { out.WriteString("as I say") }
	_, err = Parse(f, []string{"--help"})
	assert.ErrorIs(t, err, flag.ErrHelp)
	assert.Contains(t, out.String(), "as I say")
}
