//go:build unix

package git

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Apart runs cmd in its own process group, and kills the group when cmd is cancelled. Otherwise a
// stop signal for our group could stop a program that is just starting, and leave us waiting for
// it.
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

// withoutTerminal is Apart in a separate session, which has no terminal to ask at.
func withoutTerminal(cmd *exec.Cmd) {
	Apart(cmd)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
