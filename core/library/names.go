package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"winnow/core/memory"
	"winnow/core/peek"
	"winnow/core/redact"
)

// otherNames returns a function that says where the old text of redacted files remains:
// under hard links that the audit did not find. It looks at the files as they are before
// they are redacted, since a redaction gives one name a new file.
func otherNames(files [][]memory.Finding) func(done []memory.FixedFile) []memory.Beyond {
	type linked struct {
		shown, path  string
		names, found int
		number       uint64
	}
	var all []*linked
	var infos []os.FileInfo
	for _, file := range files {
		info, err := os.Stat(file[0].File)
		if err != nil {
			continue
		}
		names, number := peek.Names(info)
		if names < 2 {
			continue
		}
		known := false
		for i := range all {
			if os.SameFile(infos[i], info) {
				all[i].found++
				known = true
			}
		}
		if !known {
			all = append(all, &linked{shown: file[0].Path, path: file[0].File, names: names, found: 1, number: number})
			infos = append(infos, info)
		}
	}
	return func(done []memory.FixedFile) (beyond []memory.Beyond) {
		for _, l := range all {
			fixed := false
			for _, f := range done {
				fixed = fixed || f.Path == l.shown
			}
			if n := l.names - l.found; fixed && n > 0 {
				what := fmt.Sprintf("%d more hard links of %s, which hold the old text: they were not found", n, redact.Hardened(l.shown))
				if n == 1 {
					what = "1 more hard link of " + redact.Hardened(l.shown) + ", which holds the old text: it was not found"
				}
				beyond = append(beyond, memory.Beyond{What: what, Commands: []string{
					"find " + mount(l.path) + " -xdev -inum " + strconv.FormatUint(l.number, 10) + " # then: winnow audit --fix FILE",
				}})
			}
		}
		return beyond
	}
}

// mount returns the folder from which all names of a file can be found: hard links never
// leave its file system.
func mount(path string) string { return filepath.VolumeName(path) + string(filepath.Separator) }
