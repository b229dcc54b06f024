// Command setup provides what tests need besides Go: a real ZooKeeper, browsers, and the site's Node modules. It installs
// Debian's packages when they are missing and we are root, and says what to run otherwise.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"controllerscope/headless/internal/zkensemble"
)

// need is something that tests need.
type need struct {
	name     string
	check    func() error
	packages []string // Debian's
}

func needs() []need {
	return []need{
		{"ZooKeeper", zkensemble.Check, []string{"zookeeper", "default-jre-headless"}},
		{"Chromium", program("chromium"), []string{"chromium", "fonts-wqy-microhei"}},
		{"Firefox", program("firefox-esr"), []string{"firefox-esr"}},
		{"WebKitGTK", webkit, []string{"webkit2gtk-driver", "xvfb", "xauth"}},
		{"Node.js", program("npm"), []string{"nodejs", "npm"}},
	}
}

func program(name string) func() error {
	return func() error {
		_, err := exec.LookPath(name)
		return err
	}
}

// webkit looks for WebKitGTK's small browser and for a screen without a monitor for it.
func webkit() error {
	if found, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"); len(found) == 0 {
		return errors.New("WebKitGTK's MiniBrowser is missing")
	}
	return errors.Join(program("xvfb-run")(), program("xauth")())
}

func main() {
	code := 0
	for _, step := range []func() error{packages, modules} {
		if err := step(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 3 // environment
		}
	}
	os.Exit(code)
}

// packages installs what is missing.
func packages() error {
	var names, install []string
	for _, n := range needs() {
		if n.check() == nil {
			fmt.Println(n.name, "is installed.")
			continue
		}
		names, install = append(names, n.name), append(install, n.packages...)
	}
	if len(install) == 0 {
		return nil
	}
	if program("apt-get")() != nil || os.Geteuid() != 0 {
		return fmt.Errorf("missing: %s; run as root: apt-get update && apt-get install -y %s", strings.Join(names, ", "), strings.Join(install, " "))
	}
	for _, args := range [][]string{{"update"}, append([]string{"install", "-y", "--no-install-recommends"}, install...)} {
		if err := run("apt-get", args...); err != nil {
			return err
		}
	}
	var errs []error
	for _, n := range needs() {
		errs = append(errs, n.check())
	}
	return errors.Join(errs...)
}

// modules brings the site's Node modules as the lock file names them.
func modules() error {
	have, err := os.Stat(filepath.Join("site", "node_modules", "lit-html"))
	lock, missing := os.Stat(filepath.Join("site", "package-lock.json"))
	switch {
	case missing != nil:
		return fmt.Errorf("run this in the project's folder: %w", missing)
	case err == nil && have.ModTime().After(lock.ModTime()):
		fmt.Println("The site's Node modules are installed.")
		return nil
	}
	return run("npm", "ci", "--prefix", "site", "--no-audit", "--no-fund")
}

func run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s failed (%w); see its messages above", name, args[0], err)
	}
	return nil
}
