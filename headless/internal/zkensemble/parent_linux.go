package zkensemble

import (
	"os/exec"
	"syscall"
)

// endWithParent has the kernel end a server whose test was killed and could not stop it. The signal goes out when the
// thread that started the server ends, and Go keeps that thread unless a locked goroutine exits on it.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
