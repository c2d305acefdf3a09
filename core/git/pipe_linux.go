package git

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// widen lets a pipe hold more, so that git and its reader wait for each other less
// often. Where that is refused it stays as it is.
func widen(pipe io.ReadCloser) {
	f, ok := pipe.(*os.File)
	if !ok {
		return
	}
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}

// mostMemory is how much data a git may hold that compares what others made: ten small folders can name
// ten billion files.
const mostMemory = 1 << 30

// boundMemory limits the memory of a process and those that it starts. Where that is refused it is not limited.
func boundMemory(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: mostMemory, Max: mostMemory}, nil)
}
