package procs

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// listing creates a folder like /proc.
func listing(t *testing.T) string {
	t.Helper()
	proc := t.TempDir()
	stat := "(a) b) S " + strings.Repeat("0 ", 18) + "250 0 0\n"
	for path, text := range map[string]string{
		"stat":       "cpu 1\nbtime 1000\n",
		"10/comm":    "kimchi\n",
		"10/stat":    "10 " + stat,
		"11/comm":    "node\n",
		"11/cmdline": "node\x00/usr/bin/kimchi\x00--x\x00",
		"11/stat":    "11 " + stat,
		"12/comm":    "node\n",
		"12/cmdline": "node\x00x.js\x00kimchi\x00",
		"13/comm":    "kimchi-like\n",
		"self/comm":  "kimchi\n",
	} {
		path = filepath.Join(proc, path)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	return proc
}

func TestProgramsAreKnownByTheirNames(t *testing.T) {
	proc, now := listing(t), start
	w := &Watch{name: "kimchi", now: func() time.Time { return now }, proc: proc}
	all := w.Running()
	if len(all) != 2 || all[0].PID != 10 || all[1].PID != 11 || !all[0].Since.Equal(time.Unix(1002, 500_000_000)) {
		t.Errorf("running: %+v", all)
	}
	if err := os.RemoveAll(filepath.Join(proc, "10")); err != nil {
		t.Fatal(err)
	}
	all[0].PID = 0
	if again := w.Running(); len(again) != 2 || again[0].PID != 10 {
		t.Errorf("what was seen this moment was looked for again, or is shared: %+v", again)
	}
	if now = now.Add(2 * moment); len(w.Running()) != 1 {
		t.Errorf("later: %+v", w.Running())
	}
	if now = start; len(w.Running()) != 1 {
		t.Errorf("with a clock that was set back: %+v", w.Running())
	}
	if got := running(filepath.Join(proc, "none"), "kimchi"); got != nil {
		t.Errorf("without a list: %+v", got)
	}
}

func TestProgramsThatHoldAFileAreToldFromOthers(t *testing.T) {
	proc, dir := listing(t), t.TempDir()
	file, link := filepath.Join(dir, "x.db"), filepath.Join(dir, "link.db")
	fds := filepath.Join(proc, "11", "fd")
	err := errors.Join(os.WriteFile(file, nil, 0o600), os.MkdirAll(fds, 0o755))
	if err == nil {
		err = errors.Join(
			os.Symlink(file, link),
			os.Symlink("socket:[1]", filepath.Join(fds, "3")),
			os.Symlink(file, filepath.Join(fds, "4")),
		)
	}
	if err != nil {
		t.Skip("no links here:", err)
	}
	w := &Watch{name: "kimchi", now: func() time.Time { return start }, proc: proc}
	for _, path := range []string{file, link} {
		if all := w.Holding("/none", path); len(all) != 1 || all[0].PID != 11 {
			t.Errorf("%s is held by %+v", path, all)
		}
	}
	if all := w.Holding(file + "-wal"); len(all) != 0 {
		t.Errorf("what is not open is held by %+v", all)
	}
	if all := w.Running(); len(all) != 2 {
		t.Errorf("then %+v run", all)
	}
}

func TestThisProgramRunsSinceItWasStarted(t *testing.T) {
	comm, err := os.ReadFile("/proc/self/comm")
	if runtime.GOOS != "linux" || err != nil {
		t.Skip("there is no /proc here")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := NewWatch(strings.TrimSpace(string(comm)), time.Now).Holding(f.Name())
	if len(all) != 1 || all[0].PID != os.Getpid() || all[0].Folder == "" || time.Since(all[0].Since) > time.Hour ||
		time.Until(all[0].Since) > 2*time.Second {
		t.Errorf("this test, %d, is not among %+v", os.Getpid(), all)
	}
}
