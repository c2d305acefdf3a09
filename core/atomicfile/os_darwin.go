package atomicfile

import "golang.org/x/sys/unix"

func exchange(dir int, a, b string) error {
	return unix.RenameatxNp(dir, a, dir, b, unix.RENAME_SWAP)
}

func renameNew(dir int, from, to string) error {
	return unix.RenameatxNp(dir, from, dir, to, unix.RENAME_EXCL)
}

// fullSync asks the drive itself to sync, which fsync does not do here (fsync(2)).
func fullSync(fd int) error {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_FULLFSYNC, 0)
	if err == unix.ENOTSUP || err == unix.EINVAL {
		return unix.Fsync(fd)
	}
	return err
}

func dataSync(fd int) error { return fullSync(fd) }
