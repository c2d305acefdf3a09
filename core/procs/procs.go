// Package procs tells which programs run on this machine, by /proc, which Linux has.
// Elsewhere none is found.
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

// procFS is where Linux lists the programs that run.
const procFS = "/proc"

// moment is how long what was seen is good for.
const moment = time.Second

// Watch says which programs of a name run. What it saw is good for a second, so that a
// list of stores looks once. It may be used by several goroutines.
type Watch struct {
	name string
	now  func() time.Time
	proc string

	mu   sync.Mutex // guards what follows
	at   time.Time
	seen []memory.Running
}

// NewWatch returns a watch over the programs called name. now tells the time.
func NewWatch(name string, now func() time.Time) *Watch {
	return &Watch{name: name, now: now, proc: procFS}
}

// Running returns the programs of the name that run, by their numbers: those that the
// system calls so, and those that node, bun or python runs under that name. Of those of
// another user the folder is empty; Since is zero where it is not told.
func (w *Watch) Running() []memory.Running {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if age := now.Sub(w.at); w.at.IsZero() || age < 0 || age >= moment {
		w.seen, w.at = running(w.proc, w.name), now
	}
	return slices.Clone(w.seen)
}

// Holding is [Watch.Running] of those that have one of the files open, links followed.
// The programs of another user cannot be asked, and are left out.
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
		return !holds(filepath.Join(w.proc, strconv.Itoa(r.PID), "fd"), reals)
	})
}

// mostOpen bounds how many open files of a program are looked at.
const mostOpen = 512

// holds reports whether one of the files is among those that a folder of /proc lists.
func holds(fds string, paths []string) bool {
	return slices.ContainsFunc(names(fds, mostOpen), func(fd string) bool {
		to, err := os.Readlink(filepath.Join(fds, fd))
		return err == nil && slices.Contains(paths, to)
	})
}

// names returns what is in a folder, at most so many entries, or all with -1; nothing of
// one that cannot be read.
func names(path string, most int) []string {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	all, _ := dir.Readdirnames(most) // what was read counts
	return all
}

// running looks through a folder like /proc for programs of a name.
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
			boot, _ = strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64) // 0 is none
		}
	}
	if err != nil || boot == 0 {
		return time.Time{}
	}
	return time.Unix(boot, 0).Add(time.Duration(ticks) * time.Second / perSecond)
}

// head returns at most so many bytes of a file, and nothing when it cannot be read.
func head(path string, most int64) []byte {
	text, _, err := quietread.ReadFile(path, most)
	if err != nil {
		return nil // the process ended
	}
	return text
}
