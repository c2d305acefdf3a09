package atomicfile

import "io"

// Disk is what the package needs from a file system. [OS] is the real one.
//
// Errors are those of the system: errors.Is reaches a syscall.Errno.
type Disk interface {
	// Folder opens the folder at path, following links. Everything else is done relative to it, so
	// a path that changes meanwhile leads nowhere else.
	Folder(path string) (Folder, error)
	// User returns the number of the current user. It is below 1 for a user who may give files any
	// owner, and on a system that does not number users.
	User() int
}

// Folder is an open folder. Names are single path elements, and no method follows a link.
type Folder interface {
	// Open opens name for reading, whatever it is, without waiting for a pipe. A link gives ELOOP.
	Open(name string) (File, error)
	// Create creates the file name for writing. It must not exist.
	Create(name string, mode uint32) (File, error)
	// Append opens the file name for reading and for writing at its end. It creates a missing file,
	// and made says so. Its Sync need not sync times.
	Append(name string, mode uint32) (f File, made bool, err error)
	// Stat describes name. It describes a link itself. "." is the folder.
	Stat(name string) (Info, error)
	// ReadLink returns the target of the link name.
	ReadLink(name string) (string, error)
	// Exchange swaps two names in one step. ENOSYS, EINVAL and ENOTSUP mean that this is not
	// possible here.
	Exchange(a, b string) error
	// RenameNew renames from, unless to exists: then it returns EEXIST. ENOSYS, EINVAL and ENOTSUP
	// mean that this is not possible here.
	RenameNew(from, to string) error
	// Rename renames from, replacing to.
	Rename(from, to string) error
	// Link gives the file a second name, which must not exist.
	Link(from, to string) error
	// SetTime sets both the modification time and the access time of the file, in nanoseconds since
	// 1970.
	SetTime(name string, mtime int64) error
	// Remove removes a file, link or special file. For a folder it returns an error.
	Remove(name string) error
	// MakeFolder creates the folder name. RemoveFolder removes it if it is empty.
	MakeFolder(name string, mode uint32) error
	RemoveFolder(name string) error
	// Names returns the names in the folder, in no order.
	Names() ([]string, error)
	// Writable returns nil if entries may be created and removed. It changes nothing.
	Writable() error
	// Sync makes the folder's entries durable.
	Sync() error
	Close() error
}

// File is an open file.
type File interface {
	Stat() (Info, error)
	io.ReaderAt
	// Write writes after what was written last, or at the end of a file opened by Append. It may
	// write less than all of p, with or without an error.
	Write(p []byte) (int, error)
	// Truncate cuts the file to size bytes.
	Truncate(size int64) error
	// Chown sets owner and group. Chmod sets the mode bits, including the set-id bits.
	Chown(uid, gid int) error
	Chmod(mode uint32) error
	// Attrs returns the extended attributes, or nil if there are none.
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

// Kind is the type of a file.
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

// same reports whether two descriptions are of the same file in the same state.
func (i Info) same(o Info) bool {
	return i.Kind == o.Kind && i.Dev == o.Dev && i.Ino == o.Ino && i.Size == o.Size && i.Mtime == o.Mtime
}
