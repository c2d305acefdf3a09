package inbox

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/quietread"
	"winnow/core/session"
)

const (
	// programTime is how long the program may take for a session.
	programTime = 120 * time.Second
	// mostSessions is how many sessions it is given at a time.
	mostSessions = 5
	// mostSaid is how many bytes of what it says beside its answer are kept.
	mostSaid = 4 << 10
)

// distilProgram turns what it is given into an answer.
type distilProgram interface {
	Run(ctx context.Context, in []byte) ([]byte, error)
}

// ownCommand is a program of the person's own, run without a shell.
type ownCommand struct {
	Words []string // the program, by its name on the PATH or its absolute path, and its arguments
	Home  string   // what "~/" in the program's path stands for; may be empty
	// Prepare sets the environment and the folder, and Variables are added to the environment.
	Prepare   func(*exec.Cmd)
	Variables []string
	// Time is how long it may take, and Most how many bytes it may answer.
	Time time.Duration
	Most int
	// In is a folder in which an empty one is made to run in; empty for the one of Prepare.
	In string
}

// Run implements [distilProgram]. What it started itself and left behind keeps nobody waiting.
func (c *ownCommand) Run(ctx context.Context, in []byte) ([]byte, error) {
	program, err := c.path()
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	cmd := exec.CommandContext(limited, program, c.Words[1:]...)
	c.Prepare(cmd)
	git.Apart(cmd)
	if c.In != "" {
		if cmd.Dir, err = emptyFolder(c.In); err != nil {
			return nil, err
		}
		defer os.RemoveAll(cmd.Dir) // what it leaves there is nobody's
	}
	if len(c.Variables) > 0 {
		cmd.Env = append(cmd.Environ(), c.Variables...)
	}
	out, said := limitedText{most: c.Most, what: "its answer is too long"}, limitedText{most: mostSaid, cut: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &said
	cmd.WaitDelay = min(c.Time/4, time.Second)
	err = withoutCall(cmd.Run())
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("it took longer than %v", c.Time)
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and something that it started holds its output
		_ = cmd.Cancel()
		err = nil
	case out.full:
		return nil, errors.New(out.what)
	case err != nil && len(said.text) > 0:
		err = fmt.Errorf("%w: %s", err, lastLine(said.text))
	}
	return out.text, err
}

// withoutCall returns why a program did not start without the system call and the program, which callers name.
func withoutCall(err error) error {
	var start *fs.PathError
	var search *exec.Error
	switch {
	case errors.As(err, &start) && start.Op == "fork/exec":
		return start.Err
	case errors.As(err, &search):
		return search.Err
	}
	return err
}

// path returns the path or the name of the program.
func (c *ownCommand) path() (string, error) {
	if len(c.Words) == 0 || c.Words[0] == "" {
		return "", errors.New("no program is named")
	}
	program := c.Words[0]
	if rest, ok := strings.CutPrefix(program, "~/"); ok && c.Home != "" {
		program = filepath.Join(c.Home, rest)
	}
	if strings.ContainsRune(filepath.ToSlash(program), '/') && !filepath.IsAbs(program) {
		return "", errors.New(
			c.Words[0] + " depends on the working folder; name a program on the PATH or an absolute path",
		)
	}
	return program, nil
}

// emptyFolder makes an empty folder in another one.
func emptyFolder(in string) (string, error) {
	if err := os.MkdirAll(in, 0o700); err != nil {
		return "", fmt.Errorf("make an empty folder: %w", err)
	}
	dir, err := os.MkdirTemp(in, learn.OwnFolder)
	if err != nil {
		return "", fmt.Errorf("make an empty folder: %w", err)
	}
	return dir, nil
}

// lastLine returns the last line that a program said, which names what went wrong.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return detect.Redact(strings.TrimSpace(lines[len(lines)-1]))
}

// limitedText collects the output of a program.
type limitedText struct {
	text []byte
	most int
	cut  bool   // leave out what is too long, else refuse it
	what string // then
	full bool
}

// Write implements [io.Writer].
func (t *limitedText) Write(p []byte) (int, error) {
	room := t.most - len(t.text)
	if len(p) > room && !t.cut {
		t.full = true
		return 0, errors.New(t.what)
	}
	t.text = append(t.text, p[:min(len(p), room)]...)
	return len(p), nil
}

// builtInPrompt is the prompt as Winnow has it.
//
//go:embed distil_prompt.md
var builtInPrompt string

// mostPrompt is the size limit of a prompt, in bytes.
const mostPrompt = 16 << 10

// programPrompt returns the prompt in a file, and the built-in one if the file is missing or empty.
func programPrompt(path string) (text string, own bool, err error) {
	if path == "" {
		return builtInPrompt, false, nil
	}
	data, cut, err := quietread.ReadFile(path, mostPrompt)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(bytes.TrimSpace(data)) == 0:
		return builtInPrompt, false, nil
	case err != nil:
		return "", false, fmt.Errorf("read %s: %w", path, err)
	case cut:
		return "", false, fmt.Errorf("read %s: it has more than %d bytes", path, mostPrompt)
	}
	return string(data), true, nil
}

// programInput returns what the program is given: the prompt, an empty line, and the digest on the last line.
func programInput(prompt string, d *sessionDigest) []byte {
	return append([]byte(strings.TrimSpace(prompt)+"\n\n"), append(d.json(), '\n')...)
}

// digestIn returns the digest of what [programInput] returned.
func digestIn(input []byte) (d sessionDigest, err error) {
	input = bytes.TrimSpace(input)
	return d, json.Unmarshal(input[bytes.LastIndexByte(input, '\n')+1:], &d)
}

// askProgram gives a program what [programInput] returned for a session. It returns the proposals of its answer, and
// why its other lessons are dropped. Now is the time of the proposals, and isFile reports whether the project
// has a file.
func askProgram(
	ctx context.Context, p distilProgram, name string, s *session.Session, input []byte, now time.Time,
	isFile func(path string) bool,
) (kept []learn.Proposal, dropped []string, err error) {
	c := answerChecks{session: s, program: name, isFile: isFile, now: now}
	if c.digest, err = digestIn(input); err != nil {
		return nil, nil, fmt.Errorf("read the digest of session %s: %w", s.ID, err)
	}
	answer, err := p.Run(ctx, input)
	if err != nil {
		return nil, nil, err
	}
	kept, dropped = c.proposals(answer)
	return kept, dropped, nil
}
