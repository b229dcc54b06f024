package zktest

import (
	"fmt"
	"reflect"

	"controllerscope/core/zk"
)

// Twin is a Store that gives every request to two and compares all they answer: results, effects and their order. The
// first difference is the error of the request that showed it.
type Twin struct {
	One, Other zk.Store
	Requests   int // compared so far
}

// DifferenceError is the first place where the answers of the two stores of a Twin differ.
type DifferenceError struct {
	Request    string
	Field      string // the way into the answer: answer.FX.Nodes[1].Stat.Pzxid
	One, Other any
}

func (d *DifferenceError) Error() string {
	return fmt.Sprintf("the stores differ on %s, %s: one %s, other %s", d.Request, d.Field, text(d.One), text(d.Other))
}

// agree compares one kind of answer.
func (t *Twin) agree(request string, one, other any) error {
	t.Requests++
	if reflect.DeepEqual(one, other) {
		return nil
	}
	field, a, b, _ := differs("answer", plain(one), plain(other))
	return &DifferenceError{request, field, a, b}
}

// answer is all that a method returns but its error.
type answer struct {
	ID     zk.SessionID
	MS     int32
	OK     bool
	Result zk.Result
	FX     zk.Effects
}

// both compares what the two stores answered.
func (t *Twin) both(request string, one, other answer, err, otherErr error) (answer, error) {
	if err == nil {
		err = otherErr
	}
	if err == nil {
		err = t.agree(request, one, other)
	}
	return one, err
}

// Open implements zk.Store.
func (t *Twin) Open(now int64, timeoutMS int32) (zk.SessionID, int32, zk.Effects, error) {
	var a, b answer
	var e1, e2 error
	a.ID, a.MS, a.FX, e1 = t.One.Open(now, timeoutMS)
	b.ID, b.MS, b.FX, e2 = t.Other.Open(now, timeoutMS)
	r, err := t.both("open", a, b, e1, e2)
	return r.ID, r.MS, r.FX, err
}

// Apply implements zk.Store.
func (t *Twin) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	var a, b answer
	var e1, e2 error
	a.Result, a.FX, e1 = t.One.Apply(now, id, op)
	b.Result, b.FX, e2 = t.Other.Apply(now, id, op)
	r, err := t.both(fmt.Sprintf("%+v", op), a, b, e1, e2)
	return r.Result, r.FX, err
}

// Close implements zk.Store.
func (t *Twin) Close(now int64, id zk.SessionID) (zk.Effects, error) {
	var a, b answer
	var e1, e2 error
	a.FX, e1 = t.One.Close(now, id)
	b.FX, e2 = t.Other.Close(now, id)
	r, err := t.both("close", a, b, e1, e2)
	return r.FX, err
}

// Expire implements zk.Store.
func (t *Twin) Expire(now int64, id zk.SessionID) (zk.Effects, error) {
	var a, b answer
	var e1, e2 error
	a.FX, e1 = t.One.Expire(now, id)
	b.FX, e2 = t.Other.Expire(now, id)
	r, err := t.both("expire", a, b, e1, e2)
	return r.FX, err
}

// Cut implements zk.Store.
func (t *Twin) Cut(id zk.SessionID) error {
	if err := t.One.Cut(id); err != nil {
		return err
	}
	return t.Other.Cut(id)
}

// Heal implements zk.Store.
func (t *Twin) Heal(now int64, id zk.SessionID, relZxid int64, watches []zk.Watch) (bool, zk.Effects, error) {
	var a, b answer
	var e1, e2 error
	a.OK, a.FX, e1 = t.One.Heal(now, id, relZxid, watches)
	b.OK, b.FX, e2 = t.Other.Heal(now, id, relZxid, watches)
	r, err := t.both("heal", a, b, e1, e2)
	return r.OK, r.FX, err
}

// Shutdown implements zk.Store.
func (t *Twin) Shutdown() error {
	if err := t.One.Shutdown(); err != nil {
		return err
	}
	return t.Other.Shutdown()
}
