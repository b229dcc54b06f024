package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/server"
	"controllerscope/core/trace"
)

// reporter prints one line per controller event of a live cluster: when, where, which event, and what came of it; and one
// for what happens to a broker or its session. It is told notes under the locks of processes, so it only queues lines.
type reporter struct {
	teller teller
	words  map[string]string
	lines  chan string
	done   chan struct{}

	mu     sync.Mutex
	events map[kafka.BrokerID]*eventStory
}

// eventStory gathers what comes of an event while it is in process.
type eventStory struct {
	outcome  []string
	moves    []string // states that partitions and replicas went to, in order of the first
	moved    map[string]int
	requests int
}

// reportWords are the reporter's own words by language.
var reportWords = map[string]map[string]string{
	"en": {"broker": "broker %d", "partitions": "%d partitions to %s", "replicas": "%d replicas to %s", "requests": "%d requests batched",
		"nothing": "nothing changed", "cut": "connection to ZooKeeper lost; it goes on trying", "heal": "connection to ZooKeeper is back",
		"expired": "ZooKeeper session expired", "state": "state %s", "ended": "process ended"},
	"zh": {"broker": "broker %d", "partitions": "%d 个分区转为 %s", "replicas": "%d 个副本转为 %s", "requests": "打包 %d 个请求",
		"nothing": "没有变化", "cut": "与 ZooKeeper 的连接断开，正在重试", "heal": "与 ZooKeeper 的连接已恢复",
		"expired": "ZooKeeper 会话已过期", "state": "状态 %s", "ended": "进程已结束"},
}

// telling are the messages that say what came of an event.
var telling = map[string]bool{
	"elect.won": true, "elect.taken": true, "elect.lost": true, "elect.failed": true, "move.notController": true, "move.tooLate": true,
	"failover.ready": true, "resign.begin": true, "resign.done": true, "controller.known": true, "controller.illegalState": true,
	"brokers.changed": true, "brokers.modified": true, "topics.changed": true, "topics.modified": true, "topics.removed": true,
	"alterIsr.decide": true, "alterIsr.failed": true, "response.error": true, "shutdown.begin": true, "shutdown.reply": true,
	"preferred.elect": true, "rebalance.check": true, "deletion.queue": true, "deletion.hold": true, "deletion.done": true,
	"reassign.done": true, "reassign.failed": true, "isrChange.take": true, "logDir.failed": true,
}

func newReporter(out io.Writer, sentences map[string]string, lang string) *reporter {
	r := &reporter{teller: teller{out: out, sentences: sentences}, words: reportWords[lang], lines: make(chan string, 1<<16),
		done: make(chan struct{}), events: map[kafka.BrokerID]*eventStory{}}
	go func() {
		defer close(r.done)
		for line := range r.lines {
			fmt.Fprintln(out, line)
		}
	}()
	return r
}

// close prints what is left. Nobody may be heard any more.
func (r *reporter) close() {
	close(r.lines)
	<-r.done
}

// line prints one line.
func (r *reporter) line(id kafka.BrokerID, what string, parts ...string) {
	text := fmt.Sprintf("%s  "+r.words["broker"]+"  %-30s %s", time.Now().Format("15:04:05.000"), id, what, strings.Join(parts, "; "))
	r.lines <- strings.TrimRight(text, " ")
}

// hear is told every note.
func (r *reporter) hear(id kafka.BrokerID, lane string, n env.Note) {
	switch {
	case n.Msg == "server.state":
		if text := argOf(n, "state"); text == server.Running.String() {
			r.line(id, fmt.Sprintf(r.words["state"], text))
		}
	case n.Msg == "zk.session.cut":
		r.line(id, r.words["cut"])
	case n.Msg == "zk.session.heal":
		r.line(id, r.words["heal"])
	case n.Msg == "zk.session.learn":
		r.line(id, r.words["expired"])
	case n.Msg == "world.process-ended":
		r.line(id, r.words["ended"])
	case lane == id.String()+".controller":
		r.event(id, n)
	}
}

// argOf is an argument that is a word.
func argOf(n env.Note, name string) string {
	for _, a := range n.Args {
		if a.Name == name {
			text, _ := a.Value.(string)
			return text
		}
	}
	return ""
}

// event follows an event of the controller thread from take to done.
func (r *reporter) event(id kafka.BrokerID, n env.Note) {
	r.mu.Lock()
	defer r.mu.Unlock()
	story := r.events[id]
	if n.Kind == env.EventTake {
		r.events[id] = &eventStory{moved: map[string]int{}}
		return
	}
	if story == nil {
		return
	}
	switch {
	case n.Kind == env.EventDone:
		delete(r.events, id)
		r.line(id, n.Entity, story.tell(r.words)...)
	case n.Kind == env.SmMove:
		what := "replicas"
		if n.Msg == "psm.move" {
			what = "partitions"
		}
		story.move(fmt.Sprintf("%s %s", what, argOf(n, "to")))
	case n.Kind == env.ReqBatch:
		story.requests++
	case n.Kind == env.EventFail, n.Kind == env.SmRefuse, telling[n.Msg]:
		story.outcome = append(story.outcome, sentence(r.teller.sentences, &trace.Step{Msg: n.Msg, Args: n.Args, Entity: n.Entity}))
	}
}

func (s *eventStory) move(to string) {
	if s.moved[to] == 0 {
		s.moves = append(s.moves, to)
	}
	s.moved[to]++
}

// tell says what came of the event.
func (s *eventStory) tell(words map[string]string) []string {
	parts := s.outcome
	for _, to := range s.moves {
		what, state, _ := strings.Cut(to, " ")
		parts = append(parts, fmt.Sprintf(words[what], s.moved[to], state))
	}
	if s.requests > 0 {
		parts = append(parts, fmt.Sprintf(words["requests"], s.requests))
	}
	if len(parts) == 0 {
		return []string{words["nothing"]}
	}
	return parts
}
