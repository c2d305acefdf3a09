package karnevil9

import "os/exec"

// apart does nothing: there are no stop signals here.
func apart(*exec.Cmd) {}
