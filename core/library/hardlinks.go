package library

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// LinkedFile is a file with several hard links, before a redaction. The redaction puts a new file under the
// names that it knows, and the other names keep the old text.
type LinkedFile struct {
	path         string
	info         os.FileInfo
	names, found int
	number       uint64
}

// LinkedFiles returns the files at paths that have several names, each file once.
func LinkedFiles(paths []string) (all []*LinkedFile) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		names, number := quietread.Names(info)
		if names < 2 {
			continue
		}
		if i := slices.IndexFunc(all, func(f *LinkedFile) bool { return os.SameFile(f.info, info) }); i >= 0 {
			all[i].found++
		} else {
			all = append(all, &LinkedFile{path: path, info: info, names: names, found: 1, number: number})
		}
	}
	return all
}

// Left says how many names keep the old text after a redaction, and which command finds them. Both are
// empty if none does.
func (f *LinkedFile) Left(l *Library) (what, command string) {
	n := f.names - f.found
	if now, err := os.Stat(f.path); n <= 0 || err == nil && os.SameFile(now, f.info) {
		return "", ""
	}
	shown := detect.Redact(l.Short(f.path))
	what = fmt.Sprintf("%d more hard links of %s, which hold the old text: they were not found", n, shown)
	if n == 1 {
		what = "1 more hard link of " + shown + ", which holds the old text: it was not found"
	}
	// All hard links of a file are in one file system.
	root := filepath.VolumeName(f.path) + string(filepath.Separator)
	return what, "find " + root + " -xdev -inum " + strconv.FormatUint(f.number, 10)
}

// changedFiles returns the files that a plan changes, each once.
func changedFiles(p memory.Plan) (paths []string) {
	for i := range p.Changes {
		paths = memory.AppendNew(paths, cmp.Or(p.Changes[i].Record.File, p.Store.Path()))
	}
	return paths
}
