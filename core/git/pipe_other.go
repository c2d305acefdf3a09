//go:build !linux

package git

import "io"

// widenPipe does nothing: the capacity of a pipe is fixed here.
func widenPipe(io.ReadCloser) {}

// boundMemory does nothing: the memory of another process cannot be limited here.
func boundMemory(int) {}
