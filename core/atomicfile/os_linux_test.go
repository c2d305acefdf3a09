package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain lets the test program act as another process; see child.
func TestMain(m *testing.M) {
	if act := os.Getenv("ATOMICFILE_CHILD"); act != "" {
		os.Exit(childMain(act, os.Getenv("ATOMICFILE_PATH")))
	}
	os.Exit(m.Run())
}

// child runs one act of childMain in a process of its own.
func child(t *testing.T, act, path string, attr *syscall.SysProcAttr) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), "ATOMICFILE_CHILD="+act, "ATOMICFILE_PATH="+path)
	cmd.SysProcAttr = attr
	return cmd
}

// childMain does an act and prints the code of its problem.
func childMain(act, path string) int {
	var err error
	switch act {
	case "swap":
		return swapForLinks(path)
	case "small":
		limit := syscall.Rlimit{Cur: 1000, Max: 1000}
		if err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err == nil {
			err = addLong(path)
		}
	case "add":
		err = addLong(path)
	case "can":
		err = CanReplace(OS(), path)
	case "lock":
		_, err = Lock(context.Background(), path)
	}
	fmt.Print(code(err))
	return 0
}

// addLong adds 4,000 bytes to a file.
func addLong(path string) error {
	temp, err := NewTemp(nil)
	if err != nil {
		return err
	}
	_, err = Replace(context.Background(), OS(), path, Update{Temp: temp, Next: func(now []byte) ([]byte, error) {
		return append(now[:len(now):len(now)], strings.Repeat("x", 4000)+"\n"...), nil
	}})
	return err
}

// swapForLinks puts a link to a file outside, and a file, at path in turn, until its
// input ends.
func swapForLinks(path string) int {
	var stop atomic.Bool
	go func() {
		bufio.NewReader(os.Stdin).ReadByte()
		stop.Store(true)
	}()
	for i := 0; !stop.Load(); i++ {
		temp := path + ".swap"
		var err error
		if i%2 == 0 {
			err = os.Symlink("outside/file", temp)
		} else {
			err = os.WriteFile(temp, []byte("theirs\n"), 0o644)
		}
		if err == nil {
			err = os.Rename(temp, path)
		}
		if err == nil && i%2 == 1 {
			// The file stays for about as long as a replacement takes.
			err = syncedScratch(filepath.Dir(path))
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
	}
	return 0
}

// syncedScratch makes, syncs and removes a file below the folder.
func syncedScratch(dir string) error {
	f, err := os.CreateTemp(filepath.Join(dir, "scratch"), "")
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close(), os.Remove(f.Name()))
}

// TestSwapForLinkLeadsNowhere saves 1,000 times while another process swaps the file
// for a link that leads outside, and back. Only saves count that had begun.
func TestSwapForLinkLeadsNowhere(t *testing.T) {
	dir := t.TempDir()
	path, outside := filepath.Join(dir, "store"), filepath.Join(dir, "outside")
	if err := errors.Join(os.Mkdir(outside, 0o755), os.Mkdir(filepath.Join(dir, "scratch"), 0o755)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(outside, "file"), "not ours\n")
	put(t, path, "a\n")
	other := child(t, "swap", path, nil)
	stop, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	results := map[string]int{}
	var left []string
	races := 25
	if *campaign == "full" {
		races = 1000
	}
	for begun := 0; begun < races && !t.Failed(); {
		u := addLine(t, "mine")
		u.Real = true
		staged := false
		u.Stage = func(string, []byte, []byte) error { staged = true; return nil }
		r, err := Replace(t.Context(), OS(), path, u)
		if staged {
			begun++
			results[code(err)]++
		}
		left = append(left, r.Left...)
		if c := code(err); c != "" && c != "is-link" && c != "busy" {
			t.Errorf("%v, want success or a problem that names the link", err)
		}
	}
	stop.Close()
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
	t.Log(results, left)
	takeInLeft(t, path, left)
	if got := read(t, filepath.Join(outside, "file")); got != "not ours\n" {
		t.Errorf("the file outside holds %q", got)
	}
	onlyFiles(t, outside, "file")
	onlyFiles(t, dir, "outside", "scratch", "store")
}

// takeInLeft puts a file at path and recovers what could not be put back.
func takeInLeft(t *testing.T, path string, left []string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
	put(t, path, "")
	for _, temp := range left {
		u := addLine(t, "last")
		if _, err := Recover(t.Context(), OS(), path, temp, "", "", u); err != nil {
			t.Error(err)
		}
	}
}

// TestModeOwnerAttributesAndLinkStay replaces through a chain of links.
func TestModeOwnerAttributesAndLinkStay(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real", "file")
	if err := os.MkdirAll(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, real, "a\n")
	for from, to := range map[string]string{"store": "links/second", "links/second": "../real/file"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, from)), 0o755)
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
	}
	if err := os.Chown(real, uid, gid); err != nil {
		t.Fatal(err)
	}
	if err := unix.Chmod(real, 0o6751); err != nil {
		t.Fatal(err)
	}
	attrErr := unix.Setxattr(real, "user.note", []byte("kept"), 0)
	if _, err := Replace(t.Context(), OS(), filepath.Join(dir, "store"), addLine(t, "b")); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Lstat(real, &st); err != nil {
		t.Fatal(err)
	}
	if st.Mode != unix.S_IFREG|0o6751 || int(st.Uid) != uid || int(st.Gid) != gid {
		t.Errorf("mode %o, owner %d:%d", st.Mode, st.Uid, st.Gid)
	}
	if to, err := os.Readlink(filepath.Join(dir, "store")); err != nil || to != "links/second" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if got := read(t, real); got != "a\nb\n" {
		t.Errorf("the file holds %q", got)
	}
	value := make([]byte, 10)
	if n, err := unix.Getxattr(real, "user.note", value); attrErr == nil &&
		(err != nil || string(value[:n]) != "kept") {
		t.Errorf("attribute %q, %v", value[:max(n, 0)], err)
	}
}

// TestOthersAtFullSpeedLoseNothing lets another writer rename its versions over the
// file as fast as it can. Whatever of it we displaced is in our version.
func TestOthersAtFullSpeedLoseNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	put(t, path, "start\n")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 150 {
			temp := path + ".tmp"
			if os.WriteFile(temp, fmt.Appendf(nil, "start\ntheirs %d.\n", i), 0o644) != nil ||
				os.Rename(temp, path) != nil {
				return
			}
		}
	}()
	foreign, busy := 0, 0
	for i, running := 0, true; running; i++ {
		select {
		case <-done:
			running = false
		default:
		}
		n, err := addWatched(t, path, fmt.Sprintf("mine %d.", i))
		foreign += n
		if code(err) == "busy" {
			busy++
		} else if err != nil {
			t.Error(err)
		}
		if t.Failed() {
			break
		}
	}
	<-done
	t.Log(foreign, "versions displaced,", busy, "times busy")
	onlyFiles(t, dir, "store")
}

// interferedDisk is the real disk on which another writer acts just before each exchange.
type interferedDisk struct {
	Disk
	before func()
}

func (d interferedDisk) Folder(path string) (Folder, error) {
	f, err := d.Disk.Folder(path)
	return meddledFolder{f, d.before}, err
}

type meddledFolder struct {
	Folder
	before func()
}

func (f meddledFolder) Exchange(a, b string) error {
	f.before()
	return f.Folder.Exchange(a, b)
}

// TestDisplacedVersionsAreMergedIn lets other writers come in the last instant, up to
// three times for one replacement.
func TestDisplacedVersionsAreMergedIn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	put(t, path, "start\n")
	want := "start\n"
	for i := range 12 {
		left := i % 4
		d := interferedDisk{OS(), func() {
			if left > 0 {
				left--
				line := fmt.Sprintf("theirs %d.%d.\n", i, left)
				put(t, path+".theirs", want+line)
				want += line
				if err := os.Rename(path+".theirs", path); err != nil {
					t.Error(err)
				}
			}
		}}
		r, err := Replace(t.Context(), d, path, addLine(t, fmt.Sprintf("mine %d.", i)))
		if err != nil || r.Foreign != i%4 || r.Rounds != i%4+1 {
			t.Fatalf("%+v, %v", r, err)
		}
		want += fmt.Sprintf("mine %d.\n", i)
		if got := read(t, path); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
	onlyFiles(t, dir, "store")
}

// addWatched adds a line and checks that each version which was merged is in the
// result. It returns how many were displaced.
func addWatched(t *testing.T, path, line string) (int, error) {
	t.Helper()
	u := addLine(t, line)
	var seen []string
	next := u.Next
	u.Next = func(now []byte) ([]byte, error) {
		seen = append(seen, string(now))
		return next(now)
	}
	r, err := Replace(t.Context(), OS(), path, u)
	if err != nil {
		return 0, err
	}
	to := string(r.To)
	if strings.Count(to, line+"\n") != 1 {
		t.Errorf("%q is not once in %q", line, to)
	}
	if r.Foreign > 0 {
		for _, version := range seen[len(seen)-r.Foreign:] {
			for l := range strings.Lines(version) {
				if strings.Count(to, l) != 1 {
					t.Errorf("%q was displaced and is not once in %q", l, to)
				}
			}
		}
	}
	return r.Foreign, nil
}

// mounted mounts a small file system for a test.
func mounted(t *testing.T, options string, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		t.Skip("mounting needs root")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skip("mounting does not work here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDiskChangesNothing(t *testing.T) {
	dir := mounted(t, "size=64k", 0)
	path := filepath.Join(dir, "store")
	was := strings.Repeat("old line\n", 4000)
	put(t, path, was)
	_, err := Replace(t.Context(), OS(), path, addLine(t, "b"))
	if code(err) != "no-space" || read(t, path) != was {
		t.Errorf("%v, and the file has %d bytes", err, len(read(t, path)))
	}
	onlyFiles(t, dir, "store")
}

func TestReadOnlyMountIsNamed(t *testing.T) {
	dir := mounted(t, "size=64k", 0)
	path := filepath.Join(dir, "store")
	put(t, path, "a\n")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("remounting does not work here: ", err)
	}
	_, err := Replace(t.Context(), OS(), path, addLine(t, "b"))
	if can := CanReplace(OS(), path); code(err) != "read-only-fs" || code(can) != "read-only-fs" {
		t.Errorf("%v; before: %v", err, can)
	}
	onlyFiles(t, dir, "store")
}

func TestSizeLimitChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	put(t, path, "a\n")
	out, err := child(t, "small", path, nil).Output()
	if err != nil || string(out) != "no-space" || read(t, path) != "a\n" {
		t.Errorf("%q, %v; the file holds %q", out, err, read(t, path))
	}
	onlyFiles(t, dir, "store")
}

func TestFileOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("acting as another user needs root")
	}
	other := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 4242, Gid: 4242}}
	for _, c := range []struct {
		name     string
		mode     os.FileMode // of the folder
		owner    int         // of the file
		add, can string
	}{
		{"folder closed", 0o755, 4242, "permission", "permission"},
		{"file of another", 0o777, 0, "other-owner", "other-owner"},
		{"own file", 0o777, 4242, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("/tmp", "atomicfile")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			path := filepath.Join(dir, "store")
			put(t, path, "a\n")
			if err := errors.Join(os.Chown(path, c.owner, c.owner), os.Chmod(dir, c.mode)); err != nil {
				t.Fatal(err)
			}
			can, err := child(t, "can", path, other).Output()
			if err != nil || string(can) != c.can {
				t.Errorf("before: %q, %v; want %q", can, err, c.can)
			}
			add, err := child(t, "add", path, other).Output()
			if err != nil || string(add) != c.add || c.add != "" && read(t, path) != "a\n" {
				t.Errorf("%q, %v; want %q; the file holds %q", add, err, c.add, read(t, path))
			}
			onlyFiles(t, dir, "store")
		})
	}
}

// TestAFolderPutInPlaceOfTheOpenedOneIsNotWritten moves the folder of a file away in the middle of a replacement, and
// puts another one there: in a folder that only we may change, and in one that everybody may.
func TestAFolderPutInPlaceOfTheOpenedOneIsNotWritten(t *testing.T) {
	for _, mode := range []os.FileMode{0o700, 0o777, 0o777 | os.ModeSticky} {
		above := t.TempDir()
		if err := os.Chmod(above, mode); err != nil {
			t.Fatal(err)
		}
		dir, theirs, moved := filepath.Join(above, "dir"), filepath.Join(above, "theirs"), filepath.Join(above, "moved")
		if err := errors.Join(os.Mkdir(dir, 0o700), os.Mkdir(theirs, 0o777)); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, "store"), "a\n")
		put(t, filepath.Join(theirs, "store"), "not ours\n")
		u := addLine(t, "b")
		u.Stage = func(string, []byte, []byte) error {
			return errors.Join(os.Rename(dir, moved), os.Rename(theirs, dir))
		}
		_, _ = Replace(t.Context(), OS(), filepath.Join(dir, "store"), u)
		if got := read(t, filepath.Join(dir, "store")); got != "not ours\n" {
			t.Errorf("mode %o: the other folder's file holds %q", mode, got)
		}
		if got := read(t, filepath.Join(moved, "store")); got != "a\n" && got != "a\nb\n" {
			t.Errorf("mode %o: the file holds %q", mode, got)
		}
		onlyFiles(t, dir, "store")
		onlyFiles(t, moved, "store")
	}
}
