package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/memory"
)

// FileState returns what git knows about the file called name in the folder dir, which must exist. The file need
// not. GitUnknown is also the answer when git refuses, as it does in a repository of another user. One git is
// started, and a second one only for what git cannot list: it is missing, no regular file, or spelled otherwise on
// the disk.
func (g Git) FileState(ctx context.Context, dir, name string) memory.GitState {
	args := []string{"--literal-pathspecs", "ls-files", "-z", "-t", "--cached"}
	lists := listsUntracked(filepath.Join(dir, name))
	if lists {
		args = append(args, "--others", "--exclude-standard")
	}
	out, err := g.run(ctx, dir, false, append(args, "--", name))
	switch f := (*Failure)(nil); {
	case errors.As(err, &f) && f.Status == 128 && strings.Contains(f.Said, "not a git repository"):
		return memory.GitNone
	case err != nil:
		return memory.GitUnknown
	case bytes.HasPrefix(out, []byte("? ")):
		return memory.GitUntracked
	case len(out) > 0:
		return memory.GitTracked
	case lists && isSpelled(dir, name):
		return memory.GitIgnored
	}
	_, err = g.Run(ctx, dir, "check-ignore", "--quiet", "--", "./"+name)
	switch f := (*Failure)(nil); {
	case err == nil:
		return memory.GitIgnored
	case errors.As(err, &f) && f.Status == 1:
		return memory.GitUntracked
	}
	return memory.GitUnknown
}

// listsUntracked reports whether git would list the file at path as an untracked one, and nothing else for it.
func listsUntracked(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeSymlink != 0)
}

// isSpelled reports whether a folder has a file of exactly that name. Some disks also find it by another
// spelling, and git does not.
func isSpelled(dir, name string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name })
}
