// Package quietread opens files for reading without changing anything: it opens only regular files,
// does not wait for pipes, and leaves the access time alone if the system allows that.
package quietread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotAFile reports that a path leads to a folder, pipe, socket or device. Such an error is an
// [*Irregular].
var ErrNotAFile = errors.New("not a regular file")

// File is a regular file opened for reading.
type File struct {
	*os.File
	// Info describes the file at the time it was opened.
	Info   fs.FileInfo
	sparse bool
}

// Open opens the regular file at path, following symbolic links. The error is an [*fs.PathError].
// Anything but a regular file is not opened at all, and the error is [ErrNotAFile]. [Problem] puts
// either into words.
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
	// The file may have been replaced since it was checked.
	if info, err = f.Stat(); err == nil {
		err = irregular(path, info.Mode())
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return &File{File: f, Info: info, sparse: isSparse(info)}, nil
}

// ReadFile opens the regular file at path and reads at most most bytes. Cut is set if there are
// more. With an error it returns what it could read.
func ReadFile(path string, most int64) (data []byte, cut bool, err error) {
	f, err := Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close() // closing a file opened for reading cannot lose data
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

// NextData returns the first offset from off on at which data is stored, or the size of the file if
// there is none; everything before it is zeros. It changes the position of Read, but not of ReadAt.
// If the system cannot find holes, it returns off.
func (f *File) NextData(off int64) int64 {
	if !f.sparse {
		return off
	}
	return nextData(f.File, off, f.Info.Size())
}

// Whole returns a reader of the file from its beginning, independent of other reads. It does not
// fetch the zeros of holes, which would take seconds for a gigabyte.
func (f *File) Whole() io.Reader { return &contents{file: f} }

type contents struct {
	file *File
	off  int64
	data int64 // where the next data is stored
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

// Changed reports whether the file was written since it was opened.
func (f *File) Changed() bool {
	info, err := f.Stat()
	return err == nil && (info.Size() != f.Info.Size() || !info.ModTime().Equal(f.Info.ModTime()))
}

// Irregular is the cause of an error about anything but a regular file. [errors.Is] matches it with
// [ErrNotAFile].
type Irregular struct {
	Mode fs.FileMode
}

// Error says what it is.
func (i *Irregular) Error() string { return fmt.Sprintf("%s, %v", i.Kind(), ErrNotAFile) }

// Is supports [errors.Is].
func (i *Irregular) Is(target error) bool { return target == ErrNotAFile }

// Kind says what it is, with an article: "a named pipe".
func (i *Irregular) Kind() string {
	for _, kind := range [...]struct {
		mode fs.FileMode
		name string
	}{
		{fs.ModeDir, "a folder"},
		{fs.ModeNamedPipe, "a named pipe"},
		{fs.ModeSocket, "a socket"},
		{fs.ModeDevice, "a device"},
	} {
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
