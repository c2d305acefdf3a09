package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/audit/audittest"
	"winnow/core/memory"
)

// audited is a folder that is audited, with a home and a folder for temporary files.
type audited struct {
	t               *testing.T
	dir, home, temp string
	// before stands before the program on the command line.
	before []string
}

func newAudited(t *testing.T) *audited {
	t.Helper()
	root := t.TempDir()
	a := &audited{
		t:    t,
		dir:  filepath.Join(root, "project"),
		home: filepath.Join(root, "home"),
		temp: filepath.Join(root, "tmp"),
	}
	for _, dir := range []string{a.dir, a.home, a.temp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// path returns a path in the audited folder.
func (a *audited) path(name string) string { return filepath.Join(a.dir, name) }

// write writes a file in the audited folder.
func (a *audited) write(name, text string) {
	a.t.Helper()
	path := a.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *audited) read(name string) string {
	a.t.Helper()
	raw, err := os.ReadFile(a.path(name))
	if err != nil {
		a.t.Fatal(err)
	}
	return string(raw)
}

// command prepares "winnow", as it is shipped, with its arguments in the audited folder.
func (a *audited) command(args ...string) *exec.Cmd {
	program, err := built()
	if err != nil {
		a.t.Fatal(err)
	}
	argv := append(append([]string{}, a.before...), append([]string{program}, args...)...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = a.dir, a.environ()
	return cmd
}

func (a *audited) environ() []string {
	return []string{
		"HOME=" + a.home, "TZ=UTC", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + a.temp, "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_SYSTEM=/dev/null",
	}
}

// run runs it: within this process, unless something stands before it. A process that takes far too long is
// ended, with the status -1.
func (a *audited) run(args ...string) outcome {
	if len(a.before) == 0 {
		return within(a.dir, a.environ(), args...)
	}
	return ended(a.command(args...))
}

// peak runs it and returns the most memory it took, in MB, as well; 0 when that is not
// known. What a process counts begins with the memory of the one that starts it, which
// may be more than it ever takes.
func (a *audited) peak(args ...string) (outcome, float64) {
	cmd := a.command(args...)
	o := ended(cmd)
	floor := grown(a.command("--version")) // afterwards, since what is inherited only grows
	if took := maxMemory(cmd.ProcessState); took > floor+1 {
		return o, took
	}
	return o, 0
}

// grown runs a command and returns what it counts as its memory.
func grown(cmd *exec.Cmd) float64 {
	ended(cmd)
	return maxMemory(cmd.ProcessState)
}

// found is a finding as --json has it.
type found struct {
	Rule, Family, Severity, Path, Field, Fingerprint, Commit string
	Line, Column                                             int
}

// findings runs an audit with --json and reads what it found.
func (a *audited) findings(args ...string) []found {
	a.t.Helper()
	o := a.run(append([]string{"audit", "--json"}, args...)...)
	var doc struct{ Findings []found }
	if err := json.Unmarshal([]byte(o.out), &doc); err != nil {
		a.t.Fatalf("winnow audit --json %q: status %d, %v\n%s%s", args, o.status, err, o.out, o.err)
	}
	return doc.Findings
}

// secrets are the findings that are secrets.
func secrets(list []found) (out []found) {
	for _, f := range list {
		if f.Family == string(memory.FamilySecret) {
			out = append(out, f)
		}
	}
	return out
}

func (a *audited) git(args ...string) {
	a.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		a.t.Skip("there is no git here")
	}
	cmd := exec.Command(
		"git",
		append([]string{"-C", a.dir, "-c", "user.name=t", "-c", "user.email=t@example.invalid"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		a.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// stateBelow is the state of everything below the folders: names, modes, times of change
// and what is in the files.
func stateBelow(t *testing.T, dirs ...string) string {
	t.Helper()
	var out strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			sum := ""
			if info.Mode().IsRegular() && info.Size() < 64<<20 {
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				sum = fmt.Sprintf("%x", sha256.Sum256(raw))
			}
			fmt.Fprintln(&out, path, info.Mode(), info.Size(), info.ModTime().Format(time.RFC3339Nano), sum)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// planted are the secrets of a corpus that stand in one line, but for cut ones.
func planted(seed uint64) (items []audittest.Item) {
	for _, it := range audittest.Of(audittest.Corpus(seed), memory.FamilySecret) {
		if it.Context != "cut" && !strings.Contains(it.Text, "\n") {
			items = append(items, it)
		}
	}
	return items
}
