package main

import (
	"fmt"
	"io"

	"controllerscope/headless/conform"
	"controllerscope/headless/zkserver"
)

// commands lists the subcommands in the order of help.
func commands() []command {
	return []command{
		{"run", "LESSON | -f SCRIPT | --trace FILE", "play a lesson or script, or tell a recorded trace", runCommand},
		{"diff", "A B", "compare two traces; name the first step where they part", diffCommand},
		{"cluster", "--brokers 1,2,3", "run live brokers in real time until interrupted", clusterCommand},
		{"swarm", "--seed S --runs N", "search for broken invariants with random scripts", swarmCommand},
		{"zookeeper", "", "serve the emulator to any ZooKeeper client", zkserver.Command},
		{"dump", "--zk HOST:PORT/CHROOT", "print any ZooKeeper's tree as text, secrets left out; run --load reads it", dumpCommand},
		{"serve", "[--dir F] [--port P] [--lan]", "serve the built site on this machine", serveCommand},
		{"conform", "zookeeper FILE | kafka PATH", "replay recorded behaviour of real servers", conformCommand},
		{"oracle", "--recorder DIR", "record the project's scripts on a real Kafka and compare", oracleCommand},
		{"grade", "DIR [--csv FILE]", "grade a folder of hand-ins: each is executed again on its author's variant", gradeCommand},
		{"config", "explain broker 1 KEY -f SCRIPT", "every layer of a config, and which one wins", configCommand},
		{"bench", "[speed] [office] [config] [traces] [wasm] [site]", "measure what has a budget: counts, bytes, ratios, speed", benchCommand},
		{"clean", "--zk HOST:PORT/CHROOT", "remove what runs on a real ZooKeeper have left there", cleanCommand},
		{"doctor", "", "say what is installed, and what it is needed for", doctorCommand},
	}
}

// conformCommand replays what real servers did.
func conformCommand(args []string, out, errw io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "zookeeper":
			return conform.Zookeeper(args[1:], out, errw)
		case "kafka":
			return conform.Kafka(args[1:], out, errw)
		case "-h", "--help", "help":
			fmt.Fprintln(errw, "usage: headless conform zookeeper FILE | kafka PATH; each says more with -h")
			return exitOK
		}
	}
	return fail(errw, exitUsage, "conform takes zookeeper FILE, zookeeper --random N --zk HOST:PORT, or kafka PATH")
}
