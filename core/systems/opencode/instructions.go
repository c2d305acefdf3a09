package opencode

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Instructions is the store of the instruction files of one project, or of the global ones.
type Instructions struct {
	instructions.Files        // of a project's root, or the settings folder
	named              string // the folder as it was opened
	global             bool
	m                  machine
	now                func() time.Time

	mu    sync.Mutex // guards what follows
	seen  []string   // files that were found, which are watched
	count int        // of records in the last snapshot
}

var (
	_ system.Store       = (*Instructions)(nil)
	_ system.Snapshotter = (*Instructions)(nil)
	_ system.Summarizer  = (*Instructions)(nil)
	_ system.Recaller    = (*Instructions)(nil)
	_ system.Watched     = (*Instructions)(nil)
	_ system.Composer    = (*Instructions)(nil)
	_ system.Writer      = (*Instructions)(nil)
)

// Scopes of the records of the two stores.
const (
	scopeProject = "project"
	scopeGlobal  = "global"
)

// Info implements [system.Store].
func (s *Instructions) Info() system.Info {
	place := memory.Place{Store: memory.At(ID, s.named), System: ID, Path: s.named, Name: "instructions", Project: s.named}
	if s.global {
		place.Name, place.Project = "global instructions", ""
	}
	return system.Info{System: ID, Name: productName, Place: place, Noun: fileNoun(), NewID: s.NameOf}
}

func fileNoun() memory.Noun { return memory.Noun{One: "file", Many: "files"} }

// WatchPaths implements [system.Watched]: the folders in which files can appear, and the files that were
// found.
func (s *Instructions) WatchPaths() []string {
	const sep = string(os.PathSeparator)
	paths := []string{s.Dir + sep, s.m.config() + sep, s.m.settings() + sep, filepath.Join(s.m.home, ".claude", "CLAUDE.md")}
	if !s.global {
		paths = append(paths, filepath.Join(s.Dir, ".opencode")+sep)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(paths, s.seen...)
}

func noInstructions() *memory.Problem {
	return &memory.Problem{
		Code: "empty",
		What: "OpenCode finds no instructions here: there is no AGENTS.md, CLAUDE.md or CONTEXT.md, and no pattern names a file.",
		Hint: "write an AGENTS.md, or let OpenCode write one with /init",
	}
}

// List implements [system.Store].
func (s *Instructions) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// look is gather, and remembers the folders of the files.
func (s *Instructions) look(ctx context.Context) (gathered, error) {
	g, err := s.gather(ctx, maxWalk)
	s.Seen(func(yield func(string) bool) {
		for i := range g.items {
			if !yield(g.items[i].path) {
				return
			}
		}
	})
	return g, err
}

// Snapshot implements [system.Snapshotter].
func (s *Instructions) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	snap, g, err := s.snapshot(ctx, s.look)
	if err != nil || snap.Problem != nil {
		return snap, err
	}
	for i := range g.items {
		snap.Records = append(snap.Records, s.record(&g.items[i], i+1))
	}
	s.mu.Lock()
	s.seen, s.count = nil, len(g.items)
	for i := range g.items {
		s.seen = append(s.seen, g.items[i].path)
	}
	s.mu.Unlock()
	return snap, nil
}

// Summary implements [system.Summarizer]. In a large project that was not listed yet, it counts only
// files near the root.
func (s *Instructions) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap, g, err := s.snapshot(ctx, func(ctx context.Context) (gathered, error) { return s.gather(ctx, briefWalk) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.more && s.count > snap.Total {
		snap.Total, snap.Problem = s.count, nil
	}
	return snap, err
}

// snapshot describes what gather finds, without records.
func (s *Instructions) snapshot(ctx context.Context, gather func(context.Context) (gathered, error)) (memory.Snapshot, gathered, error) {
	snap := s.blank()
	if snap.Problem != nil {
		return snap, gathered{}, ctx.Err()
	}
	g, err := gather(ctx)
	if err != nil {
		return memory.Snapshot{}, g, err
	}
	if s.describe(&snap, &g); snap.Total == 0 {
		snap.Problem = noInstructions()
	}
	return snap, g, nil
}

func (s *Instructions) blank() memory.Snapshot {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: fileNoun(), Problem: s.Missing()}
	snap.Place.Exists = snap.Problem == nil
	if err := s.CanWrite(); err != nil && snap.Problem == nil {
		snap.ReadOnly = err.Error()
	}
	return snap
}
