package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// errnos are the failures that are tried.
func errnos() []string {
	return []string{"EIO", "ENOSPC", "EACCES", "EROFS", "EDQUOT", "EINTR", "EMFILE"}
}

// fault is an error in place of a call.
type fault struct {
	call
	errno string
}

func (f fault) String() string { return f.errno + " of " + f.call.String() }

// TestCampaignFailuresChangeNothing lets every system call about files fail in seven
// ways, for every kind of change. Then it is not said that the change was made, the
// store is as it was and nothing is left beside it; or it was made all the same.
func TestCampaignFailuresChangeNothing(t *testing.T) {
	t.Parallel()
	eachDeed(t, func(t *testing.T, strace string, all []*repeatedCase, found []call) {
		var faults []fault
		for i, c := range found {
			for j := range errnos() {
				faults = append(faults, fault{c, errnos()[(i+j)%len(errnos())]})
			}
		}
		var mu sync.Mutex
		tally := map[string]int{}
		jobs := every(faults, step())
		each(t, jobs, func(worker int, f fault) error {
			what, err := all[worker].failing(strace, f)
			mu.Lock()
			defer mu.Unlock()
			tally[what]++
			return err
		})
		t.Logf("%d of %d faults: %v", len(jobs), len(faults), tally)
	})
}

// sentence is how an error is told: what was done, to what, and why; then what to do.
var sentence = regexp.MustCompile(`(?m)^winnow: [a-z][^\n]*: [^\n]+$`)

// failing does the case with a fault, and looks at what became of it.
func (s *repeatedCase) failing(strace string, f fault) (what string, err error) {
	if err := s.reset(); err != nil {
		return "", err
	}
	log := filepath.Join(s.home, "log")
	o := s.traced(strace, "-y", "-o", log, "-e", "trace=fsync,fdatasync,openat,close,"+f.name,
		"-e", fmt.Sprintf("inject=%s:error=%s:when=%d", f.name, f.errno, f.n))
	raw, err := os.ReadFile(log)
	if err != nil {
		return "", err
	}
	at := injected(string(raw))
	switch {
	case at == "":
		return "not reached", nil
	case strings.Contains(o.err, "runtime: unexpected error while checking standard file descriptor"),
		strings.Contains(o.err, "while loading shared libraries"):
		return "not even started", nil // what the loader and Go do before the program begins
	case o.status < 0 || strings.Contains(o.err, "goroutine ") || strings.Contains(o.err, "panic"):
		return "crash", fmt.Errorf("at %s: status %d, %s", at, o.status, o.err)
	}
	if again := syncedTwice(string(raw)); again != "" {
		return "second sync", fmt.Errorf("after %s: %s", at, again)
	}
	left := s.now()
	if files := s.leftovers(); len(files) > 0 {
		return "left", fmt.Errorf("at %s: files are left: %q (status %d, %s)", at, files, o.status, o.err)
	}
	if s.succeeded(o) {
		if equal(left) != s.new {
			return "wrong", fmt.Errorf("at %s: it says that it was done, and the store is\n%s\n(%s)", at, left, o.out)
		}
		return "done all the same", nil
	}
	ours := strings.Contains(at, s.dir) || strings.Contains(at, s.home)
	if !ours && equal(left) == s.new {
		return "done, and not told", nil // what failed is where it is told
	}
	if left != s.old {
		return "wrong", fmt.Errorf("at %s: status %d, and the store is\n%s\n(%s)", at, o.status, left, o.err)
	}
	if !sentence.MatchString(o.err) {
		return "no sentence", fmt.Errorf("at %s: status %d, it says %q", at, o.status, o.err)
	}
	if ours && !strings.Contains(o.err, "\nhint: ") {
		return "no hint", fmt.Errorf("at %s: status %d, it says %q", at, o.status, o.err)
	}
	return "refused", nil
}

// injected returns the line of a log with the fault.
func injected(log string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, "(INJECTED)") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

var syncCall = regexp.MustCompile(`^(fsync|fdatasync|close)\((\d+)`)

// syncedTwice returns the line of a log in which a descriptor is synced although that
// failed before.
func syncedTwice(log string) string {
	failed := map[string]bool{}
	for line := range strings.Lines(log) {
		m := syncCall.FindStringSubmatch(line)
		switch {
		case m == nil:
		case m[1] == "close":
			delete(failed, m[2])
		case failed[m[2]]:
			return strings.TrimSpace(line)
		case strings.Contains(line, " = -1 "):
			failed[m[2]] = true
		}
	}
	return ""
}
