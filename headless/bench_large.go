package main

import (
	"context"
	"fmt"
	"slices"

	page "controllerscope/site/measure"
)

// benchLarge takes the figures of a large world. How long a processor works on a task is held to its budget; what somebody
// waits for is shown, since it depends on what else the machine does.
func benchLarge(ctx context.Context, dist string, tell func(measured)) error {
	l, err := page.TakeLarge(ctx, dist)
	if err != nil {
		return err
	}
	world := fmt.Sprintf("%d × %d", page.LargeBrokers, page.LargePartitions)
	tell(measured{world + ", steps of the recording", float64(l.Steps), "steps", "at least", 1000, false})
	tellPlayed(tell, world+", sandbox plays", l.Stage)
	tellPlayed(tell, world+", trace page plays", l.List)
	tell(measured{world + ", scrubbed, different steps drawn", float64(l.Swept.Steps + l.Jumped.Steps), "steps", "", 0, false})
	tellScrubbed(tell, world+", scrubbed along", l.Swept)
	tellScrubbed(tell, world+", scrubbed far", l.Jumped)
	tell(measured{world + ", what if: a line answered, median", page.Middle(l.Acts), "ms", "at most", 100, true})
	tell(measured{world + ", slowest", slices.Max(l.Acts), "ms", "", 0, false})
	tell(measured{world + ", of that until the core's answer, median", page.Middle(l.Answers), "ms", "", 0, false})
	walked := fmt.Sprintf("%s, after %d steps forth and back", world, l.Walked)
	tell(measured{walked + ", heap / before", l.After.Heap / l.Before.Heap, "times", "at most", 1.05, false})
	tell(measured{walked + ", elements more", float64(l.After.Nodes - l.Before.Nodes), "", "exactly", 0, false})
	tell(measured{world + ", elements of the sandbox", float64(l.After.Nodes), "", "at most", 2000, false})
	return nil
}

func tellPlayed(tell func(measured), what string, p page.Played) {
	tell(measured{what + ", frames", p.PerSecond(), "frames/s", "at least", 59, true})
	tell(measured{what + ", frames that came late", p.Missed(), "%", "", 0, false})
	tell(measured{what + ", tasks over 50 ms", float64(len(p.Tasks)), "tasks", "exactly", 0, true})
	tellWorked(tell, what, p.Worked)
}

// tellWorked shows the longest task, and holds tasks to what a processor may work on one.
func tellWorked(tell func(measured), what string, worked []float64) {
	tell(measured{what + ", most work of one task", slices.Max(worked), "ms", "", 0, false})
	tell(measured{what + ", tasks of over 50 ms work", float64(page.Over(worked, 50)), "tasks", "exactly", 0, false})
}

func tellScrubbed(tell func(measured), what string, s page.Scrubbed) {
	slices.Sort(s.MS)
	tell(measured{what + ", step drawn, 95 of 100 within", s.MS[len(s.MS)*95/100], "ms", "at most", 50, true})
	tell(measured{what + ", slowest", s.MS[len(s.MS)-1], "ms", "", 0, false})
	tellWorked(tell, what, s.Worked)
}
