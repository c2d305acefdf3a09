package library

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// linked is a file with several names (hard links), as it is before a redaction: that gives
// the names it knows a new file, and the others keep the old text.
type linked struct {
	path         string
	info         os.FileInfo
	names, found int
	number       uint64
}

// linkedOf returns the files at paths that have several names, each file once.
func linkedOf(paths []string) (all []*linked) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		names, number := quietread.Names(info)
		if names < 2 {
			continue
		}
		if i := slices.IndexFunc(all, func(f *linked) bool { return os.SameFile(f.info, info) }); i >= 0 {
			all[i].found++
		} else {
			all = append(all, &linked{path: path, info: info, names: names, found: 1, number: number})
		}
	}
	return all
}

// left says which names keep the old text after a redaction, and how to find them; nothing
// where none does.
func (f *linked) left(l *Library) (what, command string) {
	n := f.names - f.found
	if now, err := os.Stat(f.path); n <= 0 || err == nil && os.SameFile(now, f.info) {
		return "", ""
	}
	shown := detect.Redact(l.short(f.path))
	what = fmt.Sprintf("%d more hard links of %s, which hold the old text: they were not found", n, shown)
	if n == 1 {
		what = "1 more hard link of " + shown + ", which holds the old text: it was not found"
	}
	// All names of a file are in one file system.
	root := filepath.VolumeName(f.path) + string(filepath.Separator)
	return what, "find " + root + " -xdev -inum " + strconv.FormatUint(f.number, 10)
}

// otherNames returns a function that says where the old text of redacted files remains:
// under hard links that the audit did not find.
func (l *Library) otherNames(files [][]memory.Finding) func() []memory.Beyond {
	var paths []string
	for _, file := range files {
		paths = append(paths, file[0].File)
	}
	all := linkedOf(paths)
	return func() (beyond []memory.Beyond) {
		for _, f := range all {
			if what, command := f.left(l); what != "" {
				beyond = append(beyond, memory.Beyond{What: what, Commands: []string{command + " # then: winnow audit --fix FILE"}})
			}
		}
		return beyond
	}
}

// changedFiles returns the files that a plan changes, each once.
func changedFiles(p memory.Plan) (paths []string) {
	known := map[string]bool{}
	for i := range p.Changes {
		path := p.Changes[i].Record.File
		if path == "" {
			path = p.Store.Path()
		}
		if !known[path] {
			known[path], paths = true, append(paths, path)
		}
	}
	return paths
}
