package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// calls are the system calls that have to do with files.
const calls = "openat,read,pread64,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat," +
	"readlinkat,newfstatat,fstat,statx,fchmod,fchmodat,fchown,fchownat,ftruncate,close,flock,fcntl,lseek,getdents64," +
	"faccessat,faccessat2,flistxattr,fgetxattr,fsetxattr,fstatfs,statfs"

// needStrace skips where strace cannot be used.
func needStrace(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace here")
	}
	if out, err := exec.Command(path, "-o", os.DevNull, "-e", "trace=openat", "-e", "inject=openat:error=EIO:when=9999", "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not be used here: %s", out)
	}
	return path
}

// call is the n-th call of a system call by one thread.
type call struct {
	name string
	n    int
	// cuts is set where a kill leaves other files than a kill at the call before: that one may change files, or this.
	cuts bool
}

func (c call) String() string { return fmt.Sprintf("%s %d", c.name, c.n) }

var (
	callName = regexp.MustCompile(`(?m)^(\w+)\(.*`)
	// writes are the calls that may change a file or its place, let others see that, or take a lock.
	writes = regexp.MustCompile(
		`^(p?write|f(data)?sync|rename|link|unlink|rmdir|mkdir|fch|ftrunc|flock|fsetx)|O_CREAT|O_TRUNC`,
	)
)

// callsOf returns the calls that a case makes, as strace counts them.
func (s *repeatedCase) callsOf(strace string) ([]call, error) {
	if err := s.reset(); err != nil {
		return nil, err
	}
	log := filepath.Join(s.home, "log")
	if o := s.traced(strace, "-o", log, "-e", "trace="+calls); !s.succeeded(o) {
		return nil, fmt.Errorf("%s with strace: status %d, %s", s.name, o.status, o.err)
	}
	raw, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	var all []call
	changed := true
	for _, m := range callName.FindAllSubmatch(raw, -1) {
		name := string(m[1])
		counts[name]++
		changes := writes.Match(m[0])
		all = append(all, call{name: name, n: counts[name], cuts: changes || changed})
		changed = changes
	}
	return all, nil
}

// traced does the case with strace and its options.
func (s *repeatedCase) traced(strace string, options ...string) outcome {
	args := append([]string{"-qq"}, options...)
	args = append(append(append(args, s.program), s.args...), "--store", s.store)
	return s.run(strace, args...)
}

// each runs jobs on all processors. The first error of each case is reported.
func each[T any](t *testing.T, jobs []T, run func(worker int, job T) error) {
	t.Helper()
	queue := make(chan T)
	var working sync.WaitGroup
	for w := range runtime.NumCPU() {
		working.Go(func() {
			for job := range queue {
				if err := run(w, job); err != nil {
					t.Errorf("%v: %v", job, err)
				}
			}
		})
	}
	for _, job := range jobs {
		if t.Failed() {
			break
		}
		queue <- job
	}
	close(queue)
	working.Wait()
}

// stages prepares a case for each processor.
func stages(t *testing.T, d changeCase, program string) []*repeatedCase {
	t.Helper()
	var all []*repeatedCase
	seen := &pictures{all: map[string]bool{}}
	for range runtime.NumCPU() {
		s, err := newRepeatedCase(d, t.TempDir(), program)
		if err != nil {
			t.Fatal(err)
		}
		s.seen = seen
		all = append(all, s)
	}
	return all
}

// every takes each step-th of the jobs, beginning where the seed says.
func every[T any](jobs []T, step int) []T {
	var some []T
	for i := int(*seed % uint64(step)); i < len(jobs); i += step {
		some = append(some, jobs[i])
	}
	return some
}

// sampled returns all jobs when the campaigns are at a thirtieth or more, each fourth when they are at less, and
// otherwise each 26th: of the commands on one store others than on the next.
func sampled[T any](jobs []T) []T {
	switch {
	case step() == 0:
		return every(jobs, 26)
	case isSmall():
		return every(jobs, 4)
	}
	return jobs
}

// kills returns the calls at which a change is killed: all behind and before which files may differ in a full campaign
// and in a tenth, and a tenth of those between, which leave what the next one leaves.
func kills(found []call) (all []call) {
	var cuts, between []call
	for _, c := range found {
		if c.cuts {
			cuts = append(cuts, c)
		} else {
			between = append(between, c)
		}
	}
	return append(every(cuts, max(1, step()/10)), every(between, 10*step())...)
}

// TestCampaignKilledAtAnyCall kills every kind of change at every system call that may
// change a file, and at some of the others: the store is the old or the new one.
func TestCampaignKilledAtAnyCall(t *testing.T) {
	t.Parallel()
	eachDeed(t, func(t *testing.T, strace string, all []*repeatedCase, found []call) {
		var mu sync.Mutex
		tally := map[string]int{}
		jobs := kills(found)
		each(t, jobs, func(worker int, c call) error {
			made, missed, err := all[worker].killedAt(strace, c)
			mu.Lock()
			defer mu.Unlock()
			tally[map[bool]string{true: "new", false: "old"}[made]]++
			if missed {
				tally["not reached"]++
			}
			return err
		})
		t.Logf("%d of %d calls: %v; %d different states", len(jobs), len(found), tally, len(all[0].seen.all))
		if tally["not reached"] > len(jobs)/10+1 {
			t.Errorf("too many calls were not reached: %v", tally)
		}
	})
}

// eachDeed runs test for every kind of change, with stages to do it on and the system
// calls about files that it makes.
func eachDeed(t *testing.T, test func(t *testing.T, strace string, all []*repeatedCase, found []call)) {
	share(t, 1)
	strace := needStrace(t)
	program, err := exec.LookPath("winnow-pinned")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range changeCases() {
		t.Run(d.name, func(t *testing.T) {
			all := stages(t, d, program)
			found, err := all[0].callsOf(strace)
			if err != nil {
				t.Fatal(err)
			}
			test(t, strace, all, found)
		})
	}
}

// killedAt does the case, kills it at a call, and looks at what is left.
func (s *repeatedCase) killedAt(strace string, c call) (made, missed bool, err error) {
	if err := s.reset(); err != nil {
		return false, false, err
	}
	o := s.traced(
		strace,
		"-o",
		os.DevNull,
		"-e",
		"trace="+c.name,
		"-e",
		fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", c.name, c.n),
	)
	if strings.HasPrefix(o.err, "it hangs") {
		return false, false, errors.New(o.err)
	}
	missed = o.status >= 0
	if missed && !s.succeeded(o) {
		return false, true, fmt.Errorf("status %d, %s", o.status, o.err)
	}
	made, err = s.recovered(c.n)
	return made, missed, err
}
