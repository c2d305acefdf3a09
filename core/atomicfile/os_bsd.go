//go:build freebsd || netbsd || openbsd

package atomicfile

import "golang.org/x/sys/unix"

// The BSDs have neither of the two renames.
func exchange(int, string, string) error { return unix.ENOSYS }

func renameNew(int, string, string) error { return unix.ENOSYS }

func fullSync(fd int) error { return unix.Fsync(fd) }

func dataSync(fd int) error { return unix.Fsync(fd) }

// Attrs returns nil: extended attributes are not copied here.
func (f *osFile) Attrs() ([]Attr, error) { return nil, nil }

func (f *osFile) SetAttr(Attr) error { return unix.ENOTSUP }
