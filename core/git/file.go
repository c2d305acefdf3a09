package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"

	"winnow/core/memory"
)

// FileState returns what git knows about the file called name in the folder dir, which must exist. The file need
// not. GitUnknown is also the answer when git refuses, as it does in a repository of another user. One git is
// started for a file that is tracked or could be added, and a second one for any other.
func (g Git) FileState(ctx context.Context, dir, name string) memory.GitState {
	args := []string{"--literal-pathspecs", "ls-files", "-z", "-t", "--cached"}
	if listsUntracked(dir, name) {
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
	}
	// Git lists nothing for an ignored file, nor for one of a submodule, nor for one spelled otherwise in the index.
	_, err = g.Run(ctx, dir, "check-ignore", "--quiet", "--", "./"+name)
	switch f := (*Failure)(nil); {
	case err == nil:
		return memory.GitIgnored
	case errors.As(err, &f) && f.Status == 1:
		return memory.GitUntracked
	}
	return memory.GitUnknown
}

// listsUntracked reports whether git may be asked to list the file called name in the folder dir as an untracked one.
// It looks into all folders there whose names begin like that, and would wait for ever at a pipe in one of them.
func listsUntracked(dir, name string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	found := false
	for _, e := range entries {
		switch {
		case e.Name() == name:
			found = e.Type().IsRegular() || e.Type()&os.ModeSymlink != 0
		case e.IsDir() && strings.HasPrefix(strings.ToLower(e.Name()), strings.ToLower(name)):
			return false
		}
	}
	return found
}
