package kimchi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// Snapshot implements [system.Snapshotter]. It reads the file as a whole, which is
// small, and shows nothing before.
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	s.folders.LookAt(atomicfile.OS(), s.path)
	f := read(s.path)
	n := s.d.split(f.Text)
	snap := s.outline(&f, n)
	if f.Problem != nil || snap.Problem != nil {
		return snap, ctx.Err()
	}
	s.remember(n)
	names := namer{}
	for i := range n.spans {
		if ctx.Err() != nil {
			return memory.Snapshot{}, ctx.Err()
		}
		snap.Records = append(snap.Records, s.entry(&f, n, i, names))
	}
	snap.Health = s.health(&f, n, &snap)
	return snap, ctx.Err()
}

// Summary implements [system.Summarizer].
func (s *Store) Summary(ctx context.Context) (memory.Snapshot, error) {
	f := read(s.path)
	n := s.d.split(f.Text)
	snap := s.outline(&f, n)
	if f.Problem == nil {
		snap.Health = s.health(&f, n, &snap)
	}
	return snap, ctx.Err()
}

// outline returns what is told of the store without its records.
func (s *Store) outline(f *filestore.File, n notes) memory.Snapshot {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: noun(), Problem: f.Problem, Total: len(n.spans)}
	snap.Place.Exists = f.Problem == nil || f.Problem.Code != quietread.CodeMissing
	snap.Running = s.running()
	snap.Size, snap.Mode, snap.ModTime = f.Size, f.Mode, f.ModTime
	if len(snap.Running) > 0 {
		snap.Writer = fmt.Sprintf("%s runs, pid %d", s.d.name, snap.Running[0].PID)
	}
	if f.Problem != nil {
		return snap
	}
	l, _ := s.d.limits(s.path)
	limit := l.of(s.path)
	entries := s.d.entries(f.Text)
	used := s.d.used(entries)
	name := filepath.Base(s.path)
	snap.Usage = []memory.Usage{{Name: name, Used: used, Limit: limit, Text: s.d.usage(used, limit)}}
	snap.Facts = []memory.Fact{{Name: "limit", Text: s.d.amount(limit) + " chars"}}
	if block := s.sideOf(s.path, *f, l).block; block.text != "" {
		snap.Start = annotate.SizeOf(block.text)
	}
	if snap.Total == 0 {
		snap.Problem = &memory.Problem{
			Code: "empty", What: "There are no notes here yet: the file holds no entries.",
			Hint: "entries appear when an agent keeps something, and this screen then fills by itself",
		}
	}
	return snap
}

// checkup collects what is to be said of a store.
type checkup struct{ all []memory.Health }

func (c *checkup) say(level memory.Level, code, what, next string, lines ...int) {
	const most = 20
	c.all = append(c.all, memory.Health{
		Code: code, Level: level, What: what, Next: next, Lines: lines[:min(len(lines), most)], Count: len(lines),
	})
}

// health returns what is to be said of the store, the worst first.
func (s *Store) health(f *filestore.File, n notes, snap *memory.Snapshot) []memory.Health {
	var c checkup
	name := s.d.name
	if _, readable := s.d.loaded(f.Text); !readable {
		c.say(memory.Stop, "not-utf8", name+" cannot read the file: it holds bytes that are no UTF-8", "replace these bytes with an editor")
	} else if !utf8.ValidString(f.Text) {
		c.say(memory.Warn, "not-utf8", "the file holds bytes that are no UTF-8: the tool's next save makes U+FFFD of them for good", "replace these bytes with an editor")
	}
	if f.Cut {
		c.say(memory.Warn, "too-large", fmt.Sprintf("the file has %d KiB, of which the first %d are read here; all of it is injected", f.Size>>10, mostRead>>10), "look at it with another program")
	}
	l, _ := s.d.limits(s.path)
	if off := l.off(s.path); off != "" {
		c.say(memory.Note, "off", "nothing of this file is injected: "+off+" in config.yaml is off", "switch it on there, if the notes are meant to be read")
	}
	s.fullness(&c, snap.Usage)
	if s.d.drifts(f.Text, l.of(s.path)) {
		c.say(memory.Warn, "drift", "Hermes refuses to replace or remove anything in this file: it is not what its tool would write, or one entry is longer than the whole file may be", "leave one line with § between entries and nothing else, and shorten the long ones")
	}
	if s.d.id == ID && strings.Contains(f.Text, "\r\n§\r\n") {
		c.say(memory.Warn, "crlf", "the delimiters have the line ends of Windows: Kimchi does not see them and takes the file for fewer entries", "save the file with line ends of Unix")
	}
	if strings.HasPrefix(f.Text, mark) && s.d.id == ID {
		c.say(memory.Note, "bom", "the file begins with a byte order mark, which the tool's next save drops or keeps as a character of the first entry", "save the file without one")
	}
	s.content(&c, n)
	s.leftovers(&c)
	if len(c.all) == 0 {
		c.say(memory.Good, "ok", "nothing is wrong with these notes", "")
	}
	return c.all
}

// fullness says how much room is left.
func (s *Store) fullness(c *checkup, usage []memory.Usage) {
	for _, u := range usage {
		switch {
		case u.Used > u.Limit:
			c.say(memory.Warn, "over-limit", "over the limit: "+u.Text+". The tool adds nothing more, and a session still gets what stands there", "delete or shorten entries")
		case u.Used*10 >= u.Limit*9:
			c.say(memory.Note, "nearly-full", "nearly full: "+u.Text+". The tool refuses what does not fit", "delete or merge entries before an agent has to")
		}
	}
}

// content says what is odd about entries.
func (s *Store) content(c *checkup, n notes) {
	var threats, twice, long []int
	seen := map[string]bool{}
	for i := range n.spans {
		raw := n.raw(i)
		if seen[raw] {
			twice = append(twice, i+1)
		}
		seen[raw] = true
		text := s.d.text(raw)
		if s.d.scan(text) != "" {
			threats = append(threats, i+1)
		}
		if s.d.mostScanned > 0 && len(text) > s.d.mostScanned && s.d.length(text) > s.d.mostScanned {
			long = append(long, i+1)
		}
	}
	if k := len(threats); k > 0 {
		what := "entries that its own tool would refuse: %d; they are in the system prompt all the same, since nothing is scanned there"
		if s.d.scans {
			what = "entries that its own scan finds something in: %d; its model sees " + blockedSays + " in their place"
		}
		c.say(memory.Warn, "threat", fmt.Sprintf(what, k), "read them, and delete what you did not write", threats...)
	}
	if k := len(long); k > 0 {
		c.say(memory.Warn, "unscanned", fmt.Sprintf("entries of more than %s characters: %d; Hermes scans the first %[1]s of each, and injects the rest unscanned", s.d.amount(s.d.mostScanned), k), "read them to the end", long...)
	}
	if k := len(twice); k > 0 {
		what := "entries that stand there twice: %d; the block has them once, and they count against the limit"
		if s.d.scans {
			what = "entries that stand there twice: %d; the block has them once, and Hermes's next save too"
		}
		c.say(memory.Note, "twice", fmt.Sprintf(what, k), "delete the second ones", twice...)
	}
}

// leftovers says what lies beside the file: what a crash left, copies, and changes that
// wait for approval.
func (s *Store) leftovers(c *checkup) {
	if s.d.id == Hermes {
		s.hermesLeftovers(c)
		return
	}
	const abandoned = 10 * time.Second
	lock := s.path + ".lock.lock"
	if info, err := os.Lstat(lock); err == nil && info.IsDir() && s.now().Sub(info.ModTime()) >= abandoned {
		c.say(memory.Note, "old-lock", "a lock is left over from a process that ended without giving it back: "+filepath.Base(lock), "nothing: the next save takes it over")
	}
	if left := count(filepath.Dir(s.path), stale); left > 0 {
		c.say(memory.Note, "left-over", fmt.Sprintf("temporary files that interrupted saves left beside the notes: %d; each may hold a whole copy of them", left), "look at them, then remove them while no agent runs")
	}
}

func (s *Store) hermesLeftovers(c *checkup) {
	dir, name := filepath.Dir(s.path), filepath.Base(s.path)
	if n := count(dir, func(file string) bool { return strings.HasPrefix(file, name+".bak.") }); n > 0 {
		c.say(memory.Note, "backups", fmt.Sprintf("copies of the file that Hermes made when it refused to change it: %d (%s.bak.*)", n, name), "take over what is missing, then remove them")
	}
	if n := count(dir, func(file string) bool { return strings.HasPrefix(file, ".mem_") }); n > 0 {
		c.say(memory.Note, "left-over", fmt.Sprintf("temporary files that interrupted saves left beside the notes: %d; each may hold a whole copy of them", n), "look at them, then remove them while no agent runs")
	}
	pending := filepath.Join(filepath.Dir(dir), "pending", "memory")
	if n := count(pending, func(file string) bool { return strings.HasSuffix(file, ".json") }); n > 0 {
		c.say(memory.Note, "pending", fmt.Sprintf("changes that wait for approval in pending/memory: %d; they are in no session until then", n), "approve or reject them in Hermes")
	}
}

// count returns how many names in a folder are of a kind; of a large folder, among its
// first names.
func count(dir string, of func(name string) bool) int {
	const most = 500
	entries, _, _ := filestore.Names(dir, most)
	n := 0
	for _, e := range entries {
		if of(e.Name()) {
			n++
		}
	}
	return n
}
