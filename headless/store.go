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
		return nil, exitEnvironment, err
	}
	return real, exitOK, nil
}

// environmental reports whether an error is the fault of something outside: a server that is not there, went away or is
// somebody else's.
func environmental(err error) bool {
	return errors.Is(err, zkreal.ErrServer) || errors.Is(err, zkreal.ErrNotOurs)
}
