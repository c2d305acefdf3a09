//go:build unix

package sqlite

import "syscall"

const mayWrite = 2 // W_OK of access(2)

// allowed reports whether this user may write to a file or into a folder.
func allowed(path string) bool { return syscall.Access(path, mayWrite) == nil }
