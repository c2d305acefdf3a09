package sync

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
)

// commit makes a commit on parent, which may be "", with the given files changed; nil bytes delete a
// file. The user's git configuration decides about author and signature. Nothing is pushed.
func (s *remoteShare) commit(
	ctx context.Context,
	parent string,
	files map[string][]byte,
	message string,
) (id string, err error) {
	sign, err := s.setting(ctx, "--type=bool", "commit.gpgSign")
	if err != nil {
		return "", err
	}
	tree, err := s.write(ctx, parent, files)
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", "-m", message}
	if sign == "true" {
		args = append(args, "-S")
	}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	out, err := s.run(ctx, append(args, tree)...)
	if p := (*memory.Problem)(nil); sign == "true" && errors.As(err, &p) && p.Code == codeFromGit {
		err = remoteProblem(
			codeCannotSign,
			"try: git commit -S in any repository, or turn commit.gpgSign off",
			"your git is set up to sign commits, and that failed: %s",
			p.What,
		)
	}
	return strings.TrimSpace(string(out)), err
}

// author returns the name and mail address that the user's git puts into commits.
func (s *remoteShare) author(ctx context.Context) (string, error) {
	out, err := s.run(ctx, "var", "GIT_AUTHOR_IDENT")
	return string(out), err
}

// setting returns a value from the user's git configuration, or "".
func (s *remoteShare) setting(ctx context.Context, args ...string) (string, error) {
	out, err := s.git.Run(ctx, s.dir, append([]string{"config", "--get"}, args...)...)
	if f := (*git.Failure)(nil); errors.As(err, &f) && f.Status == 1 {
		err = nil // not set
	}
	return strings.TrimSpace(string(out)), explain(ctx, err)
}

// write applies files to the tree of parent, and returns the new tree.
func (s *remoteShare) write(ctx context.Context, parent string, files map[string][]byte) (tree string, err error) {
	var in strings.Builder
	in.WriteString("feature done\ncommit " + draftRef + "\ncommitter Winnow <> 0 +0000\ndata 0\n\n")
	if parent != "" {
		in.WriteString("from " + parent + "\n")
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		text := files[path]
		if !isPlain(path) {
			return "", remoteProblem(codeBadName, "", "%q cannot be the name of a file of a share", path)
		}
		if text == nil {
			fmt.Fprintf(&in, "D %q\n", path)
		} else {
			fmt.Fprintf(&in, "M 100644 inline %q\ndata %d\n%s\n", path, len(text), text)
		}
	}
	in.WriteString("ls \"\"\ndone\n")
	// To compress a large tree more would cost more time than all else.
	err = s.talk(ctx, in.String(), func(r *bufio.Reader) error {
		line, err := r.ReadString('\n')
		if fields := strings.Fields(line); len(fields) == 3 {
			tree = fields[2]
		}
		return err
	}, "-c", "core.compression=1", "fast-import", "--quiet", "--force", "--done")
	if err == nil && !objectID().MatchString(tree) {
		err = remoteProblem(codeFromGit, "", "git fast-import made no tree")
	}
	return tree, err
}
