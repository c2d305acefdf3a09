// Package git runs git for reading. A run changes nothing, asks nobody, uses no network and starts
// no program that a repository names; environment variables of the caller that point git elsewhere
// are removed. Killing a run also kills the programs that git started. [Git.Reaching] is the
// exception, for the one repository that is synchronised with others.
package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/quietread"
)

// Git is the git program.
type Git struct {
	program string
	index   string // used instead of the repository's own
	hooks   bool   // core.hooksPath stays as it is set
	reach   reach
	silence time.Duration // 0: a run may say nothing for ever
}

// Find returns the git of this machine. The error is that of [exec.LookPath].
func Find() (Git, error) {
	program, err := exec.LookPath("git")
	return Git{program: program}, err
}

// WithIndex returns g with an index outside the repository, such as that of a commit in progress.
// The path must be absolute.
func (g Git) WithIndex(path string) Git {
	g.index = path
	return g
}

// Failure is the error of a git run that ended with a status other than 0.
type Failure struct {
	Command string // "ls-files"
	Status  int    // -1 if it did not run to its end
	// Said is what git wrote to standard error, at most 8 KiB.
	Said string
	// Silent is set if git was killed because it said nothing for that long, see [Git.EndingSilence].
	Silent time.Duration
}

// Error returns the line that gives the reason.
func (f *Failure) Error() string {
	return fmt.Sprintf("git %s: %s", f.Command, f.Line())
}

// Line returns the line that gives the reason: the first one that begins with "fatal: " or
// "error: ", without that word, or else the first line.
func (f *Failure) Line() string {
	first, _, _ := strings.Cut(f.Said, "\n")
	for line := range strings.Lines(f.Said) {
		for _, word := range [...]string{"fatal: ", "error: "} {
			if what, ok := strings.CutPrefix(line, word); ok {
				return strings.TrimSpace(what)
			}
		}
	}
	if first == "" {
		return fmt.Sprintf("ended with status %d", f.Status)
	}
	return first
}

// Lost returns the missing folder that the file .git of a work tree names, if git failed because of that;
// otherwise "". Such a file is left when a work tree was removed, or a submodule was not fetched.
func (f *Failure) Lost() string {
	_, to, _ := strings.Cut(f.Line(), "not a git repository: ")
	return to
}

// noFile ends the reason of a failure that [Failure.Endless] reports.
const noFile = " is no file: git would read it for ever"

// Endless reports whether git was not started, because it would have read a pipe or a device.
func (f *Failure) Endless() bool { return strings.HasSuffix(f.Said, noFile) }

// FindLost says what to do about a work tree whose file .git names a missing folder.
const FindLost = "if it was moved: git worktree repair, or git submodule update --init; else remove the file .git"

// mostOut is the maximum output that Run keeps.
const mostOut = 1 << 20

// Run runs git in dir and returns its standard output, at most 1 MiB. The error is a [*Failure],
// even if the status only answers a question.
func (g Git) Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return g.run(ctx, dir, slices.Contains(args, "--others"), args)
}

// run is Run. With below, git reads files in the folders below dir too.
func (g Git) run(ctx context.Context, dir string, below bool, args []string) ([]byte, error) {
	if err := endless(ctx, dir, args); err != nil {
		return nil, err
	}
	ctx, l := g.listen(ctx)
	if below {
		l.lookBelow(ctx, dir)
	}
	defer l.stop()
	cmd, stderr := g.command(ctx, dir, args)
	out := limited{most: mostOut}
	cmd.Stdout, cmd.Stderr = heardWriter{&out, l}, heardWriter{stderr, l}
	err := cmd.Run()
	return out.text.Bytes(), failure(args, stderr, l, err)
}

// Path returns the path that git rev-parse answers when it is asked in dir, such as "--git-path", "hooks".
func (g Git) Path(ctx context.Context, dir string, question ...string) (string, error) {
	g.hooks = true // rev-parse runs none
	out, err := g.Run(ctx, dir, append([]string{"rev-parse"}, question...)...)
	return pathIn(dir, string(bytes.TrimSuffix(out, []byte("\n")))), err
}

// Process is a running git. Out must be read to its end before Wait; Stop may be called at any
// time. After Start succeeded, one of the two must be called.
type Process struct {
	Out io.Reader
	In  io.WriteCloser // nil unless requested

	cmd    *exec.Cmd
	args   []string
	stderr *limited
	*listener
}

// Start starts git in dir. It is killed when ctx ends. With feed, In is its standard input, which
// Wait closes.
func (g Git) Start(ctx context.Context, dir string, feed bool, args ...string) (*Process, error) {
	if err := endless(ctx, dir, args); err != nil {
		return nil, err
	}
	ctx, l := g.listen(ctx)
	if slices.Contains(args, "--others") {
		l.lookBelow(ctx, dir)
	}
	p := &Process{args: args, listener: l}
	p.cmd, p.stderr = g.command(ctx, dir, args)
	p.cmd.Stderr = heardWriter{p.stderr, l}
	out, err := p.cmd.StdoutPipe()
	if err == nil && feed {
		p.In, err = p.cmd.StdinPipe()
	}
	if err == nil {
		widenPipe(out)
		p.Out = heardReader{out, l}
		err = p.cmd.Start()
	}
	if err == nil && g.reach != nowhere && slices.Contains([]string{"log", "diff-tree"}, command(args)) {
		boundMemory(p.cmd.Process.Pid) // they compare in memory what others made
	}
	if err != nil {
		l.stop()
		return nil, failure(args, p.stderr, l, err)
	}
	return p, nil
}

// longestText is the longest text that Each accepts.
const longestText = 1 << 20

// Each calls fn for every text that git writes, each terminated by the byte end, and waits for git.
// An error from fn stops git.
func (p *Process) Each(end byte, fn func(text []byte) error) (err error) {
	in := bufio.NewScanner(p.Out)
	in.Buffer(make([]byte, 0, 64<<10), longestText)
	in.Split(func(data []byte, last bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, end); i >= 0 {
			return i + 1, data[:i], nil
		}
		if last && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for err == nil && in.Scan() {
		err = fn(in.Bytes())
	}
	if err = cmp.Or(err, in.Err()); err != nil {
		p.Stop()
		return err
	}
	return p.Wait()
}

// Wait waits for git to end. It returns a [*Failure] if git failed.
func (p *Process) Wait() error {
	defer p.stop()
	if p.In != nil {
		_ = p.In.Close() // git may have ended already
	}
	return failure(p.args, p.stderr, p.listener, p.cmd.Wait())
}

// Stop kills git and waits for it.
func (p *Process) Stop() {
	p.stop()
	_ = p.cmd.Wait() // it was killed
}

// Said returns what git wrote to standard error, at most 8 KiB, in the C locale. It is complete
// after Wait.
func (p *Process) Said() string { return p.stderr.text.String() }

// aside are settings that prevent git from starting a program, using the network or writing.
// Settings on the command line override all others.
var aside = []string{
	"core.fsmonitor=false", "core.askPass=", "credential.helper=", "log.showSignature=false", "protocol.allow=never",
	"gc.auto=0", "maintenance.auto=false",
}

func (g Git) command(ctx context.Context, dir string, args []string) (*exec.Cmd, *limited) {
	if g.reach != nowhere {
		return g.reachingCommand(ctx, dir, args)
	}
	all := []string{"-C", dir, "--no-pager", "--no-optional-locks", "--no-replace-objects"}
	for _, setting := range aside {
		all = append(all, "-c", setting)
	}
	if !g.hooks {
		all = append(all, "-c", "core.hooksPath="+os.DevNull)
	}
	cmd := exec.CommandContext(ctx, g.program, append(all, args...)...)
	cmd.Env = Environment(environmentOf(ctx))
	if g.index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+g.index)
	}
	Apart(cmd)
	return cmd, limitStderr(cmd)
}

// limitStderr collects what cmd writes to standard error, and limits how long to wait for the last of its output
// after it ended or was killed. On a machine that is busy with its disk that took more than a second.
func limitStderr(cmd *exec.Cmd) *limited {
	cmd.WaitDelay = 10 * time.Second
	stderr := &limited{most: 8 << 10}
	cmd.Stderr = stderr
	return stderr
}

// Environment returns env for git, without variables that would make it use a repository other than
// the one around the folder, run a program or write a trace. Variables that say where the user's
// settings are, and how far to search for a repository, stay.
func Environment(env []string) []string {
	return append(withoutGitVariables(env, isKeptVariable),
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "LC_ALL=C")
}

// withoutGitVariables returns env without git's own variables, except those to keep. Its capacity leaves room
// for ours.
func withoutGitVariables(env []string, stay func(name string) bool) []string {
	kept := make([]string, 0, len(env)+12)
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "GIT_") || stay(name) {
			kept = append(kept, kv)
		}
	}
	return kept
}

func isKeptVariable(name string) bool {
	return slices.Contains([]string{
		"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
	}, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

func failure(args []string, stderr *limited, l *listener, err error) error {
	if err == nil {
		return nil
	}
	f := &Failure{Command: command(args), Status: -1, Said: stderr.text.String()}
	if l.ended.Load() {
		f.Silent = l.longest
	}
	if pipe := l.pipe.Load(); pipe != nil {
		f.Said = "fatal: " + *pipe + noFile
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		f.Status = exit.ExitCode()
	} else if f.Said == "" {
		f.Said = err.Error()
	}
	return f
}

// command returns the git command among the arguments.
func command(args []string) string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-c") {
			return a
		}
	}
	return ""
}

// limited keeps the beginning of what is written to it.
type limited struct {
	text bytes.Buffer
	most int
	// overwritten drops what is written over after a carriage return, as in reports of progress. Line is
	// where the last line begins, and returned is set after a carriage return.
	overwritten bool
	line        int
	returned    bool
}

// Write accepts all of p, even if it is not kept.
func (l *limited) Write(p []byte) (int, error) {
	if !l.overwritten {
		l.text.Write(p[:min(len(p), max(0, l.most-l.text.Len()))])
		return len(p), nil
	}
	for _, c := range p {
		if l.returned && c != '\n' {
			l.text.Truncate(l.line)
		}
		if l.text.Len() < l.most {
			l.text.WriteByte(c)
		}
		if l.returned = c == '\r'; c == '\n' {
			l.line = l.text.Len()
		}
	}
	return len(p), nil
}

// Root returns the nearest folder from dir upwards that contains .git, or "". It reads no file and
// starts no program.
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

// WithRoot returns dir and, if it is a different folder, the root of the repository around it.
func WithRoot(dir string) []string {
	if root := Root(dir); root != "" && root != dir {
		return []string{dir, root}
	}
	return []string{dir}
}

// maxPointer is how much to read of the file that replaces .git in a linked work tree.
const maxPointer = 4 << 10

// MainRoot returns the root of the main work tree of the repository that dir is in, even if dir is
// in a linked work tree. It returns "" outside a repository. A file .git that names a repository
// which does not name it back makes no linked work tree: it came with the folder.
func MainRoot(dir string) string {
	root := Root(dir)
	if root == "" {
		return ""
	}
	to, ok := linkedFrom(root)
	if !ok {
		return root
	}
	common, ok := readPointer(filepath.Join(to, "commondir"), "")
	if !ok {
		return root
	}
	common = pathIn(to, common)
	if filepath.Base(common) != ".git" || filepath.Dir(filepath.Dir(to)) != common {
		return root
	}
	return filepath.Dir(common)
}

// Surrounds reports whether folder lies in the repository around the linked work tree that dir is in, and not in that
// work tree: it has its own copies of the files there.
func Surrounds(folder, dir string) bool {
	tree, main := Root(dir), MainRoot(dir)
	return tree != main && within(main, tree) && within(main, folder) && !within(tree, folder)
}

// within reports whether path is the folder dir or below it. Both are absolute.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// mostTrees is how many linked work trees of a repository are looked at.
const mostTrees = 100

// WorkTrees returns the roots of the work trees of the repository that dir is in, the main one first. A linked one
// that is gone, or that does not name the repository, is left out. It returns nil outside a repository.
func WorkTrees(dir string) []string {
	main := MainRoot(dir)
	if main == "" {
		return nil
	}
	roots := []string{main}
	folder := filepath.Join(main, ".git", "worktrees")
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
		return roots
	}
	entries, _ := os.ReadDir(folder) // those that can be read
	for _, e := range entries[:min(len(entries), mostTrees)] {
		dir := filepath.Join(folder, e.Name())
		file, ok := readPointer(filepath.Join(dir, "gitdir"), "")
		if !ok {
			continue
		}
		if root := filepath.Dir(pathIn(dir, file)); root != main && MainRoot(root) == main {
			roots = append(roots, root)
		}
	}
	return roots
}

// linkedFrom returns the folder that git keeps for the linked work tree at root. It returns false if root
// is none: a main work tree, a submodule, or a repository whose git folder is elsewhere.
func linkedFrom(root string) (dir string, ok bool) {
	file := filepath.Join(root, ".git")
	to, ok := readPointer(file, "gitdir:")
	if !ok {
		return "", false
	}
	to = pathIn(root, to)
	back, ok := readPointer(filepath.Join(to, "gitdir"), "")
	return to, ok && isSame(pathIn(to, back), file)
}

// isSame reports whether two paths lead to the same file.
func isSame(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

// Owns reports whether the folder common, in which git keeps the repository of the work tree at root,
// belongs to it: it is in root, or names root as its linked work tree or as that of its submodule.
// A file or link .git that came with a folder can name any repository.
func (g Git) Owns(ctx context.Context, common, root string) bool {
	real, err := filepath.EvalSymlinks(common)
	top, wrong := filepath.EvalSymlinks(root)
	if err != nil || wrong != nil {
		return false
	}
	if rel, err := filepath.Rel(top, real); err == nil && filepath.IsLocal(rel) {
		return true
	}
	if to, ok := linkedFrom(root); ok && isSame(filepath.Dir(filepath.Dir(to)), common) {
		return true
	}
	out, err := g.Run(ctx, root, "config", "--file", filepath.Join(common, "config"), "core.worktree")
	tree := strings.TrimSuffix(string(out), "\n")
	return err == nil && tree != "" && isSame(pathIn(common, tree), root)
}

func pathIn(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// readPointer returns what follows a word in a small file.
func readPointer(path, word string) (string, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	text, _, err := quietread.ReadFile(path, maxPointer)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), word)
	to = strings.TrimSpace(to)
	return to, ok && to != ""
}
