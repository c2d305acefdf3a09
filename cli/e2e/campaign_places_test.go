package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readOnlyPlace is a place in which a store cannot be changed.
type readOnlyPlace struct {
	name string
	// prepare makes the place of what is there, and returns what a command is run with.
	prepare func(t *testing.T, g *sandbox) (with []string)
	says    string // on standard error, as a pattern
	status  int
}

// TestCampaignHardPlacesAreRefused tries to change stores where that cannot be done: it
// says so and what to do, the store is as it was, and nothing is left beside it.
func TestCampaignHardPlacesAreRefused(t *testing.T) {
	share(t, 1)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range places() {
		t.Run(h.name, func(t *testing.T) {
			g := openSandbox(t, program)
			with := h.prepare(t, &g)
			old, _ := os.ReadFile(g.store)
			for _, args := range [][]string{{"rm", "a3"}, {"edit", "a2", "--set", "lesson=Changed."}, {"add", "--set", "task_summary=New", "--set", "lesson=Text.", "--set", "outcome=failed"}} {
				command := append(
					append(append([]string{}, with...), filepath.Join(filepath.Dir(g.home), "winnow")),
					args...)
				o := g.run(command[0], append(command[1:], "--store", g.store)...)
				if !regexp.MustCompile(h.says).MatchString(o.err) || o.status != h.status ||
					!strings.HasPrefix(o.err, "winnow: ") {
					t.Errorf(
						"winnow %s: status %d, want %d and %s; it says\n%s",
						args[0],
						o.status,
						h.status,
						h.says,
						o.err,
					)
				}
				if now, _ := os.ReadFile(g.store); string(now) != string(old) {
					t.Errorf("winnow %s changed the store", args[0])
				}
				if left := g.leftovers(); len(left) > 0 {
					t.Errorf("winnow %s leaves %q", args[0], left)
				}
			}
		})
	}
}

// openSandbox is a sandbox of about 40 KB with the program in it, into which every user
// may look.
func openSandbox(t *testing.T, program string) sandbox {
	t.Helper()
	dir, err := os.MkdirTemp("", "winnow-place-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	must(t, exec.Command("cp", program, filepath.Join(dir, "winnow")))
	g, err := newSandbox(dir, largeLessons()...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// largeLessons are lessons of about 40 KB.
func largeLessons() []string {
	var lines []string
	for _, id := range strings.Fields("a1 a2 a3 a4 a5 a6 a7 a8") {
		lines = append(lines, lessonLine(id, "Deploy "+strings.Repeat("the docs ", 550), 1))
	}
	return lines
}

func must(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v, %s", cmd, err, out)
	}
}

// mount mounts something, and takes it away at the end.
func mount(t *testing.T, at string, args ...string) {
	t.Helper()
	if out, err := exec.Command("mount", append(args, at)...).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", at).Run() })
}

func fill(t *testing.T, path string, lines []string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// asOtherUser returns how a command is run as another user, who has a home.
func asOtherUser(t *testing.T, g *sandbox) []string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	with := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"}
	path, err := exec.LookPath(with[0])
	if err != nil || exec.Command(path, append(with[1:], "true")...).Run() != nil {
		t.Skip("there is no setpriv here that works")
	}
	with[0] = path
	must(t, exec.Command("chown", "65534:65534", g.home))
	return with
}

func places() []readOnlyPlace {
	return []readOnlyPlace{
		{"full disk", func(t *testing.T, g *sandbox) []string {
			mount(t, g.dir, "-t", "tmpfs", "-o", "size=64k", "tmpfs")
			fill(t, g.store, largeLessons())
			return nil
		}, `: save memory.jsonl: no space left on device\nhint: free some space`, 1},
		{"full disk of the history", func(t *testing.T, g *sandbox) []string {
			mount(t, g.home, "-t", "tmpfs", "-o", "size=64k", "tmpfs")
			fill(t, filepath.Join(g.home, "full"), []string{strings.Repeat("x", 64<<10)})
			return nil
		}, `the history of this store: .*no space left on device[^\n]*\nhint: free some space on the disk`, 1},
		{"limit of a file", func(t *testing.T, g *sandbox) []string {
			sh, err := exec.LookPath("sh")
			if err != nil {
				t.Skip("there is no sh here")
			}
			return []string{sh, "-c", `ulimit -f 32; exec "$@"`, "sh"}
		}, `: file too large.*\n?.*the limit for the size of a file is reached`, 1},
		{"read-only mount", func(t *testing.T, g *sandbox) []string {
			mount(t, g.dir, "--bind", g.dir)
			must(t, exec.Command("mount", "-o", "remount,ro,bind", g.dir))
			return nil
		}, `: save memory.jsonl: read-only file system\nhint: the file system is mounted read-only`, 1},
		{
			"folder of another user",
			asOtherUser,
			`: save memory.jsonl: permission denied\nhint: check the owner and the mode`,
			1,
		},
		{"file of another user", func(t *testing.T, g *sandbox) []string {
			must(t, exec.Command("chmod", "777", g.dir))
			return asOtherUser(t, g)
		}, `belongs to another user[^\n]*\nhint: run as the user it belongs to`, 1},
		{"history of another user", func(t *testing.T, g *sandbox) []string {
			with := asOtherUser(t, g)
			must(t, exec.Command("chown", "-R", "65534:65534", g.dir))
			must(t, exec.Command("chown", "0:0", g.home))
			return with
		}, `the history of this store: .*permission denied[^\n]*\nhint: Winnow keeps what it replaces in `, 1},
		{"folder in its place", func(t *testing.T, g *sandbox) []string {
			must(t, exec.Command("rm", g.store))
			must(t, exec.Command("mkdir", g.store))
			return nil
		}, `^winnow: no store was found\n  looked at memory.jsonl\nhint: name a store`, 3},
		{"name too long", func(t *testing.T, g *sandbox) []string {
			g.store = filepath.Join(g.dir, strings.Repeat("memory", 50)+".jsonl")
			return nil
		}, `: the file cannot be read: its name is too long\nhint: use a shorter name`, 1},
	}
}
