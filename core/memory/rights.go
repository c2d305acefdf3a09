package memory

import "io/fs"

// OthersMay returns the permission bits of a file that apply to other users of the machine. It
// returns 0 for Windows, which has no such modes: what Go reports there says nothing about other
// users.
func OthersMay(goos string, mode fs.FileMode) fs.FileMode {
	if goos == "windows" {
		return 0
	}
	return mode.Perm() & 0o077
}

// Allow says how people can give themselves a missing permission: with the chmod command, if the
// system has modes.
func Allow(goos, chmod string) string {
	if goos == "windows" {
		return "in its properties, under Security, allow your user to read and write it"
	}
	return chmod
}

// NoPlace returns the problem that Winnow has no folder for its state, in which to keep what: "the inbox". It
// is nil if the folder dir is named.
func NoPlace(dir, what string) error {
	if dir != "" {
		return nil
	}
	return &Problem{
		Code: "no-state", What: "there is no home folder to keep " + what + " in",
		Hint: "set HOME, or set XDG_STATE_HOME to a folder where Winnow can keep it",
	}
}
