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

// memoryFile is where one of OpenCode's prompts tells some models to keep a memory. OpenCode itself
// never reads it.
const memoryFile = ".github/instructions/memory.instruction.md"

// item is an instruction file of a store.
type item struct {
	instructions.Item
	order int    // its position in the system prompt, from 1; 0 if it is not there
	by    string // what hides it
	entry entry  // the entry that names it
	hides int    // the number of files it hides by being empty
}

// isEmpty reports whether the file is empty. Such a file wins its name and adds nothing.
func (it *item) isEmpty() bool { return it.File.Text == "" }

// storeContents is the content of a store of instructions.
type storeContents struct {
	opening opening
	items   []item
	more    bool // the walk for nested files was cut short
}

func (g *storeContents) add(path, kind, by string) {
	g.items = append(g.items, item{Item: instructions.Item{Path: path, Kind: kind}, by: by})
}

// gather finds the files of the store. It searches at most most entries of folders for nested ones.
func (s *Instructions) gather(ctx context.Context, most int) (c instructions.Contents, err error) {
	g := storeContents{opening: s.m.opening(s.Start())}
	o := &g.opening
	for i, f := range o.files {
		if s.owns(f) {
			g.add(f.path, kindInstructions, "")
			it := &g.items[len(g.items)-1]
			it.order, it.entry = i+1, f.by
			if f.how == asConfig {
				it.Kind = kindConfig
			}
		}
	}
	for _, h := range o.hidden {
		if (h.how == asGlobal) == s.global && !o.has(h.path) {
			g.add(h.path, kindHidden, h.by)
		}
	}
	if !s.global {
		s.nested(ctx, &g, most)
	}
	for i := range g.items {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		g.items[i].File = filestore.Read(g.items[i].Path, instructions.MostFile)
	}
	g.countHidden()
	for i := range g.items {
		s.addRemarks(&g.items[i])
		c.Items = append(c.Items, g.items[i].Item)
	}
	s.describe(&c, &g)
	return c, ctx.Err()
}

// owns reports whether a file that a session gets belongs to this store.
func (s *Instructions) owns(f found) bool {
	switch {
	case s.global:
		return true
	case f.how == asGlobal:
		return false
	}
	return f.how == asProject || !f.by.global || filestore.Within(s.Dir, f.path)
}

// nested searches the folders of the project for files that come with a read.
func (s *Instructions) nested(ctx context.Context, g *storeContents, most int) {
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
		s.addNested(g, dir, here)
	})
	s.modelMemory(g)
}

// addNested adds the instruction files of one folder: only the first name comes with a read.
func (s *Instructions) addNested(g *storeContents, dir string, here []string) {
	first := ""
	for _, name := range instructionNames {
		if !slices.Contains(here, name) {
			continue
		}
		path := filepath.Join(dir, name)
		used := slices.Contains(s.m.names(), name)
		switch {
		case g.opening.has(path):
			first = path
		case !used:
			g.add(path, kindHidden, s.m.claudeSwitch())
		case first == "":
			first = path
			g.add(path, kindNested, "")
		default:
			g.add(path, kindHidden, first)
		}
	}
}

// modelMemory adds the memory file that some models are told to keep, unless an entry names it.
func (s *Instructions) modelMemory(g *storeContents) {
	path := filepath.Join(s.Dir, filepath.FromSlash(memoryFile))
	if isFile(path) && !g.opening.has(path) {
		g.add(path, kindMemory, "")
	}
}

// countHidden counts the files that each empty file hides: those of other names in its folder, above
// it and below it.
func (g *storeContents) countHidden() {
	for i := range g.items {
		it := &g.items[i]
		if !it.isEmpty() || it.Kind != kindInstructions && it.Kind != kindNested {
			continue
		}
		dir, name := filepath.Dir(it.Path), filepath.Base(it.Path)
		for _, other := range g.items {
			n := filepath.Base(other.Path)
			shadowed := other.Kind == kindHidden && other.by == it.Path || other.Kind == kindNested && it.Kind == kindInstructions
			if shadowed && n != name && (filestore.Within(dir, other.Path) || filestore.Within(filepath.Dir(other.Path), dir)) {
				it.hides++
			}
		}
	}
}

// whyFixed says why a file is not changed from here, or returns "" if it can be.
func (s *Instructions) whyFixed(path string) string {
	if path == filepath.Join(s.m.home, ".claude", "CLAUDE.md") && !filestore.Within(s.Dir, path) {
		return "It is Claude Code's own: change it in the store of Claude Code."
	}
	return s.Outside(path)
}

// whoGets says which sessions get a file.
func whoGets(it *item) string {
	switch it.Kind {
	case kindInstructions, kindConfig:
		return "system prompt, number " + strconv.Itoa(it.order)
	case kindNested:
		return "with a read of a file in or below its folder"
	}
	return "never sent"
}

// addRemarks adds what there is to say about an item.
func (s *Instructions) addRemarks(it *item) {
	winner := ""
	if it.Kind == kindNested {
		winner = s.hidingFile(it.Path)
	}
	hides := it.File.Problem == nil && it.hides > 0
	vanishes := it.File.Problem == nil && it.hides == 0 && it.isEmpty() && it.Kind != kindHidden
	it.Unseen = it.Kind == kindHidden || it.Kind == kindMemory || hides || vanishes
	if hides {
		it.Problem = emptyHides(it)
	}
	it.Fixed, it.Goes = s.whyFixed(it.Path), whoGets(it)
	it.Facts = []memory.Fact{{Name: "named by", Text: system.Say(it.entry.text != "", it.entry.text+" in "+it.entry.from)}}
	it.Notes = system.Notes(
		system.Say(it.Kind == kindHidden, s.hiddenBy(it)),
		system.Say(it.Kind == kindMemory, "Some models are told to keep their memory here, and OpenCode never sends it: no pattern of instructions names it."),
		system.Say(winner != "", "A session that starts in its folder does not get it: "+winner+" wins."),
		system.Say(it.File.Problem != nil, "OpenCode takes a file that it cannot read for an empty one."),
		system.Say(vanishes, "It is empty, and nothing is sent of it."),
		system.Say(it.File.Cut && it.File.Problem == nil, "Only the first 512 KiB are shown. OpenCode sends all of it."))
}

// hidingFile returns the file that hides path from a session that starts in its folder.
func (s *Instructions) hidingFile(path string) string {
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
	return &memory.Problem{
		Code: "empty-hides",
		What: fmt.Sprintf("This empty %s hides %s: the name wins, and then adds nothing.", filepath.Base(it.Path), memory.Counted(it.hides, "file")),
		Hint: "delete it, or write into it what the hidden files say",
	}
}
