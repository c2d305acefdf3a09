package karnevil9

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"winnow/core/memory"
)

const codeMissing = "missing"

// file is an opened store.
type file struct {
	*os.File
	info   fs.FileInfo // as it was when it was opened
	sparse bool
}

// open opens the store for reading, in a way that changes nothing: what is not
// a regular file is not opened at all, and the access time stays where the
// system lets us say so.
func open(path string) (*file, *memory.Problem) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(err)
	}
	if p := notAFile(info.Mode()); p != nil {
		return nil, p
	}
	f, err := openQuietly(path)
	if err != nil {
		return nil, unreadable(err)
	}
	// The file may have been replaced since it was looked at.
	if info, err = f.Stat(); err == nil {
		if p := notAFile(info.Mode()); p == nil {
			return &file{File: f, info: info, sparse: isSparse(info)}, nil
		}
	}
	_ = f.Close() // nothing was written
	if err != nil {
		return nil, unreadable(err)
	}
	return nil, notAFile(info.Mode())
}

// NextData implements source.
func (f *file) NextData(off int64) int64 {
	if !f.sparse {
		return off
	}
	return nextData(f.File, off, f.info.Size())
}

// changed reports whether the open file was written since it was opened.
func (f *file) changed() bool {
	info, err := f.Stat()
	return err == nil && (info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()))
}

func notAFile(mode fs.FileMode) *memory.Problem {
	kind := ""
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return &memory.Problem{
			Code: "folder",
			What: "This is a folder, and a store is one file. An agent that is given it starts with no lessons.",
			Hint: "open a file in it, or start winnow with the folder to look for stores below it",
		}
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "something else"
	}
	return &memory.Problem{
		Code: "not-a-file",
		What: fmt.Sprintf("This is %s, and a store is a regular file. It was not opened.", kind),
		Hint: "name the file that holds the lessons",
	}
}

// unreadable says why a store cannot be opened or read.
func unreadable(err error) *memory.Problem {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &memory.Problem{
			Code: codeMissing,
			What: "There are no lessons here yet: the file does not exist.",
			Hint: "it appears after an agent finishes its first session, and this screen then fills by itself",
		}
	case errors.Is(err, fs.ErrPermission):
		return &memory.Problem{
			Code: "unreadable",
			What: "The file cannot be read: permission denied.",
			Hint: "chmod u+r the file, and u+x its folders, as the user who owns them",
		}
	case errors.Is(err, syscall.ELOOP):
		return &memory.Problem{
			Code: "link-loop",
			What: "The path is a symbolic link that leads back to itself.",
			Hint: "replace the link by the file that it was meant to name",
		}
	}
	return &memory.Problem{
		Code: "read-error",
		What: "The file cannot be read: " + cause(err) + ".",
		Hint: "look at the disk or the network that holds it; what could be read before is not lost",
	}
}

// cause returns the text of an error without the operation and the path that
// the screen shows anyway.
func cause(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func empty() *memory.Problem {
	return &memory.Problem{
		Code: "empty",
		What: "There are no lessons here yet: the file is empty.",
		Hint: "lessons appear after an agent finishes a session, and this screen then fills by itself",
	}
}
