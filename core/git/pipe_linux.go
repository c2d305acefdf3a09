package git

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// widenPipe increases the capacity of a pipe, so that git and its reader wait for each other less
// often. If that is refused, the pipe stays as it is.
func widenPipe(pipe io.ReadCloser) {
	f, ok := pipe.(*os.File)
	if !ok {
		return
	}
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}

// mostMemory is the maximum memory of a git that compares what others made: ten small folders can
// name ten billion files.
const mostMemory = 1 << 30

// boundMemory limits the memory of a process and those that it starts. If that is refused, there is
// no limit.
func boundMemory(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: mostMemory, Max: mostMemory}, nil)
}
