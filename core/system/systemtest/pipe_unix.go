//go:build unix

package systemtest

import "syscall"

func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }
