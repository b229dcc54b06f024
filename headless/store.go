package main

import (
	"context"
	"errors"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
)

// openStore is the emulator, or what --zk names; code is the exit code when it cannot be had. When ctx ends, so does a run on
// a real ZooKeeper, with errInterrupted.
func openStore(ctx context.Context, address string) (store zk.Store, code int, err error) {
	if address == "" {
		return embedded(), exitOK, nil
	}
	a, err := zkreal.ParseAddress(address)
	if err != nil {
		return nil, exitUsage, err
	}
	real, err := zkreal.NewStore(a, nil)
	if err != nil {
		return nil, zkExit(err), err
	}
	return interruptible{real, ctx}, exitOK, nil
}

// errInterrupted says that a run was interrupted from outside.
var errInterrupted = errors.New("interrupted")

// interruptible is a real ZooKeeper whose run may end before its time, so that it leaves nothing there: its sessions are
// closed and its folder is removed as at the end of any run.
type interruptible struct {
	*zkreal.Store
	ctx context.Context
}

// Apply executes one request, unless the run is interrupted.
func (s interruptible) Apply(now int64, id zk.SessionID, op zk.Op) (zk.Result, zk.Effects, error) {
	if s.ctx.Err() != nil {
		return zk.Result{}, zk.Effects{}, errInterrupted
	}
	return s.Store.Apply(now, id, op)
}

// environmental reports whether an error is the fault of something outside: a server that is not there, went away, or does
// not do what ZooKeeper does.
func environmental(err error) bool {
	var different *zkreal.Difference
	return errors.Is(err, zkreal.ErrServer) || errors.As(err, &different)
}

// zkExit is the exit code of an error of a real ZooKeeper: somebody else's chroot is a wrong address, what the server and
// the emulator do not agree on is a check that failed, everything else is the environment.
func zkExit(err error) int {
	var different *zkreal.Difference
	switch {
	case errors.Is(err, zkreal.ErrNotOurs):
		return exitUsage
	case errors.As(err, &different):
		return exitFailed
	}
	return exitEnvironment
}
