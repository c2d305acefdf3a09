package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mostMemory is what an audit of any input may take, in MB.
const mostMemory = 40

// hostile is an input that no agent writes.
type hostile struct {
	name  string
	write func(a *audited)
	args  []string
	// status is what the audit ends with, says a pattern for what it prints.
	status int
	says   string
	// secrets is how many lines of secrets it finds.
	secrets int
	// large inputs are tried where everything is.
	large bool
}

// TestHostileInputIsSaidOrRead audits what is no file of memories. It ends, says what it
// left out, and finds the secret beside or in it.
func TestHostileInputIsSaidOrRead(t *testing.T) {
	t.Parallel()
	key := "gh" + "p_" + "iWQx81bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2"
	for _, h := range hostiles(key) {
		t.Run(h.name, func(t *testing.T) {
			if h.large {
				long(t)
			}
			a := newAudited(t)
			h.write(a)
			args := h.args
			if args == nil {
				args = []string{"."}
			}
			args = append([]string{"audit"}, args...)
			o, memory := outcome{}, 0.0
			if isLong() {
				o, memory = a.peak(args...)
			} else {
				o = a.run(args...)
			}
			said := o.out + o.err
			if o.status != h.status || !regexp.MustCompile(h.says).MatchString(said) {
				t.Errorf("status %d, want %d and %q in\n%.2000s", o.status, h.status, h.says, said)
			}
			if strings.Contains(said, "goroutine ") || strings.Contains(said, "the program stopped") ||
				strings.Contains(said, key[6:16]) {
				t.Errorf("it says\n%.2000s", said)
			}
			if memory > mostMemory {
				t.Errorf("it took %.1f MB", memory)
			}
			if h.status == 2 {
				return
			}
			if list := secrets(a.findings(args[1:]...)); len(list) != h.secrets {
				t.Errorf("%d secrets, want %d: %+v", len(list), h.secrets, list)
			}
		})
	}
}

// repeat writes a file of n bytes of a repeated piece, and what is at its end.
func repeat(a *audited, name string, n int, piece, end string) {
	f, err := os.Create(a.path(name))
	if err != nil {
		a.t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for n > 0 {
		w.WriteString(piece)
		n -= len(piece)
	}
	w.WriteString(end)
	if err := w.Flush(); err != nil {
		a.t.Fatal(err)
	}
}

func sparse(a *audited, name string) {
	a.write(name, "# notes\n")
	if err := os.Truncate(a.path(name), 5<<30); err != nil {
		a.t.Skipf("no sparse file can be made here: %v", err)
	}
}

func hostiles(key string) []hostile {
	note := "key " + key + "\n"
	beside := func(a *audited) { a.write("MEMORY.md", note) }
	both := func(more func(a *audited)) func(a *audited) {
		return func(a *audited) { beside(a); more(a) }
	}
	return []hostile{
		{
			name:   "missing",
			write:  func(*audited) {},
			args:   []string{"gone/memory.jsonl"},
			status: 2,
			says:   `gone/memory\.jsonl`,
		},
		{
			name:    "missing beside another",
			write:   beside,
			args:    []string{"gone", "MEMORY.md"},
			status:  1,
			says:    `gone`,
			secrets: 1,
		},
		{name: "empty file", write: func(a *audited) { a.write("MEMORY.md", "") }, says: `.`},
		{name: "empty folder", write: func(*audited) {}, status: 2, says: `nothing to read`},
		{
			name:    "folder called as a store",
			write:   both(func(a *audited) { os.Mkdir(a.path("memory.jsonl"), 0o700) }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:    "FIFO",
			write:   both(func(a *audited) { makePipe(a.path("memory.jsonl")) }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:   "FIFO by name",
			write:  func(a *audited) { makePipe(a.path("memory.jsonl")) },
			args:   []string{"memory.jsonl"},
			status: 2,
			says:   `memory\.jsonl`,
		},
		{
			name:    "link to a device",
			write:   both(func(a *audited) { os.Symlink("/dev/zero", a.path("CLAUDE.md")) }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{name: "device by name", write: func(*audited) {}, args: []string{"/dev/zero"}, status: 2, says: `/dev/zero`},
		{
			name:    "link to itself",
			write:   both(func(a *audited) { os.Symlink("CLAUDE.md", a.path("CLAUDE.md")) }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:    "folders that link in a ring",
			write:   both(func(a *audited) { os.Mkdir(a.path("d"), 0o700); os.Symlink("..", a.path("d/up")) }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:   "link out of the folder",
			write:  func(a *audited) { os.Symlink("/etc/passwd", a.path("MEMORY.md")) },
			status: 2,
			says:   `leads out of what was audited`,
		},
		{
			name:    "sparse file of 5 GB",
			write:   both(func(a *audited) { sparse(a, "CLAUDE.md") }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
			large:   true,
		},
		{
			name:    "line of 100 MB",
			write:   func(a *audited) { repeat(a, "MEMORY.md", 100<<20, "use the cache before the network ", note) },
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
			large:   true,
		},
		{name: "1,000,000 lines", write: func(a *audited) {
			repeat(a, "MEMORY.md", 50<<20, "- use the cache before the network, it is faster\n", note)
		}, status: 1, says: `MEMORY\.md:\d{7}`, secrets: 1, large: true},
		{
			name:    "NUL",
			write:   func(a *audited) { a.write("MEMORY.md", "a\x00b\n"+note) },
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:    "only NUL",
			write:   both(func(a *audited) { a.write("CLAUDE.md", strings.Repeat("\x00", 1<<20)) }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:    "invalid UTF-8",
			write:   func(a *audited) { a.write("MEMORY.md", "\xff\xfea\xc3(\xed\xa0\x80\xf8\x88\n"[2:]+note) },
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{name: "lesson with invalid UTF-8", write: func(a *audited) {
			a.write("memory.jsonl", strings.Replace(lessonLine("a", "x\xff", 1), "Completed", "\xc3(key "+key, 1))
		}, status: 1, says: `memory\.jsonl`, secrets: 1},
		{name: "odd UTF-16", write: func(a *audited) { a.write("MEMORY.md", "\xff\xfea\x00\x00") }, says: `.`},
		{
			name:    "half a lesson",
			write:   func(a *audited) { a.write("memory.jsonl", `{"lesson_id":"a","lesson":"key `+key) },
			status:  1,
			says:    `memory\.jsonl`,
			secrets: 1,
		},
		{
			name:    "nested 100,000 deep",
			write:   func(a *audited) { a.write("memory.jsonl", strings.Repeat(`{"a":[`, 50_000)+"\n"+note) },
			status:  1,
			says:    `memory\.jsonl`,
			secrets: 1,
		},
		{
			name:    "folders 200 deep",
			write:   func(a *audited) { a.write(strings.Repeat("d/", 200)+"MEMORY.md", note) },
			status:  1,
			says:    `.`,
			secrets: 1,
		},
		{
			name:    "escapes in a name",
			write:   func(a *audited) { a.write("\x1b[2J\u202ed/MEMORY.md", note) },
			status:  1,
			says:    `^[^\x1b\x{202e}]*$`,
			secrets: 1,
		},
		{
			name:    "line end in a name",
			write:   func(a *audited) { a.write("a\nclean: b/MEMORY.md", note) },
			status:  1,
			says:    `(?m)^[^\n]*a[^\n]+clean`,
			secrets: 1,
		},
		{name: "10,000 files", write: func(a *audited) {
			for i := range 10_000 {
				a.write("d"+strconv.Itoa(i/100)+"/f"+strconv.Itoa(i)+".md", "use the cache\n")
			}
			a.write("d7/MEMORY.md", note)
		}, args: []string{"--all-text", "."}, status: 1, says: `MEMORY\.md`, secrets: 1, large: true},
		{
			name:    "broken git folder",
			write:   both(func(a *audited) { a.write(".git/HEAD", "nonsense\n"); a.write(".git/index", "\x00\x01") }),
			status:  1,
			says:    `MEMORY\.md`,
			secrets: 1,
		},
		{
			name:    "history without git",
			write:   beside,
			args:    []string{"--history", "."},
			status:  1,
			says:    `(?i)git`,
			secrets: 1,
		},
	}
}

// TestUnreadableFileIsSaid audits what may not be read: what is beside it is found, and
// the status says that not all was seen.
func TestUnreadableFileIsSaid(t *testing.T) {
	long(t)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	g := openSandbox(t, program)
	with := asOtherUser(t, &g)
	key := "gh" + "p_" + "iWQx81bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2"
	for name, mode := range map[string]os.FileMode{"CLAUDE.md": 0o000, "MEMORY.md": 0o644} {
		if err := os.WriteFile(filepath.Join(g.dir, name), []byte("key "+key+"\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(
		with[0],
		append(append([]string{}, with[1:]...), filepath.Join(filepath.Dir(g.home), "winnow"), "audit", ".")...)
	cmd.Dir, cmd.Env = g.dir, g.env()
	o := ended(cmd)
	if o.status != 1 ||
		!regexp.MustCompile(`CLAUDE\.md.*permission denied|permission denied.*CLAUDE\.md`).MatchString(o.out+o.err) ||
		!strings.Contains(o.out, "MEMORY.md") {
		t.Errorf("status %d\n%s%s", o.status, o.out, o.err)
	}
}
