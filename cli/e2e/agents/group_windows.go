package agents

import "os/exec"

// There are no groups of processes here: what an agent started is left alone.

func group(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) { kill(cmd) }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
