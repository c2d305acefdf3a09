package system

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Reach says where the changes of a store may go. What a project names never leads out of the
// project: neither its files and settings nor its links do. Outside of it only those paths are
// changed that the person named: on the command line, in the own settings or in the environment.
type Reach struct {
	// Anywhere is set for a store that the person names.
	Anywhere bool
	// Project is the folder of the project that names the store, or "".
	Project string
	// Folders are more folders with everything below them, or single files: those that the person
	// allows, and those in which the product itself keeps records of the project.
	Folders []string
	// Files are the paths that the person named on the command line, with links resolved: files, or
	// folders with everything below them.
	Files []string
	// NamedBy is the file of the project that names the store, or "".
	NamedBy string
}

// ours begins the names of our temporary files.
const ours = ".winnow-"

// CodeOutside is the code of the problem that a file lies outside of the project that names it.
const CodeOutside = "outside-project"

// Confined is implemented by every [Writer].
type Confined interface {
	// Confine sets the function that returns nil if the file at an absolute path may be changed, and
	// a *memory.Problem otherwise. The path has its links resolved; it is "" for a file of which
	// nobody can tell where it is. The store asks again for the opened folder before it changes
	// anything in it. Confine is called once, before the store is used.
	Confine(may func(path string) error)
}

// Refuser is implemented by a [Writer] that never makes some changes, wherever the files lie.
type Refuser interface {
	// Refuses returns a *memory.Problem if no record of this kind is changed in this way, or nil.
	Refuses(id memory.ID, do memory.ChangeKind) error
}

// May returns nil if the file at path may be changed, and a *memory.Problem otherwise. The path has
// its links resolved, and is "" for a file of which nobody can tell where it is.
func (r *Reach) May(path string) error {
	switch {
	case r.Anywhere:
		return nil
	case path == "":
		return &memory.Problem{
			Code: CodeOutside,
			What: "It cannot be told in which folder the file lies: the folder was swapped for another.",
			Hint: "look where the path leads, then try again",
		}
	case r.holds(path):
		return nil
	}
	if dir, name := filepath.Split(path); strings.HasPrefix(name, ours) {
		path = filepath.Clean(dir) // the person named no temporary file
	}
	what := path + " lies outside of the project " + r.Project + ", which names it"
	if r.Project == "" {
		what = path + " was not named by you: a link of the store leads there"
	}
	if r.NamedBy != "" {
		what += " in " + r.NamedBy
	}
	return &memory.Problem{
		Code: CodeOutside, What: what + ".", Outside: path,
		Hint: "to allow its folder, set [stores] allow in config.toml; to mean this file, name it: --store " +
			memory.ShellWord(path),
	}
}

func (r *Reach) holds(path string) bool {
	if r.Project != "" && holdsOwn(Resolved(r.Project), path) {
		return true
	}
	in := func(dir string) bool {
		real := Resolved(dir)
		return holdsOwn(real, path) || isFile(dir) && isNamed(real, path)
	}
	onTheWay := func(to string) bool { return leadsTo(path, to) }
	return slices.ContainsFunc(r.Folders, in) || slices.ContainsFunc(slices.Concat(r.Folders, r.Files), onTheWay) ||
		slices.ContainsFunc(r.Files, func(file string) bool { return isNamed(file, path) })
}

// holdsOwn reports whether path is dir or lies below it, and not in a folder of git itself. The links of dir are
// resolved.
func holdsOwn(dir, path string) bool { return within(dir, path) && !inGit(dir, path) }

// inGit reports whether path, which lies below dir, is in a folder of git itself. What git keeps there is
// no part of the project: a hook runs.
func inGit(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) { // the same folder by another spelling
		rel = path
	}
	isGit := func(name string) bool { return strings.EqualFold(name, ".git") }
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), isGit)
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// isNamed reports whether path is a file that was named, one of our temporary files beside it, or in a
// folder that was named.
func isNamed(named, path string) bool {
	dir, name := filepath.Split(path)
	beside := filepath.Clean(dir) == filepath.Dir(named) && strings.HasPrefix(name, ours)
	return beside || Within(named, path)
}

// Inside reports whether path is root or below it, by their names.
func Inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// Within reports whether path is dir or lies below it. Links in dir are resolved; path is taken as it
// is. Both may be missing. Names that a file system takes for the same are the same.
func Within(dir, path string) bool { return within(Resolved(dir), path) }

// within is Within for a dir whose links are resolved.
func within(dir, path string) bool {
	if Inside(dir, path) {
		return true
	}
	want, err := os.Stat(dir)
	for up := path; err == nil; up = filepath.Dir(up) {
		if is, err := os.Lstat(up); err == nil && os.SameFile(is, want) {
			return true
		}
		if up == filepath.Dir(up) {
			return false
		}
	}
	return false
}

// leadsTo reports whether path is a missing folder on the way to dir, which has to be made first.
func leadsTo(path, dir string) bool {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	rel, err := filepath.Rel(path, Resolved(dir))
	return err == nil && filepath.IsLocal(rel)
}

// Resolved returns an absolute path with its links resolved as far as it exists. The rest stays as it
// is.
func Resolved(path string) string {
	const mostLinks = 40
	for range mostLinks {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) { // not Join, which would resolve the .. of a link lexically
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		path = to
	}
	up, name := filepath.Split(strings.TrimRight(path, string(filepath.Separator)))
	if name == "" || up == "" {
		return path
	}
	if above := strings.TrimRight(up, string(filepath.Separator)); above != "" && above != filepath.VolumeName(up) {
		up = above // with a separator behind it, a link to a missing folder is not read as a link
	}
	return filepath.Join(Resolved(up), name)
}

// IfMeant ends a sentence on why a file is not changed, with the command by which a person says that it is
// meant.
func IfMeant(id memory.SystemID, path string) string {
	return ": if you mean that file, start winnow --system " + string(id) + " --store " +
		memory.ShellWord(Resolved(path))
}
