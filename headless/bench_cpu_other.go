//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime is wall-clock time where the system does not tell more.
func processorTime() time.Duration { return time.Since(started) }
