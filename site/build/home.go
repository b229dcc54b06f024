package main

import (
	"fmt"
	"slices"

	"controllerscope/core/kafka"
	"controllerscope/core/script"
	"controllerscope/core/trace"
)

// The figure of the home page: the bounce of lesson 10 with the broker-epoch check and without it, read from the two
// recordings. At every instant it says whom ZooKeeper and the controller name as leader of the partition, and what that
// broker really does with it.
const (
	figureLesson, figureWith, figureWithout = "10-bounce", "main", "museum"
	figurePartition                         = "orders-1"
	figureZk                                = "zk[/brokers/topics/orders/partitions/1/state].data.leader"
	figureCtl                               = "ctx[0].partitionLeadershipInfo[orders-1].leader"
)

// homeFill is what the home page needs.
type homeFill struct {
	Frames       []frame
	Last         frame
	Partition    string
	Bounce       string    // address of the stop that asks about the second notice
	First        mapLesson // the first lesson that is here
	Lessons      int
	Least, Most  int // minutes of a lesson
	LessonTitles map[string]homeLesson
}

// homeLesson is what the card of the lesson one left needs.
type homeLesson struct {
	Title string `json:"title"`
	Stops int    `json:"stops"`
}

// frame is one instant of the figure: what held in both futures at that virtual time.
type frame struct {
	MS      int64 `json:"ms"`
	With    side  `json:"with"`
	Without side  `json:"without"`
}

// side is what one future says of the partition.
type side struct {
	Zk     string `json:"zk"`     // leader by ZooKeeper
	Ctl    string `json:"ctl"`    // leader by the controller's cache
	Broker string `json:"broker"` // the broker that the controller names
	Does   string `json:"does"`   // what it really does: leader, follower, nothing (hosts nothing) or down
}

func fillHome(b *builder, lang string) (any, error) {
	l := b.lesson(figureLesson)
	if l == nil {
		return nil, fmt.Errorf("the figure is drawn from lesson %s, which is not there", figureLesson)
	}
	frames, err := figureFrames(l.runs[figureWith], l.runs[figureWithout])
	if err != nil {
		return nil, err
	}
	see, err := b.place(figureLesson + "#bounced")
	if err != nil {
		return nil, err
	}
	units, err := b.units(lang)
	if err != nil {
		return nil, err
	}
	f := homeFill{Frames: frames, Last: frames[len(frames)-1], Partition: figurePartition, Bounce: see.href(), LessonTitles: map[string]homeLesson{}}
	for _, u := range units {
		for _, l := range u.Lessons {
			if !l.Here {
				continue
			}
			if f.First.Folder == "" {
				f.First = l
			}
			f.Lessons++
			f.Least, f.Most = least(f.Least, l.Minutes), max(f.Most, l.Minutes)
		}
	}
	for _, l := range b.lessons {
		f.LessonTitles[l.ID] = homeLesson{fmt.Sprintf("%d · %s", l.number, l.Texts[lang].Title), len(l.places())}
	}
	return f, nil
}

func least(a, b int) int {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// figureFrames lists the instants at which one of the futures changes.
func figureFrames(with, without *trace.Trace) ([]frame, error) {
	zk, err := script.ParseExpr(figureZk)
	if err != nil {
		return nil, err
	}
	ctl, err := script.ParseExpr(figureCtl)
	if err != nil {
		return nil, err
	}
	a, b := sides(with, zk, ctl), sides(without, zk, ctl)
	times := append(kafka.SortedKeys(a), kafka.SortedKeys(b)...)
	slices.Sort(times)
	var out []frame
	var now frame
	for _, ms := range slices.Compact(times) {
		for k := range max(len(a[ms]), len(b[ms])) {
			now.MS = ms
			if k < len(a[ms]) {
				now.With = a[ms][k]
			}
			if k < len(b[ms]) {
				now.Without = b[ms][k]
			}
			out = append(out, now)
		}
	}
	if len(out) < 3 {
		return nil, fmt.Errorf("the figure of the home page does not move: %d instants", len(out))
	}
	return out, nil
}

// sides is what changes in a recording, by virtual time.
func sides(t *trace.Trace, zk, ctl *script.Expr) map[int64][]side {
	out := map[int64][]side{}
	c := trace.NewCursor(t)
	var now side
	for i, s := range t.Steps {
		c.Seek(i)
		if next := sideAt(c, zk, ctl); next != now {
			now = next
			out[s.VTimeMS] = append(out[s.VTimeMS], now)
		}
	}
	return out
}

func sideAt(c *trace.Cursor, zk, ctl *script.Expr) side {
	leader := text(eval(ctl, c))
	s := side{Zk: text(eval(zk, c)), Ctl: leader, Broker: leader, Does: "nothing"}
	role := c.Doc().Get("broker", leader, "replica", figurePartition, "role")
	switch {
	case c.Doc().Get("broker", leader, "up") != true:
		s.Does = "down"
	case role != nil:
		s.Does = text(role)
	}
	return s
}
