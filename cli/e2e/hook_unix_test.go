//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/atomicfile"
)

// hooked is a project with a lesson that a person wrote, on a machine whose Claude Code is set up.
type hooked struct {
	sandbox
	t       *testing.T
	program string
}

func newHooked(t *testing.T) hooked {
	t.Helper()
	program, err := exec.LookPath("winnow")
	if err != nil {
		t.Fatal(err)
	}
	g, err := newSandbox(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := hooked{g, t, program}
	h.store = filepath.Join(g.dir, ".winnow", "lessons.jsonl")
	o := g.run(program, "add", "--store", h.store, "--set", "task_summary=Deploy the docs", "--set", "lesson=Use make docs.")
	if o.status == 0 {
		o = g.run(program, "setup", "claudecode", "--write")
	}
	if o.status != 0 {
		t.Fatalf("status %d: %s", o.status, o.err)
	}
	return h
}

// prompt returns the JSON of a prompt in a session.
func (h hooked) prompt(session string) string {
	text, _ := json.Marshal(map[string]string{
		"session_id": session, "cwd": h.dir, "hook_event_name": "UserPromptSubmit", "prompt": "deploy the docs",
	})
	return string(text)
}

// installed returns the command that setup put into the settings for prompts.
func (h hooked) installed() string {
	h.t.Helper()
	var settings struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	raw, err := os.ReadFile(filepath.Join(h.home, ".claude", "settings.json"))
	if err == nil {
		err = json.Unmarshal(raw, &settings)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return settings.Hooks["UserPromptSubmit"][0].Hooks[0].Command
}

// TestHookEndsWellWhateverItsStreamsAndLocksAre: a hook ends with status 0 soon, and says nothing on standard
// error. The block is printed although a lock is held.
func TestHookEndsWellWhateverItsStreamsAndLocksAre(t *testing.T) {
	t.Parallel()
	h := newHooked(t)
	const given = "Use make docs."
	for _, c := range []struct {
		name  string
		in    io.Reader
		open  bool // the input does not end
		full  bool // nobody reads the output
		lock  string
		given bool
	}{
		{name: "nothing", in: strings.NewReader("")},
		{name: "no JSON", in: strings.NewReader("deploy the docs")},
		{name: "far too much", in: io.MultiReader(strings.NewReader(`{"prompt":"`), io.LimitReader(letters{}, 64<<20))},
		{name: "a long prompt", in: io.MultiReader(strings.NewReader(`{"prompt":"deploy `), io.LimitReader(letters{}, 1<<20), strings.NewReader(`"}`)), given: true},
		{name: "input that never ends", in: strings.NewReader(h.prompt("endless")), open: true, given: true},
		{name: "input that never begins", in: strings.NewReader(""), open: true},
		{name: "output that nobody reads", in: strings.NewReader(h.prompt("full")), full: true},
		{name: "the lock of what sessions were given", in: strings.NewReader(h.prompt("s1")), lock: "learn/given/lessons.lock", given: true},
		{name: "the lock of the store", in: strings.NewReader(h.prompt("s2")), lock: "stores/*/lock", given: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.lock != "" {
				found, err := filepath.Glob(filepath.Join(h.home, ".local/state/winnow", c.lock))
				if err != nil || len(found) == 0 {
					found = []string{filepath.Join(h.home, ".local/state/winnow", c.lock)}
				}
				unlock, err := atomicfile.Lock(t.Context(), found[0])
				if err != nil {
					t.Fatal(err)
				}
				defer unlock()
			}
			cmd := exec.Command(h.program, "agent-hook", "recall", "--plain", "--agent", "claudecode")
			cmd.Env, cmd.Dir = h.env(), h.dir
			var out, errs strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errs
			if c.full {
				end, free := fullPipe(t)
				defer free()
				cmd.Stdout = end
			}
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() {
				_, _ = io.Copy(in, c.in) // the hook may have ended before
				if !c.open {
					in.Close()
				}
			}()
			_ = cmd.Wait() // the status is looked at
			if took := time.Since(began); cmd.ProcessState.ExitCode() != 0 || errs.Len() > 0 || took > patience {
				t.Errorf("status %d after %v, on standard error: %s", cmd.ProcessState.ExitCode(), took, errs.String())
			}
			// On a machine that is busy, the time of a hook may be over before it has read anything.
			if !c.given && out.Len() > 0 || c.given && out.Len() > 0 && !strings.Contains(out.String(), given) {
				t.Errorf("it printed %q", out.String())
			}
			t.Logf("after %v it had printed %d bytes", time.Since(began), out.Len())
		})
	}
}

// letters is a text without end.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// fullPipe returns the end of a pipe into which nothing more goes.
func fullPipe(t *testing.T) (end *os.File, free func()) {
	t.Helper()
	r, w, err := os.Pipe()
	if err == nil {
		err = w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	}
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(make([]byte, 1<<20)) // until it is full
	return w, func() { r.Close(); w.Close() }
}

// TestInstalledHookOutlivesTheProgram: the command in the settings ends with status 0 and prints no error, also
// where the program is killed, cannot start, or is gone.
func TestInstalledHookOutlivesTheProgram(t *testing.T) {
	t.Parallel()
	h := newHooked(t)
	command := h.installed()
	const inherited = "exec 3>&- 4>&- 5>&-; " // what started the tests may have left open, such as time -o
	for _, shell := range []string{"sh", "bash", "dash"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		for name, before := range map[string]string{
			"as it is":               "",
			"too little memory":      "ulimit -v 300000; exec ",
			"no file may be opened":  inherited + "ulimit -n 4; exec ",
			"in place of the shell":  "exec ",
			"a program that is gone": "PATH=/nowhere; ",
		} {
			cmd := exec.Command(path, "-c", before+strings.ReplaceAll(command, "sh -c", "/bin/sh -c"))
			if name == "a program that is gone" {
				cmd = exec.Command(path, "-c", strings.ReplaceAll(command, "winnow agent", "gone/winnow agent"))
			}
			cmd.Env, cmd.Dir, cmd.Stdin = append(h.env(), "PATH="+os.Getenv("PATH")), h.dir, strings.NewReader(h.prompt(shell+name))
			if o := ended(cmd); o.status != 0 || o.err != "" {
				t.Errorf("%s, %s: status %d, on standard error: %s", shell, name, o.status, o.err)
			}
		}
	}
}

// TestManyHooksUnderLoadHurtNothing starts 50 hooks at once under strace, beside as many that only take
// processor time: each ends with status 0, and nothing is written outside of Winnow's folders and the store.
func TestManyHooksUnderLoadHurtNothing(t *testing.T) {
	if os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set")
	}
	strace, h := needStrace(t), newHooked(t)
	traces := t.TempDir()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() { h.run(h.program, "--help") })
		all.Go(func() {
			log := filepath.Join(traces, fmt.Sprint(i))
			cmd := exec.Command(strace, "-f", "-qq", "-y", "-e", "trace=%file,write,pwrite64,ftruncate,fchmod,fchown", "-e", "signal=none", "-s", "8", "-o", log,
				"sh", "-c", h.installed())
			cmd.Env, cmd.Dir, cmd.Stdin = append(h.env(), "PATH="+os.Getenv("PATH")), h.dir, strings.NewReader(h.prompt(fmt.Sprint("s", i%7)))
			if o := ended(cmd); o.status != 0 || o.err != "" {
				t.Errorf("status %d, on standard error: %s", o.status, o.err)
			}
		})
	}
	all.Wait()
	logs, err := filepath.Glob(filepath.Join(traces, "*"))
	if err != nil || len(logs) != 50 {
		t.Fatalf("%d traces, %v", len(logs), err)
	}
	state, store := filepath.Join(h.home, ".local", "state", "winnow"), filepath.Dir(h.store)
	writes := 0
	for _, log := range logs {
		raw, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range forbiddenCalls(string(raw)) {
			writes++
			if !strings.Contains(call, state) && !strings.Contains(call, store) {
				t.Errorf("%s", call)
			}
		}
		for _, m := range writtenFile.FindAllStringSubmatch(string(raw), -1) {
			if !strings.HasPrefix(m[1], state) && !strings.HasPrefix(m[1], store) {
				t.Errorf("wrote into %s", m[1])
			}
		}
	}
	t.Logf("%d calls that change something", writes)
	left, _ := filepath.Glob(filepath.Join(store, ".winnow-*"))
	t.Logf("left behind: %q", left)
}

// writtenFile is the file of a call that wrote, where strace names it.
var writtenFile = regexp.MustCompile(`\bp?write(?:64)?\(\d+<(/[^>]*)>`)
