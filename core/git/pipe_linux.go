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
