package exercise

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/script"
)

// test follows one criterion through the run.
type test struct {
	c     *Criterion
	exprs []*script.Expr // Ever, or the keys of the choices, or the only one
	met   []int          // per expression: the first step after which it holds (Ever: after the one before), -1 for none
	count int
	marks map[int]bool
}

// see takes one step into account.
func (t *test) see(m *script.Moment, i int) {
	switch {
	case len(t.c.Ever) > 0:
		if next := slices.Index(t.met, -1); next >= 0 && t.exprs[next].True(m) {
			t.met[next] = i
		}
	case t.c.Count != "":
		if t.exprs[0].True(m) {
			t.count++
		}
	case t.c.Mark != "":
		if t.exprs[0].True(m) {
			t.marks[i] = true
		}
	case t.c.Never != "" || len(t.c.Choices) > 0:
		for k, e := range t.exprs {
			if t.met[k] < 0 && e.True(m) {
				t.met[k] = i
			}
		}
	}
}

// answer compares an answer with what the core says.
func (t *test) answer(res *Result, got string, end *script.Moment) bool {
	res.Got = got
	switch {
	case t.c.Value != "":
		res.Want = text(t.exprs[0].Eval(end))
	case t.c.Count != "":
		res.Want = strconv.Itoa(t.count)
	case t.c.Mark != "":
		for i := range t.marks {
			if res.Want == "" || i < atoi(res.Want) {
				res.Want = strconv.Itoa(i)
			}
		}
		i, err := strconv.Atoi(plain(got))
		if res.Want != "" {
			res.Step = atoi(res.Want)
		}
		return err == nil && t.marks[i]
	default:
		for k, c := range t.c.Choices {
			if t.met[k] >= 0 {
				res.Want, res.Step = c.ID, t.met[k]
				break
			}
		}
	}
	return plain(got) != "" && plain(got) == plain(res.Want)
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(errors.New("a number that this package wrote cannot be read: " + s))
	}
	return n
}

// text writes a value as a student would: a list as [0,1], nothing as none.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return v
	}
	return string(jsonvalue.Append(nil, v))
}

// plain takes away what does not matter in an answer: blanks, brackets round a list, the case of letters, and whether it
// says yes or true.
func plain(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
	}
	switch s {
	case "yes", "是":
		return "true"
	case "no", "否":
		return "false"
	}
	return s
}
