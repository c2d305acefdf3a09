package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/git"
	"winnow/core/memory"
)

// folder reads the files below a folder. It follows a link that is named.
func (r *run) folder(ctx context.Context, path string) {
	dir := path
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if dir, err = filepath.EvalSymlinks(path); err != nil {
			r.unlisted(path, err)
			return
		}
	}
	r.links.addRoot(dir)
	if git.Root(dir) != "" {
		r.repository(ctx, dir)
		return
	}
	found := r.walk(ctx, dir, memory.GitNone)
	switch g, err := r.git(); {
	case isBare(dir) && r.History && err == nil:
		r.history(ctx, g, dir, nil)
	case isBare(dir) && !r.History:
		r.tally.uncover("git history")
	case !found && r.History:
		r.fail(dir, noRepository())
	}
}

// walk reads the files below a folder that is in no repository, whatever their names. In the states
// GitIgnored and GitUnknown it treats nested repositories like other folders. It reports whether it
// met one.
func (r *run) walk(ctx context.Context, root string, state memory.GitState) (repository bool) {
	enter := func(dir string) bool {
		if state != memory.GitNone || dir == root || !holdsGit(dir) {
			return true
		}
		repository = true
		r.repository(ctx, dir)
		return false
	}
	r.eachFile(ctx, root, enter, func(path string, mode fs.FileMode) {
		switch {
		case mode.IsRegular():
			r.jobs <- r.read(file{path: path, git: state})
		case mode&fs.ModeSymlink != 0:
			r.link(file{path: path, git: state})
		default:
			r.countSkipped(leftIrregular, path)
		}
	})
	return repository
}

// eachFile calls fn for everything below a folder except folders. It descends only into the folders
// that enter accepts.
func (r *run) eachFile(
	ctx context.Context,
	root string,
	enter func(dir string) bool,
	fn func(path string, mode fs.FileMode),
) {
	for folders := []string{root}; len(folders) > 0 && ctx.Err() == nil; {
		dir := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		if !enter(dir) {
			continue
		}
		r.entries(dir, func(name string, mode fs.FileMode) {
			path := filepath.Join(dir, name)
			if mode.IsDir() {
				folders = append(folders, path)
			} else {
				fn(path, mode)
			}
		})
	}
}

// entries calls fn for everything in a folder, in the order of the file system. It skips git's own
// folder.
func (r *run) entries(dir string, fn func(name string, mode fs.FileMode)) {
	f, err := openFolder(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.unlisted(dir, err)
		} else {
			r.countSkipped(leftGone, dir)
		}
		return
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(512)
		for _, e := range entries {
			if e.Name() != ".git" {
				fn(e.Name(), e.Type())
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.unlisted(dir, err)
			}
			return
		}
	}
}

// countIgnored counts the files below a folder that git ignores.
func (r *run) countIgnored(ctx context.Context, dir string) {
	r.eachFile(
		ctx,
		dir,
		func(string) bool { return true },
		func(path string, _ fs.FileMode) { r.countSkipped(leftIgnored, path) },
	)
}

func holdsGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// isBare reports whether a folder has the layout of a repository without a work tree.
func isBare(dir string) bool {
	return !slices.ContainsFunc([]string{"HEAD", "objects", "refs"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err != nil
	})
}
