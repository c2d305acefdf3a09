package claudecode

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
)

var (
	// plainMention matches @path in a prompt, without the punctuation behind it.
	plainMention = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|` + jsSpace + `)@([^` + jsSpace[1:] + `+)\b`)
	})
	quotedMention = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|` + jsSpace + `)@"([^"]+)"`)
	})
)

// mentioned returns the absolute paths that a prompt names with @, as requests of 2.1.332 showed: what belongs
// to a file comes with the prompt even if the file is missing. A folder brings nothing.
func (m *machine) mentioned(prompt, cwd string) (paths []string) {
	if cwd == "" {
		return nil
	}
	var written []string
	for _, match := range quotedMention().FindAllStringSubmatch(prompt, -1) {
		written = append(written, match[1])
	}
	for _, match := range plainMention().FindAllStringSubmatch(prompt, -1) {
		if !strings.HasPrefix(match[1], `"`) {
			written = append(written, match[1])
		}
	}
	for _, path := range written {
		path, _, _ = strings.Cut(path, "#") // lines, or a heading
		rest, ofHome := strings.CutPrefix(path, "~/")
		switch {
		case path == "":
			continue
		case ofHome:
			path = filepath.Join(m.home, rest)
		case !filepath.IsAbs(path):
			path = filepath.Join(cwd, path)
		}
		path = filepath.Clean(path)
		if !filestore.IsFolder(path) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
