// Package kafkaplay replays recordings of a real Kafka 2.8.2 cluster (format controllerscope-golden/1) in the deterministic
// world and compares what ours did with what the real one did, step by step.
//
// Read recording.go (the format), play.go (the steps), lines.go and processes.go (what a line of a recording does), guide.go, fit.go and search.go (which of the
// pending choices happens next), tap.go (what is seen of our world), compare*.go.
package kafkaplay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"controllerscope/core/kafka"
	"controllerscope/core/trace"
	"controllerscope/headless/internal/input"
)

// Format is the format of the recordings that can be read.
const Format = "controllerscope-golden/1"

// Recording is one scenario on a fresh cluster of real brokers.
type Recording struct {
	Format  string `json:"format"`
	Name    string `json:"name"`
	About   string `json:"about"`
	Cluster struct {
		Brokers []Broker          `json:"brokers"`
		Config  map[string]string `json:"config"`
		Start   []kafka.BrokerID  `json:"start"`
	} `json:"cluster"`
	Steps steps `json:"steps"`
}

// Broker is one broker of the cluster.
type Broker struct {
	ID      kafka.BrokerID    `json:"id"`
	Rack    string            `json:"rack"`
	Config  map[string]string `json:"config"`
	Clock   string            `json:"clock"`
	LogDirs int               `json:"logDirs"`
}

// Step is one line of the scenario and what the cluster did until it was quiet again. A step with Settle false has only
// its line and result: what happened stands in the next one.
type Step struct {
	Do              string           `json:"do"`
	Result          string           `json:"result"`
	Settle          *bool            `json:"settle"`
	Quiet           *bool            `json:"quiet"`
	Controller      kafka.BrokerID   `json:"controller"`
	ControllerEpoch int32            `json:"controllerEpoch"`
	Metrics         map[string]int64 `json:"metrics"`
	Transitions     []Transition     `json:"transitions"`
	Requests        []object         `json:"requests"`
	ToController    []object         `json:"toController"`
	Zk              []object         `json:"zk"`
	Znodes          struct {
		Set     map[string]object `json:"set"`
		Deleted []string          `json:"deleted"`
	} `json:"znodes"`
}

// Transition is one move of a partition or of a replica (which has a Broker).
type Transition struct {
	Kind       string         `json:"kind"`
	Controller kafka.BrokerID `json:"controller"`
	Topic      string         `json:"topic"`
	Partition  int32          `json:"partition"`
	Broker     kafka.BrokerID `json:"broker"`
	From       string         `json:"from"`
	To         string         `json:"to"`
	Failed     bool           `json:"failed"`
}

// alterIsr is an AlterIsr of a recording, to be sent by our leader.
type alterIsr struct {
	From        kafka.BrokerID `json:"from"`
	To          kafka.BrokerID `json:"to"`
	Kind        string         `json:"kind"`
	Response    string         `json:"response"`
	BrokerEpoch any            `json:"brokerEpoch"`
	Refused     []struct {
		Error string `json:"error"`
	} `json:"partitionResponses"`
	Partitions []struct {
		Topic       string           `json:"topic"`
		Partition   int32            `json:"partition"`
		LeaderEpoch int32            `json:"leaderEpoch"`
		NewIsr      []kafka.BrokerID `json:"newIsr"`
		ZkVersion   int32            `json:"zkVersion"`
	} `json:"partitions"`
}

// object is a JSON object whose fields are compared one by one.
type object map[string]any

func (o object) text(key string) string { s, _ := o[key].(string); return s }

// number is a whole number, -1 where there is none.
func (o object) number(key string) int {
	switch n := o[key].(type) {
	case json.Number:
		i, _ := n.Int64()
		return int(i)
	case float64:
		return int(n)
	}
	return -1
}

// settled reports whether the step waited until the cluster was quiet.
func (s *Step) settled() bool { return s.Settle == nil || *s.Settle }

// Read reads a recording, plain or compressed with gzip. name is what the error calls it.
func Read(name string, data []byte) (*Recording, error) {
	data, err := input.Plain(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var r Recording
	err = json.Unmarshal(data, &r)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%s is not a recording: it is not JSON (%w); give a file of the format %s", name, err, Format)
	case r.Format != Format:
		return nil, fmt.Errorf("%s is not a recording: its format is %q; only %s can be read", name, r.Format, Format)
	case err != nil:
		return nil, fmt.Errorf("%s is a damaged recording: %w", name, trace.JSONError(err))
	}
	return &r, r.check(name)
}

// steps are read one by one, so that errors say in which they are.
type steps []Step

func (s *steps) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("field steps: a list is wanted")
	}
	*s = make(steps, len(list))
	for i, one := range list {
		if err := json.Unmarshal(one, &(*s)[i]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, trace.JSONError(err))
		}
	}
	return nil
}

// skew is how far the broker's clock is ahead.
func (b Broker) skew() (time.Duration, error) {
	if b.Clock == "" {
		return 0, nil
	}
	return time.ParseDuration(strings.TrimPrefix(b.Clock, "+"))
}

// mostLogDirs is how many log directories a broker may have here; the recorder gives two.
const mostLogDirs = 100

// check refuses what cannot be played at all. Steps that are not understood fail by themselves, one by one.
func (r *Recording) check(name string) error {
	known := map[kafka.BrokerID]bool{}
	for _, b := range r.Cluster.Brokers {
		if b.ID < 0 || known[b.ID] {
			return fmt.Errorf("%s: cluster.brokers lists the id %d twice, or a negative one; each broker needs an id of its own", name, b.ID)
		}
		known[b.ID] = true
		if _, err := b.skew(); err != nil {
			return fmt.Errorf("%s: broker %d: clock %q is not a duration like +20m", name, b.ID, b.Clock)
		}
		if b.LogDirs < 0 || b.LogDirs > mostLogDirs {
			return fmt.Errorf("%s: broker %d: logDirs is %d; a broker has 1 to %d, 0 stands for one", name, b.ID, b.LogDirs, mostLogDirs)
		}
	}
	for _, id := range r.Cluster.Start {
		if !known[id] {
			return fmt.Errorf("%s: cluster.start names %d, which is not among cluster.brokers", name, id)
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("%s: cluster.brokers is empty; a recording needs at least one broker", name)
	}
	if len(r.Steps) == 0 {
		return fmt.Errorf("%s: steps is empty; a recording without steps proves nothing", name)
	}
	for i, s := range r.Steps {
		if strings.TrimSpace(s.Do) == "" {
			return fmt.Errorf("%s: step %d has no line (do)", name, i+1)
		}
		if strings.ContainsAny(s.Do, "\r\n") {
			return fmt.Errorf("%s: step %d has several lines (do): %q; a step is one", name, i+1, s.Do)
		}
	}
	return nil
}

// canon prints a value so that equal values have equal texts.
func canon(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprintf("%v", v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
