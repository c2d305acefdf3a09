package filestore

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// Folder says what is read of a folder in which each file is a record.
type Folder struct {
	Path string
	// Takes reports whether a file is one of the records, by its entry.
	Takes func(e fs.DirEntry) bool
	// Most is how many entries are looked at, MostFile how many bytes are read of a file, and
	// MostInAll of all files together; 0 for any number.
	Most                int
	MostFile, MostInAll int64
	// NoLinks leaves links unread, with a problem.
	NoLinks bool
}

// Contents are the files of a folder that was read, by name.
type Contents struct {
	Files   []File
	Others  []string    // names of entries that are no records
	Cut     bool        // there are more entries than were looked at
	Size    int64       // of the files in bytes
	ModTime time.Time   // of the file that was changed last
	Info    fs.FileInfo // of the folder; nil where that cannot be told
	// Problem says why the folder cannot be read.
	Problem *memory.Problem
}

// Codes of the problems of files that are not read.
const (
	CodeTooMuch = "too-much" // since the others are too much already
	CodeLink    = "is-link"
)

// Read reads the folder, until ctx is done. What cannot be read of a file is its problem.
func (f Folder) Read(ctx context.Context) (c Contents) {
	entries, cut, p := Names(f.Path, f.Most)
	c.Cut, c.Problem = cut, p
	c.Info, _ = os.Stat(f.Path) // what cannot be told is the Problem
	read := int64(0)
	for _, e := range entries {
		if ctx.Err() != nil {
			return c
		}
		if !f.Takes(e) {
			c.Others = append(c.Others, e.Name())
			continue
		}
		path := filepath.Join(f.Path, e.Name())
		file := File{Path: path, Problem: notFollowed()}
		if !f.NoLinks || e.Type()&fs.ModeSymlink == 0 {
			file = Read(path, f.MostFile)
		}
		if file.vanished() {
			continue
		}
		if read += int64(len(file.Text)); f.MostInAll > 0 && read > f.MostInAll && file.Problem == nil {
			file.Text, file.Problem = "", tooMuch(f.MostInAll)
		}
		if file.ModTime.After(c.ModTime) {
			c.ModTime = file.ModTime
		}
		c.Size += file.Size
		c.Files = append(c.Files, file)
	}
	return c
}

func notFollowed() *memory.Problem {
	return &memory.Problem{Code: CodeLink, What: "This is a link to another file. It was not followed.", Hint: "put the file itself there"}
}

func tooMuch(most int64) *memory.Problem {
	return &memory.Problem{
		Code: CodeTooMuch,
		What: fmt.Sprintf("It was not read: the files of this folder have more than %d MiB together.", most>>20),
		Hint: "look for what fills the folder; memories are small",
	}
}

// vanished reports whether a file was removed while its folder was read: a link that leads
// nowhere is still there.
func (f *File) vanished() bool {
	if f.Problem == nil || f.Problem.Code != quietread.CodeMissing {
		return false
	}
	_, err := os.Lstat(f.Path)
	return err != nil
}
