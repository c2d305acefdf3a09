package codex

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// reading is one answer to what sessions are given.
type reading struct {
	instructions.Question
	*instructions.Session
	chain
	read func(path string) filestore.File // reads each file once
}

// givenIn implements [instructions.Agent.Read].
func givenIn(ctx context.Context, q instructions.Question) *instructions.Session {
	r := &reading{Question: q, Session: &instructions.Session{}, read: instructions.Once(mostText)}
	dir := memoriesIn(q.Env)
	if q.Store == memoriesName {
		dir, r.Env = q.Own, envOfHome(q.Env, filepath.Dir(q.Own))
	}
	r.chain = chainOf(r.Env, q.Dir, r.read)
	sum := summaryOf(r.Env, &r.settings, dir)
	for _, d := range r.docs {
		r.Given = append(r.Given, d.given(&r.chain))
	}
	r.addUntrusted(&r.chain)
	r.addNested(ctx)
	if q.Store != globalName || q.Dir != "" {
		r.addMemories(ctx, &sum, dir)
	}
	r.describe(&sum)
	r.Blocks = func(id func(string) memory.ID) []memory.Block {
		return []memory.Block{r.block(id), sum.block(r.Env)}
	}
	return r.Session
}

// envOfHome returns an environment in which Codex keeps its own files in home.
func envOfHome(env system.Env, home string) system.Env {
	if home == homeOf(env) {
		return env
	}
	lookup := env.Lookup
	env.Lookup = func(name string) (string, bool) {
		if name == homeVariable {
			return home, true
		}
		return lookup(name)
	}
	return env
}

// has reports whether a file was added.
func (r *reading) has(path string) bool {
	return slices.ContainsFunc(r.Given, func(g instructions.Given) bool { return g.Path == path })
}

// addUntrusted adds the files that settings of a project name, which count once a person trusts the project.
func (r *reading) addUntrusted(c *chain) {
	if c.start == "" {
		return
	}
	for _, dir := range slices.Backward(filestore.Upwards(c.start, c.root)) {
		path := filepath.Join(dir, homeFolder, settingsName)
		var own settings
		layer := own.read(path)
		own.apply(&layer)
		for _, name := range own.names() {
			for _, at := range filestore.Upwards(c.start, c.root) {
				f, odd, ok := readInstruction(filepath.Join(at, name), r.read)
				isOf := func(d doc) bool { return d.file.Path == f.Path }
				if !ok || odd || r.has(f.Path) || slices.ContainsFunc(c.docs, isOf) {
					continue
				}
				r.Given = append(r.Given, instructions.Given{
					Path: f.Path, How: kindNested, Kind: memory.SourceInstructions, When: memory.Never, File: f,
					By:  path,
					Why: "The project's settings name it: it is read once the project is trusted.", Goes: "never sent",
				})
			}
		}
	}
}

// addNested adds the files of folders below the one in which the session starts.
func (r *reading) addNested(ctx context.Context) {
	if r.Most == 0 || r.Dir == "" {
		return
	}
	isName := instructions.WantNames(r.names()...)
	found := instructions.Below(ctx, r.Dir, r.Most, func(rel string, isDir bool) bool {
		return isName(rel, isDir) || strings.HasSuffix("/"+rel, "/"+homeFolder+"/"+settingsName)
	})
	r.Gap = found.Gap
	for _, folder := range found.Folders(r.Dir) {
		if filepath.Base(folder.Dir) == homeFolder {
			there := chainOf(r.Env, filepath.Dir(folder.Dir), r.read)
			r.addUntrusted(&there)
			continue
		}
		there := chainOf(r.Env, folder.Dir, r.read)
		for _, d := range there.docs {
			if d.global || filepath.Dir(d.file.Path) != folder.Dir || r.has(d.file.Path) {
				continue
			}
			g := d.given(&there)
			if g.How = kindNested; g.When == memory.AtStart {
				g.Goes = "first user message of a session that starts in its folder or below"
			}
			g.Why = cmp.Or(g.Why, "It is read by sessions that start in its folder or below.")
			g.Elsewhere = g.When == memory.AtStart
			g.When, g.Text, g.Loss, g.Sent = memory.Never, "", "", 0
			r.Given = append(r.Given, g)
		}
	}
}

// addMemories adds the files of memories: the summary, which a session is given, and what its model may look up.
func (r *reading) addMemories(ctx context.Context, sum *summary, dir string) {
	found := instructions.Below(ctx, dir, instructions.MostEntries, func(rel string, isDir bool) bool {
		kind, _ := memoryKind(rel)
		return kind != "" && (!isDir || strings.HasSuffix(rel, ".md"))
	})
	if r.Store == memoriesName {
		r.Gap = found.Gap
	}
	for _, rel := range found.Paths {
		kind, fixed := memoryKind(rel)
		path := filepath.Join(dir, filepath.FromSlash(rel))
		g := instructions.Given{
			Path: path, How: kind, Title: rel, Kind: memory.SourceMemoryTopic, When: memory.WhenChosen, Fixed: fixed,
			Goes: goesTo(kind), File: filestore.Read(path, mostText),
		}
		switch {
		case kind == "summary":
			g.Kind, g.When, g.Why = memory.SourceMemoryIndex, memory.AtStart, sum.odd
			g.File, g.Text = sum.file, sum.text
			if sum.text == "" {
				g.When = memory.Never
			}
		case r.Store == memoriesName:
		case !r.memories():
			g.When, g.Why = memory.Never, "The settings switch memories off."
		default:
			g.Why = "It goes to " + goesTo(kind) + "."
		}
		r.Given = append(r.Given, g)
	}
}

// settingsFiles returns the settings files that exist.
func (r *reading) settingsFiles() []string {
	paths := []string{filepath.Join(homeOf(r.Env), settingsName)}
	for _, dir := range slices.Backward(filestore.Upwards(r.start, r.root)) {
		own := filepath.Join(dir, homeFolder)
		paths = memory.AppendNew(paths, filepath.Join(own, settingsName), filepath.Join(own, "hooks.json"))
	}
	return slices.DeleteFunc(paths, func(path string) bool { return !filestore.Exists(path) })
}

// describe adds what there is to say about the session as a whole.
func (r *reading) describe(sum *summary) {
	s := r.Session
	s.Names, s.Settings, s.Root, s.Odd = r.names(), r.settingsFiles(), r.root, r.oddities()
	if r.refused != "" {
		s.Stop = &memory.Problem{
			Code: "refused", What: "Codex does not start here. " + r.refused, Hint: "correct the settings",
		}
	}
	for i := range s.Given {
		if g := &s.Given[i]; g.Text != "" && g.File.Cut {
			s.Notes = append(s.Notes, "Only the first 512 KiB of "+g.Path+" were read. Codex may give more of it.")
		}
	}
	if r.Store == memoriesName {
		r.describeMemories(sum)
		return
	}
	if sum.text != "" && filepath.Base(filepath.Dir(sum.file.Path)) == secondName {
		s.Estimate = secondIsGuessed
	}
	s.Note = system.Say(
		r.untrusted != "", r.untrusted+" is marked as untrusted: Codex reads no instructions of the project.",
	)
	s.Facts = []memory.Fact{
		{Name: "project root", Text: r.root},
		{
			Name: "order",
			Text: "global, then one file of each folder from the root of the project down to where the session starts",
		},
		{Name: "an edit acts", Text: "in the next session: Codex reads the files once, when a session starts"},
	}
	s.Health = []memory.Health{system.When(
		r.untrusted != "", "untrusted", memory.Warn, 1,
		r.untrusted+" is marked as untrusted in the settings: Codex reads no instructions of this project.",
		"trust the folder, if you do",
	)}
	if r.Store == instructionsName {
		used := 0
		for _, d := range r.docs {
			used += d.taken
		}
		s.Usage = []memory.Usage{{Name: "bytes of project files", Used: used, Limit: int(min(r.limit, 1<<40))}}
	}
}
