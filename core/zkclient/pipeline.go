package zkclient

import (
	"errors"
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// Error is a code of ZooKeeper that Kafka throws; errors.Is(err, zk.NodeExists) looks at the code. Kafka: KeeperException.
type Error struct {
	Code zk.Code
	Path string
}

func (e *Error) Error() string { return "ZooKeeper answered " + e.Code.Error() + " for " + e.Path }

// Unwrap is the code.
func (e *Error) Unwrap() error { return e.Code }

// ErrControllerMoved says that another controller has been elected. Kafka: ControllerMovedException.
var ErrControllerMoved = errors.New("the controller moved to another broker")

// errNeverConnected guards against requests before Connect.
var errNeverConnected = errors.New("the ZooKeeper client was never connected: call Connect first")

// throw is nil for OK. Kafka: AsyncResponse.maybeThrow.
func throw(path string, code zk.Code) error {
	if code == zk.OK {
		return nil
	}
	return &Error{code, path}
}

// RetryRequestsUntilConnected sends ops in flight together and returns one answer per op, at the same index. Only requests
// that were lost with the connection are sent again, as a new batch, once it is back; there is no limit. A lost request
// may have been applied. The error is ErrClientExpired, when the session ended meanwhile; every other outcome is an answer.
// Kafka: KafkaZkClient.retryRequestsUntilConnected.
func (c *Client) RetryRequestsUntilConnected(ops []zk.Op) ([]zk.Result, error) {
	if len(ops) == 0 {
		return nil, nil
	}
	if c.session == nil {
		return nil, errNeverConnected
	}
	answers := c.session.Do(c.withWatches(ops)...)
	for {
		var lost []int
		var again []zk.Op
		for i, r := range answers {
			if r.Err == zk.ConnectionLoss {
				lost, again = append(lost, i), append(again, ops[i])
			}
		}
		if len(lost) == 0 {
			return answers, nil
		}
		if err := c.waitUntilConnected(); err != nil {
			return nil, err
		}
		for i, r := range c.session.Do(c.withWatches(again)...) {
			answers[lost[i]] = r
		}
	}
}

// RetryFenced is RetryRequestsUntilConnected for creates, sets and deletes of a controller: each becomes a multi that first
// checks that /controller_epoch still has expectedZkVersion. A batch is not one transaction. kafka.MatchAnyVersion sends the
// ops plainly, and so does switching the guard controller-epoch off. The error is ErrControllerMoved when a check failed
// with BADVERSION, another code of the check otherwise. Kafka: wrapRequestWithControllerEpochCheck, unwrapResponse….
func (c *Client) RetryFenced(ops []zk.Op, expectedZkVersion int32) ([]zk.Result, error) {
	if expectedZkVersion < kafka.MatchAnyVersion {
		return nil, fmt.Errorf("the expected version %d of %s must be -1 or more", expectedZkVersion, zkdata.ControllerEpochPath)
	}
	if expectedZkVersion == kafka.MatchAnyVersion || !c.e.Guard(env.GuardControllerEpoch) {
		return c.RetryRequestsUntilConnected(ops)
	}
	check := zk.Op{Kind: zk.Check, Path: zkdata.ControllerEpochPath, Version: expectedZkVersion}
	fenced := make([]zk.Op, len(ops))
	for i, op := range ops {
		fenced[i] = zk.Op{Kind: zk.Multi, Ops: []zk.Op{check, op}}
	}
	answers, err := c.RetryRequestsUntilConnected(fenced)
	if err != nil {
		return nil, err
	}
	for i, r := range answers {
		if answers[i], err = unfence(ops[i], r); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// unfence turns the answer of a fenced multi into that of its second op.
func unfence(op zk.Op, r zk.Result) (zk.Result, error) {
	if len(r.Results) != 2 {
		return r, &Error{r.Err, op.Path}
	}
	switch check := r.Results[0].Err; check {
	case zk.OK:
		answer := r.Results[1]
		answer.Zxid = r.Zxid
		return answer, nil
	case zk.BadVersion:
		return r, ErrControllerMoved
	default:
		return r, &Error{check, zkdata.ControllerEpochPath}
	}
}

// retry is RetryRequestsUntilConnected for one request.
func (c *Client) retry(op zk.Op) (zk.Result, error) {
	answers, err := c.RetryRequestsUntilConnected([]zk.Op{op})
	if err != nil {
		return zk.Result{}, err
	}
	return answers[0], nil
}

// retryFenced is RetryFenced for one request.
func (c *Client) retryFenced(op zk.Op, expectedZkVersion int32) (zk.Result, error) {
	answers, err := c.RetryFenced([]zk.Op{op}, expectedZkVersion)
	if err != nil {
		return zk.Result{}, err
	}
	return answers[0], nil
}

func getOp(path string) zk.Op { return zk.Op{Kind: zk.Get, Path: path} }

func setOp(path string, data []byte, version int32) zk.Op {
	return zk.Op{Kind: zk.Set, Path: path, Data: data, Version: version}
}

func createOp(path string, data []byte) zk.Op { return zk.Op{Kind: zk.Create, Path: path, Data: data} }

func deleteOp(path string) zk.Op {
	return zk.Op{Kind: zk.Delete, Path: path, Version: zk.AnyVersion}
}
