package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/lessons"
)

// TestTheFigureIsTheBounce reads the figure of the home page from lesson 10: both futures begin alike, broker 2 goes down
// and comes back with nothing; with the check ZooKeeper, then the controller, then broker 0 say that 0 leads.
func TestTheFigureIsTheBounce(t *testing.T) {
	l, err := lessons.Embedded(figureLesson)
	require.NoError(t, err)
	r, err := record(l, &siteFolder{dir: t.TempDir()})
	require.NoError(t, err)
	frames, err := figureFrames(r.runs[figureWith], r.runs[figureWithout])
	require.NoError(t, err)
	var with, without []side
	for i, f := range frames {
		with, without = append(with, f.With), append(without, f.Without)
		require.True(t, i == 0 || f.MS >= frames[i-1].MS, "time goes on")
	}
	nothing := side{"2", "2", "2", "nothing"}
	require.Equal(t, []side{{"2", "2", "2", "leader"}, {"2", "2", "2", "down"}, nothing,
		{"0", "2", "2", "nothing"}, {"0", "0", "0", "follower"}, {"0", "0", "0", "leader"}}, with)
	require.Equal(t, []side{{"2", "2", "2", "leader"}, {"2", "2", "2", "down"}, nothing, nothing, nothing, nothing}, without)
}
