package lesson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARecapIsWholeAndShort(t *testing.T) {
	whole := Recap{Points: [3]string{strings.Repeat("x", 130), "b", "c"}, Last: strings.Repeat("x", 210), KRaft: strings.Repeat("x", 210), points: 3}
	assert.NoError(t, whole.complete("en"))
	missing := "no recap, or only a part; add ## recap with three items and the lines **3.9** and **KRaft**"
	assert.EqualError(t, (*Recap)(nil).complete("en"), missing)
	part := whole
	part.KRaft = ""
	assert.EqualError(t, part.complete("en"), missing)
	long := whole
	long.Points[1] = "bb" + strings.Repeat("长", 49)
	assert.NoError(t, long.complete("en"))
	long = Recap{Points: long.Points, Last: "l", KRaft: "k", points: 3}
	long.Points[0] = "a"
	assert.EqualError(t, long.complete("zh"), `recap: "`+long.Points[1]+`" has 51 characters; at most 50 fit`)
	long.Points[1], long.KRaft = "b", strings.Repeat("k", 91)
	assert.EqualError(t, long.complete("zh"), `recap: "`+long.KRaft+`" has 91 characters; at most 90 fit`)
}
