package kimchi

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// where says where blocks go.
const where = "system prompt"

// mostHits is how many entries a recall lists; its blocks have all of them.
const mostHits = 2000

// side is one of the two files, as a session that starts now would get it.
type side struct {
	path    string
	state   filestore.File
	entries []string
	ids     []memory.ID
	block   rendered
	off     string // the setting that keeps it out of sessions
}

// look reads one of the files. Its block is empty when the file is missing, holds no
// entries, or cannot be read.
func (s *Store) look(path string, l limits) side {
	return s.sideOf(path, read(path), l)
}

// sideOf returns what is made of one of the files in a state.
func (s *Store) sideOf(path string, f filestore.File, l limits) side {
	out := side{path: path, state: f}
	if f.Problem != nil {
		return out
	}
	n := s.d.split(f.Text)
	names := namer{}
	for i := range n.spans {
		raw := n.raw(i)
		id := idOf(raw)
		names[id]++
		out.ids = append(out.ids, numbered(id, names[id]))
		out.entries = append(out.entries, s.d.text(raw))
	}
	entries, _ := s.d.loaded(f.Text)
	if out.off = l.off(path); out.off == "" {
		out.block = s.d.render(entries, l.of(path), filepath.Base(path))
	}
	return out
}

// blockOf returns the block of a file as it is shown.
func (sd *side) blockOf() memory.Block {
	name := cmp.Or(system.Say(isUser(sd.path), "USER PROFILE"), "MEMORY")
	return annotate.Block(where, name, sd.block.text, sd.block.memoryParts(sd.ids, sd.path)...)
}

// Recall implements [system.Recaller]. Nothing is chosen: what the files hold when a
// session starts is put behind its system prompt, whatever the task is, and stays there
// until the session ends.
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	if err := ctx.Err(); err != nil {
		return memory.Recall{}, err
	}
	l, odd := s.d.limits(s.path)
	mine := s.look(s.path, l)
	if p := mine.state.Problem; p != nil && p.Code != quietread.CodeMissing {
		return memory.Recall{}, fmt.Errorf("recall from %s: %w", s.path, p)
	}
	r := memory.Recall{Task: t, Block: mine.blockOf()}
	sides, other := s.pair(mine, l)
	if b := other.blockOf(); b.Text != "" {
		r.Also = []memory.Block{b}
	}
	r.Prompt = together(sides)
	s.hits(&r, &mine)
	r.Notes = s.notes(&mine, odd)
	r.LastSession = s.lastSession(sides)
	return r, ctx.Err()
}

// pair returns the two files in the order in which they are injected, and the other of them;
// only the file itself where it is none of a pair.
func (s *Store) pair(mine side, l limits) (both []side, other side) {
	path := sibling(s.path)
	if path == "" {
		return []side{mine}, side{}
	}
	if other = s.look(path, l); isUser(s.path) {
		return []side{other, mine}, other
	}
	return []side{mine, other}, other
}

// together returns what is put behind the system prompt of both files.
func together(sides []side) memory.Block {
	text := ""
	var parts []memory.Part
	for i := range sides {
		sd := &sides[i]
		if sd.block.text == "" {
			continue
		}
		text += "\n\n"
		for _, p := range sd.block.memoryParts(sd.ids, sd.path) {
			p.Start, p.End = p.Start+len(text), p.End+len(text)
			p.Name = filepath.Base(sd.path) + " " + p.Name
			parts = append(parts, p)
		}
		text += sd.block.text
	}
	return annotate.Block(where, "end of the system prompt", text, parts...)
}

// hits lists the entries that are injected: all of them, each text once.
func (s *Store) hits(r *memory.Recall, sd *side) {
	n := s.d.split(sd.state.Text)
	for i, p := range sd.block.parts[:min(len(sd.block.parts), mostHits)] {
		rec := s.d.record(n.raw(p.of), p.of+1)
		r.Hits = append(r.Hits, memory.Hit{
			ID: sd.ids[p.of], Line: p.of + 1, Rank: i + 1, Recalled: true,
			Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets,
		})
	}
	all := len(sd.block.parts)
	r.Found, r.Limit, r.Searched = all, all, len(sd.entries)
	if len(r.Hits) == 0 {
		file := filepath.Base(sd.path)
		r.Empty = cmp.Or(
			system.Say(sd.state.Problem != nil, "There is no "+file+": nothing of it is in the system prompt."),
			system.Say(sd.off != "", "config.yaml switches "+file+" off by "+sd.off+": nothing of it is in the system prompt."),
			system.Say(len(sd.entries) > 0, s.d.name+" cannot read the file, as it is no UTF-8."),
			"The file holds no entries: nothing of it is in the system prompt.")
	}
}

// notes says what the block does not show.
func (s *Store) notes(sd *side, settings string) []string {
	twice := len(sd.entries) - len(sd.block.parts)
	return system.Notes(settings,
		"Every session gets all entries of the files, whatever the task is.",
		system.Say(twice > 0 && len(sd.block.parts) > 0, fmt.Sprintf("Duplicate entries, which the block shows once: %d.", twice)),
		system.Say(sd.state.Cut, fmt.Sprintf("The file is larger than %d KiB: the block shows its beginning, and a session gets all of it.", mostRead>>10)),
		system.Say(s.d.scans, "Hermes shows "+blockedSays+" in place of an entry in which its scan finds a threat. "+
			"Winnow has the patterns of autumn 2026; other versions have others."),
		system.Say(s.d.id == ID, "Only Kimchi's branch feature/memory-layer reads these files; no released version does."))
}

// lastSession says what the newest of the running sessions has: the files as they were when
// it started.
func (s *Store) lastSession(sides []side) *memory.LastSession {
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
	switch b := together(sides); {
	case newest.Since.IsZero():
		last.Unknown = "The system does not say when the session started."
	case len(changed) > 0:
		last.Unknown = strings.Join(changed, " and ") + " changed since the session started. It still has the earlier text."
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

// earlier is [system.Info.Earlier]: what a session got that started when the file held
// text. The other file must not have changed since.
func (s *Store) earlier(last memory.LastSession, now memory.Recall, text string) memory.LastSession {
	l, _ := s.d.limits(s.path)
	sides, other := s.pair(s.sideOf(s.path, filestore.File{Text: text}, l), l)
	if other.changedSince(last.At) {
		return last
	}
	last.Unknown = ""
	if b := together(sides); b.Text != "" {
		last.Blocks = []memory.Block{b}
	}
	last.Differs = compare.Differences(last.Blocks, []memory.Block{now.Prompt})
	return last
}

// startGrain is how well the start of a session is known.
const startGrain = time.Second

// rendered is a block as it gets into the system prompt, and where the entries stand
// in it.
type rendered struct {
	text  string
	parts []place
}

// place is where an entry stands in a block. Of is its index among the entries that
// were handed in.
type place struct {
	of, start, end int
	note           string
}

// render returns the block of a file with these entries, as they are read. It is empty
// without any. Name is that of the file.
func (d *dialect) render(entries []string, limit int, name string) (out rendered) {
	var content strings.Builder
	seen := map[string]bool{}
	for i, e := range entries {
		if seen[e] {
			continue
		}
		seen[e] = true
		if content.Len() > 0 {
			content.WriteString(delimiter)
		}
		p := place{of: i, start: content.Len()}
		shown := d.shown(e, name)
		if shown != e {
			p.note = "blocked by its scan"
		}
		content.WriteString(shown)
		p.end = content.Len()
		out.parts = append(out.parts, p)
	}
	if len(out.parts) == 0 {
		return rendered{}
	}
	text := content.String()
	title := cmp.Or(system.Say(isUser(name), "USER PROFILE (who the user is) ["), "MEMORY (your personal notes) [")
	head := rule + "\n" + title + d.usage(d.length(text), limit) + "]\n" + rule + "\n"
	for i := range out.parts {
		out.parts[i].start += len(head)
		out.parts[i].end += len(head)
	}
	out.text = head + text
	return out
}

// shown returns an entry as it stands in the block.
func (d *dialect) shown(entry, name string) string {
	if !d.scans || strings.HasPrefix(entry, "[BLOCKED:") {
		return entry
	}
	found := d.threats(entry)
	if len(found) == 0 {
		return entry
	}
	return fmt.Sprintf("[BLOCKED: %s entry contained threat pattern(s): %s. Removed from system prompt; use memory(action=remove) to delete the original.]",
		name, strings.Join(found, ", "))
}

// parts returns the places of a block as parts of it. IDs are those of the entries.
func (r rendered) memoryParts(ids []memory.ID, path string) (all []memory.Part) {
	for i, p := range r.parts {
		all = append(all, memory.Part{
			Name: fmt.Sprintf("entry %d", i+1), ID: ids[p.of], Path: path, Start: p.start, End: p.end, Note: p.note,
		})
	}
	return all
}
