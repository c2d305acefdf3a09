//go:build unix

package systemtest

import "syscall"

func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }

func makeSocket(path string) error { return syscall.Mknod(path, syscall.S_IFSOCK|0o600, 0) }
