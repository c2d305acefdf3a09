package kimchi

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"winnow/core/memory"
	"winnow/core/peek"
)

// process is a program that runs.
type process struct {
	pid    int
	since  time.Time
	folder string // where it works; may be empty
}

// watching says which programs of a name run. What it saw is good for a moment, so that
// a list of stores looks once.
type watching struct {
	name string
	now  func() time.Time
	proc string // where the system lists processes: /proc

	mu   sync.Mutex // guards what follows
	at   time.Time
	seen []process
}

// moment is how long what was seen is good for.
const moment = time.Second

// all returns the programs that run.
func (w *watching) all() []process {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if age := now.Sub(w.at); w.at.IsZero() || age < 0 || age >= moment {
		w.seen, w.at = running(w.proc, w.name), now
	}
	return w.seen
}

// running looks through a folder like /proc of Linux for programs of a name. Where there
// is none, nothing runs that can be told.
func running(proc, name string) []process {
	dir, err := os.Open(proc)
	if err != nil {
		return nil
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	var all []process
	for _, n := range names {
		pid, err := strconv.Atoi(n)
		if err != nil || !isCalled(filepath.Join(proc, n), name) {
			continue
		}
		p := process{pid: pid, since: started(proc, n)}
		if folder, err := os.Readlink(filepath.Join(proc, n, "cwd")); err == nil {
			p.folder = folder
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b process) int { return a.pid - b.pid })
	return all
}

// isCalled reports whether a process has a name: as the system has it, or as the program
// that node, bun or python runs.
func isCalled(dir, name string) bool {
	switch comm := string(bytes.TrimSpace(head(filepath.Join(dir, "comm"), 64))); comm {
	case name:
		return true
	case "node", "bun", "MainThread", "python", "python3", "uv":
	default:
		return false
	}
	args := bytes.Split(head(filepath.Join(dir, "cmdline"), 4096), []byte{0})
	return slices.ContainsFunc(args[:min(len(args), 2)], func(arg []byte) bool {
		return filepath.Base(string(arg)) == name
	})
}

// started returns when a process began, to a hundredth of a second after the second in
// which the machine did; zero when that is not told.
func started(proc, pid string) time.Time {
	stat := head(filepath.Join(proc, pid, "stat"), 4096)
	// The name, in parentheses, may hold anything; field 22 is the start in ticks.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const start, perSecond = 22 - 3, 100
	if len(fields) <= start {
		return time.Time{}
	}
	ticks, err := strconv.ParseInt(string(fields[start]), 10, 64)
	boot := int64(0)
	for line := range bytes.Lines(head(filepath.Join(proc, "stat"), 1<<20)) {
		if text, ok := bytes.CutPrefix(line, []byte("btime ")); ok {
			boot, _ = strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
		}
	}
	if err != nil || boot == 0 {
		return time.Time{}
	}
	return time.Unix(boot, 0).Add(time.Duration(ticks) * time.Second / perSecond)
}

// head returns at most so many bytes of a file, and nothing when it cannot be read.
func head(path string, most int64) []byte {
	f, err := peek.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, most))
	return text
}

// shown returns processes as a snapshot has them.
func shown(all []process) []memory.Running {
	var out []memory.Running
	for _, p := range all {
		out = append(out, memory.Running{PID: p.pid, Folder: p.folder, Since: p.since})
	}
	return out
}
