package claudecode

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/plain"
	"winnow/core/system"
)

var _ system.Recaller = (*Store)(nil)

// maxChosen is how many topics are reported to be chosen for a session.
const maxChosen = 5

const estimate = "Claude's model chooses which topics it reads; the order here is a guess from the words that agree. What it chooses from, and all other texts, are exact."

// Recall implements [system.Recaller]. The block is what is injected at the start of a
// session.
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	out := memory.Recall{Task: t}
	cwd, notes := s.workingFolder(t)
	r, err := s.reading(ctx, cwd, true)
	if err != nil {
		return out, fmt.Errorf("recall from %s: %w", s.path, err)
	}
	if cwd == "" {
		cwd = s.root
	}
	out.Block = r.block()
	out.Notes = append(notes, r.notes(&out.Block)...)
	if s.sort != ofUser {
		r.rank(&out)
		out.Estimate = estimate
	}
	out.Also = append(out.Also, r.demanded(cwd, t.Files)...)
	out.Also = append(out.Also, r.caveats(out.Hits)...)
	out.Also = append(out.Also, r.subagents()...)
	if out.Block.Text == "" && len(out.Also) == 0 {
		out.Empty = "Nothing is injected: there are no instructions and no memories for a session here."
	}
	if s.sort != ofUser {
		if out.Got, err = r.got(ctx, &out.Block); err != nil {
			return out, fmt.Errorf("recall from %s: %w", s.path, err)
		}
	}
	return out, ctx.Err()
}

// workingFolder returns where the session of a task starts; nothing for the root.
func (s *Store) workingFolder(t memory.Task) (string, []string) {
	if t.Folder == "" || s.root == "" {
		return "", nil
	}
	dir := filepath.Clean(t.Folder)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.root, dir)
	}
	if !within(dir, s.root) && rootOf(dir) == s.root {
		return dir, []string{fmt.Sprintf("%s is a work tree of the repository: instructions are those of the work tree, and the memory is that of %s.", dir, s.root)}
	}
	if !within(dir, s.root) {
		return "", []string{fmt.Sprintf("%s is not in the project: this is what a session in %s gets.", t.Folder, s.root)}
	}
	return dir, nil
}

// piece is a text that is injected, and where it comes from.
type piece struct {
	name, path, label, text, note string
	id                            memory.ID
}

// name returns what a file of instructions is, for a person: "project rule".
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
		p := piece{name: d.name(), path: d.path, label: d.label, text: jstext.Trim(d.content)}
		if len(d.content) != len(d.text) {
			p.note = "without its header and comments"
		}
		if r.own(d) {
			p.id = r.s.id(d.path)
		}
		out = append(out, p)
	}
	if sh := r.used(); sh != nil && sh.index != nil && sh.index.problem == nil {
		x := sh.index
		p := piece{name: "memory index", path: x.path, label: labelMemory, text: jstext.Trim(x.shown), id: sh.id(indexName)}
		p.note = strings.Join(cutOf(x), "; ")
		out = append(out, p)
	}
	return slices.DeleteFunc(out, func(p piece) bool { return p.text == "" })
}

// cutOf says what was done to an index that is injected.
func cutOf(x *index) []string {
	var out []string
	if x.totalBytes != len(x.text) {
		out = append(out, "without its header and comments")
	}
	n := lines(x.shown)
	if n < x.loadedLines {
		out = append(out, fmt.Sprintf("first %d of %d lines", n, x.loadedLines))
	}
	if more := lines(x.most) - n; more > 0 {
		out = append(out, fmt.Sprintf("cut at 25,000 bytes; with 25,600 it would be %s more", number(more, "line")))
	}
	return out
}

// block returns the text of a session's start, byte for byte.
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
		parts = append(parts, memory.Part{Name: p.name, ID: p.id, Path: p.path, Start: start, End: text.Len(), Note: p.note})
	}
	text.WriteString("\n" + blockEnd)
	b := plain.Block("first user message", blockName, text.String(), parts...)
	if sh := r.used(); sh != nil && sh.index != nil && len(sh.index.shown) < len(sh.index.loaded) {
		end := parts[len(parts)-1].End
		b.Marks = append(b.Marks, memory.Mark{Kind: memory.MarkCut, Start: end, End: end, Note: "the index goes on"})
	}
	for _, p := range parts {
		b.Marks = append(b.Marks, frames(b.Text, p.Start, p.End)...)
	}
	slices.SortStableFunc(b.Marks, func(x, y memory.Mark) int { return x.Start - y.Start })
	return b
}

// frames marks what a file has of the frame of the block: nothing in it is escaped.
func frames(text string, from, to int) []memory.Mark {
	var out []memory.Mark
	for _, tag := range [...]string{"<system-reminder>", blockEnd} {
		for at := from; ; {
			i := strings.Index(text[at:to], tag)
			if i < 0 {
				break
			}
			at += i
			out = append(out, memory.Mark{Kind: memory.MarkDelimiter, Start: at, End: at + len(tag), Note: "the frame of the block, and not escaped"})
			at += len(tag)
		}
	}
	return out
}

// notes say what of the block is not on record.
func (r *reading) notes(b *memory.Block) []string {
	var out []string
	if b.Text == "" {
		return nil
	}
	imports, agents := 0, 0
	for _, d := range r.chain.docs {
		if d.start && d.kind == kindImport {
			imports++
		}
		if d.start && filepath.Base(d.path) == "AGENTS.md" {
			agents++
		}
	}
	if imports > 0 {
		out = append(out, "Imported files are shown behind the file that imports them, as texts of their own: their form is not on record.")
	}
	if agents > 0 {
		out = append(out, "AGENTS.md is shown with the label of project instructions: its own is not on record.")
	}
	if strings.Contains(b.Text, "("+strings.Trim(labelMemory, " ()")+")") {
		for _, p := range r.pieces() {
			if p.note != "" && p.label == labelMemory {
				out = append(out, "The memory index is not injected whole: "+p.note+".")
			}
		}
	}
	out = append(out,
		"The text is as Claude Code 2.1.281 sends it; until about July 2026 the same files stood under # claudeMd in the block that begins \"As you answer the user's questions\".",
		"A block with the e-mail address and the state of git follows, which is no memory. Subagents get the instructions and not the memory index; Explore and Plan get neither.",
	)
	if r.memoryOff != "" && r.s.sort != ofUser {
		out = append(out, r.memoryOff)
	}
	if r.chain.off != "" {
		out = append(out, r.chain.off)
	}
	return out
}

// demanded returns what comes with files that a session reads: instructions of the
// folders on the way to them, and rules whose globs match.
func (r *reading) demanded(cwd string, files []string) []memory.Block {
	if r.chain.off != "" || r.s.root == "" {
		return nil
	}
	var out []memory.Block
	seen := map[string]bool{}
	add := func(d *doc, why string) {
		if seen[d.path] {
			return
		}
		seen[d.path] = true
		text := jstext.Trim(d.content)
		part := memory.Part{Name: d.name(), Path: d.path, End: len(text), Note: "the frame around it is not on record"}
		if r.own(d) && d.kind == kindRule {
			part.ID = r.s.id(d.path)
		}
		out = append(out, plain.Block(why, filepath.Base(d.path), text, part))
	}
	for _, f := range files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(cwd, f)
		}
		f = filepath.Clean(f)
		r.nested(cwd, f, add)
		for _, d := range r.chain.docs {
			if d.globs == nil || d.unseen {
				continue
			}
			base := cwd
			if d.layer != layerUser {
				base = baseOf(d.path)
			}
			if rel, err := filepath.Rel(base, f); err == nil && d.globs.matches(filepath.ToSlash(rel)) {
				add(d, "message with the file "+filepath.Base(f)+", when that is read")
			}
		}
	}
	return out
}

// baseOf returns the folder that the globs of a rule count from: the one that its
// .claude is in.
func baseOf(path string) string {
	sep := string(filepath.Separator)
	if i := strings.LastIndex(path, sep+".claude"+sep+"rules"+sep); i >= 0 {
		return path[:max(i, 1)]
	}
	return filepath.Dir(path)
}

// nested adds the instructions of the folders between the working folder and a file.
func (r *reading) nested(cwd, file string, add func(d *doc, why string)) {
	if !within(file, cwd) {
		return
	}
	for _, dir := range above(filepath.Dir(file)) {
		if dir == cwd || !within(dir, cwd) {
			continue
		}
		for _, own := range [...][2]string{{"CLAUDE.md", labelProject}, {"CLAUDE.local.md", labelLocal}} {
			path, label := filepath.Join(dir, own[0]), own[1]
			if r.chain.byPath[path] != nil {
				continue
			}
			d := &doc{stored: read(path, maxLoaded), layer: layerProject, kind: kindInstructions, label: label}
			if d.problem != nil {
				continue
			}
			if d.judge(r.chain); d.start {
				add(d, "message with a file in "+filepath.Base(dir)+", when that is read")
			}
		}
	}
}

// caveats returns what stands before the topics that are likely to be read, where that
// is not recent.
func (r *reading) caveats(hits []memory.Hit) []memory.Block {
	var out []memory.Block
	for _, h := range hits {
		if !h.Recalled {
			continue
		}
		for _, sh := range r.shelves {
			for _, t := range sh.topics {
				if sh.id(t.rel) != h.ID {
					continue
				}
				if text := caveat(t.modTime, r.now); text != "" {
					out = append(out, plain.Block("tool result, at its beginning", "caveat before "+t.rel, text,
						memory.Part{Name: "caveat before " + t.rel, ID: h.ID, End: len(text), Note: "the lines of the file follow, numbered"}))
				}
			}
		}
	}
	return out
}

// subagents returns what subagents get of their memories.
func (r *reading) subagents() []memory.Block {
	if r.memoryOff != "" {
		return nil
	}
	var out []memory.Block
	for _, a := range r.agents {
		if a.rel != indexName || a.problem != nil {
			continue
		}
		x := indexOf(a.stored)
		text := jstext.Trim(x.shown)
		if text == "" {
			continue
		}
		note := append(cutOf(&x), "what stands around it in the prompt is not on record")
		out = append(out, plain.Block("system prompt of the subagent "+a.agent, "memory of "+a.agent+", "+a.layer, text, memory.Part{
			Name: "agent memory", ID: r.s.id(a.path), Path: a.path, End: len(text), Note: strings.Join(note, "; "),
		}))
	}
	return out
}
