package claudecode

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/systems/instructions"
)

// sourcesIn implements [system.System.Sources]: it is what list and recall read, in the order of a
// session that starts in the folder.
func sourcesIn(ctx context.Context, m machine, now func() time.Time, folder string, below bool) []memory.AgentSources {
	a := memory.AgentSources{System: id, Agent: name}
	folder = filestore.Real(folder)
	s := open(projectOf(folder), m, now)
	r, err := s.reading(ctx, folder, true)
	if err != nil {
		return []memory.AgentSources{a}
	}
	if below {
		r.chain.addFoldersBelow(ctx, instructions.MostEntries)
	}
	for _, d := range r.chain.docs {
		a.List = append(a.List, d.source())
	}
	for _, sh := range r.memoryFolders {
		a.List = append(a.List, r.memorySources(sh)...)
	}
	general, _ := s.agentPlaces()
	for _, f := range append(agentsIn(general), r.agents...) {
		a.List = append(a.List, f.source())
	}
	skills, gaps := skillSources(ctx, m, folder)
	var brought []memory.Source
	if below {
		var gap string
		if brought, gap = pluginSources(ctx, folder); gap != "" {
			gaps = append(gaps, gap)
		}
	}
	a.List = slices.Concat(a.List, skills, brought, r.settingsSources())
	a.Gap = strings.Join(append(r.notRead(), gaps...), "; ")
	a.Unfollowed = r.chain.missingImports()
	return []memory.AgentSources{a}
}

// source returns an instruction file as a source.
func (d *doc) source() memory.Source {
	kind := memory.SourceInstructions
	switch d.kind {
	case kindRule:
		kind = memory.SourceRule
	case kindImport:
		kind = memory.SourceImport
	}
	when, why := memory.Never, d.why
	switch {
	case d.start && d.blank():
		why = "Nothing is left of it without its header and comments."
	case d.start:
		when, why = memory.AtStart, ""
	case d.unseen || d.Problem != nil:
	case d.globs != nil || d.with != "":
		when = memory.WithFile
	}
	out := d.Source(kind, when, why)
	out.Loss = d.loss
	if d.globs != nil {
		out.Patterns, out.Base, out.Matches = d.globs.written, d.base, d.globs.matches
	}
	if len(d.by) > 0 {
		out.By = d.by[0].Path
	}
	return out
}

// missingImports returns the imports of files that are not there.
func (c *chain) missingImports() (all []memory.Unfollowed) {
	for _, g := range c.gaps {
		if g.why == importMissing && g.from.start {
			all = append(
				all,
				memory.Unfollowed{From: g.from.Path, Written: g.written, To: g.to, Why: "There is no such file."},
			)
		}
	}
	return all
}

// memorySources returns the files of a folder of auto memory: the index, which a session is given,
// and the topics, which its model may read.
func (r *reading) memorySources(sh *memoryFolder) (all []memory.Source) {
	inUse := sh == r.used()
	index := filepath.Join(sh.dir, indexName)
	switch x := r.usedIndex(); {
	case inUse && x != nil && x.made:
		all = append(all, memory.Source{
			Path: index, Kind: memory.SourceMemoryIndex, When: memory.AtStart,
			Why: "Claude Code writes it when the next session starts.",
		})
	case sh.index == nil:
	case inUse && x != nil && jstext.Trim(x.loaded) == "":
		all = append(all, sh.index.Source(memory.SourceMemoryIndex, memory.Never, "It is empty."))
	case inUse && x != nil:
		out := sh.index.Source(memory.SourceMemoryIndex, memory.AtStart, strings.Join(indexNotes(x), "; "))
		if x.warning != "" {
			out.Loss, out.Sent = memory.LossCut, int64(len(x.shown))
			out.Hint = "shorten the index: one line a topic, or move what its lines say into the topics"
		}
		all = append(all, out)
	default:
		all = append(all, sh.index.Source(memory.SourceMemoryIndex, memory.Never, r.whyUnused(sh)))
	}
	return append(all, r.topicSources(sh)...)
}

// topicSources returns the topics of a folder of auto memory.
func (r *reading) topicSources(sh *memoryFolder) (all []memory.Source) {
	for _, t := range sh.topics {
		out := t.Source(memory.SourceMemoryTopic, memory.WhenChosen, "")
		_, listed := sh.listed(t.rel)
		switch {
		case sh != r.used() || r.chain.off != "":
			out.When, out.Why = memory.Never, r.whyUnused(sh)
		case listed || sh.index == nil:
			out.By = filepath.Join(sh.dir, indexName)
		default:
			out.Why = "No line of the index names it: a model does not know of it."
		}
		all = append(all, out)
	}
	return all
}

func (r *reading) whyUnused(sh *memoryFolder) string {
	if sh.unused != "" {
		return sh.unused
	}
	return r.chain.off
}

// source returns a file of a subagent's memory as a source.
func (a *agentFile) source() memory.Source {
	kind := memory.SourceMemoryTopic
	if a.rel == indexName {
		kind = memory.SourceMemoryIndex
	}
	return a.File.Source(kind, memory.WhenChosen, fmt.Sprintf("It is the memory of the subagent %s.", a.agent))
}

// mostSkills limits the entries that are looked at in a folder of skills.
const mostSkills = 5000

// skillSources returns the skills for sessions in a folder. Their names and descriptions are listed at
// the start; a text is read when the model chooses the skill. Gaps are what was not searched.
func skillSources(ctx context.Context, m machine, folder string) (all []memory.Source, gaps []string) {
	dirs := []string{m.config}
	for _, dir := range append(foldersUp(folder), skillsOfMain(folder)...) {
		if own := filepath.Join(dir, ".claude"); own != m.config {
			dirs = append(dirs, own)
		}
	}
	for _, dir := range dirs {
		dir = filepath.Join(dir, "skills")
		found := instructions.Below(ctx, dir, mostSkills, instructions.WantNames("SKILL.md"))
		if found.Gap != "" {
			gaps = append(gaps, "skills in "+found.Gap+" of "+dir)
		}
		for _, rel := range append(found.Paths, linkedSkills(dir)...) {
			f := filestore.Read(filepath.Join(dir, filepath.FromSlash(rel)), maxTopic)
			all = append(
				all,
				f.Source(memory.SourceSkill, memory.WhenChosen, "Its name and description are listed at every start."),
			)
		}
	}
	return all, gaps
}

// skillsOfMain returns the main root of the repository if folder is in a linked work tree without a folder of skills:
// its skills are then used instead.
func skillsOfMain(folder string) []string {
	tree, main := projectOf(folder), mainOf(folder)
	if tree == main || filestore.IsFolder(filepath.Join(tree, ".claude", "skills")) {
		return nil
	}
	return []string{main}
}

// linkedSkills returns the paths of skills in a folder whose own folders are links, which a search does not enter.
func linkedSkills(dir string) (paths []string) {
	for _, e := range names(dir, mostSkills) {
		rel := filepath.Join(e.Name(), "SKILL.md")
		if e.Type()&fs.ModeSymlink != 0 && filestore.Exists(filepath.Join(dir, rel)) {
			paths = append(paths, rel)
		}
	}
	return paths
}

// notSent is why the text of a settings file is no source of a model's.
const notSent = "It says what Claude Code does: its text is not sent."

// settingsSources returns the settings files of the session, and the programs that hooks in them run.
func (r *reading) settingsSources() (all []memory.Source) {
	m, root := r.s.m, r.chain.cwd
	paths := []string{filepath.Join(m.managed, "managed-settings.json"), filepath.Join(m.config, "settings.json")}
	for _, dir := range []string{r.s.root, root} {
		if dir != "" {
			paths = append(append(paths, projectSettings(dir)...), filepath.Join(dir, ".mcp.json"))
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		f := filestore.Read(path, maxSettings)
		if f.Missing() {
			continue
		}
		all = append(all, f.Source(memory.SourceSettings, memory.Never, notSent))
		all = append(all, instructions.Programs(&f, root, m.config)...)
	}
	return all
}
