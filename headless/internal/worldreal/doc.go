// Package worldreal tests that a world on a real ZooKeeper is the world on the emulator. It holds tests only.
package worldreal
