package library

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// realCase returns a path with the case that its folders use. On macOS and Windows, names that differ only in
// case are usually one file, which must be one store however it is typed.
func realCase(goos, path string) string {
	if goos = cmp.Or(goos, runtime.GOOS); path == "" || goos != "darwin" && goos != "windows" {
		return path
	}
	return asSpelled(path, func(dir string) (names []string) {
		entries, _ := os.ReadDir(dir) // an unlisted name stays as typed
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}, func(a, b string) bool {
		one, err := os.Stat(a)
		other, otherErr := os.Stat(b)
		return err == nil && otherErr == nil && os.SameFile(one, other)
	})
}

func asSpelled(path string, names func(dir string) []string, same func(a, b string) bool) string {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if dir == path {
		return path
	}
	dir = asSpelled(dir, names, same)
	path = filepath.Join(dir, name)
	list := names(dir)
	if slices.Contains(list, name) {
		return path
	}
	for _, n := range list {
		if at := filepath.Join(dir, n); strings.EqualFold(n, name) && same(at, path) {
			return at
		}
	}
	return path
}
