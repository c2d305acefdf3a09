package library

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/system"
)

// HooksDir returns the folder in which git looks for the hooks of the repository around dir. The folder
// need not exist. The error is a *memory.Problem if there is no git, no repository, only a bare one, or if
// its hooks are outside of it.
func (l *Library) HooksDir(ctx context.Context, dir string) (string, error) {
	g, err := git.Find()
	if err != nil {
		return "", &memory.Problem{
			Code: "no-git",
			What: "find the hooks: there is no git on this machine",
			Hint: "install git",
		}
	}
	dir = l.Absolute(dir)
	top, err := g.Path(ctx, dir, "--show-toplevel")
	if err != nil {
		return "", noHooks(dir, err)
	}
	common, err := g.Path(ctx, top, "--git-common-dir")
	if err != nil {
		return "", noHooks(dir, err)
	}
	hooks, err := g.Path(ctx, top, "--git-path", "hooks")
	if err != nil {
		return "", noHooks(dir, err)
	}
	real := system.Resolved(hooks)
	isOurs := hooks == filepath.Join(common, "hooks") && g.Owns(ctx, common, top) && system.Within(common, real)
	if !isOurs && !(system.Inside(top, hooks) && system.Within(top, real)) {
		return "", &memory.Problem{
			Code: "hooks-elsewhere",
			What: "find the hooks of " + dir + ": git looks for them outside of the repository, in " + real,
			Hint: "hooks there may serve other repositories too; " +
				"add to the one there by hand: winnow audit --staged --fail-on high",
		}
	}
	return hooks, nil
}

// UsedIn reports whether sessions in dir use a store: it is of all folders, or of the project around dir.
func UsedIn(dir string, p *memory.Place) bool {
	return p.Project == "" || system.Inside(p.Project, dir) && !git.Surrounds(p.Project, dir)
}

func noHooks(dir string, err error) error {
	p := &memory.Problem{
		Code: "no-hooks",
		What: "find the hooks of " + dir + ": " + err.Error(),
		Hint: "go to a folder inside a git repository",
	}
	switch f := (*git.Failure)(nil); {
	case !errors.As(err, &f):
	case f.Lost() != "":
		p.Hint = git.FindLost
	case strings.Contains(f.Said, "work tree"):
		p.Hint = "go to a repository with a work tree: in a bare one nothing is committed by hand"
	}
	return p
}
