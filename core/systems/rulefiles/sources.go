package rulefiles

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// occasions say when a session is given a file that reaches it in some way.
var occasions = map[string]memory.SourceWhen{
	always:    memory.AtStart,
	withFiles: memory.WithFile,
	chosen:    memory.WhenChosen,
	byHand:    memory.WhenChosen,
	never:     memory.Never,
}

// settingsFiles are the files of a project by which these tools start programs.
var settingsFiles = []struct {
	tool
	path string
}{
	{cursor, ".cursor/hooks.json"},
	{cursor, ".cursor/mcp.json"},
	{copilot, ".vscode/mcp.json"},
	{windsurf, ".windsurf/hooks.json"},
}

// sources implements [system.System.Sources]: one answer for each tool of the table that has a file here.
func sources(ctx context.Context, env system.Env, now func() time.Time) (all []memory.AgentSources) {
	root, _ := projectOf(env, filestore.Real(env.Dir), true)
	stores := []string{root}
	for _, dir := range userStores(ctx, env) {
		if placeOf(env, dir).name != workspaceName || dir == root {
			stores = append(stores, dir)
		}
	}
	at := map[string]int{}
	of := func(t tool) *memory.AgentSources {
		i, known := at[t.name]
		if !known {
			i = len(all)
			at[t.name] = i
			all = append(all, memory.AgentSources{
				System: id, Agent: t.name,
				Note: "As documented at " + t.page + ", read on " + read + "; " + t.name + " was not run.",
			})
		}
		return &all[i]
	}
	for _, dir := range stores {
		s := storeAt(env, now, dir)
		files, gap := s.files(ctx, instructions.MostEntries)
		isOwn := func(f found) bool { return !f.others }
		if !env.Alone && !slices.ContainsFunc(files, isOwn) {
			continue // nothing shows that one of the tools is used here
		}
		for _, f := range files {
			a := of(f.tool)
			a.List = append(a.List, f.source(s.Dir))
			a.Gap = gap
		}
	}
	for _, k := range settingsFiles {
		if f := filestore.Read(filepath.Join(root, filepath.FromSlash(k.path)), instructions.MostFile); !f.Missing() {
			a := of(k.tool)
			a.List = append(
				a.List,
				f.Source(memory.SourceSettings, memory.Never, "It says what "+k.name+" does: its text is not sent."),
			)
			a.List = append(a.List, instructions.Programs(&f, root)...)
		}
	}
	return append(all, instructions.Others(ctx, env.Dir)...)
}

// source returns a rule file as a source.
func (f *found) source(dir string) memory.Source {
	kind := memory.SourceRule
	if rel, err := filepath.Rel(dir, f.path); err == nil && !strings.ContainsRune(rel, filepath.Separator) {
		kind = memory.SourceInstructions
	}
	when, why := occasions[f.how], ""
	text := f.file.Text[filestore.ParseFrontMatter(f.file.Text).Body:]
	switch {
	case f.file.Problem != nil:
		when, why = memory.Never, "It cannot be read."
	case strings.TrimSpace(text) == "":
		when, why = memory.Never, "Nothing is left of it without its header."
	case f.how == withFiles:
		why = "It waits for a file that matches " + strings.Join(f.globs, ", ") + "."
	case f.how == chosen:
		why = "Its model may ask for it."
	case f.how == byHand:
		why = "It is given when a person names it."
	case f.how == never:
		why = "Its header switches it off."
	}
	out := f.file.Source(kind, when, why)
	if f.how == withFiles {
		out.Patterns, out.Base, out.Matches = f.globs, dir, matching(f.globs)
	}
	return out
}
