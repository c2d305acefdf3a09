// Package git runs git for looking. A run changes nothing, asks nobody, reaches no
// network and starts no program that a repository names; variables of the caller that
// point git elsewhere do not reach it. A run that is ended takes the programs along
// that git started. [Git.Reaching] is for the one repository that is brought up to date
// with others.
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

// Git is the program.
type Git struct {
	program string
	index   string // instead of the repository's own
	reach   reach
}

// Find returns the git that this machine has. The error is that of [exec.LookPath].
func Find() (Git, error) {
	program, err := exec.LookPath("git")
	return Git{program: program}, err
}

// WithIndex returns g for an index that lies elsewhere than in the repository, such as
// that of a commit which is being made. The path is absolute.
func (g Git) WithIndex(path string) Git {
	g.index = path
	return g
}

// Failure is the error of a git that ended with a status other than 0.
type Failure struct {
	Command string // "ls-files"
	Status  int    // -1 when it did not run to its end
	// Said is what git wrote to its standard error, at most 8 KiB of it.
	Said string
}

// Error returns the first line that tells why.
func (f *Failure) Error() string {
	return fmt.Sprintf("git %s: %s", f.Command, f.Line())
}

// Line returns the line that tells why: the first that begins with "fatal: " or
// "error: ", without that word, else the first.
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

// mostOut is how much Run keeps of an output.
const mostOut = 1 << 20

// Run runs git in dir and returns what it wrote to its standard output, at most 1 MiB.
// The error is a [*Failure], also when the status is one that answers a question.
func (g Git) Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd, said := g.command(ctx, dir, args)
	out := limited{most: mostOut}
	cmd.Stdout = &out
	err := cmd.Run()
	return out.text.Bytes(), failure(args, said, err)
}

// Process is a git that runs. Out must be read to its end before Wait; Stop may come
// at any time. Either must be called, once Start succeeded.
type Process struct {
	Out io.Reader
	In  io.WriteCloser // nil unless it was asked for

	cmd    *exec.Cmd
	args   []string
	said   *limited
	cancel context.CancelFunc
}

// Start starts git in dir. It ends with ctx. With feed its standard input is In, which
// Wait closes.
func (g Git) Start(ctx context.Context, dir string, feed bool, args ...string) (*Process, error) {
	ctx, cancel := context.WithCancel(ctx)
	p := &Process{args: args, cancel: cancel}
	p.cmd, p.said = g.command(ctx, dir, args)
	out, err := p.cmd.StdoutPipe()
	if err == nil && feed {
		p.In, err = p.cmd.StdinPipe()
	}
	if err == nil {
		widen(out)
		p.Out = out
		err = p.cmd.Start()
	}
	if err == nil && g.reach != nowhere && slices.Contains([]string{"log", "diff-tree"}, command(args)) {
		boundMemory(p.cmd.Process.Pid) // they compare in memory what others made
	}
	if err != nil {
		cancel()
		return nil, &Failure{Command: command(args), Status: -1, Said: err.Error()}
	}
	return p, nil
}

// longestText is the longest text that Each passes on.
const longestText = 1 << 20

// Each calls fn for every text that git writes, each ended by the byte end, and waits
// for git. An error of fn stops git.
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

// Wait returns when git has ended: with a [*Failure] when it did not end well.
func (p *Process) Wait() error {
	defer p.cancel()
	if p.In != nil {
		_ = p.In.Close() // it may have gone already
	}
	return failure(p.args, p.said, p.cmd.Wait())
}

// Stop ends git and waits for that.
func (p *Process) Stop() {
	p.cancel()
	_ = p.cmd.Wait() // it was told to
}

// Said returns what git wrote to its standard error, at most 8 KiB of it, in the C
// locale. It is whole after Wait.
func (p *Process) Said() string { return p.said.text.String() }

// aside are settings that would start a program, reach out or write. Those given on the
// command line go before all others.
var aside = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.askPass=", "credential.helper=",
	"log.showSignature=false", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false",
}

func (g Git) command(ctx context.Context, dir string, args []string) (*exec.Cmd, *limited) {
	if g.reach != nowhere {
		return g.reachingCommand(ctx, dir, args)
	}
	all := []string{"-C", dir, "--no-pager", "--no-optional-locks", "--no-replace-objects"}
	for _, setting := range aside {
		all = append(all, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, g.program, append(all, args...)...)
	cmd.Env = Environment(os.Environ())
	if g.index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+g.index)
	}
	Apart(cmd)
	return cmd, bounded(cmd)
}

// bounded keeps what cmd says, and bounds how long it is waited for once it was ended.
func bounded(cmd *exec.Cmd) *limited {
	cmd.WaitDelay = time.Second
	said := &limited{most: 8 << 10}
	cmd.Stderr = said
	return said
}

// Environment returns env as git gets it: without the variables that would make it look
// at another repository than the one around the folder, run a program or write a trace.
// Variables that say where the user's own settings are, and how far to look for a
// repository, stay.
func Environment(env []string) []string {
	return append(without(env, stays),
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "LC_ALL=C")
}

// without returns env without git's own variables that do not stay. It has room for ours.
func without(env []string, stay func(name string) bool) []string {
	kept := make([]string, 0, len(env)+12)
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "GIT_") || stay(name) {
			kept = append(kept, kv)
		}
	}
	return kept
}

func stays(name string) bool {
	return slices.Contains([]string{
		"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
	}, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

func failure(args []string, said *limited, err error) error {
	if err == nil {
		return nil
	}
	f := &Failure{Command: command(args), Status: -1, Said: said.text.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		f.Status = exit.ExitCode()
	} else if f.Said == "" {
		f.Said = err.Error()
	}
	return f
}

// command returns which of git's commands the arguments call.
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
}

// Write takes all of p, whatever is kept of it.
func (l *limited) Write(p []byte) (int, error) {
	l.text.Write(p[:min(len(p), max(0, l.most-l.text.Len()))])
	return len(p), nil
}

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

// WithRoot returns dir, and the root of the repository around it where that is another folder.
func WithRoot(dir string) []string {
	if root := Root(dir); root != "" && root != dir {
		return []string{dir, root}
	}
	return []string{dir}
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
	text, _, err := quietread.ReadFile(path, maxPointer)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), word)
	to = strings.TrimSpace(to)
	return to, ok && to != ""
}
