package env

import (
	"strings"

	"controllerscope/core/kafka"
)

// Kind is what kind of thing a step is. The list is closed (architecture: the trace contract).
type Kind string

const (
	ZkRead        Kind = "zk.read"
	ZkCreate      Kind = "zk.create"
	ZkSet         Kind = "zk.set"
	ZkDelete      Kind = "zk.delete"
	ZkMulti       Kind = "zk.multi"
	ZkCheck       Kind = "zk.check"
	ZkError       Kind = "zk.error"
	WatchArm      Kind = "watch.arm"
	WatchFire     Kind = "watch.fire"
	WatchLost     Kind = "watch.lost"
	SessionOpen   Kind = "session.open"
	SessionCut    Kind = "session.cut"
	SessionHeal   Kind = "session.heal"
	SessionClose  Kind = "session.close"
	SessionExpire Kind = "session.expire"
	SessionLearn  Kind = "session.learn"
	EventPut      Kind = "event.put"
	EventTake     Kind = "event.take"
	EventDone     Kind = "event.done"
	EventPreempt  Kind = "event.preempt"
	EventFail     Kind = "event.fail"
	CtxSet        Kind = "ctx.set"
	SmMove        Kind = "sm.move"
	SmRefuse      Kind = "sm.refuse"
	ReqBatch      Kind = "req.batch"
	ReqSend       Kind = "req.send"
	ReqDeliver    Kind = "req.deliver"
	ReqFenced     Kind = "req.fenced"
	ReqDrop       Kind = "req.drop"
	Resp          Kind = "resp"
	BrokerState   Kind = "broker.state"
	ConfigApply   Kind = "config.apply"
	NoticeSkip    Kind = "notice.skip"
	NoticePurge   Kind = "notice.purge"
	TimerSet      Kind = "timer.set"
	TimerFire     Kind = "timer.fire"
	Hold          Kind = "hold"
	Release       Kind = "release"
	Admin         Kind = "admin"
	ClockWarp     Kind = "clock.warp"
	Fault         Kind = "fault"
)

// Kinds lists the closed set, in the order of the contract.
func Kinds() []Kind {
	return []Kind{ZkRead, ZkCreate, ZkSet, ZkDelete, ZkMulti, ZkCheck, ZkError, WatchArm, WatchFire, WatchLost,
		SessionOpen, SessionCut, SessionHeal, SessionClose, SessionExpire, SessionLearn,
		EventPut, EventTake, EventDone, EventPreempt, EventFail, CtxSet, SmMove, SmRefuse,
		ReqBatch, ReqSend, ReqDeliver, ReqFenced, ReqDrop, Resp, BrokerState, ConfigApply, NoticeSkip, NoticePurge,
		TimerSet, TimerFire, Hold, Release, Admin, ClockWarp, Fault}
}

// Path addresses one value, or a subtree, in the world document. Its first word is the station; trace documents them all.
type Path []string

// P makes a Path: env.P("ctx", "0", "epoch").
func P(words ...string) Path { return words }

// Change says that the value at Path is After from now on. After nil removes Path and everything below it. Values are
// string, bool, int64 (use Int), []any of these, or a Record, which is always replaced whole.
// What stood there before is the recorder's to know.
type Change struct {
	Path  Path
	After any
}

// Set and Unset make Changes.
func Set(after any, path ...string) Change { return Change{path, after} }
func Unset(path ...string) Change          { return Change{path, nil} }

// Arg is one typed argument of a message.
type Arg struct {
	Name  string
	Value any // as in Change.After
}

// A makes an Arg.
func A(name string, value any) Arg { return Arg{name, value} }

// Record is a small record as a document value: its fields in the order of their names, each once.
type Record []Arg

// R makes a Record of fields that may come in any order.
func R(fields ...Arg) Record { return append(Record(nil), fields...).Sorted() }

// Get returns a field, nil when there is none of that name.
func (r Record) Get(name string) any {
	for i := range r {
		if r[i].Name == name {
			return r[i].Value
		}
	}
	return nil
}

// Len is how many fields there are.
func (r Record) Len() int { return len(r) }

// Field is the ith field.
func (r Record) Field(i int) (name string, value any) { return r[i].Name, r[i].Value }

// Sorted puts fields that were gathered one by one into order.
func (r Record) Sorted() Record {
	kafka.Sort(r, func(a, b Arg) int { return strings.Compare(a.Name, b.Name) })
	return r
}

// IDs are the identities a step carries, each "" when it has none. They are tagged strings (Zxid, Session, ...).
type IDs struct {
	Zxid        string `json:"zxid,omitempty"`
	Session     string `json:"session,omitempty"`
	Event       string `json:"event,omitempty"`
	Correlation string `json:"correlation,omitempty"`
}

// Note is one thing that happened, as the station that did it says so. Who gets it copies its lists if it keeps them, and
// keeps the values in them, which nobody changes afterwards.
type Note struct {
	Kind    Kind
	Lane    string   // "" is the lane of the running thread
	Entity  string   // what it is about: "orders-0", "/controller", "broker 2"
	Msg     string   // key of the message; text lives outside the core
	Args    []Arg    // arguments of the message
	Changes []Change // what is different from now on
	Reads   []Path   // the facts a decision was made from; their last writers become causes
	IDs     IDs
}

// Dump collects the values of the world, for the proof that no change went unsaid.
type Dump interface {
	// Set adds one value; it is what Change.After would be.
	Set(after any, path ...string)
}
