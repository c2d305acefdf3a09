package kimchi

import (
	"context"
	"fmt"
	"path/filepath"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// List implements [system.Store].
func (s *AgentStore) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// Snapshot implements [system.Snapshotter].
func (s *AgentStore) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	s.files.Seen.Look(s.files.Disk, s.dir)
	c := s.look(ctx)
	if err := ctx.Err(); err != nil {
		return memory.Snapshot{}, err
	}
	snap := s.outline(&c)
	if snap.Problem == nil {
		snap.Records = s.records(&c)
		snap.Health = s.health(&c, snap.Records)
	}
	return snap, nil
}

// Summary implements [system.Summarizer].
func (s *AgentStore) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap, err := s.Snapshot(ctx, nil)
	snap.Records = nil
	return snap, err
}

// outline returns what is told of the folder as a whole.
func (s *AgentStore) outline(c *contents) memory.Snapshot {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: s.Info().Noun, Problem: c.Problem, Total: len(c.Files), ModTime: c.ModTime, Size: c.Size}
	snap.Place.Exists = c.Problem == nil || c.Problem.Code != quietread.CodeMissing
	snap.Running = s.running()
	if c.Info != nil {
		snap.Mode = c.Info.Mode()
	}
	snap.Scopes = []memory.Scope{{Name: s.scope, Records: len(c.Files)}}
	if c.Problem != nil {
		if p := s.refusing(); p != nil {
			snap.ReadOnly = p.What
		}
		return snap
	}
	index := c.index()
	_, lines := injected(index)
	if index == "" {
		lines = 0
	}
	snap.Usage = []memory.Usage{{Name: "index lines", Used: lines, Limit: mostLines}}
	text, _ := agentBlock(s.dir, s.scope, index, true)
	snap.Start = annotate.SizeOf(text)
	if len(c.Files) == 0 {
		snap.Problem = &memory.Problem{Code: "empty", What: "This agent has no memory yet: its folder is empty.", Hint: "files appear when the agent keeps something"}
	}
	return snap
}

// health returns what is to be said of the folder.
func (s *AgentStore) health(c *contents, all []memory.Record) []memory.Health {
	var k checkup
	_, lines := injected(c.index())
	if lines > mostLines {
		k.say(memory.Warn, "index-cut", fmt.Sprintf("MEMORY.md has %d lines, the empty one behind its last line end included; the agent gets the first 200", lines), "shorten the index")
	}
	if c.index() == "" {
		k.say(memory.Note, "no-index", "there is no MEMORY.md, or it is empty: the agent is told that it has no memory, and reads none of the files by itself", "write an index that names them")
	}
	var unseen []int
	for i := range all {
		if all[i].Flags&memory.FlagUnseen != 0 {
			unseen = append(unseen, all[i].Line)
		}
	}
	if n := len(unseen); n > 0 && c.index() != "" {
		k.say(memory.Note, "not-indexed", fmt.Sprintf("files that what is injected of MEMORY.md does not name: %d", n), "name them there, or delete them", unseen...)
	}
	if dangling := s.dangling(c); len(dangling) > 0 {
		k.say(memory.Note, "dangling", fmt.Sprintf("files that MEMORY.md links to and that do not exist: %d", len(dangling)), "take their lines out of the index")
	}
	if n := len(c.Others); n > 0 {
		k.say(memory.Note, "others", fmt.Sprintf("entries of the folder that are no .md files: %d; they are not shown", n), "nothing")
	}
	if c.Cut {
		k.say(memory.Warn, "too-many", "there are more files than 2,000: the rest is not shown", "look at the folder with another program")
	}
	if len(k.all) == 0 {
		k.say(memory.Good, "ok", "nothing is wrong with this folder", "")
	}
	return k.all
}

// dangling returns the files that the index links to, as (name.md), and that are not
// there.
func (s *AgentStore) dangling(c *contents) []string {
	there := map[string]bool{}
	for i := range c.Files {
		there[c.Files[i].Name()] = true
	}
	var all []string
	for _, link := range linksOf(c.index()) {
		if isNote(link) && !there[link] {
			all = append(all, link)
		}
	}
	return all
}

// blocks returns the block for an agent that may write and the one for an agent that
// may not. The problem is that of a folder that is a link.
func (s *AgentStore) blocks() (writable, readOnly memory.Block, p *memory.Problem) {
	c := s.look(context.Background())
	p = s.refusing()
	index := c.index()
	render := func(name string, write bool) memory.Block {
		text, at := agentBlock(s.dir, s.scope, index, write)
		body, lines := injected(index)
		var parts []memory.Part
		if index != "" {
			part := memory.Part{Name: memoryFile, ID: memoryFile, Path: filepath.Join(s.dir, memoryFile), Start: at, End: at + len(body)}
			if lines > mostLines {
				part.Note = fmt.Sprintf("first 200 of %d lines", lines)
			}
			parts = append(parts, part)
		}
		return annotate.Block(where, name, text, parts...)
	}
	return render("Agent Memory", true), render("Agent Memory (read-only)", false), p
}

// Recall implements [system.Recaller]. Nothing is chosen: the index is injected when the
// agent starts.
func (s *AgentStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	if err := ctx.Err(); err != nil {
		return memory.Recall{}, err
	}
	r := memory.Recall{Task: t}
	writable, readOnly, p := s.blocks()
	c := s.look(ctx)
	r.Searched, r.Limit = len(c.Files), 1
	r.Also = []memory.Block{readOnly}
	r.Notes = append(r.Notes, "An agent with the tool write or edit gets the first block, any other the read-only one in its place.")
	if p != nil {
		r.Stop = p
		return r, ctx.Err()
	}
	r.Block = writable
	r.Prompt = writable
	if index := c.index(); index != "" {
		rec := s.record(memoryFile, c.Files[0].Text)
		r.Hits = []memory.Hit{{ID: rec.ID, Line: 1, Rank: 1, Recalled: true, Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets}}
		r.Found = 1
	} else {
		r.Empty = "There is no MEMORY.md with text in it: the agent is told that it has no memory yet."
	}
	if n := len(c.Files) - r.Found; n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Files that are not injected, and that the agent reads when it wants: %d.", n))
	}
	return r, ctx.Err()
}
