//go:build unix

package source

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestSpecialFilesAreLeftOutAndSaid(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"CLAUDE.md": "here"})
	for _, name := range []string{"MEMORY.md", "pipe"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip("this file system makes no pipes: " + err.Error())
		}
	}
	g := collect(t, Order{Dir: dir, Paths: []string{".", "pipe", os.DevNull}})
	if g.paths() != "CLAUDE.md" || g.left(leftIrregular) != 2 {
		t.Errorf("read %s, left %+v", g.paths(), g.seen.Left)
	}
	if got := strings.Join(g.failures(), " "); got != "not-a-file not-a-file" {
		t.Errorf("pipe and device that are named fail with %q", got)
	}
}

func TestFolderThatCannotBeReadIsSaid(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	dir := t.TempDir()
	tree(t, dir, map[string]string{"closed/CLAUDE.md": "x", "MEMORY.md": "closed too"})
	for _, name := range []string{"closed", "MEMORY.md"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	g := collect(t, Order{Dir: dir, Paths: []string{"."}})
	if err := os.Chmod(filepath.Join(dir, "closed"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(g.failures(), " "); got != "unreadable unreadable" || len(g.docs) > 0 {
		t.Errorf("failures %q, read %s", got, g.paths())
	}
}

// asNobody runs the test again as a user who may not read everything.
func asNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("/tmp", "winnow-source-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "program"), program, 0o755)
	}
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, nobody, nobody))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "program"), "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as another user: %v\n%s", err, out)
	}
}

func TestFolderThatCannotBeListedHasItsSentence(t *testing.T) {
	r := &run{Order: order(Order{})}
	r.tally.begin(nil)
	r.unlisted("closed", &fs.PathError{Op: "open", Path: "closed", Err: fs.ErrPermission})
	r.unlisted("broken", &fs.PathError{Op: "open", Path: "broken", Err: syscall.EIO})
	for _, f := range r.tally.result().Failed {
		if !strings.HasPrefix(f.Problem.What, "The folder cannot be read: ") || f.Problem.Hint == "" {
			t.Errorf("problem of %s: %+v", f.Path, f.Problem)
		}
	}
}

func TestHolesOfAFileAreSkippedAndSaid(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell where the holes of a file are")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "CLAUDE.md")
	tree(t, dir, map[string]string{"CLAUDE.md": "begin\n"})
	const far = 5 << 30
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\nend\n"), far); err != nil {
		t.Skip("the file system has no room for the size of the file:", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tree(t, dir, map[string]string{"MEMORY.md": ""})
	if err := os.Truncate(filepath.Join(dir, "MEMORY.md"), far); err != nil {
		t.Fatal(err)
	}
	g := collect(t, Order{Dir: dir, Paths: []string{"."}})
	text := g.texts["CLAUDE.md"]
	if !strings.HasPrefix(text, "begin\n") || !strings.HasSuffix(text, "\nend\n") {
		t.Errorf("read %d bytes", len(text))
	}
	if g.seen.Bytes > 64<<20 || g.seen.Files != 2 ||
		!slices.Contains(g.seen.Uncovered, "the holes of CLAUDE.md, in which nothing is stored") {
		t.Errorf("read %d bytes, uncovered %q", g.seen.Bytes, g.seen.Uncovered)
	}
}

func TestMemoryIsBoundedWhateverIsRead(t *testing.T) {
	dir := t.TempDir()
	tree(
		t,
		dir,
		map[string]string{
			"CLAUDE.md": strings.Repeat("x", 40<<20),
			"MEMORY.md": strings.Repeat("line of text\n", 3<<20),
		},
	)
	g := order(Order{Dir: dir, Paths: []string{"."}, Workers: 2})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen, err := Each(t.Context(), g, drop)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 || seen.Files != 2 || err != nil {
		t.Errorf("reading %d bytes took %d bytes of memory, %v", seen.Bytes, n, err)
	}
}
