// Package procs finds running programs through Linux's /proc. On other systems it finds none.
package procs

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// procFS is where Linux lists running programs.
const procFS = "/proc"

// moment is how long a result may be reused.
const moment = time.Second

// Watch finds the running programs with a name. It reuses a result for a second, so that a list of
// stores searches only once. It is safe for concurrent use.
type Watch struct {
	name string
	now  func() time.Time
	proc string

	mu   sync.Mutex // guards the fields below
	at   time.Time
	seen []memory.Running
}

// NewWatch returns a watch for programs called name. now returns the current time.
func NewWatch(name string, now func() time.Time) *Watch {
	return &Watch{name: name, now: now, proc: procFS}
}

// Running returns the running programs with the name, sorted by process number: those that the
// system calls by it, and those that node, bun or python runs under it. For another user's programs
// Folder is empty. Since is zero if unknown.
func (w *Watch) Running() []memory.Running {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if age := now.Sub(w.at); w.at.IsZero() || age < 0 || age >= moment {
		w.seen, w.at = running(w.proc, w.name), now
	}
	return slices.Clone(w.seen)
}

// Holding returns those of [Watch.Running] that have one of the files open, following links.
// Programs of other users cannot be checked and are left out.
func (w *Watch) Holding(paths ...string) []memory.Running {
	all := w.Running()
	if len(all) == 0 {
		return nil
	}
	reals := make([]string, len(paths))
	for i, path := range paths {
		reals[i] = path
		if real, err := filepath.EvalSymlinks(path); err == nil {
			reals[i] = real
		}
	}
	return slices.DeleteFunc(all, func(r memory.Running) bool {
		return !hasOpen(filepath.Join(w.proc, strconv.Itoa(r.PID), "fd"), reals)
	})
}

// mostOpen is the maximum number of a program's open files to check.
const mostOpen = 512

// hasOpen reports whether one of the files is in a folder of open files in /proc.
func hasOpen(fds string, paths []string) bool {
	return slices.ContainsFunc(names(fds, mostOpen), func(fd string) bool {
		to, err := os.Readlink(filepath.Join(fds, fd))
		return err == nil && slices.Contains(paths, to)
	})
}

// names returns at most most names in a folder, or all if most is -1. It returns none if the folder
// cannot be read.
func names(path string, most int) []string {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	all, _ := dir.Readdirnames(most) // keep what was read
	return all
}

// running searches a folder like /proc for programs with a name.
func running(proc, name string) []memory.Running {
	var all []memory.Running
	for _, n := range names(proc, -1) {
		pid, err := strconv.Atoi(n)
		if err != nil || !isCalled(filepath.Join(proc, n), name) {
			continue
		}
		r := memory.Running{PID: pid, Since: started(proc, n)}
		if folder, err := os.Readlink(filepath.Join(proc, n, "cwd")); err == nil {
			r.Folder = folder
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b memory.Running) int { return a.PID - b.PID })
	return all
}

// isCalled reports whether a process has a name: its name in the system, or that of the program
// that node, bun or python runs.
func isCalled(dir, name string) bool {
	switch comm := string(bytes.TrimSpace(readHead(filepath.Join(dir, "comm"), 64))); comm {
	case name:
		return true
	case "node", "bun", "MainThread", "python", "python3", "uv":
	default:
		return false
	}
	args := bytes.Split(readHead(filepath.Join(dir, "cmdline"), 4096), []byte{0})
	return slices.ContainsFunc(args[:min(len(args), 2)], func(arg []byte) bool {
		return filepath.Base(string(arg)) == name
	})
}

// started returns when a process started. It is precise to a hundredth of a second after the
// machine's boot time, which is only known to the second. It returns zero if unknown.
func started(proc, pid string) time.Time {
	stat := readHead(filepath.Join(proc, pid, "stat"), 4096)
	// The name, in parentheses, may hold anything; field 22 is the start in ticks.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const start, perSecond = 22 - 3, 100
	if len(fields) <= start {
		return time.Time{}
	}
	ticks, err := strconv.ParseInt(string(fields[start]), 10, 64)
	boot := int64(0)
	for line := range bytes.Lines(readHead(filepath.Join(proc, "stat"), 1<<20)) {
		if text, ok := bytes.CutPrefix(line, []byte("btime ")); ok {
			boot, _ = strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64) // 0 means none
		}
	}
	if err != nil || boot == 0 {
		return time.Time{}
	}
	return time.Unix(boot, 0).Add(time.Duration(ticks) * time.Second / perSecond)
}

// readHead returns at most most bytes of a file, or nothing if it cannot be read.
func readHead(path string, most int64) []byte {
	text, _, err := quietread.ReadFile(path, most)
	if err != nil {
		return nil // the process has ended
	}
	return text
}
