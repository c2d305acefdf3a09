package atomicfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// OS returns the disk of the operating system. Windows cannot exchange two names or sync a folder.
// Rename replaces like MoveFileEx.
func OS() Disk { return osDisk{} }

type osDisk struct{}

func (osDisk) Folder(path string) (Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return osFolder{root}, nil
}

func (osDisk) User() int { return -1 }

// osFolder is an open folder. An os.Root opens files so that they can be renamed while they are
// open.
type osFolder struct{ root *os.Root }

func (d osFolder) Open(name string) (File, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return nil, syscall.ELOOP
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	return &osFile{f}, nil
}

func (d osFolder) Create(name string, _ uint32) (File, error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, newMode)
	if err != nil {
		return nil, err
	}
	return &osFile{f}, nil
}

func (d osFolder) Append(name string, mode uint32) (File, bool, error) {
	info, err := d.root.Lstat(name)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return nil, false, syscall.ELOOP
	}
	f, openErr := d.root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, os.FileMode(mode))
	if openErr != nil {
		return nil, false, openErr
	}
	return &osFile{f}, errors.Is(err, os.ErrNotExist), nil
}

func (d osFolder) Stat(name string) (Info, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return Info{}, err
	}
	return infoOf(info), nil
}

// Remove refuses a folder, which an os.Root would remove.
func (d osFolder) Remove(name string) error {
	info, err := d.root.Lstat(name)
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		return err
	}
	return d.root.Remove(name)
}

func (d osFolder) ReadLink(name string) (string, error) { return d.root.Readlink(name) }
func (d osFolder) Exchange(string, string) error        { return syscall.ENOSYS }
func (d osFolder) RenameNew(string, string) error       { return syscall.ENOSYS }
func (d osFolder) Rename(from, to string) error         { return d.root.Rename(from, to) }
func (d osFolder) Link(from, to string) error           { return d.root.Link(from, to) }
func (d osFolder) RemoveFolder(name string) error       { return d.root.Remove(name) }
func (d osFolder) Writable() error                      { return nil }
func (d osFolder) Sync() error                          { return nil }
func (d osFolder) Close() error                         { return d.root.Close() }

func (d osFolder) SetTime(name string, mtime int64) error {
	t := time.Unix(0, mtime)
	return d.root.Chtimes(name, t, t)
}

func (d osFolder) MakeFolder(name string, mode uint32) error {
	return d.root.Mkdir(name, os.FileMode(mode))
}

func (d osFolder) Names() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// osFile is an open file.
type osFile struct{ *os.File }

func (f *osFile) Stat() (Info, error) {
	info, err := f.File.Stat()
	if err != nil {
		return Info{}, err
	}
	return infoOf(info), nil
}

func (f *osFile) Chown(int, int) error   { return nil }
func (f *osFile) Chmod(uint32) error     { return nil }
func (f *osFile) Attrs() ([]Attr, error) { return nil, nil }
func (f *osFile) SetAttr(Attr) error     { return nil }

// infoOf returns a system's description of a file as ours. A file is told from
// another by its size and time alone.
func infoOf(info os.FileInfo) Info {
	kind := Special
	switch mode := info.Mode(); {
	case mode.IsRegular():
		kind = Regular
	case mode.IsDir():
		kind = Directory
	case mode&os.ModeSymlink != 0:
		kind = Symlink
	}
	return Info{Kind: kind, Mode: uint32(info.Mode().Perm()), Size: info.Size(), Mtime: info.ModTime().UnixNano()}
}
