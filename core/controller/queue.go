package controller

import (
	"strconv"

	"controllerscope/core/env"
)

// queuedEvent is an event with what the queue knows of it. Exactly one of the two happens to it, once: it is processed,
// or it is preempted. Kafka: ControllerEventManager.QueuedEvent.
type queuedEvent struct {
	id      string // "e17", unique in the process
	event   event
	said    [2]env.Arg // what notes say of it, once there was one: its name and id
	started bool       // the controller thread has begun to process it
}

// queue is the controller's one queue: first in, first out, without limit, without priority and without merging of equal
// events. Kafka: ControllerEventManager.
type queue struct {
	j      *journal
	last   int64
	events []*queuedEvent // from head on
	head   int
}

func (q *queue) len() int { return len(q.events) - q.head }

// put appends ev. Kafka: ControllerEventManager.put.
func (q *queue) put(ev event) *queuedEvent {
	q.last++
	item := &queuedEvent{id: "e" + strconv.FormatInt(q.last, 10), event: ev}
	q.events = append(q.events, item)
	if q.j.on() {
		q.j.set(record(ev), "queue", q.j.id, item.id)
		q.noteSize()
		q.j.event(env.EventPut, item, "event.put")
	}
	return item
}

// clearAndPut preempts every waiting event in the order of the queue, then appends ev. An event in process goes on.
// Kafka: ControllerEventManager.clearAndPut.
func (q *queue) clearAndPut(ev event, preempt func(event)) *queuedEvent {
	for q.len() > 0 {
		item := q.pop()
		if q.j.on() {
			q.j.unset("queue", q.j.id, item.id)
			q.noteSize()
			q.j.event(env.EventPreempt, item, "event.preempt")
		}
		preempt(item.event)
	}
	return q.put(ev)
}

// take removes the oldest event and notes that it is in process; the caller has set what else changes with that.
// Kafka: ControllerEventThread.doWork, pollFromEventQueue.
func (q *queue) take() *queuedEvent {
	item := q.pop()
	item.started = true
	if q.j.on() {
		q.j.unset("queue", q.j.id, item.id)
		q.noteSize()
	}
	return item
}

func (q *queue) pop() *queuedEvent {
	item := q.events[q.head]
	q.events[q.head] = nil
	q.head++
	if q.head == len(q.events) {
		q.events, q.head = q.events[:0], 0
	}
	return item
}

// noteSize keeps the gauge EventQueueSize. Kafka: ControllerEventManager.EventQueueSizeMetricName.
func (q *queue) noteSize() { q.j.set(env.Int(q.len()), "metric", q.j.id, "EventQueueSize") }

// record is an event as a document value.
func record(ev event) env.Record {
	return append(env.R(env.A("name", ev.name())), ev.args()...).Sorted()
}

func (q *queue) dump(d env.Dump) {
	if q.last > 0 {
		d.Set(env.Int(q.len()), "metric", q.j.id, "EventQueueSize")
	}
	for _, item := range q.events[q.head:] {
		d.Set(record(item.event), "queue", q.j.id, item.id)
	}
}
