package opencode

import (
	"os"
	"path/filepath"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Instructions is the store of the instruction files of one project, or of the global ones.
type Instructions struct {
	instructions.Store
	global bool
	m      machine
}

var (
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

// openInstructions returns the store of a folder. Like OpenCode, it resolves links in a project's path.
func openInstructions(m machine, now func() time.Time, path string) *Instructions {
	const sep = string(os.PathSeparator)
	s := &Instructions{m: m, global: path == m.config() || path == m.settings()}
	s.Product, s.Now, s.Gather, s.NewID = productName, now, s.gather, s.NameOf
	s.Place = memory.Place{Store: memory.At(ID, path), System: ID, Path: path, Name: "instructions", Project: path}
	s.Files = instructions.Files{
		Dir: path, Scope: scopeProject, Names: instructionNames, Disk: atomicfile.OS(),
		Example: "web/AGENTS.md, for the files of the folder web",
	}
	s.Empty = memory.Problem{
		Code: "empty",
		What: "OpenCode finds no instructions here: there is no AGENTS.md, CLAUDE.md or CONTEXT.md, and no pattern names a file.",
		Hint: "write an AGENTS.md, or let OpenCode write one with /init",
	}
	s.Env.Dir = path // a task's folder is relative to it
	s.Watch = []string{m.config() + sep, m.settings() + sep, filepath.Join(m.home, ".claude", "CLAUDE.md")}
	if s.global {
		s.Scope, s.Place.Name, s.Place.Project = scopeGlobal, "global instructions", ""
		return s
	}
	s.Dir = filestore.Real(path)
	s.Watch = append(s.Watch, filepath.Join(s.Dir, ".opencode")+sep)
	return s
}
