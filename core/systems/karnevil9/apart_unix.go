//go:build unix

package karnevil9

import (
	"os/exec"
	"syscall"
)

// apart runs cmd in a process group of its own. A stop signal for ours would
// otherwise catch a program that is just being started, and us waiting for it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
