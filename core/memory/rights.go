package memory

import "io/fs"

// OthersMay returns the bits of a file's mode that say what other users of the machine may do with it: none on
// Windows, which has no modes. What Go reports as one there says nothing about others.
func OthersMay(goos string, mode fs.FileMode) fs.FileMode {
	if goos == "windows" {
		return 0
	}
	return mode.Perm() & 0o077
}

// Allow says how a person gives themselves a right that they lack: with chmod where the system has modes.
func Allow(goos, chmod string) string {
	if goos == "windows" {
		return "in its properties, under Security, allow your user to read and write it"
	}
	return chmod
}
