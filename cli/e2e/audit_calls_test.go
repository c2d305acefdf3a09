package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"winnow/core/audit/audittest"
)

// TestAuditWritesNothingAndCallsNobody follows the system calls of audits: none opens a
// socket, and none changes a file. The folder, git's own files in it and the home are
// after them as they were before.
func TestAuditWritesNothingAndCallsNobody(t *testing.T) {
	long(t)
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace here")
	}
	a := newAudited(t)
	items := audittest.Corpus(41)
	a.write("sessions/memory.jsonl", string(audittest.Lessons(items).Data))
	a.write("MEMORY.md", string(audittest.Markdown(items).Data))
	a.git("init", "-q")
	a.git("add", "MEMORY.md")
	a.git("commit", "-q", "-m", "notes")
	a.write("MEMORY.md", a.read("MEMORY.md")+"more\n")
	a.git("add", "MEMORY.md")
	before := stateBelow(t, a.dir, a.home, a.temp)
	log := filepath.Join(t.TempDir(), "calls")
	a.before = []string{
		strace,
		"-f",
		"-qq",
		"-e",
		"trace=%network,%file,ftruncate,fchmod,fchown,write",
		"-e",
		"signal=none",
		"-s",
		"8",
		"-o",
		log,
	}
	for _, args := range [][]string{{"."}, {".", "--history"}, {".", "--staged"}, {".", "--all-text", "--json"}} {
		if o := a.run(append([]string{"audit"}, args...)...); o.status != 1 {
			if strings.Contains(o.err, "ptrace") || strings.Contains(o.err, "strace:") {
				t.Skipf("strace may not be used here: %s", o.err)
			}
			t.Errorf("winnow audit %q: status %d\n%s", args, o.status, o.err)
		}
		raw, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range forbiddenCalls(string(raw)) {
			t.Errorf("winnow audit %q: %s", args, call)
		}
		if after := stateBelow(t, a.dir, a.home, a.temp); after != before {
			t.Errorf("winnow audit %q changed something:\n%s\nbefore:\n%s", args, after, before)
		}
	}
}

var (
	// A call of the network, or one that changes what is on a disk.
	changing = regexp.MustCompile(
		`\b(?:socket|socketpair|connect|bind|sendto|sendmsg|rename\w*|unlink\w*|mkdir\w*|rmdir|link\w*|symlink\w*|mknod\w*|truncate|ftruncate|\w*chmod\w*|\w*chown\w*|utime\w*|\w*setxattr)\(.*`,
	)
	opening = regexp.MustCompile(`\bopen\w*\((?:AT_FDCWD, |\d+, )?"([^"]*)"[^=]*(?:O_WRONLY|O_RDWR|O_CREAT)`)
)

// forbiddenCalls are the calls in a trace that an audit must not make. /dev/null and /dev/tty
// may be opened for writing; readlink changes nothing.
func forbiddenCalls(trace string) (calls []string) {
	for line := range strings.Lines(trace) {
		if m := opening.FindStringSubmatch(line); m != nil && m[1] != "/dev/null" && m[1] != "/dev/tty" {
			calls = append(calls, strings.TrimSpace(line))
		}
		if changing.MatchString(line) && !strings.Contains(line, "readlink") {
			calls = append(calls, strings.TrimSpace(line))
		}
	}
	return calls
}

func TestForbiddenCallsAreSeen(t *testing.T) {
	for line, want := range map[string]int{
		`12 openat(AT_FDCWD, "/x/MEMORY.md", O_RDONLY|O_CLOEXEC) = 3`:       0,
		`12 openat(AT_FDCWD, "/dev/null", O_WRONLY) = 3`:                    0,
		`12 openat(AT_FDCWD, "/x/a", O_WRONLY|O_CREAT, 0600) = 3`:           1,
		`12 socket(AF_INET, SOCK_STREAM, 0) = 3`:                            1,
		`12 renameat2(AT_FDCWD, "/a", AT_FDCWD, "/b", RENAME_EXCHANGE) = 0`: 1,
		`12 readlinkat(AT_FDCWD, "/a", "b", 128) = 1`:                       0,
		`12 fchmodat(AT_FDCWD, "/a", 0600) = 0`:                             1,
	} {
		if got := len(forbiddenCalls(line + "\n")); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}
