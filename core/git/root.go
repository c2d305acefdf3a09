package git

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Root returns the nearest folder from dir upwards that holds .git, or "". It reads no
// file and starts no program.
func Root(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// maxPointer is how much is read of the file that stands for .git in a work tree.
const maxPointer = 4 << 10

// MainRoot returns the root of the repository that dir is in: that of the first work
// tree, where dir is in one that was added. It is "" outside of a repository.
func MainRoot(dir string) string {
	root := Root(dir)
	if root == "" {
		return ""
	}
	to, ok := pointer(filepath.Join(root, ".git"), "gitdir:")
	if !ok {
		return root
	}
	to = below(root, to)
	common, ok := pointer(filepath.Join(to, "commondir"), "")
	if !ok {
		return root // a submodule, or one whose git folder lies elsewhere
	}
	common = below(to, common)
	if filepath.Base(common) != ".git" {
		return root
	}
	return filepath.Dir(common)
}

func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// pointer returns what stands in a small file behind a word.
func pointer(path, word string) (string, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPointer))
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), word)
	to = strings.TrimSpace(to)
	return to, ok && to != ""
}
