// Package past asks git what became of names: which files a project has, which it had, and in which commit they were
// moved or deleted. It starts git for reading only, and keeps what it learnt for a commit.
package past

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/git"
	"winnow/core/problems"
)

// longest is how long git's history may be asked for.
const longest = 10 * time.Second

// mostFiles is how many files of a project are looked at.
const mostFiles = 400_000

// Repository is a project in git at one commit.
type Repository struct {
	git  git.Git
	root string
	// Head is the hash of the commit. It is empty before the first one.
	Head string
	// Files are those in the work tree that git does not ignore, relative to the root with slashes, in order.
	Files []string
	// Shallow is set if the history of the clone was cut.
	Shallow bool
}

// Open lists the files of the repository at root. The error says why it cannot be looked at.
func Open(ctx context.Context, root string) (*Repository, error) {
	g, err := git.Find()
	if err != nil {
		return nil, errors.New("there is no git on this machine")
	}
	r := &Repository{git: g, root: root}
	if git.Root(root) != root {
		return nil, errors.New("it is not in git")
	}
	if err := r.ask(ctx); err != nil {
		return nil, err
	}
	p, err := g.Start(ctx, root, false, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	err = p.Each(0, func(name []byte) error {
		if len(r.Files) >= mostFiles {
			return io.EOF
		}
		r.Files = append(r.Files, string(name))
		return nil
	})
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it has more than " + strconv.Itoa(mostFiles) + " files")
	}
	slices.Sort(r.Files)
	r.Files = slices.Compact(r.Files)
	return r, err
}

// ask learns the commit and whether the history was cut, with one git. It reports as an error that the repository
// belongs to another folder.
func (r *Repository) ask(ctx context.Context) error {
	const commit = "HEAD^{commit}"
	questions := []string{"--git-common-dir", "--show-toplevel", "--is-shallow-repository", commit}
	out, err := r.git.Run(ctx, r.root, append([]string{"rev-parse"}, questions...)...)
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	switch {
	case len(answers) > len(questions):
		return errors.New("its path has a line break")
	case len(answers) < len(questions) && err == nil:
		return errors.New("git has no answer")
	case len(answers) < len(questions):
		return err
	}
	hasCommit := answers[3] != commit // which git repeats before it says that there is none
	if err != nil && hasCommit {
		return err
	}
	r.Shallow = answers[2] == "true"
	if hasCommit {
		r.Head = answers[3]
	}
	common := answers[0]
	if !filepath.IsAbs(common) {
		common = filepath.Join(r.root, common)
	}
	return isOwn(ctx, r.git, r.root, common, answers[1])
}

// isOwn reports as an error that the folder common, in which git keeps the repository at root, belongs to another
// folder, or that top, the work tree, is one: a .git that came with a folder can name any.
func isOwn(ctx context.Context, g git.Git, root, common, top string) error {
	if !g.Owns(ctx, common, root) {
		return errors.New("its .git names a repository of another folder")
	}
	tree, err := os.Stat(top)
	if err != nil {
		return err
	}
	if here, err := os.Stat(root); err != nil || !os.SameFile(tree, here) {
		return errors.New("its .git has its files in another folder")
	}
	return nil
}

// Known is what was learnt about the history of one commit. It can be kept as JSON.
type Known struct {
	Head    string
	Fates   map[string]problems.Fate // by path; that of a path which git never had is zero
	Matched map[string]bool          // by pattern: whether it matched a file that is gone
	Removed map[string]problems.Fate // by [problems.Entry.Key]
	Ignored map[string]bool          // by path: whether git ignores it
}

// isWhole reports whether nothing is missing that a damaged file, or one of an older version, does not have.
func (k *Known) isWhole() bool {
	return k.Fates != nil && k.Matched != nil && k.Removed != nil && k.Ignored != nil
}

// Answer completes what is known of the commit with what is asked, and reports whether it asked git. What is known of
// another commit is dropped.
func (r *Repository) Answer(ctx context.Context, q problems.Question, known *Known) (asked bool, err error) {
	if known.Head != r.Head || !known.isWhole() {
		*known = Known{
			Head:    r.Head,
			Fates:   map[string]problems.Fate{},
			Matched: map[string]bool{},
			Removed: map[string]problems.Fate{},
			Ignored: map[string]bool{},
		}
	}
	var names, patterns []string
	for _, name := range q.Names {
		if _, is := known.Fates[name]; !is {
			names = append(names, name)
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(q.Patterns)) {
		if _, is := known.Matched[pattern]; !is {
			patterns = append(patterns, pattern)
		}
	}
	entries := slices.DeleteFunc(
		slices.Clone(q.Entries),
		func(e problems.Entry) bool { _, is := known.Removed[e.Key()]; return is },
	)
	if r.Head == "" || len(names)+len(patterns)+len(entries) == 0 {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if err = r.ignored(ctx, names, known); err == nil && len(names)+len(patterns) > 0 {
		err = r.deleted(ctx, names, patterns, q.Patterns, known)
	}
	if err == nil && len(entries) > 0 {
		err = r.removed(ctx, entries, known)
	}
	if ctx.Err() != nil {
		err = errors.New("git took longer than 10 s to tell what was moved and deleted")
	}
	return true, err
}

// reading is what every question about the history has: nothing that is set in a repository starts a program.
var reading = []string{"--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"}

// ignored asks which names git ignores.
func (r *Repository) ignored(ctx context.Context, names []string, known *Known) error {
	if len(names) == 0 {
		return nil
	}
	p, err := r.git.Start(ctx, r.root, true, "check-ignore", "-z", "--stdin", "--no-index")
	if err != nil {
		return err
	}
	go func() {
		for _, name := range names {
			if _, err := io.WriteString(p.In, name+"\x00"+name+"/x\x00"); err != nil {
				break // git ended, and says why
			}
		}
		_ = p.In.Close() // git may have ended already
	}()
	err = p.Each(0, func(name []byte) error {
		known.Ignored[strings.TrimSuffix(string(name), "/x")] = true
		return nil
	})
	if f := (*git.Failure)(nil); errors.As(err, &f) && f.Status == 1 {
		return nil // none is
	}
	return err
}

// marker begins the line of a commit.
const marker = "\x01"

// deleted asks in which commit the names were deleted or moved, and whether patterns matched what is gone.
func (r *Repository) deleted(
	ctx context.Context, names, patterns []string, match map[string]func(string) bool, known *Known,
) error {
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[name] = true
	}
	args := append(
		[]string{"log", "-z", "--no-renames", "--diff-filter=D", "--name-only", "--format=" + marker + "%H %ct"},
		reading...)
	p, err := r.git.Start(ctx, r.root, false, append(args, "HEAD", "--")...)
	if err != nil {
		return err
	}
	found := map[string]problems.Fate{}
	var at problems.Fate
	last := ""
	err = p.Each(0, func(text []byte) error {
		line := strings.TrimPrefix(string(text), "\n")
		if head, is := strings.CutPrefix(line, marker); is {
			at, last = fateOf(head), ""
			return nil
		}
		for _, pattern := range patterns {
			if !known.Matched[pattern] && match[pattern](line) {
				known.Matched[pattern] = true
			}
		}
		note := func(name string) {
			if _, seen := found[name]; wanted[name] && !seen {
				found[name] = at
			}
		}
		note(line)
		if dir := path.Dir(line); dir != last {
			last = dir
			for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
				note(dir)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.followMoves(ctx, found)
	for _, name := range names {
		known.Fates[name] = found[name]
	}
	for _, pattern := range patterns {
		known.Matched[pattern] = known.Matched[pattern] || slices.ContainsFunc(r.Files, match[pattern])
	}
	return nil
}

func fateOf(head string) (f problems.Fate) {
	hash, seconds, _ := strings.Cut(strings.TrimSpace(head), " ")
	f.Commit = hash
	if n, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64); err == nil {
		f.At = time.Unix(n, 0).UTC()
	}
	return f
}

// The limits of looking where files went.
const (
	mostCommits = 60
	mostMoves   = 3 // one after another
)

// followMoves completes the fates of what was moved. If git cannot say, they stay deleted.
func (r *Repository) followMoves(ctx context.Context, found map[string]problems.Fate) {
	var commits []string
	for _, f := range found {
		commits = append(commits, f.Commit)
	}
	slices.Sort(commits)
	if commits = slices.Compact(commits); len(commits) == 0 || len(commits) > mostCommits {
		return
	}
	args := append(
		[]string{"diff-tree", "--stdin", "-r", "-z", "-M", "-l1000", "--diff-filter=R", "--name-status"},
		reading...)
	p, err := r.git.Start(ctx, r.root, true, args...)
	if err != nil {
		return
	}
	go func() {
		_, _ = io.WriteString(p.In, strings.Join(commits, "\n")+"\n") // git may have ended
		_ = p.In.Close()
	}()
	moves, commit, from := map[string]map[string]string{}, "", ""
	expect := 0
	err = p.Each(0, func(text []byte) error {
		s := string(text)
		switch {
		case expect == 2:
			from, expect = s, 1
		case expect == 1:
			moves[commit][from] = s
			expect = 0
		case isStatus(s):
			expect = 2
		default:
			commit = strings.TrimSpace(s)
			moves[commit] = map[string]string{}
		}
		return nil
	})
	if err != nil {
		return
	}
	has := r.has()
	for name, f := range found {
		if to := target(name, moves[f.Commit]); to != "" && has(to) {
			f.To = to
			found[name] = f
		}
	}
}

// isStatus reports whether a text is the status of a renamed file: "R100".
func isStatus(s string) bool {
	return len(s) == 4 && s[0] == 'R' && strings.Trim(s[1:], "0123456789") == ""
}

// target returns where a file, or most files of a folder, went in a commit.
func target(name string, moves map[string]string) string {
	if to := moves[name]; to != "" {
		return to
	}
	dirs, n := map[string]int{}, 0
	for from, to := range moves {
		rest, below := strings.CutPrefix(from, name+"/")
		if !below {
			continue
		}
		n++
		if dir, same := strings.CutSuffix(to, "/"+rest); same {
			dirs[dir]++
		}
	}
	for dir, count := range dirs {
		if count*3 >= n*2 {
			return dir
		}
	}
	return ""
}

// has returns a function that reports whether the project has a file or folder.
func (r *Repository) has() func(name string) bool {
	return func(name string) bool {
		if _, is := slices.BinarySearch(r.Files, name); is {
			return true
		}
		at, _ := slices.BinarySearch(r.Files, name+"/")
		return at < len(r.Files) && strings.HasPrefix(r.Files[at], name+"/")
	}
}

// removed asks in which commits entries of files such as package.json were removed.
func (r *Repository) removed(ctx context.Context, entries []problems.Entry, known *Known) error {
	for _, kind := range problems.EntryKinds() {
		wanted := map[string]problems.Entry{}
		var names []string
		for _, e := range entries {
			if e.Kind == kind {
				wanted[e.Name] = e
				names = append(names, regexp.QuoteMeta(e.Name))
			}
		}
		if len(names) == 0 {
			continue
		}
		begin, end, files := kind.Line()
		pattern := begin + "(" + strings.Join(names, "|") + ")" + end
		apart := strings.NewReplacer("(", "(?:") // so that the name is the only group
		is := regexp.MustCompile(
			"^-" + apart.Replace(begin) + "(" + strings.Join(names, "|") + ")" + apart.Replace(end),
		)
		args := append(
			[]string{"log", "-p", "-U0", "--no-renames", "-G^" + pattern, "--format=" + marker + "%H %ct"},
			reading...)
		args = append(args, "HEAD", "--")
		for _, file := range files {
			args = append(args, ":(glob)**/"+file)
		}
		p, err := r.git.Start(ctx, r.root, false, args...)
		if err != nil {
			return err
		}
		var at problems.Fate
		found := map[string]problems.Fate{}
		err = p.Each('\n', func(line []byte) error {
			s := string(line)
			if head, isHead := strings.CutPrefix(s, marker); isHead {
				at = fateOf(head)
				return nil
			}
			if m := is.FindStringSubmatch(s); m != nil {
				if _, seen := found[m[1]]; !seen {
					found[m[1]] = at
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for name, e := range wanted {
			known.Removed[e.Key()] = found[name]
		}
	}
	return nil
}
