// Command nodecheck does what package measure does, so that it can be built for GOOS=js and run by Node.
//
//	nodecheck hashes RANDOM
//	nodecheck speed SECONDS    steps per second: recorder off, on without view paths, on
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"controllerscope/wasm/measure"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 2 {
		n, err := strconv.ParseUint(args[1], 10, 16)
		switch {
		case err == nil && args[0] == "hashes":
			return measure.Hashes(n, os.Stdout)
		case err == nil && args[0] == "speed":
			s, err := measure.Speed(time.Duration(n) * time.Second)
			fmt.Printf("%.0f %.0f %.0f\n", s.Off, s.Bare, s.Record)
			return err
		}
	}
	return fmt.Errorf("usage: nodecheck hashes RANDOM | nodecheck speed SECONDS")
}
