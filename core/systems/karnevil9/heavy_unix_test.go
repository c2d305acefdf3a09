//go:build unix

package karnevil9

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/core/memory"
)

// openVariable makes the test program open the store that it names, print what
// it saw and end, so that its memory can be measured.
const openVariable = "WINNOW_TEST_OPEN"

// loadReport is what the test program saw.
type loadReport struct {
	Records, Total, Held, Parts int
	Codes, Problem              string
}

func TestMain(m *testing.M) {
	path := os.Getenv(openVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	s := Open(path, now)
	var saw loadReport
	snap, err := s.Snapshot(context.Background(), func(memory.Snapshot) { saw.Parts++ })
	if err != nil {
		panic(err)
	}
	saw.Records, saw.Total, saw.Held = len(snap.Records), snap.Total, snap.Held
	saw.Codes, saw.Problem = codes(snap), problemCode(snap)
	if err := json.NewEncoder(os.Stdout).Encode(saw); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// openApart opens the store in a process of its own and fails when that needs more
// memory than 300 MB.
func openApart(t *testing.T, path string) loadReport {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // it must not hang
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), openVariable+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	most := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" {
		most <<= 10 // there it is in bytes already
	}
	t.Logf("%d MB at most", most>>20)
	if most > 300e6 {
		t.Errorf("%d MB of memory, want at most 300", most/1e6)
	}
	var saw loadReport
	if err := json.Unmarshal(out, &saw); err != nil {
		t.Fatal(err)
	}
	return saw
}

// writeParts returns the path of a store that fill writes, so that the memory
// of this process stays small: on Linux, the one it starts begins with it.
func writeParts(t *testing.T, fill func(put func([]byte))) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fill(func(text []byte) { _, _ = w.Write(text) }) // Flush returns the first error
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Skip("the file cannot be written:", err)
	}
	return path
}

func heavy(t *testing.T) {
	t.Helper()
	if testing.Short() || os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set, and this needs some seconds and a large file")
	}
}

// TestSparseFileOpens opens a file that is larger than the memory it may take. In a
// campaign it has 5 GB, since all of it is read.
func TestSparseFileOpens(t *testing.T) {
	heavy(t)
	path := write(t, append(lessons(300), '\n'))
	size := int64(1 << 30)
	if *campaign == "tenth" || *campaign == "full" {
		size = 5 << 30
	}
	if err := os.Truncate(path, size); err != nil {
		t.Skip("the file system has no room for the size of the file:", err)
	}
	want := loadReport{Records: 301, Total: 301, Codes: "too-large"}
	saw := openApart(t, path)
	if saw.Records != want.Records || saw.Total != want.Total || saw.Held != 0 ||
		!strings.HasPrefix(saw.Codes, want.Codes) {
		t.Errorf("saw %+v, want %+v", saw, want)
	}
}

func TestLineOf100MBOpens(t *testing.T) {
	heavy(t)
	path := writeParts(t, func(put func([]byte)) {
		put(lessons(3))
		put([]byte("\n" + `{"task_summary":"x","lesson":"`))
		for range 100 {
			put(bytes.Repeat([]byte("long "), 200_000))
		}
		put([]byte(`"}` + "\n"))
		put(lessons(2))
	})
	saw := openApart(t, path)
	if saw.Records != 6 || saw.Total != 6 || !strings.Contains(saw.Codes, "too-long") {
		t.Errorf("saw %+v, want 6 records and the long line reported", saw)
	}
}

func TestMillionLinesOpen(t *testing.T) {
	heavy(t)
	block := append(lessons(1000), '\n')
	path := writeParts(t, func(put func([]byte)) {
		for range 1000 {
			put(block)
		}
	})
	saw := openApart(t, path)
	if saw.Records != maxRecords || saw.Total != 1_000_000 || saw.Held != 200 || saw.Parts == 0 {
		t.Errorf("saw %+v, want %d records of a million, and parts before", saw, maxRecords)
	}
}

func TestLongLessonsStayInBounds(t *testing.T) {
	heavy(t)
	path := writeParts(t, func(put func([]byte)) {
		for i := range 150_000 {
			put(
				fmt.Appendf(
					nil,
					`{"lesson_id":"%d","task_summary":"t\u0074","outcome":"failed","lesson":"a\n%s","tool_names":[],"created_at":"","session_id":"","relevance_count":0}`+"\n",
					i,
					strings.Repeat("b", 500),
				),
			)
		}
	})
	if saw := openApart(t, path); saw.Records < 10_000 || saw.Records > maxRecords ||
		!strings.Contains(saw.Codes, "over-limit") {
		t.Errorf("saw %+v", saw)
	}
}

func TestSpecialFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "socket")
	if fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err == nil {
		defer syscall.Close(fd)
		if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: socket}); err != nil {
			t.Fatal(err)
		}
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]string{
		fifo: "not-a-file", socket: "not-a-file", os.DevNull: "not-a-file", loop: "link-loop", dir: "folder",
		filepath.Join(fifo, "memory.jsonl"): "missing",
	} {
		s := openStore(t, path)
		snap := snapshot(t, s)
		if got := problemCode(snap); got != code {
			t.Errorf("problem of %s = %q, want %q", filepath.Base(path), got, code)
		}
		r, err := s.Recall(t.Context(), memory.Task{Text: "anything at all"})
		if err != nil || len(r.Hits) > 0 || len(r.Notes) == 0 {
			t.Errorf(
				"recall from %s = %d hits, notes %q, %v; want none and a note",
				filepath.Base(path),
				len(r.Hits),
				r.Notes,
				err,
			)
		}
	}
}

func TestUnreadableFileHasItsSentence(t *testing.T) {
	path := write(t, lessons(2))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		if got := problemCode(snapshot(t, openStore(t, path))); got != "unreadable" {
			t.Errorf("problem = %q, want unreadable", got)
		}
		return
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(os.TempDir()) && len(dir) > 1; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir == os.TempDir() {
			break
		}
	}
	program := filepath.Join(filepath.Dir(path), "program")
	if err := os.Link(os.Args[0], program); err != nil {
		text, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program)
	cmd.Dir = filepath.Dir(path)
	cmd.Env = append(os.Environ(), openVariable+"="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.Output()
	if err != nil {
		t.Skip("no process can be started as another user:", err)
	}
	if !bytes.Contains(out, []byte(`"Problem":"unreadable"`)) {
		t.Errorf("saw %s, want the problem unreadable", out)
	}
}
