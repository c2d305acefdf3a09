package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The campaigns try what a person can meet: other writers, crashes, failures of the
// system. docs/lab/campaigns.md says what each does.
var (
	campaign = flag.String("campaign", usualCampaign(), "how much of each runs: full, tenth, thirtieth, hundredth or off")
	seed     = flag.Uint64("campaign-seed", 1, "what the campaigns choose by")
	clonesOf = flag.String("campaign-clones", "", "how large the campaign of clones is: `SEEDS,CLONES,OPERATIONS`")
)

// isLong reports whether everything is tried, however long it takes.
func isLong() bool { return os.Getenv("WINNOW_LONG") != "" }

// long skips a test that takes long, needs more programs than Go and git, or a machine to itself.
func long(t *testing.T) {
	t.Helper()
	if !isLong() {
		t.Skip("does not apply: WINNOW_LONG is not set")
	}
}

func usualCampaign() string {
	if isLong() {
		return "hundredth"
	}
	return "off"
}

// isSmall reports whether the campaigns are at a hundredth, or off.
func isSmall() bool { return step() == 0 || step() == 100 }

// share returns how many of n runs, the number of a full campaign, are made.
func share(t *testing.T, n int) int {
	t.Helper()
	t.Logf("seed %d", *seed)
	if step() == 0 {
		t.Skip("does not apply: -campaign is off")
	}
	return max(1, n/step())
}

// step is how many runs of a full campaign one run replaces, and 0 when none is made.
func step() int {
	return map[string]int{"full": 1, "tenth": 10, "thirtieth": 30, "hundredth": 100}[*campaign]
}

// built builds the program as it is shipped, without C, and returns its path. It is
// removed with the programs of the scripts.
var built = sync.OnceValues(func() (string, error) {
	beside, err := exec.LookPath("winnow")
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(beside), "winnow-built")
	return path, build(path, "winnow")
})

// sandbox is where a campaign takes place: a folder for the store and a home.
type sandbox struct{ dir, home, store string }

// newSandbox makes a sandbox below dir, with a store of the lines.
func newSandbox(dir string, lines ...string) (sandbox, error) {
	g := sandbox{dir: filepath.Join(dir, "agent"), home: filepath.Join(dir, "home")}
	g.store = filepath.Join(g.dir, "memory.jsonl")
	for _, d := range []string{g.dir, g.home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return g, err
		}
	}
	return g, os.WriteFile(g.store, []byte(strings.Join(lines, "")), 0o644)
}

// env is the environment of the programs. There is no git: it is not what is tried.
func (g sandbox) env() []string {
	return []string{"HOME=" + g.home, "TZ=UTC", "PATH=" + g.home, "TMPDIR=" + g.home}
}

// outcome is how a command ended.
type outcome struct {
	status   int
	out, err string
}

// run runs a program with its arguments.
func (g sandbox) run(program string, args ...string) outcome {
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir = g.env(), g.dir
	return ended(cmd)
}

// ended runs a command. One that hangs is told to end, and has then no exit status.
func ended(cmd *exec.Cmd) outcome {
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	failed := cmd.Start()
	if failed == nil {
		late := time.AfterFunc(4*patience, func() { cmd.Process.Signal(syscall.SIGTERM) })
		failed = cmd.Wait()
		if !late.Stop() {
			return outcome{status: -1, out: out.String(), err: "it hangs: " + err.String()}
		}
	}
	o := outcome{out: out.String(), err: err.String()}
	if cmd.ProcessState == nil {
		o.status, o.err = -1, failed.Error()
	} else {
		o.status = cmd.ProcessState.ExitCode()
	}
	return o
}

// leftovers are the files beside the store that no agent put there.
func (g sandbox) leftovers() []string {
	all, _ := filepath.Glob(filepath.Join(g.dir, ".winnow-*"))
	return all
}

// lessonLine is the line of a lesson as an agent stores it now.
func lessonLine(id, title string, count int) string {
	return fmt.Sprintf(
		`{"lesson_id":%q,"task_summary":%q,"outcome":"succeeded","lesson":"Completed using x. 1 step(s) succeeded.","tool_names":["x"],"created_at":%q,"session_id":"s","relevance_count":%d}`,
		id,
		title,
		time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		count,
	) + "\n"
}

// lineProgram is a program that runs beside the test, and answers lines with lines.
type lineProgram struct {
	patience time.Duration // how long an answer may take

	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan string // closed at its end
	errors  bytes.Buffer
}

// start starts a program of programs and waits until it is ready. heard takes the
// lines that are no answers, and says so; it may be nil.
func (g sandbox) start(heard func(line string) bool, program string, args ...string) (*lineProgram, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, err
	}
	c := &lineProgram{patience: 4 * patience, cmd: exec.Command(path, args...), answers: make(chan string, 64)}
	c.cmd.Env, c.cmd.Dir, c.cmd.Stderr = g.env(), g.dir, &c.errors
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go c.listen(out, heard)
	if got, err := c.answer(); err != nil || !strings.HasPrefix(got, "ready") {
		return nil, errors.Join(fmt.Errorf("start %s: %q, %w", program, got, err), c.kill())
	}
	return c, nil
}

func (c *lineProgram) listen(out io.Reader, heard func(string) bool) {
	defer close(c.answers)
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		if heard == nil || !heard(s.Text()) {
			c.answers <- s.Text()
		}
	}
}

// answer waits for the next answer.
func (c *lineProgram) answer() (string, error) {
	select {
	case a, open := <-c.answers:
		if !open {
			return "", io.EOF
		}
		return a, nil
	case <-time.After(c.patience):
		return "", errors.New("no answer")
	}
}

// tell sends a line and does not wait for the answer.
func (c *lineProgram) tell(line string) error {
	_, err := io.WriteString(c.in, line+"\n")
	return err
}

// ask sends a line and waits for the answer.
func (c *lineProgram) ask(line string) (string, error) {
	if err := c.tell(line); err != nil {
		return "", err
	}
	a, err := c.answer()
	if strings.HasPrefix(a, "error") {
		err = errors.New(a)
	}
	return a, err
}

// kill ends the program at once, and returns when all that it printed was taken.
func (c *lineProgram) kill() error {
	c.cmd.Process.Kill()
	return c.gone()
}

// end closes what the program reads, and waits for its end.
func (c *lineProgram) end() error {
	c.in.Close()
	return c.gone()
}

func (c *lineProgram) gone() error {
	for range c.answers {
	}
	err := c.cmd.Wait()
	if s := c.errors.String(); strings.Contains(s, "panic") || strings.Contains(s, "goroutine ") {
		return fmt.Errorf("%w: %s", err, s)
	}
	return nil
}
