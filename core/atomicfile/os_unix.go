//go:build linux || darwin || freebsd || netbsd || openbsd

package atomicfile

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// OS returns the disk of the operating system.
func OS() Disk { return osDisk{} }

type osDisk struct{}

func (osDisk) Folder(path string) (Folder, error) {
	fd, err := openRetry(unix.AT_FDCWD, path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return osFolder(fd), nil
}

func (osDisk) User() int { return os.Geteuid() }

// osFolder is the descriptor of a folder.
type osFolder int

func (d osFolder) Open(name string) (File, error) {
	fd, err := openRetry(int(d), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, notFollowed(err)
	}
	return &osFile{File: os.NewFile(uintptr(fd), name)}, nil
}

func (d osFolder) Create(name string, mode uint32) (File, error) {
	fd, err := openRetry(int(d), name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, mode)
	if err != nil {
		return nil, err
	}
	return &osFile{File: os.NewFile(uintptr(fd), name)}, nil
}

func (d osFolder) Append(name string, mode uint32) (File, bool, error) {
	const flags = unix.O_RDWR | unix.O_APPEND | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY
	fd, err := openRetry(int(d), name, flags, 0)
	made := err == unix.ENOENT
	if made {
		fd, err = openRetry(int(d), name, flags|unix.O_CREAT, mode)
	}
	if err != nil {
		return nil, false, notFollowed(err)
	}
	return &osFile{os.NewFile(uintptr(fd), name), true}, made, nil
}

// notFollowed maps the refusal to follow a link to one error: the BSDs return EMLINK or EFTYPE.
func notFollowed(err error) error {
	if err == unix.EMLINK {
		return unix.ELOOP
	}
	return err
}

func (d osFolder) Stat(name string) (Info, error) {
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstatat(int(d), name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return infoOf(&st), err
}

func (d osFolder) ReadLink(name string) (string, error) {
	b := make([]byte, 4097)
	n := 0
	err := retryInterrupted(func() (err error) { n, err = unix.Readlinkat(int(d), name, b); return err })
	if err != nil {
		return "", err
	}
	if n == len(b) {
		return "", unix.ENAMETOOLONG
	}
	return string(b[:n]), nil
}

func (d osFolder) Exchange(a, b string) error {
	return retryInterrupted(func() error { return exchange(int(d), a, b) })
}

func (d osFolder) RenameNew(from, to string) error {
	return retryInterrupted(func() error { return renameNew(int(d), from, to) })
}

func (d osFolder) Rename(from, to string) error {
	return retryInterrupted(func() error { return unix.Renameat(int(d), from, int(d), to) })
}

func (d osFolder) Link(from, to string) error {
	return retryInterrupted(func() error { return unix.Linkat(int(d), from, int(d), to, 0) })
}

func (d osFolder) SetTime(name string, mtime int64) error {
	t := unix.NsecToTimespec(mtime)
	return retryInterrupted(
		func() error { return unix.UtimesNanoAt(int(d), name, []unix.Timespec{t, t}, unix.AT_SYMLINK_NOFOLLOW) },
	)
}

func (d osFolder) Remove(name string) error {
	return retryInterrupted(func() error { return unix.Unlinkat(int(d), name, 0) })
}

func (d osFolder) MakeFolder(name string, mode uint32) error {
	return retryInterrupted(func() error { return unix.Mkdirat(int(d), name, mode) })
}

func (d osFolder) RemoveFolder(name string) error {
	return retryInterrupted(func() error { return unix.Unlinkat(int(d), name, unix.AT_REMOVEDIR) })
}

func (d osFolder) Names() ([]string, error) {
	fd, err := openRetry(int(d), ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	return f.Readdirnames(-1)
}

func (d osFolder) Writable() error {
	return retryInterrupted(func() error { return unix.Faccessat(int(d), ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS) })
}

// Sync is never repeated, whatever it returns: the system forgets what a failed sync did not write,
// so a second one would succeed.
func (d osFolder) Sync() error { return fullSync(int(d)) }

func (d osFolder) Close() error { return unix.Close(int(d)) }

// isAt implements [located]. The .. of an open folder is the folder that it is in, whatever its path
// says by now.
func (d osFolder) isAt(path string) bool {
	for up := "."; ; up += "/.." {
		is, err := d.Stat(up)
		var want unix.Stat_t
		if err == nil {
			err = retryInterrupted(func() error { return unix.Lstat(path, &want) })
		}
		if at := infoOf(&want); err != nil || is.Kind != Directory || is.Dev != at.Dev || is.Ino != at.Ino {
			return false
		}
		above := filepath.Dir(path)
		if above == path {
			return true
		}
		path = above
	}
}

// osFile is an open file.
type osFile struct {
	*os.File
	appends bool
}

func (f *osFile) fd() int { return int(f.Fd()) }

func (f *osFile) Stat() (Info, error) {
	var st unix.Stat_t
	err := retryInterrupted(func() error { return unix.Fstat(f.fd(), &st) })
	return infoOf(&st), err
}

func (f *osFile) Chmod(mode uint32) error {
	return retryInterrupted(func() error { return unix.Fchmod(f.fd(), mode) })
}

// Sync is never repeated; see the Sync of a folder.
func (f *osFile) Sync() error {
	if f.appends {
		return dataSync(f.fd())
	}
	return fullSync(f.fd())
}

// kinds maps the type bits of a mode to a Kind. All others are special.
var kinds = map[uint32]Kind{unix.S_IFREG: Regular, unix.S_IFDIR: Directory, unix.S_IFLNK: Symlink}

// infoOf converts a system's description of a file.
func infoOf(st *unix.Stat_t) Info {
	kind, known := kinds[uint32(st.Mode)&unix.S_IFMT]
	if !known {
		kind = Special
	}
	return Info{
		Kind: kind, Mode: uint32(st.Mode) & 0o7777,
		UID: int(st.Uid), GID: int(st.Gid), Size: st.Size,
		Dev: uint64(st.Dev), Ino: uint64(st.Ino), Mtime: st.Mtim.Nano(),
	}
}

// openRetry opens name relative to a folder.
func openRetry(dir int, name string, flags int, mode uint32) (fd int, err error) {
	err = retryInterrupted(func() (err error) {
		fd, err = unix.Openat(dir, name, flags|unix.O_CLOEXEC, mode)
		return err
	})
	return fd, err
}

// retryInterrupted calls fn until it is not interrupted by a signal.
func retryInterrupted(fn func() error) error {
	for {
		if err := fn(); err != unix.EINTR {
			return err
		}
	}
}
