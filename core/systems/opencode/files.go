package opencode

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Kinds of records of a store of instructions.
const (
	kindInstructions = "instructions"
	kindConfig       = "config instructions"
	kindNested       = "nested"
	kindHidden       = "hidden"
	kindMemory       = "model memory"
)

// memoryFile is where a prompt of OpenCode tells some models to keep a memory. OpenCode never reads it.
const memoryFile = ".github/instructions/memory.instruction.md"

// item is an instruction file of a store.
type item struct {
	path, kind string
	order      int    // in the system prompt, from 1; 0 for none
	by         string // what hides it
	entry      entry  // the entry that names it
	file       filestore.File
	hides      int // how many files it hides, being empty
}

// vanished reports whether the file is empty, so that it wins its name and adds nothing.
func (it *item) vanished() bool { return it.file.Text == "" }

// gathered is the content of a store of instructions.
type gathered struct {
	opening opening
	items   []item
	more    bool // the walk for nested files was cut short
}

// gather finds the files of the store. It searches at most most entries of folders for nested ones.
func (s *Instructions) gather(ctx context.Context, most int) (gathered, error) {
	g := gathered{opening: s.m.opening(s.starting())}
	o := &g.opening
	for i, f := range o.files {
		if s.owns(f) {
			kind := kindInstructions
			if f.how == asConfig {
				kind = kindConfig
			}
			g.items = append(g.items, item{path: f.path, kind: kind, order: i + 1, entry: f.by})
		}
	}
	for _, h := range o.hidden {
		if (h.how == asGlobal) == s.global && !o.has(h.path) {
			g.items = append(g.items, item{path: h.path, kind: kindHidden, by: h.by})
		}
	}
	if !s.global {
		s.nested(ctx, &g, most)
	}
	for i := range g.items {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		g.items[i].file = filestore.Read(g.items[i].path, maxFile)
	}
	g.countHidden()
	return g, ctx.Err()
}

// starting returns the folder that a session starts in; nothing for the global store.
func (s *Instructions) starting() string {
	if s.global {
		return ""
	}
	return s.Dir
}

// owns reports whether a file that a session gets belongs to this store.
func (s *Instructions) owns(f found) bool {
	switch {
	case s.global:
		return true
	case f.how == asGlobal:
		return false
	}
	return f.how == asProject || !f.by.global || instructions.Within(s.Dir, f.path)
}

// Bounds of the walk for nested files.
const (
	maxWalk   = 20_000
	briefWalk = 300 // of a summary
)

// nested searches the folders of the project for files that come with a read.
func (s *Instructions) nested(ctx context.Context, g *gathered, most int) {
	g.more = instructions.Below(ctx, s.Dir, most, func(dir string, entries []fs.DirEntry) {
		if dir == s.Dir {
			return
		}
		var here []string
		for _, e := range entries {
			if !e.IsDir() {
				here = append(here, e.Name())
			}
		}
		s.beside(g, dir, here)
	})
	s.modelMemory(g)
}

// beside adds the instruction files of one folder: only the first name comes with a read.
func (s *Instructions) beside(g *gathered, dir string, here []string) {
	first := ""
	for _, name := range [...]string{"AGENTS.md", "CLAUDE.md", "CONTEXT.md"} {
		if !slices.Contains(here, name) {
			continue
		}
		path := filepath.Join(dir, name)
		used := slices.Contains(s.m.names(), name)
		switch {
		case g.opening.has(path):
			first = path
		case !used:
			g.items = append(g.items, item{path: path, kind: kindHidden, by: s.m.claudeSwitch()})
		case first == "":
			first = path
			g.items = append(g.items, item{path: path, kind: kindNested})
		default:
			g.items = append(g.items, item{path: path, kind: kindHidden, by: first})
		}
	}
}

// modelMemory adds the memory file that some models are told to keep, unless an entry names it.
func (s *Instructions) modelMemory(g *gathered) {
	path := filepath.Join(s.Dir, filepath.FromSlash(memoryFile))
	if isFile(path) && !g.opening.has(path) {
		g.items = append(g.items, item{path: path, kind: kindMemory})
	}
}

// countHidden counts the files that each empty file hides: those of other names in its folder, above
// it and below it.
func (g *gathered) countHidden() {
	for i := range g.items {
		it := &g.items[i]
		if !it.vanished() || it.kind != kindInstructions && it.kind != kindNested {
			continue
		}
		dir, name := filepath.Dir(it.path), filepath.Base(it.path)
		for _, other := range g.items {
			n := filepath.Base(other.path)
			shadowed := other.kind == kindHidden && other.by == it.path || other.kind == kindNested && it.kind == kindInstructions
			if shadowed && n != name && (instructions.Within(dir, other.path) || instructions.Within(filepath.Dir(other.path), dir)) {
				it.hides++
			}
		}
	}
}

// record returns the record of an item.
func (s *Instructions) record(it *item, line int) memory.Record {
	r := s.Record(&instructions.Item{Path: it.path, Kind: it.kind, File: it.file, Fixed: s.fixed(it), Facts: s.facts(it)}, line)
	s.remark(&r, it)
	return r
}

// fixed says why a file is not changed from here; nothing when it can be.
func (s *Instructions) fixed(it *item) string {
	switch {
	case instructions.Within(s.Dir, it.path):
		return ""
	case it.path == filepath.Join(s.m.home, ".claude", "CLAUDE.md"):
		return "It is Claude Code's own: change it in the store of Claude Code."
	}
	return "It lies outside of " + s.Dir + ": change it where it belongs."
}

func (s *Instructions) facts(it *item) []memory.Fact {
	place := "never sent"
	switch it.kind {
	case kindInstructions, kindConfig:
		place = "system prompt, number " + strconv.Itoa(it.order)
	case kindNested:
		place = "with a read of a file in or below its folder"
	}
	return []memory.Fact{
		{Name: "goes to", Text: place},
		{Name: "named by", Text: system.Say(it.entry.text != "", it.entry.text+" in "+it.entry.from)},
	}
}

// remark adds flags, problems and notes about an item.
func (s *Instructions) remark(r *memory.Record, it *item) {
	winner := ""
	if it.kind == kindNested {
		winner = s.winner(it.path)
	}
	vanishes := it.file.Problem == nil && it.hides == 0 && it.vanished() && it.kind != kindHidden
	if it.kind == kindHidden || it.kind == kindMemory || it.file.Problem == nil && it.hides > 0 || vanishes {
		r.Flags |= memory.FlagUnseen
	}
	if it.file.Problem == nil && it.hides > 0 {
		r.Problem = emptyHides(it)
	}
	r.Notes = append(r.Notes, system.Notes(
		system.Say(it.kind == kindHidden, s.hiddenBy(it)),
		system.Say(it.kind == kindMemory, "Some models are told to keep their memory here, and OpenCode never sends it: no pattern of instructions names it."),
		system.Say(winner != "", "A session that starts in its folder does not get it: "+winner+" wins."),
		system.Say(it.file.Problem != nil, "OpenCode takes a file that it cannot read for an empty one."),
		system.Say(vanishes, "It is empty, and nothing is sent of it."),
		system.Say(it.file.Cut && it.file.Problem == nil, "Only the first 512 KiB are shown. OpenCode sends all of it."))...)
}

// winner returns the file that hides path from a session that starts in its folder.
func (s *Instructions) winner(path string) string {
	o := opening{folder: filepath.Dir(path)}
	o.root, o.git = s.m.worktree(o.folder)
	o.project(s.m)
	for _, h := range o.hidden {
		if h.path == path {
			return h.by
		}
	}
	return ""
}

func (s *Instructions) hiddenBy(it *item) string {
	switch {
	case !filepath.IsAbs(it.by):
		return "The switch " + it.by + " leaves it out."
	case s.global:
		return it.by + " comes first, and OpenCode takes no other."
	}
	return it.by + " hides it: OpenCode takes the first of the names AGENTS.md, CLAUDE.md and CONTEXT.md that it finds, and no other."
}

func emptyHides(it *item) *memory.Problem {
	files := strconv.Itoa(it.hides) + " files"
	if it.hides == 1 {
		files = "1 file"
	}
	name := filepath.Base(it.path)
	return &memory.Problem{
		Code: "empty-hides",
		What: fmt.Sprintf("This empty %s hides %s: the name wins, and then adds nothing.", name, files),
		Hint: "delete it, or write into it what the hidden files say",
	}
}
