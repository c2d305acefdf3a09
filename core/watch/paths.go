package watch

import (
	"maps"
	"os"
	"path/filepath"
)

// maxLinks is how many symbolic links are followed from one file, as many as
// Linux does.
const maxLinks = 40

// interest are the folders to watch for some files, and the names in them that
// matter: true for a file or a link to it, false for a folder on the way.
// In the folders of all every name matters.
type interest struct {
	dirs  map[string]bool
	names map[string]bool
	all   map[string]bool
}

// find returns the interest for paths as the file system stands. All of them are
// free of symbolic links, so that a folder is watched under one name only.
func find(paths []string) interest {
	s := interest{dirs: map[string]bool{}, names: map[string]bool{}, all: map[string]bool{}}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			continue
		}
		s.follow(abs)
		if real, ok := folder(abs); ok && isFolder(p) {
			s.dirs[real], s.all[real] = true, true
		}
	}
	return s
}

func (s interest) equal(o interest) bool {
	return maps.Equal(s.dirs, o.dirs) && maps.Equal(s.names, o.names) && maps.Equal(s.all, o.all)
}

// concerns reports whether a name that something happened to is waited for, and whether
// it is that of a file.
func (s interest) concerns(name string) (isFile, ok bool) {
	if isFile, ok = s.names[name]; ok {
		return isFile, true
	}
	return false, s.all[filepath.Dir(name)]
}

// isFolder reports whether a path to watch stands for all that is in the folder.
func isFolder(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// follow adds path, and what it points to if it is a symbolic link.
func (s interest) follow(path string) {
	for range maxLinks {
		dir := filepath.Dir(path)
		real, ok := folder(dir)
		if !ok {
			s.climb(dir)
			return
		}
		name := filepath.Join(real, filepath.Base(path))
		s.add(real, name, true)
		target, err := os.Readlink(name)
		if err != nil {
			return
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(real, target)
		}
		path = target
	}
}

// climb adds the nearest folder above the missing dir, with the name that must
// appear in it first.
func (s interest) climb(dir string) {
	for {
		up := filepath.Dir(dir)
		if real, ok := folder(up); ok {
			s.add(real, filepath.Join(real, filepath.Base(dir)), false)
			return
		}
		if up == dir {
			return
		}
		dir = up
	}
}

func (s interest) add(dir, name string, isFile bool) {
	s.dirs[dir] = true
	s.names[name] = s.names[name] || isFile
	if !s.names[dir] {
		s.names[dir] = false
	}
}

// folder returns the path of dir without symbolic links, if it is a folder.
func folder(dir string) (string, bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	info, err := os.Lstat(real)
	return real, err == nil && info.IsDir()
}
