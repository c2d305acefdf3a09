package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// picture is the state of the home and of the folder for temporary files: names, modes,
// dates and bytes of all but Winnow's own folder and the folders around that.
func (h *filledHome) picture() string {
	h.t.Helper()
	var out strings.Builder
	for _, root := range []string{h.home, h.temp} {
		h.check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path == h.state():
				return fs.SkipDir
			case strings.HasPrefix(h.state(), path+string(filepath.Separator)):
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			sum := ""
			if info.Mode().IsRegular() {
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				sum = fmt.Sprintf("%x", sha256.Sum256(raw))
			}
			fmt.Fprintln(&out, path, info.Mode(), info.Size(), info.ModTime().Format(time.RFC3339Nano), sum)
			return nil
		}))
	}
	return out.String()
}

// same fails when the home is not as it was.
func (h *filledHome) same(before, after string) {
	h.t.Helper()
	was := strings.Split(before, "\n")
	is := strings.Split(after, "\n")
	for _, line := range was {
		if !slices.Contains(is, line) {
			h.t.Errorf("was: %s", line)
		}
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			h.t.Errorf("is:  %s", line)
		}
	}
}

// alongside runs jobs on all processors.
func alongside[T any](jobs []T, run func(T)) {
	queue := make(chan T)
	var working sync.WaitGroup
	for range runtime.NumCPU() {
		working.Go(func() {
			for job := range queue {
				run(job)
			}
		})
	}
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	working.Wait()
}

// looks are the commands that only look, for a home with these stores.
func looks(stores []listed) (all [][]string) {
	all = [][]string{
		{"stores"}, {"stores", "--json"}, {"stores", "--findings"}, {"stores", "--long"}, {"stores", "--system", "kimchi"},
		{"search", "--all", "deploy"}, {"search", "--all", "database", "--json"}, {"rules"},
		{"audit", "--stores"}, {"audit", "--stores", "--json"}, {"audit", "."}, {"doctor"}, {"--plain"},
	}
	for _, s := range stores {
		for _, args := range [][]string{
			{"list", "--json", "--across"}, {"show", ":1"}, {"show", ":1", "--raw"}, {"doctor"}, {"history"},
			{"recall", "deploy the shop"}, {"rm", ":1", "--dry-run"}, {"guard", "--once"}, {"audit"},
		} {
			all = append(all, append(args, "--store", s.Store))
		}
	}
	return all
}

// TestHomeIsAsItWasAfterEveryLook runs all commands that only look, on all stores of a
// home with all systems.
func TestHomeIsAsItWasAfterEveryLook(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	before := h.picture()
	stores := h.stores()
	if len(stores) < 18 {
		t.Errorf("only %d stores are found: %+v", len(stores), stores)
	}
	var mu sync.Mutex
	tally := map[int]int{}
	alongside(sampled(looks(stores)), func(args []string) {
		o := h.run(args...)
		mu.Lock()
		defer mu.Unlock()
		tally[o.status]++
		allowed := map[string][]int{"audit": {0, 1}, "doctor": {0, 1, 4}, "rm": {0, 1}, "recall": {0, 1}}[args[0]]
		switch {
		case strings.Contains(o.out+o.err, "goroutine ") || strings.Contains(o.err, "panic"):
			t.Errorf("winnow %q crashes:\n%s%s", args, o.out, o.err)
		case o.status != 0 && !slices.Contains(allowed, o.status):
			t.Errorf("winnow %q: status %d: %s", args, o.status, o.err)
		case o.status == 1 && args[0] != "audit" && args[0] != "doctor" && o.err == "":
			t.Errorf("winnow %q fails and does not say why", args)
		case slices.Contains(args, "--json") && !json.Valid([]byte(o.out)):
			t.Errorf("winnow %q prints no JSON: %.300s", args, o.out)
		}
	})
	t.Logf("%d stores, statuses %v", len(stores), tally)
	h.same(before, h.picture())
	if left, _ := os.ReadDir(h.state()); len(left) > 0 {
		t.Errorf("a look made %v in %s", left, h.state())
	}
}

// TestHomeIsNotWrittenToByAnyCall follows the system calls of looks at all stores: no
// file of the home is opened for writing, made, renamed or removed, no lock is taken on
// one and nobody is called.
func TestHomeIsNotWrittenToByAnyCall(t *testing.T) {
	long(t)
	t.Parallel()
	strace := needStrace(t)
	h := newHousehold(t)
	program, err := built()
	h.check(err)
	h.program = program
	stores := h.stores()
	jobs := [][]string{{"stores"}, {"search", "--all", "deploy"}, {"audit", "--stores"}}
	for _, s := range stores {
		jobs = append(jobs, []string{"recall", "deploy", "--store", s.Store})
		if strings.HasSuffix(s.Path, ".db") {
			jobs = append(jobs, []string{"list", "--store", s.Store})
		}
	}
	logs := t.TempDir()
	var mu sync.Mutex
	number := 0
	alongside(jobs, func(args []string) {
		mu.Lock()
		number++
		log := filepath.Join(logs, fmt.Sprint(number))
		mu.Unlock()
		cmd := h.command(args...)
		cmd.Args = append([]string{strace, "-f", "-qq", "-e", "trace=%network,%file,ftruncate,fchmod,fchown,flock,fcntl", "-e", "signal=none", "-o", log}, cmd.Args...)
		cmd.Path = strace
		ended(cmd)
		raw, err := os.ReadFile(log)
		if err != nil {
			t.Error(err)
			return
		}
		for _, call := range forbiddenCalls(string(raw)) {
			t.Errorf("winnow %q: %s", args, call)
		}
		for line := range strings.Lines(string(raw)) {
			if strings.Contains(line, "F_SETLK") || strings.Contains(line, " flock(") {
				t.Errorf("winnow %q takes a lock: %s", args, line)
			}
		}
	})
}
