package kimchi

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/compare"
	"winnow/core/entries"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// where is where blocks go.
const where = "system prompt"

// mostHits is the number of entries that a recall lists. Its blocks hold all of them.
const mostHits = 2000

// side is one of the two files, as a session that starts now would get it.
type side struct {
	path    string
	state   filestore.File
	entries []string
	ids     []memory.ID
	head    string // of its block
	shown   []shownEntry
	off     string // the setting that keeps it out of sessions
}

// shownEntry is an entry as it appears in a block.
type shownEntry struct {
	of   int // index among the entries
	text string
	note string
}

// sideOf returns what a session gets of one of the files in this state. It gets nothing of a file
// that is missing, has no entries, or cannot be read.
func (s *store) sideOf(path string, f filestore.File, l limits) side {
	out := side{path: path, state: f, off: l.offSetting(path)}
	if f.Problem != nil {
		return out
	}
	n := s.d.split(f.Text)
	met := map[memory.ID]int{}
	for i := range n.Spans {
		raw := n.Raw(i)
		id := entries.ID(raw)
		met[id]++
		out.ids = append(out.ids, entries.Numbered(id, met[id]))
		out.entries = append(out.entries, s.d.text(raw))
	}
	if entries, readable := s.d.loaded(f.Text); readable && out.off == "" {
		out.head, out.shown = s.d.render(entries, l.limitOf(path), filepath.Base(path))
	}
	return out
}

// write appends what is shown of the file to a text. The names of its parts begin with name.
func (sd *side) write(t *instructions.Text, name string) {
	t.WriteString(sd.head)
	for i, e := range sd.shown {
		t.WriteString(system.Say(i > 0, delimiter))
		t.Add(
			memory.Part{Name: name + "entry " + strconv.Itoa(i+1), ID: sd.ids[e.of], Path: sd.path, Note: e.note},
			e.text,
		)
	}
}

// text returns what is shown of the file.
func (sd *side) text() *instructions.Text {
	var t instructions.Text
	sd.write(&t, "")
	return &t
}

// block returns the block of the file.
func (sd *side) block() memory.Block {
	return sd.text().Block(where, cmp.Or(system.Say(isUser(sd.path), "USER PROFILE"), "MEMORY"))
}

// joinedBlock returns what both files add after the system prompt.
func joinedBlock(sides []side) memory.Block {
	var t instructions.Text
	for i := range sides {
		if sd := &sides[i]; len(sd.shown) > 0 {
			t.WriteString("\n\n")
			sd.write(&t, filepath.Base(sd.path)+" ")
		}
	}
	return t.Block(where, "end of the system prompt")
}

// Recall implements [system.Recaller]. Nothing is selected: the contents of the files at the start
// of a session follow its system prompt, whatever the task, and stay there until the session ends.
func (s *store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	l, odd := s.d.limits(s.Path)
	mine := s.sideOf(s.Path, s.Read(s.Path), l)
	if p := mine.state.Problem; p != nil && p.Code != quietread.CodeMissing {
		return memory.Recall{}, fmt.Errorf("recall from %s: %w", s.Path, p)
	}
	r := memory.Recall{Task: t, Block: mine.block()}
	sides, other := s.pair(mine, l)
	if b := other.block(); b.Text != "" {
		r.Also = []memory.Block{b}
	}
	r.Prompt = joinedBlock(sides)
	s.hits(&r, &mine)
	r.Notes = s.notes(&mine, odd)
	r.LastSession = s.lastSession(sides)
	return r, ctx.Err()
}

// pair returns the two files in the order in which they are injected, and the one that is not mine.
// A file that is not part of a pair is returned alone.
func (s *store) pair(mine side, l limits) (both []side, other side) {
	path := sibling(s.Path)
	if path == "" {
		return []side{mine}, side{}
	}
	if other = s.sideOf(path, s.Read(path), l); isUser(s.Path) {
		return []side{other, mine}, other
	}
	return []side{mine, other}, other
}

// hits lists all the entries that are injected, each text once.
func (s *store) hits(r *memory.Recall, sd *side) {
	n := s.d.split(sd.state.Text)
	for i, e := range sd.shown[:min(len(sd.shown), mostHits)] {
		rec := s.d.record(n.Raw(e.of), e.of+1)
		r.Hits = append(r.Hits, memory.Hit{
			ID: sd.ids[e.of], Line: e.of + 1, Rank: i + 1, Recalled: true,
			Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets,
		})
	}
	all := len(sd.shown)
	r.Found, r.Limit, r.Searched = all, all, len(sd.entries)
	if len(r.Hits) == 0 {
		file := filepath.Base(sd.path)
		r.Empty = cmp.Or(
			system.Say(sd.state.Problem != nil, "There is no "+file+": nothing of it is in the system prompt."),
			system.Say(
				sd.off != "",
				"config.yaml switches "+file+" off by "+sd.off+": nothing of it is in the system prompt.",
			),
			system.Say(len(sd.entries) > 0, s.d.name+" cannot read the file, as it is no UTF-8."),
			"The file holds no entries: nothing of it is in the system prompt.",
		)
	}
}

// notes says what the block does not show.
func (s *store) notes(sd *side, settings string) []string {
	twice := len(sd.entries) - len(sd.shown)
	return system.Notes(
		settings,
		"Every session gets all entries of the files, whatever the task is.",
		system.Say(
			twice > 0 && len(sd.shown) > 0,
			fmt.Sprintf("Duplicate entries, which the block shows once: %d.", twice),
		),
		system.Say(
			sd.state.Cut,
			fmt.Sprintf(
				"The file is larger than %d KiB: the block shows its beginning, and a session gets all of it.",
				mostRead>>10,
			),
		),
		system.Say(s.d.scans, "Hermes shows "+blockedSays+" in place of an entry in which its scan finds a threat. "+
			"Winnow has the patterns of autumn 2026; other versions have others."),
		system.Say(
			s.d.id == id,
			"Only Kimchi's branch feature/memory-layer reads these files; no released version does.",
		),
	)
}

// lastSession returns what the newest running session has: the files as they were when it started.
func (s *store) lastSession(sides []side) *memory.LastSession {
	all := s.running()
	if len(all) == 0 {
		return nil
	}
	newest := slices.MaxFunc(all, func(a, b memory.Running) int { return a.Since.Compare(b.Since) })
	last := &memory.LastSession{
		Session: fmt.Sprintf("pid %d", newest.PID), At: newest.Since, Running: true,
		Source: "the time at which it started, and those of the files",
	}
	var changed []string
	for i := range sides {
		if sides[i].changedSince(newest.Since) {
			changed = append(changed, filepath.Base(sides[i].path))
		}
	}
	switch b := joinedBlock(sides); {
	case newest.Since.IsZero():
		last.Unknown = "The system does not say when the session started."
	case len(changed) > 0:
		last.Unknown = strings.Join(changed, " and ") +
			" changed since the session started. It still has the earlier text."
	case b.Text != "":
		last.Blocks = []memory.Block{b}
	}
	return last
}

// changedSince reports whether the file may have changed since a session started.
func (sd *side) changedSince(start time.Time) bool {
	at := sd.state.ModTime
	return !at.IsZero() && !at.Before(start.Add(-startGrain))
}

// earlier implements [system.Info.Earlier]. It returns what a session got that started when the
// file held text. The other file must not have changed since.
func (s *store) earlier(last memory.LastSession, now memory.Recall, text string) memory.LastSession {
	l, _ := s.d.limits(s.Path)
	sides, other := s.pair(s.sideOf(s.Path, filestore.File{Text: text}, l), l)
	if other.changedSince(last.At) {
		return last
	}
	last.Unknown = ""
	if b := joinedBlock(sides); b.Text != "" {
		last.Blocks = []memory.Block{b}
	}
	last.Differs = compare.Differences(last.Blocks, []memory.Block{now.Prompt})
	return last
}

// startGrain is the precision of a session's known start time.
const startGrain = time.Second

// render returns the header of the block for a file with these entries, and the entries after it,
// each text once. name is the name of the file.
func (d *dialect) render(entries []string, limit int, name string) (head string, all []shownEntry) {
	seen := map[string]bool{}
	var texts []string
	for i, e := range entries {
		if seen[e] {
			continue
		}
		seen[e] = true
		text := d.shown(e, name)
		all = append(all, shownEntry{i, text, system.Say(text != e, "blocked by its scan")})
		texts = append(texts, text)
	}
	if len(all) == 0 {
		return "", nil
	}
	title := cmp.Or(system.Say(isUser(name), "USER PROFILE (who the user is) ["), "MEMORY (your personal notes) [")
	return rule + "\n" + title + d.usage(d.length(strings.Join(texts, delimiter)), limit) + "]\n" + rule + "\n", all
}

// shown returns an entry as it appears in the block.
func (d *dialect) shown(entry, name string) string {
	if !d.scans || strings.HasPrefix(entry, "[BLOCKED:") {
		return entry
	}
	found := d.threats(entry)
	if len(found) == 0 {
		return entry
	}
	return fmt.Sprintf(
		"[BLOCKED: %s entry contained threat pattern(s): %s. Removed from system prompt; use memory(action=remove) to delete the original.]",
		name,
		strings.Join(found, ", "),
	)
}
