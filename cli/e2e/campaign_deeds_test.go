package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/curate"
	"winnow/core/memory"
)

// changeCase is one kind of change, with what comes before it.
type changeCase struct {
	name    string
	lines   []string
	before  [][]string // commands that prepare
	theirs  bool       // another writer then brings the lines back
	args    []string
	back    string // the command that takes it back, empty for none
	undoing bool   // guard, whose status says that something was undone
}

// secret looks like one, and is none.
const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

// changeCases are all kinds of changes.
func changeCases() []changeCase {
	var some, full []string
	for i := 1; i <= 6; i++ {
		some = append(some, lessonLine(fmt.Sprintf("a%d", i), fmt.Sprintf("Deploy the docs %d", i), i))
	}
	for i := range 100 {
		full = append(full, lessonLine(fmt.Sprintf("f%d", i), fmt.Sprintf("Task number %d", i), 1+i%7))
	}
	leaky := append([]string{lessonLine("s1", "Log in with "+secret, 2)}, some...)
	rm := []string{"rm", "a3"}
	return []changeCase{
		{name: "rm", lines: some, args: rm, back: "undo"},
		{name: "edit", lines: some, args: []string{"edit", "a3", "--set", "lesson=Changed."}, back: "undo"},
		{
			name:  "add",
			lines: some,
			args:  []string{"add", "--set", "task_summary=New", "--set", "lesson=Text.", "--set", "outcome=failed"},
			back:  "undo",
		},
		{name: "merge", lines: some, args: []string{"merge", "a3", "a4", "--yes"}, back: "undo"},
		{name: "pin", lines: some, args: []string{"pin", "a3"}},
		{name: "prune", lines: some, args: []string{"prune", "--keep", "3", "--yes"}, back: "undo"},
		{name: "repair", lines: append([]string{"null\n"}, some...), args: []string{"repair", "--yes"}, back: "undo"},
		{name: "repair of a full store", lines: full, args: []string{"repair", "--yes"}, back: "undo"},
		{name: "redact", lines: leaky, args: []string{"redact", "s1", "--yes"}},
		{
			name:    "redact again",
			lines:   leaky,
			before:  [][]string{{"redact", "s1", "--yes"}},
			theirs:  true,
			args:    []string{"guard", "--once", "--reapply"},
			undoing: true,
		},
		{name: "undo", lines: some, before: [][]string{rm}, args: []string{"undo"}, back: "redo"},
		{name: "redo", lines: some, before: [][]string{rm, {"undo"}}, args: []string{"redo"}, back: "undo"},
		{
			name:   "restore",
			lines:  some,
			before: [][]string{{"edit", "a2", "--set", "lesson=Changed."}, rm},
			args:   []string{"restore", "1", "--yes"},
			back:   "undo",
		},
		{name: "commit", lines: some, args: []string{"recall", "--commit", "deploy docs"}, back: "undo"},
		{
			name:    "reapply",
			lines:   some,
			before:  [][]string{rm},
			theirs:  true,
			args:    []string{"guard", "--once", "--reapply"},
			back:    "undo",
			undoing: true,
		},
	}
}

// repeatedCase is a case that can be tried again and again, each time from the start.
type repeatedCase struct {
	changeCase
	sandbox
	program string
	state   map[string][]byte // the history as it was before, by name
	old     string            // the store before
	new     string            // and after, made equal
	seen    *pictures         // what kills left
}

// newRepeatedCase prepares a case below dir, and does it once to know what it leads to.
func newRepeatedCase(d changeCase, dir, program string) (*repeatedCase, error) {
	g, err := newSandbox(dir, d.lines...)
	if err != nil {
		return nil, err
	}
	s := &repeatedCase{changeCase: d, sandbox: g, program: program, state: map[string][]byte{}}
	for _, args := range d.before {
		if o := s.do(args...); o.status != 0 {
			return nil, fmt.Errorf("prepare %s: winnow %s: status %d, %s", d.name, args[0], o.status, o.err)
		}
	}
	if d.theirs {
		if err := os.WriteFile(g.store, []byte(strings.Join(d.lines, "")), 0o644); err != nil {
			return nil, err
		}
	}
	names, _ := filepath.Glob(filepath.Join(s.folder(), "*"))
	for _, name := range names {
		if s.state[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	s.old = s.now()
	if o := s.do(d.args...); !s.succeeded(o) {
		return nil, fmt.Errorf("%s: status %d, %s", d.name, o.status, o.err)
	}
	s.new = equal(s.now())
	if d.name != "pin" && s.new == equal(s.old) {
		return nil, fmt.Errorf("%s changed nothing", d.name)
	}
	return s, nil
}

// succeeded reports whether the case says that it was done.
func (s *repeatedCase) succeeded(o outcome) bool {
	return o.status == 0 || s.undoing && o.status == 1 && !strings.Contains(o.err, "winnow: ")
}

// folder is where the history of the store is.
func (s *repeatedCase) folder() string {
	return curate.Folder(filepath.Join(s.home, ".local", "state", "winnow"), memory.StoreID(s.store))
}

// do runs a command on the store.
func (s *repeatedCase) do(args ...string) outcome {
	return s.run(s.program, append(args, "--store", s.store)...)
}

func (s *repeatedCase) now() string {
	raw, err := os.ReadFile(s.store)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// reset makes everything as it was before the case.
func (s *repeatedCase) reset() error {
	for _, name := range append(s.leftovers(), s.home) {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		return err
	}
	if len(s.state) > 0 {
		if err := os.MkdirAll(s.folder(), 0o700); err != nil {
			return err
		}
	}
	for name, raw := range s.state {
		if err := os.WriteFile(filepath.Join(s.folder(), name), raw, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(s.store, []byte(s.old), 0o644)
}

// chance is what differs from run to run: new ids, and times of now.
var chance = regexp.MustCompile(
	`"last_retrieved_at":"[^"]*"|"created_at":"[^"]*"|"[0-9a-f]{8}-[0-9a-f-]{27}"|"session_id":"[^"]*"`,
)

// equal returns a store without what differs from run to run.
func equal(store string) string { return chance.ReplaceAllString(store, "~") }

// nextRuns are the commands that may change a store or its history and that a person may start after a crash.
func nextRuns() [][]string {
	return [][]string{
		{"undo"},
		{"guard", "--once"},
		{"redo"},
		{"rm", "a1", "--yes"},
		{"restore", "1", "--yes"},
	}
}

// lookRuns are commands that only look, and so finish nothing.
func lookRuns() [][]string {
	return [][]string{{"history"}, {"list"}, {"undo", "--dry-run"}, {"redo", "--dry-run"}}
}

// finishing finishes or takes back what a crash interrupted, and changes nothing else. Its status is 1
// when the guard has something to say.
func finishing() []string { return []string{"guard", "--once"} }

// looksWriteNothing runs what only looks after a kill.
func (s *repeatedCase) looksWriteNothing() error {
	before, beside := s.now(), s.leftovers()
	for _, args := range lookRuns() {
		o := s.do(args...)
		if o.status != 0 && o.status != 3 && !strings.Contains(o.err, "a change was interrupted") {
			return fmt.Errorf("%s: status %d, %s", args, o.status, o.err)
		}
		if s.now() != before || !slices.Equal(s.leftovers(), beside) {
			return fmt.Errorf("%s changes what a kill left: %q beside it, was %q", args, s.leftovers(), beside)
		}
	}
	return nil
}

// answersAfterACrash runs each command on what a kill left, and again on the same after
// guard, which finishes or takes back what was interrupted: both answer alike.
func (s *repeatedCase) answersAfterACrash(commands [][]string) error {
	left, finished := s.beside("left"), s.beside("finished")
	defer os.RemoveAll(left)
	defer os.RemoveAll(finished)
	if err := s.keep(left); err != nil {
		return err
	}
	if o := s.do(finishing()...); o.status > 1 {
		return fmt.Errorf("guard: status %d, %s", o.status, o.err)
	}
	if err := s.keep(finished); err != nil {
		return err
	}
	for _, args := range commands {
		if err := s.bringBack(finished); err != nil {
			return err
		}
		want, wantStore := s.do(args...), equal(s.now())
		if err := s.bringBack(left); err != nil {
			return err
		}
		got := s.do(args...)
		if files := s.leftovers(); len(files) > 0 {
			return fmt.Errorf("files are left after %s: %q", args, files)
		}
		if alike(got) != alike(want) || equal(s.now()) != wantStore {
			return fmt.Errorf("%s answers %+v, and after guard %+v; the store is\n%s, and after guard\n%s",
				args, got, want, s.now(), wantStore)
		}
	}
	return s.bringBack(left)
}

// beside returns a place for a copy of the sandbox.
func (s *repeatedCase) beside(name string) string { return filepath.Join(filepath.Dir(s.dir), name) }

// keep makes a copy of the sandbox.
func (s *repeatedCase) keep(in string) error {
	for _, dir := range []string{s.dir, s.home} {
		if err := copyWithModes(filepath.Join(in, filepath.Base(dir)), dir); err != nil {
			return err
		}
	}
	return nil
}

// bringBack puts a copy of the sandbox in its place.
func (s *repeatedCase) bringBack(left string) error {
	for _, dir := range []string{s.dir, s.home} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := copyWithModes(dir, filepath.Join(left, filepath.Base(dir))); err != nil {
			return err
		}
	}
	return nil
}

// copyWithModes copies a folder. Winnow does not trust state that other users may read, and os.CopyFS
// alone would make it so.
func copyWithModes(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return os.Chmod(filepath.Join(to, name), info.Mode().Perm())
	})
}

// alike returns an outcome without what differs from run to run.
func alike(o outcome) string {
	return clock.ReplaceAllString(equal(fmt.Sprintf("%d\n%s\n%s", o.status, o.out, o.err)), "~")
}

// clock is a time as commands print it.
var clock = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|\b\d+s ago|\bnow\b`)

// recovered looks at what a kill left: the store is the old or the new one, what only looks writes nothing, the
// command that is run next answers as if nothing was left, the history opens, the next start clears away, and what was
// done can be taken back. Kills that left the same are looked at once, with every command; from a thirtieth on the turn
// chooses the next command, unless the change was made, and kills are alike only if it is the same.
func (s *repeatedCase) recovered(turn int) (made bool, err error) {
	left := s.now()
	made = equal(left) == s.new
	if left != s.old && !made {
		return false, fmt.Errorf("the store is neither the old nor the new one:\n%s", left)
	}
	picture, err := s.picture()
	if err != nil {
		return made, err
	}
	next := nextRuns()
	if isBrief := step() >= 30; isBrief && !made {
		next = next[turn%len(next):][:1]
		picture += next[0][0]
	}
	if !s.seen.isNew(picture) {
		return made, nil
	}
	if err := s.looksWriteNothing(); err != nil {
		return made, err
	}
	if err := s.answersAfterACrash(next); err != nil {
		return made, err
	}
	return made, s.isTakenBack(left, made)
}

// isTakenBack clears away what a kill left of a change, opens the history, and takes the change back if it was made.
func (s *repeatedCase) isTakenBack(left string, made bool) error {
	if o := s.do(finishing()...); o.status > 1 {
		return fmt.Errorf("guard: status %d, %s", o.status, o.err)
	}
	if o := s.do("history"); o.status != 0 || strings.Contains(o.err, "interrupted") {
		return fmt.Errorf("history: status %d, %s", o.status, o.err)
	}
	if files := s.leftovers(); len(files) > 0 {
		return fmt.Errorf("files are left after the next start: %q", files)
	}
	if s.now() != left {
		return fmt.Errorf("the next start changes the store from\n%s to\n%s", left, s.now())
	}
	if !made || s.name == "pin" {
		return nil
	}
	if s.back == "" {
		return s.forgotten()
	}
	if o := s.do(s.back); o.status != 0 {
		return fmt.Errorf("%s: status %d, %s", s.back, o.status, o.err)
	}
	if back := s.now(); back != s.old {
		return fmt.Errorf("%s leads to\n%s, want\n%s", s.back, back, s.old)
	}
	return nil
}

// pictures are what kills of one kind of change left.
type pictures struct {
	mu  sync.Mutex
	all map[string]bool
}

// isNew reports whether no kill left that before, and notes it.
func (p *pictures) isNew(picture string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.all[picture]
	p.all[picture] = true
	return !was
}

// byRun is what differs from run to run in what is kept about a store: checksums, times, and names of temporary files.
var byRun = regexp.MustCompile(`(?m)^[0-9a-f]{8} |\d{4}-\d\d-\d\dT[0-9:.]+Z|\.winnow-[0-9a-f]{16}`)

// drawn is what chance decides, as keys and ids, and what follows from it, as digests. It differs from run to run too,
// but which of them are equal does not.
var drawn = regexp.MustCompile(
	`\b(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8}-[0-9a-f-]{27})\b|"hint":\d+`,
)

// picture returns all that is beside the store and in the home, its modes too, without what differs from run to run.
// What is drawn is numbered in the order in which it first appears.
func (s *repeatedCase) picture() (string, error) {
	all := sha256.New()
	root := filepath.Dir(s.dir)
	numbers := map[string]int{}
	numbered := func(text string) string {
		if numbers[text] == 0 {
			numbers[text] = len(numbers) + 1
		}
		return fmt.Sprintf("~%d", numbers[text])
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var raw []byte
		if info.Mode().IsRegular() {
			if raw, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		places := strings.NewReplacer(filepath.Base(s.folder()), "~", root, "~") // another for each processor
		name, text := places.Replace(path), places.Replace(equal(string(raw)))
		name, text = byRun.ReplaceAllString(name, "~"), byRun.ReplaceAllString(text, "~")
		text = drawn.ReplaceAllStringFunc(text, numbered)
		fmt.Fprintf(all, "%s %v %q\n", name, info.Mode(), text)
		return nil
	})
	return hex.EncodeToString(all.Sum(nil)), err
}

// forgotten looks for the secret in all that is kept.
func (s *repeatedCase) forgotten() error {
	return filepath.WalkDir(filepath.Dir(s.home), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(raw), secret) {
			err = fmt.Errorf("%s holds what was redacted", path)
		}
		return err
	})
}
