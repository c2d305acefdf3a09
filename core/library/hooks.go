package library

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
)

// HooksDir returns the folder in which git looks for the hooks of the repository
// around dir, which need not be there yet. The error is a *memory.Problem when there
// is no git, no repository, one without files to commit, or when its hooks lie outside.
func (l *Library) HooksDir(ctx context.Context, dir string) (string, error) {
	g, err := git.Find()
	if err != nil {
		return "", &memory.Problem{Code: "no-git", What: "find the hooks: there is no git on this machine", Hint: "install git"}
	}
	dir = l.absolute(dir)
	top, err := line(g.Run(ctx, dir, "rev-parse", "--show-toplevel"))
	if err != nil {
		return "", noHooks(dir, err)
	}
	set, err := hooksPath(ctx, g, dir)
	switch {
	case err != nil:
		return "", noHooks(dir, err)
	case filepath.IsAbs(set) && !inside(top, set):
		return "", &memory.Problem{
			Code: "hooks-elsewhere", What: "find the hooks of " + dir + ": core.hooksPath leads out of the repository, to " + set,
			Hint: "hooks there may serve other repositories too; add to the one there by hand: winnow audit --staged --fail-on high",
		}
	case filepath.IsAbs(set):
		return set, nil
	case set != "":
		return filepath.Join(top, set), nil
	}
	common, err := line(g.Run(ctx, dir, "rev-parse", "--git-common-dir"))
	if err != nil {
		return "", noHooks(dir, err)
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	return filepath.Join(common, "hooks"), nil
}

// hooksPath returns what core.hooksPath is set to in the settings of the repository,
// the user or the machine, the last of which counts; empty when it is not.
func hooksPath(ctx context.Context, g git.Git, dir string) (string, error) {
	out, err := g.Run(ctx, dir, "config", "--null", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
	if f := (*git.Failure)(nil); errors.As(err, &f) && f.Status != 1 { // 1: not set
		return "", err
	}
	set := ""
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] != "command" { // what our own run of git sets
			set = fields[i+1]
		}
	}
	return set, nil
}

// inside reports whether path is below the folder root.
func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// line returns the output of a git that prints one line.
func line(out []byte, err error) (string, error) {
	return string(bytes.TrimSuffix(out, []byte("\n"))), err
}

func noHooks(dir string, err error) error {
	p := &memory.Problem{Code: "no-hooks", What: "find the hooks of " + dir + ": " + err.Error(), Hint: "go to a folder inside a git repository"}
	if f := (*git.Failure)(nil); errors.As(err, &f) && strings.Contains(f.Said, "work tree") {
		p.Hint = "go to a repository with a work tree: in a bare one nothing is committed by hand"
	}
	return p
}
