package main

import (
	"errors"

	"controllerscope/core/zk"
	"controllerscope/core/zk/zkreal"
)

// openStore is the emulator, or what --zk names; code is the exit code when it cannot be had.
func openStore(address string) (store zk.Store, code int, err error) {
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
	return real, exitOK, nil
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
