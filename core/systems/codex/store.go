package codex

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Names of the stores.
const (
	globalName = "global instructions"
	homeFolder = ".codex"
)

// Store holds the instruction files of a project, those of the user, or the memories.
type Store struct{ instructions.Store }

// storeAt returns the store at an absolute path: a home, the folder of memories in one, or a
// project. It reads no file.
func storeAt(env system.Env, now func() time.Time, path string) *Store {
	s := &Store{}
	product().Make(&s.Store, env, now, path)
	if home := filepath.Dir(path); s.Place.Name == memoriesName && home != homeOf(env) { // the memories of another home
		s.Env.Lookup = func(name string) (string, bool) {
			if name == homeVariable {
				return home, true
			}
			return env.Lookup(name)
		}
	}
	s.Names, s.Example = []string{agentsFile, overrideFile}, "web/AGENTS.md, for the files of the folder web"
	s.Watch = []string{filepath.Join(homeOf(s.Env), settingsName)}
	s.Empty = memory.Problem{
		Code: "empty", What: "Codex finds no instructions here: there is no " + agentsFile + ".", Hint: "write an " + agentsFile + ", or let Codex write one with /init",
	}
	switch s.Place.Name {
	case memoriesName:
		s.Gather, s.Names, s.Refuse, s.NewID = s.gatherMemories, []string{summaryFile, handbookFile}, refuseMemory, s.nameOfNote
		for _, below := range []string{recaps, notesFolder, "skills"} {
			s.Watch = append(s.Watch, filepath.Join(s.Dir, below)+string(filepath.Separator))
		}
		s.Empty.What, s.Empty.Hint = "There are no memories of Codex here.", "set features.memories in config.toml, and Codex makes them of old sessions"
	case globalName:
		s.Gather, s.Looks = s.gatherGlobal, func(name string) bool { return slices.Contains(s.Names, name) }
	default:
		s.Gather, s.Looks = s.gatherProject, system.Named(s.Names...)
	}
	return s
}

// gatherGlobal finds the user's instruction files.
func (s *Store) gatherGlobal(ctx context.Context, _ int) (c instructions.Contents, err error) {
	chain := chainOf(s.Env, "", instructions.Once(mostText))
	s.add(&c, &chain)
	c.Health = chain.health(c.Items)
	return c, ctx.Err()
}

// gatherProject finds a project's instruction files: those given to a session that starts in its
// folder, and those in folders below.
func (s *Store) gatherProject(ctx context.Context, most int) (c instructions.Contents, err error) {
	read := instructions.Once(mostText)
	chain := chainOf(s.Env, s.Dir, read)
	chain.docs = slices.DeleteFunc(chain.docs, func(d doc) bool { return d.global })
	s.add(&c, &chain)
	used := 0
	for _, d := range chain.docs {
		used += d.taken
	}
	c.Usage = []memory.Usage{{Name: "bytes of project files", Used: used, Limit: int(min(chain.limit, 1<<40))}}
	names := chain.names()
	c.More = instructions.Below(ctx, s.Dir, most, func(dir string, entries []fs.DirEntry) {
		if dir == s.Dir || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(names, e.Name()) }) {
			return
		}
		there := chainOf(s.Env, dir, read)
		for _, d := range there.docs {
			if filepath.Dir(d.file.Path) == dir && !d.global {
				c.Items = append(c.Items, d.nested(&there))
			}
		}
	})
	c.Health = chain.health(c.Items)
	return c, ctx.Err()
}

// nested returns an instruction file in a folder below the store's.
func (d *doc) nested(there *chain) instructions.Item {
	it := d.item(there)
	if it.Kind == instructionsName {
		it.Kind = "nested"
	}
	if d.text != "" {
		it.Goes = "first user message of a session that starts in its folder or below"
	}
	return it
}

// add adds the files of a chain to the contents of a store, with what there is to say about them.
func (s *Store) add(c *instructions.Contents, chain *chain) {
	for _, d := range chain.docs {
		it := d.item(chain)
		it.Fixed = s.Outside(it.Path)
		c.Items = append(c.Items, it)
	}
	c.Start = annotate.SizeOf(chain.block(s.Here).Text)
	c.Facts = []memory.Fact{
		{Name: "project root", Text: chain.root},
		{Name: "order", Text: "global, then one file of each folder from the root of the project down to where the session starts"},
		{Name: "an edit acts", Text: "in the next session: Codex reads the files once, when a session starts"},
	}
}

// Recall implements [system.Recaller]. It returns what a session is given at its start, whatever
// its task.
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r := memory.Recall{Task: t}
	start := s.StartOf(t)
	c := chainOf(s.Env, start, instructions.Once(mostText))
	if c.refused != "" {
		r.Stop = &memory.Problem{Code: "refused", What: "Codex does not start here. " + c.refused, Hint: "correct the settings"}
		return r, ctx.Err()
	}
	sum := summaryOf(s.Env, &c.settings)
	given, memories := c.block(s.Here), sum.block(s.Env)
	r.Block, r.Also = given, []memory.Block{memories}
	if s.Place.Name == memoriesName {
		r.Block, r.Also = memories, []memory.Block{given}
	}
	r.Also = instructions.Filled(r.Also...)
	s.hits(&r, &c, &sum)
	if r.Block.Text == "" {
		r.Empty = "Codex finds no instructions for a session that starts here."
		if s.Place.Name == memoriesName {
			r.Empty = "Sessions are given nothing of the memories. " + sum.odd
		}
	}
	r.Notes = system.Notes(
		system.Say(start == "", "These files are for every project. Name a folder to see what a session there gets."),
		system.Say(c.untrusted != "", c.untrusted+" is marked as untrusted: Codex reads no instructions of the project."),
		system.Say(s.Place.Name == memoriesName && sum.odd == "", "The model may look up the other files of memories; the text says how."),
		"As version 0.169 does it, by its settings files: what its command line or an administrator sets is not known.")
	for _, d := range c.docs {
		r.Notes = append(r.Notes, system.Notes(
			system.Say(d.file.Problem != nil && d.file.Problem.Code == quietread.CodeUnreadable, "Codex cannot read "+d.file.Path+"."),
			system.Say(d.text != "" && d.file.Cut, "Only the first 512 KiB of "+d.file.Path+" were read. Codex may give more of it."))...)
	}
	var err error
	r.LastSession, err = s.lastSession(ctx, start)
	return r, err
}

// hits lists the store's files that are given.
func (s *Store) hits(r *memory.Recall, c *chain, sum *summary) {
	isMemories := s.Place.Name == memoriesName
	for _, d := range c.givenFiles() {
		if !isMemories && s.Here(d.file.Path) != "" && d.global == (s.Place.Name == globalName) {
			s.Hit(r, d.file.Path, instructionsName, d.file.Text)
		}
	}
	if isMemories && sum.text != "" {
		s.Hit(r, filepath.Join(s.Dir, summaryFile), "summary", sum.file.Text)
		r.Hits[0].Title = summaryFile // its first line says nothing useful
	}
	r.Searched = len(r.Hits)
}
