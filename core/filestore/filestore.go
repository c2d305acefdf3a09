// Package filestore reads and changes the files of stores whose records are whole files, or that
// consist of a few files. Reading leaves no trace. Only the Write and Recover methods of Writer and
// OneFile write, through package atomicfile.
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
	"unicode/utf8"

	"winnow/core/charset"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// File is a file as read.
type File struct {
	Path    string
	Text    string // at most as many bytes as were requested
	Size    int64  // of the whole file, in bytes
	Cut     bool   // Text is not the whole file
	ModTime time.Time
	Mode    fs.FileMode
	// Problem says why the file was not read, or not completely. Text is then what was read.
	Problem *memory.Problem
}

// Name returns the last element of the path.
func (f *File) Name() string { return filepath.Base(f.Path) }

// encoding names the encoding of the text, as in [memory.Source]. It is empty if nothing was read.
func (f *File) encoding() string {
	text := f.Text
	for n := 1; f.Cut && n < utf8.UTFMax && !utf8.ValidString(text); n++ { // the last character may be cut, too
		text = text[:len(text)-1]
	}
	if f.Problem != nil && f.Text == "" {
		return ""
	}
	decoded := charset.Decode(text)
	return decoded.Encoding()
}

// Source returns the file as a source of an agent, of which the rest is not known here.
func (f *File) Source(kind memory.SourceKind, when memory.SourceWhen, why string) memory.Source {
	return memory.Source{
		Path: f.Path, Kind: kind, When: when, Why: why,
		Bytes: f.Size, Encoding: f.encoding(), Problem: f.Problem,
	}
}

// Missing reports whether the file does not exist.
func (f *File) Missing() bool { return f.Problem != nil && f.Problem.Code == quietread.CodeMissing }

// Read reads at most most bytes of the regular file at path, following links. It writes nothing and
// never blocks on a pipe. Any obstacle becomes a Problem.
func Read(path string, most int64) File {
	file := File{Path: path}
	f, err := quietread.Open(path)
	if err != nil {
		file.Problem = quietread.Problem(err)
		return file
	}
	defer f.Close() // nothing is lost: it was only read
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

// Names returns the entries of the folder dir, sorted by name in byte order: at most most of them,
// and cut is set if there are more. Links are included and not followed. A folder that cannot be
// read, or that is not a folder, is a Problem; entries are then those that could be read.
func Names(dir string, most int) (entries []fs.DirEntry, cut bool, p *memory.Problem) {
	entries, cut, p = Listing(dir, most)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, cut, p
}

// Listing is [Names] in the order in which the operating system lists the folder, for results that
// depend on it because the original program does not sort.
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

// Below returns the entries of some folders that have a type, last names of each folder first. It
// does not follow links.
func Below(of func(fs.FileMode) bool, dirs ...string) (paths []string) {
	const most = 20_000
	for _, dir := range dirs {
		entries, _, _ := Names(dir, most) // an unreadable folder gives what could be read
		for _, e := range slices.Backward(entries) {
			if of(e.Type()) {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
	}
	return paths
}

// LookAt records in a survey whether something is at the path of a place. If so, the place is
// found.
func LookAt(survey *memory.Survey, place memory.Place) {
	if _, err := os.Lstat(place.Path); err != nil {
		survey.Look(place.Path, 0, quietread.Reason(err))
		return
	}
	place.Exists = true
	survey.Found(place)
	survey.Look(place.Path, 1, "")
}

// Upwards returns dir and its parents, nearest first, up to stop.
func Upwards(dir, stop string) (all []string) {
	all = []string{dir}
	for up := filepath.Dir(dir); dir != stop && up != dir; up = filepath.Dir(dir) {
		all, dir = append(all, up), up
	}
	return all
}

// Exists reports whether something is at a path, following links.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// IsFolder reports whether a path is a folder, following links.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Same reports whether two paths lead to the same file.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	y, errY := os.Stat(b)
	return err == nil && errY == nil && os.SameFile(x, y)
}

// Within reports whether path is dir or lies in it.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Real returns a path with links resolved, if it exists.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// openFolder opens a folder and refuses anything else: opening a pipe would wait for a writer.
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
		return &memory.Problem{
			Code: "no-folder",
			What: "This is a file, and a folder is wanted.",
			Hint: "name the folder",
		}
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
