package zkcases

import _ "embed"

// Recorded is the case file that was recorded from a real ZooKeeper 3.8.0 through go-zookeeper v1.0.4: what every Store
// and the emulator on the wire are held against.
//
//go:embed zookeeper-cases.json
var Recorded []byte
