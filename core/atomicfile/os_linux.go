package atomicfile

import "golang.org/x/sys/unix"

func exchange(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

func renameNew(dir int, from, to string) error {
	return unix.Renameat2(dir, from, dir, to, unix.RENAME_NOREPLACE)
}

func fullSync(fd int) error { return unix.Fsync(fd) }

func dataSync(fd int) error { return unix.Fdatasync(fd) }
