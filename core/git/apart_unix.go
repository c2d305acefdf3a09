//go:build unix

package git

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// Apart runs cmd in its own process group, and kills the group when cmd is cancelled, with what left it for a group
// of its own. Otherwise a stop signal for our group could stop a program that is just starting, and leave us waiting
// for it.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		left := descendants(cmd.Process.Pid)
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// endingChildren kills the programs that cmd started when cmd is cancelled. It has no group of its own, because
// only our group may read from the terminal.
func endingChildren(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		for _, pid := range descendants(cmd.Process.Pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		return cmd.Process.Kill()
	}
}

// descendants returns the processes that a process started, and those that they started. It returns none on a
// machine without ps.
func descendants(pid int) []int {
	out, err := exec.Command("ps", "-A", "-o", "ppid=,pid=").Output()
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for line := range bytes.Lines(out) {
		var parent, child int
		if _, err := fmt.Sscan(string(line), &parent, &child); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	all := slices.Clone(children[pid])
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// withoutTerminal is Apart in a separate session, which has no terminal to ask at.
func withoutTerminal(cmd *exec.Cmd) {
	Apart(cmd)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
