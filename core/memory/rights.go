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
