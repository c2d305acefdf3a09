package git

import "os/exec"

// apart does nothing: there are no stop signals here.
func apart(*exec.Cmd) {}
