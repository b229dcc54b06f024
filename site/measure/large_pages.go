package measure

import (
	"bytes"
	"compress/flate"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"controllerscope/core/run"
	"controllerscope/core/trace"
)

//go:embed large.js
var largeScript string

// do evaluates a promise in the page.
func do[T any](ctx context.Context, js string) (T, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// list opens the recording from a file, plays it, and scrubs over it with the pointer.
func (l *Large) list(parent context.Context, folder string, t *trace.Trace) error {
	file, err := filepath.Abs(filepath.Join(folder, "large.json"))
	if err == nil {
		err = os.WriteFile(file, t.JSON(), 0o644)
	}
	if err != nil {
		return err
	}
	defer os.Remove(file)
	ctx, end, err := tab(parent, folder, address{path: "/trace/", before: largeScript})
	defer end()
	if err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.SetUploadFiles(chromedp.CSS(".door input[type=file]"), []string{file})); err != nil {
		return err
	}
	if _, err := do[int](ctx, `large.until(() => controllerscopePage.length() > 0).then(() => 1)`); err != nil {
		return err
	}
	if l.List, err = playTwice(ctx, heaviest(t)); err != nil {
		return err
	}
	if l.Swept, err = scrub(ctx, sweep(600)); err != nil {
		return err
	}
	l.Jumped, err = scrub(ctx, jumps(100))
	return err
}

// playTwice plays from the first step on and from shortly before the heaviest one.
func playTwice(ctx context.Context, heavy int) (all Played, err error) {
	for _, from := range []int{0, heavy - 10} {
		var p Played
		if _, err := do[int](ctx, fmt.Sprintf(`large.start(%d)`, from)); err != nil {
			return all, err
		}
		worked, err := worked(ctx, func() (err error) { p, err = do[Played](ctx, `large.play(10000)`); return err })
		if err != nil {
			return all, err
		}
		if p.Steps <= 0 {
			return all, errors.New("the page did not play")
		}
		all = Played{all.Steps + p.Steps, append(all.Frames, p.Frames...), append(all.Tasks, p.Tasks...), append(all.Worked, worked...)}
	}
	return all, nil
}

// sweep goes from one end to the other and back, in so many places; places are from 0 to 1.
func sweep(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		there := float64(i) / float64(n/2)
		out[i] = min(there, 2-there)
	}
	return out
}

// jumps goes to places all over, by steps of the golden section: each far from the one before.
func jumps(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		at := 0.618034 * float64(i)
		out[i] = at - float64(int(at))
	}
	return out
}

// scrub holds the film's slider and moves the pointer to places along it; each is drawn before the pointer goes on.
func scrub(ctx context.Context, places []float64) (s Scrubbed, err error) {
	box, err := do[struct{ X, Y, W float64 }](ctx, `large.slider('.film input')`)
	if err != nil {
		return s, err
	}
	const inset = 8 // half of the slider's thumb
	mouse := func(kind input.DispatchMouseEventType, place float64) error {
		_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: box.X + inset + place*(box.W-2*inset), Y: box.Y,
			Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
		return err
	}
	s.Worked, err = worked(ctx, func() error {
		if err := mouse(input.DispatchMouseEventTypeMousePressed, places[0]); err != nil {
			return err
		}
		for _, p := range places[1:] {
			if err := mouse(input.DispatchMouseEventTypeMouseMoved, p); err != nil {
				return err
			}
			if _, err := do[float64](ctx, `large.painted()`); err != nil {
				return err
			}
		}
		return mouse(input.DispatchMouseEventTypeMouseReleased, places[len(places)-1])
	})
	if err != nil {
		return s, err
	}
	got, err := do[struct{ MS, Steps []float64 }](ctx, `large.painted().then(() => ({MS: large.scrubbed.ms, Steps: [...large.scrubbed.steps].map(Number)}))`)
	if err == nil && len(got.MS) < len(places)/2 {
		err = fmt.Errorf("of %d places that the pointer went to %d were drawn", len(places), len(got.MS))
	}
	s.MS, s.Steps = got.MS, len(got.Steps)
	return s, err
}

// sandbox opens the world in the sandbox by its link, its core ready and nothing under way.
func sandbox(parent context.Context, folder string, in run.Inputs, before string) (context.Context, func(), error) {
	link, err := link(in)
	if err != nil {
		return nil, func() {}, err
	}
	ctx, end, err := tab(parent, folder, address{path: "/sandbox/" + link, before: largeScript + before})
	if err == nil {
		_, err = do[int](ctx, `large.until(() => globalThis.controllerscopePage?.length() > 0 && controllerscopePage.ready()).then(() => large.wait(1000)).then(() => 1)`)
	}
	return ctx, end, err
}

// link is the fragment that opens a run in the sandbox.
func link(in run.Inputs) (string, error) {
	texts, err := json.Marshal([]string{in.Setup, in.Script})
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = w.Write(texts)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	return fmt.Sprintf("#v=1&seed=%d&k=%s", in.Seed, base64.RawURLEncoding.EncodeToString(packed.Bytes())), nil
}

// stage plays the sandbox.
func (l *Large) stage(parent context.Context, folder string, in run.Inputs, heavy int) error {
	ctx, end, err := sandbox(parent, folder, in, "")
	defer end()
	if err == nil {
		l.Stage, err = playTwice(ctx, heavy)
	}
	return err
}

// acts does single lines at the end of the run; what follows by itself is let wait.
func (l *Large) acts(parent context.Context, folder string, in run.Inputs) error {
	ctx, end, err := sandbox(parent, folder, in, "large.timeWorkers();")
	defer end()
	if err != nil {
		return err
	}
	got, err := do[struct{ Acts, Answers []float64 }](ctx, `large.acts(10)`)
	l.Acts, l.Answers = got.Acts, got.Answers
	return err
}

// memory steps through the sandbox: once to fill what is kept, then five times 1,000 steps forth and 1,000 back.
func (l *Large) memory(parent context.Context, folder string, in run.Inputs) error {
	ctx, end, err := sandbox(parent, folder, in, "large.atOnce();")
	defer end()
	if err != nil {
		return err
	}
	if _, err := do[int](ctx, `large.start(0), large.walk(1000)`); err != nil {
		return err
	}
	if l.Before, err = held(ctx); err != nil {
		return err
	}
	for range 5 {
		if _, err := do[int](ctx, `large.walk(1000)`); err != nil {
			return err
		}
		l.Walked += 2000
	}
	l.After, err = held(ctx)
	return err
}

// rested counts the elements once the core has answered what the page asks at its step, and nothing comes or goes any more.
const rested = `(async () => {
  for (let before = -1; ;) {
    await large.wait(2000);
    const n = document.querySelectorAll('*').length;
    if (n === before && controllerscopePage.ready()) return n;
    before = n;
  }
})()`

// held is what the page holds when it has come to rest.
func held(ctx context.Context) (m Memory, err error) {
	if m.Nodes, err = do[int](ctx, rested); err != nil {
		return m, err
	}
	for range 2 { // the second takes what the first has finalised
		if _, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			return m, err
		}
	}
	usage, err := chromedp.Call(ctx, runtime.GetHeapUsage, cdp.Empty{})
	m.Heap = usage.UsedSize
	return m, err
}
