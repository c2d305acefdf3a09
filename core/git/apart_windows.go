package git

import "os/exec"

// Apart does nothing: Windows has no stop signals.
func Apart(*exec.Cmd) {}

// endingChildren does nothing: on Windows git ends what it started.
func endingChildren(*exec.Cmd) {}

// withoutTerminal does nothing: on Windows only programs that the environment variables forbid
// could ask.
func withoutTerminal(*exec.Cmd) {}
