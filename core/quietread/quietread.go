// Package quietread opens files for looking, in a way that changes nothing: only
// regular files are opened, no pipe is waited for, and the access time stays as it
// is where the system lets the reader say so.
package quietread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotAFile reports that a path leads to a folder, pipe, socket or device. Such
// an error is an [*Irregular].
var ErrNotAFile = errors.New("not a regular file")

// File is a regular file that was opened for reading.
type File struct {
	*os.File
	// Info is the file as it was when it was opened.
	Info   fs.FileInfo
	sparse bool
}

// Open opens the regular file at path, following symbolic links. The error is an
// [*fs.PathError]; what is not a regular file is not opened at all and is
// [ErrNotAFile]. [Problem] says either in words.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := irregular(path, info.Mode()); err != nil {
		return nil, err
	}
	f, err := openQuietly(path)
	if err != nil {
		return nil, err
	}
	// The file may have been replaced since it was looked at.
	if info, err = f.Stat(); err == nil {
		err = irregular(path, info.Mode())
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return &File{File: f, Info: info, sparse: isSparse(info)}, nil
}

// ReadFile opens the regular file at path and reads at most most bytes of it. Cut is set
// when there are more. With an error it returns what could be read.
func ReadFile(path string, most int64) (data []byte, cut bool, err error) {
	f, err := Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close() // what was only read loses nothing
	return f.ReadAtMost(most)
}

// ReadAtMost reads at most most bytes of the file, as [ReadFile] does.
func (f *File) ReadAtMost(most int64) (data []byte, cut bool, err error) {
	b := bytes.NewBuffer(make([]byte, 0, min(f.Info.Size(), most)+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, most+1))
	if data = b.Bytes(); int64(len(data)) > most {
		return data[:most], true, err
	}
	return data, false, err
}

// NextData returns the first offset from off on at which something is stored, or
// the size of the file when nothing is: what lies before it are zeros. It moves the
// place at which Read goes on; ReadAt does not mind. Where the system does not tell
// holes it returns off.
func (f *File) NextData(off int64) int64 {
	if !f.sparse {
		return off
	}
	return nextData(f.File, off, f.Info.Size())
}

// Whole returns a reader of the file from its beginning, whatever else reads it. The zeros of
// holes are not fetched: that takes seconds for a gigabyte.
func (f *File) Whole() io.Reader { return &contents{file: f} }

type contents struct {
	file *File
	off  int64
	data int64 // where the next bytes are stored
}

// Read implements [io.Reader].
func (c *contents) Read(p []byte) (n int, err error) {
	if c.off >= c.data {
		c.data = c.file.NextData(c.off)
	}
	if hole := c.data - c.off; hole > 0 {
		n = int(min(hole, int64(len(p))))
		clear(p[:n])
	} else {
		n, err = c.file.ReadAt(p, c.off)
	}
	c.off += int64(n)
	return n, err
}

// Changed reports whether the open file was written since it was opened.
func (f *File) Changed() bool {
	info, err := f.Stat()
	return err == nil && (info.Size() != f.Info.Size() || !info.ModTime().Equal(f.Info.ModTime()))
}

// Irregular is the cause of an error about something that is not a regular file.
// [errors.Is] takes it for [ErrNotAFile].
type Irregular struct {
	Mode fs.FileMode
}

// Error returns what it is.
func (i *Irregular) Error() string { return fmt.Sprintf("%s, %v", i.Kind(), ErrNotAFile) }

// Is implements the interface that [errors.Is] asks for.
func (i *Irregular) Is(target error) bool { return target == ErrNotAFile }

// Kind returns what it is, with its article: "a named pipe".
func (i *Irregular) Kind() string {
	for _, kind := range [...]struct {
		mode fs.FileMode
		name string
	}{{fs.ModeDir, "a folder"}, {fs.ModeNamedPipe, "a named pipe"}, {fs.ModeSocket, "a socket"}, {fs.ModeDevice, "a device"}} {
		if i.Mode&kind.mode != 0 {
			return kind.name
		}
	}
	return "something else"
}

func irregular(path string, mode fs.FileMode) error {
	if mode.IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: &Irregular{Mode: mode}}
}
