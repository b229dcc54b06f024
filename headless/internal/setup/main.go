// Command setup provides what tests need besides Go: a real ZooKeeper. It installs Debian's package when it is missing and
// we are root, and says what to run otherwise.
package main

import (
	"fmt"
	"os"
	"os/exec"

	"controllerscope/headless/internal/zkensemble"
)

func main() { os.Exit(setup()) }

// setup reports 0 if ZooKeeper is there afterwards, 3 (environment) if not.
func setup() int {
	if zkensemble.Check() == nil {
		fmt.Println("ZooKeeper is installed.")
		return 0
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		fmt.Fprintln(os.Stderr, "ZooKeeper is missing; run as root: apt-get update && apt-get install -y zookeeper default-jre-headless")
		return 3
	}
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends", "zookeeper", "default-jre-headless"}} {
		cmd := exec.Command("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			fmt.Fprintf(os.Stderr, "apt-get %s failed (%v); see its messages above\n", args[0], err)
			return 3
		}
	}
	if err := zkensemble.Check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}
