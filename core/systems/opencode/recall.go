package opencode

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

const (
	systemPrompt = "system prompt"
	toolResult   = "tool result"
)

// Recall implements [system.Recaller]. It returns the texts in the system prompt of a session that
// starts in the task's folder, and those that come with the files it reads. The scope of the task
// can name the version 1.3.2.
func (s *Instructions) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r := memory.Recall{Task: t}
	m := s.m
	m.old = t.Scope == version13
	start := s.StartOf(t)
	o := m.opening(start)
	if why := o.settings.refused; why != "" {
		r.Stop = &memory.Problem{Code: "refused", What: "OpenCode does not start here. " + why, Hint: "correct the settings file"}
		return r, ctx.Err()
	}
	pieces := make([]piece, 0, len(o.files)+len(o.urls))
	for _, f := range o.files {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		p, text := startPiece(f, m.old)
		pieces = append(pieces, p)
		if s.owns(f) && p.text != "" {
			s.hit(&r, f, text)
		}
	}
	for _, u := range o.urls {
		pieces = append(pieces, piece{name: "address", path: u.text, unread: true, note: "not read: Winnow makes no network call"})
	}
	r.Block = s.joined("", pieces, "\n", "").Block(systemPrompt, "instructions")
	r.Also = s.withReads(&o, m, t)
	r.Searched = len(o.files)
	r.Notes = s.recallNotes(&o, m.old, start)
	if r.Block.Text == "" && len(o.urls) == 0 {
		r.Empty = "OpenCode finds no instructions for a session that starts here."
	}
	r.LastSession = s.lastReceived(ctx, start, &r)
	return r, ctx.Err()
}

// startPiece returns the piece for a file, and the file as read. Only the old version keeps a byte
// order mark.
func startPiece(f found, old bool) (piece, filestore.File) {
	file := filestore.Read(f.path, instructions.MostFile)
	p := piece{name: f.how, path: f.path, text: jstext.DecodeString(file.Text)}
	if !old {
		p.text = strings.TrimPrefix(p.text, "\ufeff")
	}
	switch {
	case f.by.text != "":
		p.note = "named by " + f.by.text
	case file.Cut:
		p.note = fmt.Sprintf("first 512 KiB of %d bytes; OpenCode sends all", file.Size)
	}
	return p, file
}

// hit lists a file that a session gets at its start.
func (s *Instructions) hit(r *memory.Recall, f found, text filestore.File) {
	s.Hit(r, f.path, kindInstructions, text.Text)
	if f.how == asConfig {
		h := &r.Hits[len(r.Hits)-1]
		h.Kind, h.Why = kindConfig, "at every start: named by "+f.by.text
	}
}

// withReads returns what comes with the files that the task names: one block for each file that
// brings something.
func (s *Instructions) withReads(o *opening, m machine, t memory.Task) (blocks []memory.Block) {
	if o.folder == "" {
		return nil
	}
	already := map[string]bool{}
	for _, target := range t.Files {
		if !filepath.IsAbs(target) {
			target = filepath.Join(o.folder, target)
		}
		var pieces []piece
		for _, path := range o.nested(m, filepath.Clean(target), already) {
			p, _ := startPiece(found{path: path, how: "nested instructions"}, m.old)
			pieces = append(pieces, p)
		}
		name := target
		if rel, err := filepath.Rel(o.folder, target); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
		}
		blocks = append(blocks, s.joined(reminderBegin, pieces, "\n\n", reminderEnd).Block(toolResult, "end of the read of "+name))
	}
	return slices.DeleteFunc(blocks, func(b memory.Block) bool { return len(b.Parts) == 0 })
}

// recallNotes says what the texts do not show.
func (s *Instructions) recallNotes(o *opening, old bool, start string) []string {
	var silent, unread []string
	for _, e := range o.silent {
		silent = append(silent, e.text)
	}
	for _, odd := range o.settings.unusable {
		unread = append(unread, odd.path+" cannot be used. "+odd.why)
	}
	for _, f := range o.files {
		if file := filestore.Read(f.path, 1); file.Problem != nil && file.Problem.Code != quietread.CodeMissing {
			unread = append(unread, "OpenCode cannot read "+f.path+" and treats it as empty. "+file.Problem.What)
		}
	}
	return system.Notes(slices.Concat([]string{
		system.Say(old, "This is the order of version 1.3.2: project files come before the global one."),
		system.Say(!old, "This is the order of version "+version118+". In version 1.3.2 the project files come before the global one: choose it as the scope."),
		system.Say(len(o.urls) > 0, fmt.Sprintf("OpenCode fetches addresses for every prompt and puts their texts at the end: %d of them. "+
			"Winnow does not know the texts. OpenCode leaves one out that fails within 5 seconds.", len(o.urls))),
		system.Say(start == "", "These files apply to every project. Name a folder to see what a session there gets."),
		system.Say(len(silent) > 0, "Patterns that match no file: "+strings.Join(silent, ", ")+"."),
	}, unread, []string{
		"OpenCode's own prompt and its description of the machine come before this block, and its skills after it.",
	})...)
}

// heading comes before each text of instructions, followed by its path and a line end.
const heading = "Instructions from: "

// The block of nested instructions at the end of what the read tool returns.
const (
	reminderBegin = "<system-reminder>\n"
	reminderEnd   = "\n</system-reminder>"
)

// piece is one text of instructions.
type piece struct {
	name, path string
	text       string // empty: the piece is left out
	note       string
	// unread is set for an entry that is fetched: it is named, but its text is unknown.
	unread bool
}

// joined returns the text made of the pieces. Pieces without a text are left out. Unread ones
// become empty parts.
func (s *Instructions) joined(before string, pieces []piece, between, after string) *instructions.Text {
	all := &instructions.Text{ID: s.Here}
	all.WriteString(before)
	for _, p := range pieces {
		text := heading + p.path + "\n" + p.text
		switch {
		case p.unread:
			text = ""
		case p.text == "":
			continue
		case all.Len() > len(before):
			all.WriteString(between)
		}
		all.Add(memory.Part{Name: p.name, Path: p.path, Note: p.note}, text)
	}
	all.WriteString(after)
	return all
}
