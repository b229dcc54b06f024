package measure

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// event is what a trace of Chromium says of a task, or of the name of a thread.
type event struct {
	Name string  `json:"name"`
	PID  int     `json:"pid"`
	TID  int     `json:"tid"`
	TDur float64 `json:"tdur"` // µs that a processor worked on it
	Args struct {
		Name string `json:"name"`
	} `json:"args"`
}

// worked does something and lists how long a processor worked on each task of the page's main thread meanwhile, in ms. A task
// that waits for a processor, since other programs are busy, is not longer for it.
func worked(ctx context.Context, do func() error) ([]float64, error) {
	var mu sync.Mutex
	var raw []json.RawMessage
	complete := make(chan struct{})
	var once sync.Once
	listening, stop := context.WithCancel(ctx)
	defer stop()
	err := chromedp.Listen(listening, func(ev any) {
		switch e := ev.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, v := range e.Value {
				raw = append(raw, json.RawMessage(v))
			}
		case *tracing.EventTracingComplete:
			once.Do(func() { close(complete) })
		}
	})
	if err != nil {
		return nil, err
	}
	config := &tracing.TraceConfig{IncludedCategories: []string{"disabled-by-default-devtools.timeline", "__metadata"}, ExcludedCategories: []string{"*"}}
	if _, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{TransferMode: tracing.StartTransferModeReportEvents, TraceConfig: config}); err != nil {
		return nil, err
	}
	failed := do()
	if _, err := chromedp.Call(ctx, tracing.End, cdp.Empty{}); err != nil {
		return nil, err
	}
	select {
	case <-complete:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if failed != nil {
		return nil, failed
	}
	mu.Lock()
	defer mu.Unlock()
	return mainTasks(raw)
}

// mainTasks are the tasks of main threads of pages.
func mainTasks(raw []json.RawMessage) ([]float64, error) {
	events := make([]event, len(raw))
	main := map[[2]int]bool{}
	for i, text := range raw {
		var named struct {
			Name string `json:"name"`
		}
		if err := json.Unmarshal(text, &named); err != nil {
			return nil, err
		}
		if named.Name != "RunTask" && named.Name != "thread_name" {
			continue
		}
		if err := json.Unmarshal(text, &events[i]); err != nil {
			return nil, err
		}
		if e := events[i]; e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[[2]int{e.PID, e.TID}] = true
		}
	}
	var out []float64
	for _, e := range events {
		if e.Name == "RunTask" && main[[2]int{e.PID, e.TID}] {
			out = append(out, e.TDur/1000)
		}
	}
	return out, nil
}
