package atomicfile

import "io"

// Disk is what the package needs of a file system. [OS] is the real one.
//
// Errors are those of the system: errors.Is reaches a syscall.Errno.
type Disk interface {
	// Folder opens the folder at path, through links. Everything else is done
	// relative to it, so that a path that changes meanwhile leads nowhere else.
	Folder(path string) (Folder, error)
	// User returns the number of the user who acts; below 1 is one who may give files
	// any owner, or a system that does not number users.
	User() int
}

// Folder is an open folder. Names are single path elements; no method follows a
// link.
type Folder interface {
	// Open opens name for reading, whatever it is, without waiting for a pipe. A link
	// is ELOOP.
	Open(name string) (File, error)
	// Create makes the file name for writing, which must not exist.
	Create(name string, mode uint32) (File, error)
	// Append opens the file name for reading and for writing at its end, and makes it
	// when it is missing; made tells. Its Sync need not sync times.
	Append(name string, mode uint32) (f File, made bool, err error)
	// Stat describes name; of a link, the link. "." is the folder itself.
	Stat(name string) (Info, error)
	// ReadLink returns where the link name leads.
	ReadLink(name string) (string, error)
	// Exchange swaps what two names stand for, in one step. ENOSYS, EINVAL and
	// ENOTSUP say that it cannot be done here.
	Exchange(a, b string) error
	// RenameNew renames, unless to exists: EEXIST. ENOSYS, EINVAL and ENOTSUP say
	// that it cannot be done here.
	RenameNew(from, to string) error
	// Rename renames, replacing to.
	Rename(from, to string) error
	// Link gives the file from a second name, which must not exist.
	Link(from, to string) error
	// SetTime sets when the content of the file was changed last, in nanoseconds since
	// 1970, and when it was read last to the same.
	SetTime(name string, mtime int64) error
	// Remove removes a file, link or special file; of a folder it is an error.
	Remove(name string) error
	// MakeFolder makes the folder name, RemoveFolder removes it when it is empty.
	MakeFolder(name string, mode uint32) error
	RemoveFolder(name string) error
	// Names returns what is in the folder, in no order.
	Names() ([]string, error)
	// Writable returns nil when entries may be made and removed. It changes nothing.
	Writable() error
	// Sync makes the entries of the folder durable.
	Sync() error
	Close() error
}

// File is an open file.
type File interface {
	Stat() (Info, error)
	io.ReaderAt
	// Write writes at the place behind what was written last, or at the end of a file
	// opened by Append. It may write less than all of p, with or without an error.
	Write(p []byte) (int, error)
	// Truncate cuts the file to size bytes.
	Truncate(size int64) error
	// Chown sets owner and group, Chmod the mode bits, set-id bits included.
	Chown(uid, gid int) error
	Chmod(mode uint32) error
	// Attrs returns the extended attributes, and nil where there are none.
	Attrs() ([]Attr, error)
	SetAttr(a Attr) error
	// Sync makes the content durable.
	Sync() error
	Close() error
}

// Attr is an extended attribute.
type Attr struct {
	Name  string
	Value []byte
}

// Kind is what a name stands for.
type Kind uint8

// The kinds.
const (
	Regular Kind = iota
	Directory
	Symlink
	Special // pipe, socket, device
)

// Info describes a file.
type Info struct {
	Kind     Kind
	Mode     uint32 // permission, set-id and sticky bits
	UID, GID int
	Size     int64
	Dev, Ino uint64
	Mtime    int64 // in nanoseconds
}

// same reports whether two descriptions are of one file in one state.
func (i Info) same(o Info) bool {
	return i.Kind == o.Kind && i.Dev == o.Dev && i.Ino == o.Ino && i.Size == o.Size && i.Mtime == o.Mtime
}
