//go:build !linux

package git

import "io"

// widen does nothing: a pipe holds here what it holds.
func widen(io.ReadCloser) {}

// boundMemory does nothing: a process of another program cannot be limited here.
func boundMemory(int) {}
