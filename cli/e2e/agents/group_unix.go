//go:build unix

package agents

import (
	"os/exec"
	"syscall"
)

// group makes cmd the first of a group of processes.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt sends what a terminal sends for Ctrl-C: an interrupt to cmd and what it started.
func interrupt(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) } // it may have ended

// kill kills cmd and what it started.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
