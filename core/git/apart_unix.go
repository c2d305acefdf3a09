//go:build unix

package git

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Apart runs cmd in a process group of its own, and ends the group when it is ended. A
// stop signal for ours would otherwise catch a program that is just being started, and
// us waiting for it.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// withoutTerminal is Apart in a session of its own, which has no terminal to ask at.
func withoutTerminal(cmd *exec.Cmd) {
	Apart(cmd)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
