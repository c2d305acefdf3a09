// Package filestore reads and changes the files of stores whose records are whole files, in
// a folder or a few. Reading leaves no trace, and nothing but the two methods of Writer
// writes, by package atomicfile.
package filestore

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// File is one file as it was read.
type File struct {
	Path    string
	Text    string // at most as many bytes of it as were asked for
	Size    int64  // of all of it, in bytes
	Cut     bool   // Text is not all of it
	ModTime time.Time
	Mode    fs.FileMode
	// Problem says why nothing was read, or not all: then Text is what was.
	Problem *memory.Problem
}

// Name returns the last element of the path.
func (f *File) Name() string { return filepath.Base(f.Path) }

// Missing reports whether the file does not exist.
func (f *File) Missing() bool { return f.Problem != nil && f.Problem.Code == quietread.CodeMissing }

// Read reads at most most bytes of the regular file at path, following links. It writes
// nothing, and waits for nothing. Whatever is in the way is a Problem.
func Read(path string, most int64) File {
	file := File{Path: path}
	f, err := quietread.Open(path)
	if err != nil {
		file.Problem = quietread.Problem(err)
		return file
	}
	defer f.Close() // what was only read loses nothing
	file.Size, file.ModTime, file.Mode = f.Info.Size(), f.Info.ModTime(), f.Info.Mode()
	text, cut, err := f.ReadAtMost(most)
	if err != nil {
		file.Problem = quietread.Problem(err)
	}
	file.Cut = cut || err != nil
	file.Size = max(file.Size, int64(len(text)))
	if !file.Cut {
		file.Size = int64(len(text)) // it may have become shorter
	}
	file.Text = string(text)
	return file
}

// Names returns what is in the folder dir, by name in the order of bytes: at most most
// entries, and cut when there are more. Links are among them and are not followed. A
// folder that cannot be read is a Problem, and so is what is no folder; entries are then
// those that could be read.
func Names(dir string, most int) (entries []fs.DirEntry, cut bool, p *memory.Problem) {
	entries, cut, p = Listing(dir, most)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, cut, p
}

// Listing is [Names] in the order in which the operating system lists the folder, for
// what depends on it as a program does that does not sort.
func Listing(dir string, most int) (entries []fs.DirEntry, cut bool, p *memory.Problem) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, false, problem(err)
	}
	defer f.Close()
	entries, err = f.ReadDir(most + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		p = problem(err)
	}
	if len(entries) > most {
		entries, cut = entries[:most], true
	}
	return entries, cut, p
}

// Below returns what is in folders and of a type, the latest names of each first. Links are not followed.
func Below(of func(fs.FileMode) bool, dirs ...string) (paths []string) {
	const most = 20_000
	for _, dir := range dirs {
		entries, _, _ := Names(dir, most) // of a folder that cannot be read, what can
		for _, e := range slices.Backward(entries) {
			if of(e.Type()) {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
	}
	return paths
}

// LookAt notes in a survey whether something is at the path of a place, which is found then.
func LookAt(survey *memory.Survey, place memory.Place) {
	if _, err := os.Lstat(place.Path); err != nil {
		survey.Look(place.Path, 0, quietread.Reason(err))
		return
	}
	place.Exists = true
	survey.Found(place)
	survey.Look(place.Path, 1, "")
}

// Upwards returns dir and the folders above it, nearest first, up to stop.
func Upwards(dir, stop string) (all []string) {
	all = []string{dir}
	for up := filepath.Dir(dir); dir != stop && up != dir; up = filepath.Dir(dir) {
		all, dir = append(all, up), up
	}
	return all
}

// Exists reports whether something is at a path, with links followed.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// IsFolder reports whether a path is that of a folder, with links followed.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Same reports whether two paths lead to one file.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	y, errY := os.Stat(b)
	return err == nil && errY == nil && os.SameFile(x, y)
}

// Within reports whether a path is that of a folder, or lies in it.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Real returns a path with links resolved, where it exists.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// openFolder opens a folder, and nothing else: to open a pipe would wait for a writer.
func openFolder(dir string) (*os.File, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errNoFolder}
	}
	return os.Open(dir)
}

var errNoFolder = errors.New("not a folder")

// problem says why a folder cannot be read.
func problem(err error) *memory.Problem {
	p := quietread.Problem(err)
	switch {
	case errors.Is(err, errNoFolder):
		return &memory.Problem{Code: "no-folder", What: "This is a file, and a folder is wanted.", Hint: "name the folder"}
	case p.Code == quietread.CodeMissing:
		p.What = "The folder does not exist."
	case p.Code == quietread.CodeUnreadable:
		p.What = "The folder cannot be read: permission denied."
		p.Hint = memory.Allow(runtime.GOOS, "chmod u+rx the folder and those above it, as the user who owns them")
	default:
		p.What = "The folder cannot be read: " + quietread.Cause(err) + "."
	}
	return p
}
