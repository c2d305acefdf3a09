package claudecode

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/annotate"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

var _ system.Recaller = (*store)(nil)

// maxChosen is the largest number of topics reported to be chosen for a session.
const maxChosen = 5

const estimate = "Claude's model chooses which topics it reads; the order here is a guess from the words that agree. What it chooses from, and all other texts, are exact."

// Recall implements [system.Recaller]. Its block is what is injected at the start of a session.
func (s *store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	out := memory.Recall{Task: t}
	cwd, notes := s.workingFolder(t)
	r, err := s.reading(ctx, cwd, true)
	if err != nil {
		return out, fmt.Errorf("recall from %s: %w", s.path, err)
	}
	cwd = cmp.Or(cwd, s.root)
	if r.gone != "" {
		out.Empty = "Nothing is injected. " + r.gone
		return out, ctx.Err()
	}
	out.Block = r.block()
	out.Notes = append(notes, r.notes(&out.Block)...)
	if s.sort != ofUser {
		r.rank(&out)
		out.Estimate = estimate
	}
	out.Also = append(
		out.Also, r.blocksWith(cwd, s.m.mentioned(t.Text, cwd), "message with the prompt, which names ")...,
	)
	out.Also = append(out.Also, r.blocksWith(cwd, t.Files, "message when a session reads the file ")...)
	out.Also = append(out.Also, r.caveats(out.Hits)...)
	out.Also = append(out.Also, r.subagents()...)
	if out.Block.Text == "" && len(out.Also) == 0 {
		out.Empty = "Nothing is injected: there are no instructions and no memories for a session here."
	}
	if s.sort != ofUser {
		if out.LastSession, err = r.lastReceived(ctx, &out.Block); err != nil {
			return out, fmt.Errorf("recall from %s: %w", s.path, err)
		}
	}
	return out, ctx.Err()
}

// workingFolder returns the folder in which a task's session starts, or "" for the root.
func (s *store) workingFolder(t memory.Task) (string, []string) {
	if t.Folder == "" || s.root == "" {
		return "", nil
	}
	dir := filepath.Clean(t.Folder)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.root, dir)
	}
	dir = filestore.Real(dir)
	switch own, inside := mainOf(dir), filestore.Within(s.root, dir); {
	case !inside && own == s.main:
		return dir, []string{fmt.Sprintf("%s is a work tree of the repository: instructions come from the work tree, and the memory is that of %s.", dir, s.main)}
	case !inside:
		return "", []string{
			fmt.Sprintf("%s is not in the project: this is what a session in %s gets.", t.Folder, s.root),
		}
	case own != s.main:
		return "", []string{
			fmt.Sprintf("%s is a project of its own (%s): this is what a session in %s gets.", t.Folder, own, s.root),
		}
	}
	return dir, nil
}

// piece is an injected text and its source.
type piece struct {
	name, path, label, text, note string
	id                            memory.ID
}

// name returns a readable name for the kind of an instruction file: "project rule".
func (d *doc) name() string {
	if d.layer == layerAbove {
		return d.kind + " " + d.layer
	}
	return d.layer + " " + d.kind
}

// pieces returns what is injected at the start, in order.
func (r *reading) pieces() []piece {
	var out []piece
	for _, d := range r.chain.docs {
		if !d.start {
			continue
		}
		p := piece{name: d.name(), path: d.Path, label: d.label, text: jstext.Trim(d.content)}
		if len(d.content) != len(d.Text) {
			p.note = "without its header and comments"
		}
		if r.isRecord(d) {
			p.id = r.s.id(d.Path)
		}
		out = append(out, p)
	}
	if x := r.usedIndex(); x != nil && x.Problem == nil {
		out = append(out, piece{
			name: "memory index", path: x.Path, label: labelMemory, text: asMemory(x.injected()),
			id: r.used().id(indexName), note: strings.Join(indexNotes(x), "; "),
		})
	}
	return slices.DeleteFunc(out, func(p piece) bool { return p.text == "" })
}

// indexNotes says what was done to an injected index.
func indexNotes(x *index) []string {
	n := lines(x.shown)
	return system.Notes(
		system.Say(x.made, "Claude Code writes it at the start of the session, since there is none"),
		system.Say(
			!x.made && x.loaded != jstext.Trim(strings.ReplaceAll(x.Text, "\r\n", "\n")),
			"without its header and comments",
		),
		system.Say(n < x.lineCount, fmt.Sprintf("first %d of %d lines, and a warning", n, x.lineCount)),
		system.Say(n >= x.lineCount && x.warning != "", "cut at 25,000 characters, with a warning"))
}

// block returns the text that starts a session, byte for byte.
func (r *reading) block() memory.Block {
	all := r.pieces()
	if len(all) == 0 {
		return memory.Block{}
	}
	var text strings.Builder
	text.WriteString(blockBegin)
	var parts []memory.Part
	for i, p := range all {
		if i > 0 {
			text.WriteString("\n\n")
		}
		text.WriteString("Contents of " + jstext.WellFormed(p.path) + p.label + ":\n\n")
		start := text.Len()
		text.WriteString(p.text)
		parts = append(
			parts, memory.Part{Name: p.name, ID: p.id, Path: p.path, Start: start, End: text.Len(), Note: p.note},
		)
	}
	text.WriteString("\n" + blockEnd)
	b := annotate.Block("first user message", blockName, text.String(), parts...)
	if x := r.usedIndex(); x != nil && x.warning != "" {
		end := parts[len(parts)-1].End
		b.Marks = append(b.Marks, memory.Mark{Kind: memory.MarkCut, Start: end, End: end, Note: "the index goes on"})
	}
	for _, p := range parts {
		b.Marks = append(b.Marks, frames(b.Text, p.Start, p.End)...)
	}
	slices.SortStableFunc(b.Marks, func(x, y memory.Mark) int { return x.Start - y.Start })
	return b
}

var tags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("<system-reminder>|" + blockEnd) })

// frames marks the tags of the block's frame that occur in a file which is not escaped.
func frames(text string, from, to int) (out []memory.Mark) {
	for _, at := range tags().FindAllStringIndex(text[from:to], -1) {
		out = append(
			out,
			memory.Mark{
				Kind: memory.MarkDelimiter, Start: from + at[0], End: from + at[1],
				Note: "the frame of the block, and not escaped",
			},
		)
	}
	return out
}

// notes say which parts of the block are not documented by a recording.
func (r *reading) notes(b *memory.Block) []string {
	if b.Text == "" {
		return nil
	}
	index := ""
	for _, p := range r.pieces() {
		if p.note != "" && p.label == labelMemory {
			index = "The memory index is not injected whole: " + p.note + "."
		}
	}
	return system.Notes(index,
		"This is the text that Claude Code 2.1.330 sends. Until about July 2026 the same files were under # claudeMd "+
			"in the block that begins \"As you answer the user's questions\".",
		"A block with the e-mail address and the state of git follows; it is not memory. All subagents but "+
			strings.Join(bareAgents[:], " and ")+" get this block too.",
		system.Say(r.s.sort != ofUser, r.memoryOff), r.chain.off)
}

// blocksWith returns what comes along with the files that a session reads or its prompt names, file by
// file: the instructions of the folders on the way to them, and rules whose globs match. Each comes
// once, in a block of its own. where says in which message, and ends before the name of the file.
func (r *reading) blocksWith(cwd string, files []string, where string) (out []memory.Block) {
	if r.chain.off != "" || r.s.root == "" {
		return nil
	}
	for _, f := range files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(cwd, f)
		}
		where := where + filepath.Base(f)
		docs := r.docsWith(cwd, filepath.Clean(f))
		hooked, docs := split(docs)
		for i, d := range docs {
			path := jstext.WellFormed(d.Path)
			head := "<system-reminder>\nContents of " + withTagsEscaped(path) + ":\n\n"
			content := withTagsEscaped(comesWithFile(path, d.content))
			text := head + content + "\n" + blockEnd
			if i+1 < len(docs) {
				text += "\n"
			}
			out = append(out, annotate.Block(where, filepath.Base(d.Path), text, r.partOf(d, len(head), len(content))))
		}
		if len(hooked) > 0 {
			out = append(out, r.hookBlock(where, hooked))
		}
	}
	return out
}

// partOf returns the part of a block that a file fills, from start on.
func (r *reading) partOf(d *doc, start, length int) memory.Part {
	part := memory.Part{Name: d.name(), Path: d.Path, Start: start, End: start + length}
	if r.isRecord(d) {
		part.ID = r.s.id(d.Path)
	}
	return part
}

// split returns the files that Claude Code's own hook adds, and the others.
func split(docs []*doc) (hooked, others []*doc) {
	for _, d := range docs {
		if d.byHook {
			hooked = append(hooked, d)
		} else {
			others = append(others, d)
		}
	}
	return hooked, others
}

// hookBlock returns the message in which AGENTS.md files of folders below come, as requests of 2.1.330 and
// 2.1.332 had it: one behind another, with the tags of a reminder escaped.
func (r *reading) hookBlock(where string, docs []*doc) memory.Block {
	const most = 100_000 // UTF-16 units
	var text strings.Builder
	var parts []memory.Part
	for i, d := range docs {
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString("Contents of " + jstext.WellFormed(d.Path) + ":\n\n")
		content := reminderTag().ReplaceAllStringFunc(d.content, func(tag string) string {
			if !strings.EqualFold(tag[len(tag)-len("reminder"):], "reminder") {
				return tag // a longer word
			}
			return "&lt;" + tag[1:]
		})
		parts = append(parts, r.partOf(d, text.Len(), len(content)))
		text.WriteString(content)
	}
	if jstext.Len(text.String()) > most {
		where += "; over 100,000 characters are saved to a file, and the first 2 kB are shown"
	}
	return annotate.Block(where, "AGENTS.md", text.String(), parts...)
}

// reminderTag matches what may be a tag of a reminder.
var reminderTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<\s*/?\s*system-reminder[\w-]*`) })

// comesWith reports whether a rule with globs comes along with a file that a session reads.
func (d *doc) comesWith(file string) bool {
	if d.globs == nil || d.start || d.unseen || d.blank() {
		return false
	}
	rel, err := filepath.Rel(d.base, file)
	return err == nil && d.globs.matches(filepath.ToSlash(rel))
}

// docsWith returns the files that come along with a file that a session reads: the user's rules,
// then the files of each folder below the working folder, then the project's rules. They become
// part of the chain, so the next file does not bring them again.
func (r *reading) docsWith(cwd, file string) []*doc {
	c := r.chain
	if !filestore.Within(cwd, file) {
		return nil
	}
	var first, below, last []*doc
	known := len(c.docs)
	// A nested file may still import one that the start left out.
	maps.DeleteFunc(c.byPath, func(_ string, d *doc) bool { return d.unseen })
	// A file that is read does not bring itself.
	if c.byPath[file] == nil {
		c.byPath[file] = &doc{File: filestore.File{Path: file}}
	}
	for _, dir := range foldersUp(filepath.Dir(file)) {
		if dir != cwd && filestore.Within(cwd, dir) {
			c.nested(dir)
		}
	}
	for i, d := range c.docs {
		switch {
		case i >= known && d.start && d.globs == nil && !d.blank():
			below = append(below, d)
		case !d.comesWith(file):
		case d.layer == layerUser:
			first = append(first, d)
		case filestore.Within(d.base, cwd):
			last = append(last, d)
		default:
			below = append(below, d)
		}
	}
	all := slices.Concat(first, below, last)
	for _, d := range all {
		d.start = true // it is in the session now
	}
	return all
}

// caveats returns the notes before the topics that are likely to be read and are not recent.
func (r *reading) caveats(hits []memory.Hit) (out []memory.Block) {
	for _, h := range hits {
		for _, sh := range r.memoryFolders {
			for _, t := range sh.topics {
				if text := caveat(t.ModTime, r.now); h.Recalled && text != "" && sh.id(t.rel) == h.ID {
					out = append(out, annotate.Block("tool result, at its beginning", "caveat before "+t.rel, text,
						memory.Part{
							Name: "caveat before " + t.rel, ID: h.ID, End: len(text),
							Note: "the lines of the file follow, numbered",
						}))
				}
			}
		}
	}
	return out
}

// bareAgents are the built-in subagents that get no instructions and no memory index, unless the
// user's own definition replaces them.
var bareAgents = [...]string{"Explore", "Plan"}

// noMemory is what a subagent with an empty memory gets.
const noMemory = "Your MEMORY.md is currently empty. When you save new memories, they will appear here."

// subagents returns what subagents get of their memories in their system prompts.
func (r *reading) subagents() (out []memory.Block) {
	if r.memoryOff != "" {
		return nil
	}
	general, own := r.s.agentPlaces()
	for _, place := range slices.Concat(own, general) {
		for _, e := range names(place.dir, maxFiles) {
			if e.IsDir() {
				out = append(out, r.subagent(e.Name(), place))
			}
		}
	}
	return out
}

// subagent returns what a subagent gets of its memory.
func (r *reading) subagent(agent string, place agentPlace) memory.Block {
	const head = "## MEMORY.md\n\n"
	text, part := noMemory, memory.Part{Name: "agent memory"}
	if f := filestore.Read(filepath.Join(place.dir, agent, indexName), maxTopic); f.Problem == nil {
		x := excerptOf(jstext.Decode([]byte(f.Text)))
		if x.loaded != "" {
			text = asMemory(x.injected())
		}
		part.ID, part.Path, part.Note = r.s.id(f.Path), f.Path, strings.Join(overLimits(&x), " ")
	}
	part.Start, part.End = len(head), len(head)+len(text)
	return annotate.Block("system prompt of the subagent "+agent, "memory of "+agent+", "+place.layer, head+text, part)
}
