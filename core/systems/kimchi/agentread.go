package kimchi

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"winnow/core/annotate"
	"winnow/core/filestore"
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
	index := c.index()
	_, lines := injected(index)
	var unseen []int
	for i := range all {
		if all[i].Flags&memory.FlagUnseen != 0 && index != "" {
			unseen = append(unseen, all[i].Line)
		}
	}
	dangling := len(s.dangling(c))
	return system.Report("nothing is wrong with this folder",
		system.When(lines > mostLines, "index-cut", memory.Warn, 0,
			fmt.Sprintf("MEMORY.md has %d lines, the empty one behind its last line end included; the agent gets the first 200", lines), "shorten the index"),
		system.When(index == "", "no-index", memory.Note, 0,
			"there is no MEMORY.md, or it is empty: the agent is told that it has no memory, and reads none of the files by itself",
			"write an index that names them"),
		system.OnLines(unseen, "not-indexed", memory.Note,
			fmt.Sprintf("files that what is injected of MEMORY.md does not name: %d", len(unseen)), "name them there, or delete them"),
		system.When(dangling > 0, "dangling", memory.Note, 0,
			fmt.Sprintf("files that MEMORY.md links to and that do not exist: %d", dangling), "take their lines out of the index"),
		system.When(len(c.Others) > 0, "others", memory.Note, 0,
			fmt.Sprintf("entries of the folder that are no .md files: %d; they are not shown", len(c.Others)), "nothing"),
		system.When(c.Cut, "too-many", memory.Warn, 0,
			"there are more files than 2,000: the rest is not shown", "look at the folder with another program"))
}

// dangling returns the files that the index links to, as (name.md), and that are not
// there.
func (s *AgentStore) dangling(c *contents) []string {
	return slices.DeleteFunc(linksOf(c.index()), func(link string) bool {
		return !isNote(link) || slices.ContainsFunc(c.Files, func(f filestore.File) bool { return f.Name() == link })
	})
}

// block returns the block for an agent that may write, or for one that may not, when the
// folder has the index.
func (s *AgentStore) block(index string, writable bool) memory.Block {
	name := "Agent Memory"
	if !writable {
		name += " (read-only)"
	}
	text, at := agentBlock(s.dir, s.scope, index, writable)
	if index == "" {
		return annotate.Block(where, name, text)
	}
	body, lines := injected(index)
	part := memory.Part{Name: memoryFile, ID: memoryFile, Path: filepath.Join(s.dir, memoryFile), Start: at, End: at + len(body)}
	part.Note = system.Say(lines > mostLines, fmt.Sprintf("first 200 of %d lines", lines))
	return annotate.Block(where, name, text, part)
}

// Recall implements [system.Recaller]. Nothing is chosen: the index is injected when the
// agent starts.
func (s *AgentStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	if err := ctx.Err(); err != nil {
		return memory.Recall{}, err
	}
	c := s.look(ctx)
	index := c.index()
	r := memory.Recall{
		Task: t, Searched: len(c.Files), Limit: 1, Also: []memory.Block{s.block(index, false)},
		Notes: []string{"An agent with the tool write or edit gets the first block. Any other agent gets the read-only block instead."},
	}
	if r.Stop = s.refusing(); r.Stop != nil {
		return r, ctx.Err()
	}
	r.Block = s.block(index, true)
	r.Prompt = r.Block
	if index != "" {
		rec := s.record(memoryFile, c.Files[0].Text)
		r.Hits = []memory.Hit{{ID: rec.ID, Line: 1, Rank: 1, Recalled: true, Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets}}
		r.Found = 1
	} else {
		r.Empty = "There is no MEMORY.md with text in it, so the agent is told that it has no memory yet."
	}
	others := len(c.Files) - r.Found
	r.Notes = append(r.Notes, system.Notes(system.Say(others > 0, fmt.Sprintf("Files that the agent reads only when it wants to: %d.", others)))...)
	return r, ctx.Err()
}
