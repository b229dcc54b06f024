package controller

import (
	"errors"
	"fmt"

	"controllerscope/core/kafka"
)

// illegalStateError is Kafka's IllegalStateException: the controller contradicts itself.
type illegalStateError struct{ reason string }

func (e illegalStateError) Error() string { return "illegal state: " + e.reason }

func illegalState(reason string) error { return illegalStateError{reason} }

func isIllegalState(err error) bool {
	var e illegalStateError
	return errors.As(err, &e)
}

// stateChangeFailedError is Kafka's StateChangeFailedException: a partition or replica could not be moved.
type stateChangeFailedError struct{ reason string }

func (e stateChangeFailedError) Error() string { return e.reason }

func stateChangeFailed(format string, args ...any) error {
	return stateChangeFailedError{fmt.Sprintf(format, args...)}
}

func isStateChangeFailed(err error) bool {
	var e stateChangeFailedError
	return errors.As(err, &e)
}

// noPreferredReplica: Kafka asks an empty replica list for its head and fails with NoSuchElementException.
func noPreferredReplica(tp kafka.TopicPartition) error {
	return fmt.Errorf("%s has an empty replica list, so it has no preferred replica", tp)
}
