package kimchi

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/entries"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Snapshot implements [system.Snapshotter]. The file is small, so it is read as a whole and no
// partial snapshot is sent.
func (s *store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	snap, f := s.summary()
	if f.Problem == nil && snap.Problem == nil {
		snap.Records = s.RecordsOf(&f)
	}
	return snap, ctx.Err()
}

// Summary implements [system.Summarizer].
func (s *store) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap, _ := s.summary()
	return snap, ctx.Err()
}

// summary reads the file, and returns its snapshot without records.
func (s *store) summary() (memory.Snapshot, filestore.File) {
	f := s.Read(s.Path)
	n := s.d.split(f.Text)
	snap := s.outline(&f, n)
	if f.Problem == nil {
		snap.Health = s.health(&f, n, &snap)
	}
	return snap, f
}

// outline returns the snapshot of the store without records.
func (s *store) outline(f *filestore.File, n entries.File) memory.Snapshot {
	snap := memory.Snapshot{
		Place:   s.Info().Place,
		TakenAt: s.Now(),
		Noun:    noun(),
		Problem: f.Problem,
		Total:   len(n.Spans),
	}
	snap.Place.Exists = f.Problem == nil || f.Problem.Code != quietread.CodeMissing
	snap.Running = s.running()
	snap.Size, snap.Mode, snap.ModTime = f.Size, f.Mode, f.ModTime
	if len(snap.Running) > 0 {
		snap.Writer = fmt.Sprintf("%s runs, pid %d", s.d.name, snap.Running[0].PID)
	}
	if f.Problem != nil {
		return snap
	}
	l, _ := s.d.limits(s.Path)
	limit := l.limitOf(s.Path)
	entries := s.d.entries(f.Text)
	used := s.d.used(entries)
	name := filepath.Base(s.Path)
	snap.Usage = []memory.Usage{{Name: name, Used: used, Limit: limit, Text: s.d.usage(used, limit)}}
	snap.Facts = []memory.Fact{{Name: "limit", Text: s.d.amount(limit) + " chars"}}
	mine := s.sideOf(s.Path, *f, l)
	snap.Start = annotate.SizeOf(mine.text().String())
	if snap.Total == 0 {
		snap.Problem = &memory.Problem{
			Code: "empty", What: "There are no notes here yet: the file holds no entries.",
			Hint: "entries appear when an agent keeps something, and this screen then fills by itself",
		}
	}
	return snap
}

// health returns what there is to say about the store, the worst first.
func (s *store) health(f *filestore.File, n entries.File, snap *memory.Snapshot) []memory.Health {
	name := s.d.name
	l, _ := s.d.limits(s.Path)
	_, readable := s.d.loaded(f.Text)
	off := l.offSetting(s.Path)
	lines := []memory.Health{
		system.When(!readable, "not-utf8", memory.Stop, 0,
			name+" cannot read the file: it holds bytes that are no UTF-8", "replace these bytes with an editor"),
		system.When(
			readable && !utf8.ValidString(f.Text),
			"not-utf8",
			memory.Warn,
			0,
			"the file holds bytes that are no UTF-8: the tool's next save makes U+FFFD of them for good",
			"replace these bytes with an editor",
		),
		system.When(
			f.Cut,
			"too-large",
			memory.Warn,
			0,
			fmt.Sprintf(
				"the file has %d KiB, of which the first %d are read here; all of it is injected",
				f.Size>>10,
				mostRead>>10,
			),
			"look at it with another program",
		),
		system.When(
			off != "",
			"off",
			memory.Note,
			0,
			"nothing of this file is injected: "+off+" in config.yaml is off",
			"switch it on there, if the notes are meant to be read",
		),
		system.When(s.d.refusesChanges(f.Text, l.limitOf(s.Path)), "drift", memory.Warn, 0,
			"Hermes refuses to replace or remove anything in this file: it is not what its tool would write, "+
				"or one entry is longer than the whole file may be",
			"leave one line with § between entries and nothing else, and shorten the long ones"),
		system.When(
			s.d.id == id && strings.Contains(f.Text, "\r\n§\r\n"),
			"crlf",
			memory.Warn,
			0,
			"the delimiters have the line ends of Windows: Kimchi does not see them and takes the file for fewer entries",
			"save the file with line ends of Unix",
		),
		system.When(
			s.d.id == id && strings.HasPrefix(f.Text, entries.Mark),
			"bom",
			memory.Note,
			0,
			"the file begins with a byte order mark, which the tool's next save drops or keeps as a character of the first entry",
			"save the file without one",
		),
	}
	for _, u := range snap.Usage {
		lines = append(lines,
			system.When(
				u.Used > u.Limit,
				"over-limit",
				memory.Warn,
				0,
				"over the limit: "+u.Text+". The tool adds nothing more, and a session still gets what stands there",
				"delete or shorten entries",
			),
			system.When(
				u.Used <= u.Limit && u.Used*10 >= u.Limit*9,
				"nearly-full",
				memory.Note,
				0,
				"nearly full: "+u.Text+". The tool refuses what does not fit",
				"delete or merge entries before an agent has to",
			))
	}
	return system.Report("nothing is wrong with these notes", slices.Concat(lines, s.content(n), s.leftovers())...)
}

// content says what is odd about the entries.
func (s *store) content(n entries.File) []memory.Health {
	var threats, twice, long []int
	seen := map[string]bool{}
	for i := range n.Spans {
		raw := n.Raw(i)
		if seen[raw] {
			twice = append(twice, i+1)
		}
		seen[raw] = true
		text := s.d.text(raw)
		if s.d.scan(text) != "" {
			threats = append(threats, i+1)
		}
		if s.d.mostScanned > 0 && s.d.length(text) > s.d.mostScanned {
			long = append(long, i+1)
		}
	}
	threat := "entries that its own tool would refuse: %d; they are in the system prompt all the same, since nothing is scanned there"
	again := "entries that stand there twice: %d; the block has them once, and they count against the limit"
	if s.d.scans {
		threat = "entries that its own scan finds something in: %d; its model sees " + blockedSays + " in their place"
		again = "entries that stand there twice: %d; the block has them once, and Hermes's next save too"
	}
	return []memory.Health{
		system.OnLines(
			threats,
			"threat",
			memory.Warn,
			fmt.Sprintf(threat, len(threats)),
			"read them, and delete what you did not write",
		),
		system.OnLines(
			long,
			"unscanned",
			memory.Warn,
			fmt.Sprintf("entries of more than %s characters: %d; Hermes scans the first %[1]s of each, "+
				"and injects the rest unscanned", s.d.amount(s.d.mostScanned), len(long)),
			"read them to the end",
		),
		system.OnLines(twice, "twice", memory.Note, fmt.Sprintf(again, len(twice)), "delete the second ones"),
	}
}

// leftovers reports what lies beside the file: leftovers of a crash, copies, and changes that wait
// for approval.
func (s *store) leftovers() []memory.Health {
	dir, name := filepath.Split(s.Path)
	temporary := func(n int) memory.Health {
		return system.When(
			n > 0,
			"left-over",
			memory.Note,
			0,
			fmt.Sprintf(
				"temporary files that interrupted saves left beside the notes: %d; each may hold a whole copy of them",
				n,
			),
			"look at them, then remove them while no agent runs",
		)
	}
	if s.d.id == Hermes {
		backups := count(dir, func(file string) bool { return strings.HasPrefix(file, name+".bak.") })
		pending := count(
			filepath.Join(dir, "..", "pending", "memory"),
			func(file string) bool { return strings.HasSuffix(file, ".json") },
		)
		return []memory.Health{
			system.When(
				backups > 0,
				"backups",
				memory.Note,
				0,
				fmt.Sprintf(
					"copies of the file that Hermes made when it refused to change it: %d (%s.bak.*)",
					backups,
					name,
				),
				"take over what is missing, then remove them",
			),
			temporary(count(dir, func(file string) bool { return strings.HasPrefix(file, ".mem_") })),
			system.When(
				pending > 0,
				"pending",
				memory.Note,
				0,
				fmt.Sprintf(
					"changes that wait for approval in pending/memory: %d; they are in no session until then",
					pending,
				),
				"approve or reject them in Hermes",
			),
		}
	}
	const abandoned = 10 * time.Second
	info, err := os.Lstat(s.Path + ".lock.lock")
	return []memory.Health{
		system.When(
			err == nil && info.IsDir() && s.Now().Sub(info.ModTime()) >= abandoned,
			"old-lock",
			memory.Note,
			0,
			"a lock is left over from a process that ended without giving it back: "+name+".lock.lock",
			"nothing: the next save takes it over",
		),
		temporary(count(dir, stale)),
	}
}

// count returns the number of names in a folder that of accepts. In a large folder it counts only
// among the first names.
func count(dir string, of func(name string) bool) int {
	const most = 500
	entries, _, _ := filestore.Names(dir, most)
	return len(slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !of(e.Name()) }))
}
