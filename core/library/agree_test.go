package library

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filestore"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// grove is a home of a person with a project in it, whose files agents may read.
type grove struct {
	t             *testing.T
	r             *rand.Rand
	home, project string
	main          string // the main work tree of the project's repository
	dir           string // the project, or a link to it, as a person names it
}

// shape places the project: as a repository, a linked work tree beside or in one, or a folder behind a link.
func (g *grove) shape(seed uint64) {
	src := filepath.Join(g.home, "src")
	g.project = filepath.Join(src, "shop")
	switch seed % 4 {
	case 1:
		g.main = filepath.Join(src, "main")
	case 2:
		g.main = filepath.Join(src, "main")
		g.project = filepath.Join(g.main, ".claude", "worktrees", "shop")
	}
	g.dir = g.project
	if g.main == "" {
		g.main = g.project
		g.write(filepath.Join(g.project, ".git", "HEAD"), "ref: refs/heads/main\n")
	} else {
		kept := filepath.Join(g.main, ".git", "worktrees", "shop")
		g.write(filepath.Join(g.project, ".git"), "gitdir: "+kept+"\n")
		g.write(filepath.Join(kept, "gitdir"), filepath.Join(g.project, ".git")+"\n")
		g.write(filepath.Join(kept, "commondir"), "../..\n")
		for _, name := range []string{
			"CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/rules/main.md", ".cursor/rules/main.mdc", "web/CLAUDE.md",
		} {
			g.write(filepath.Join(g.main, name), g.text())
		}
		g.write(filepath.Join(g.main, ".claude", "settings.local.json"), `{"claudeMdExcludes": ["**/lib/**"]}`)
	}
	if seed%4 == 3 {
		g.dir = filepath.Join(g.home, "linked")
		if err := os.Symlink(g.project, g.dir); err != nil {
			g.t.Fatal(err)
		}
	}
}

// agentHome makes a home, and lets the environment name it and nothing of an agent.
func agentHome(t *testing.T) string {
	t.Helper()
	home := filestore.Real(t.TempDir())
	for _, name := range []string{
		"CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG", "GEMINI_CLI_HOME",
		"OPENCLAW_WORKSPACE_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
	} {
		t.Setenv(name, "")
		_ = os.Unsetenv(name) // Setenv brings it back
	}
	t.Setenv("HOME", home)
	return home
}

func (g *grove) write(path, text string) {
	g.t.Helper()
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(text), 0o600) != nil {
		return // a link or a folder is there already
	}
}

// some returns whether something is there: about one in n is.
func (g *grove) some(n int) bool { return g.r.IntN(n) == 0 }

func (g *grove) oneOf(list ...string) string { return list[g.r.IntN(len(list))] }

// text returns the text of an instruction file, with a key for the audit.
func (g *grove) text() string {
	said := g.oneOf(
		"# Shop\n", "\ufeff# Marked\n", "Run make test.\r\n", "See @docs/guide.md\n", "See @../docs/guide.md\n",
		"See @./docs/deep/more.md and @missing.md\n", "<!-- nothing -->\n", "@~/notes.md\n", "`@docs/code.md`\n",
		"@docs/räum lich.md\n",
	)
	return said + "Push with " + key + "\n"
}

// rule returns the text of a rule, with a header that decides when it is read.
func (g *grove) rule() string {
	header := g.oneOf(
		"", "---\npaths: \"*.go\"\n---\n", "---\nglobs: \"**/*.ts\"\n---\n", "---\nalwaysApply: true\n---\n",
		"---\ndescription: x\n---\n", "---\npaths: []\n---\n", "---\ntrigger: manual\n---\n", "---\nnever closed\n",
	)
	return header + g.text()
}

// plant installs a random choice of agents, and writes a random choice of files.
func (g *grove) plant() {
	for _, dir := range []string{".claude", ".codex", ".gemini", ".config/opencode", ".local/share/opencode"} {
		if !g.some(4) {
			_ = os.MkdirAll(filepath.Join(g.home, dir), 0o700)
		}
	}
	for _, name := range []string{"guide.md", "code.md", "deep/more.md", "räum lich.md", "a b.md"} {
		g.write(filepath.Join(g.project, "docs", name), g.text())
	}
	g.write(filepath.Join(g.home, "notes.md"), g.text())
	g.write(filepath.Join(g.home, "shared", "team.md"), g.text())
	for _, name := range []string{
		".claude/CLAUDE.md", ".claude/rules/mine.md", ".claude/agent-memory/helper/MEMORY.md", ".codex/AGENTS.md",
		".codex/AGENTS.override.md",
		".gemini/GEMINI.md", ".config/opencode/AGENTS.md",
		".codex/memories/memory_summary.md", ".codex/memories/MEMORY.md",
		".copilot/copilot-instructions.md", "Documents/Cline/Rules/a.md",
	} {
		if g.some(3) {
			g.write(filepath.Join(g.home, name), g.text())
		}
	}
	for _, dir := range []string{"", "web", "web/app", "other", "lib/räum lich"} {
		for _, name := range []string{
			"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md",
			"CONTEXT.md", "TEAM.md",
		} {
			if g.some(3) {
				g.plantAt(filepath.Join(g.project, dir, name), g.text())
			}
		}
		if g.some(3) {
			name := g.oneOf("r.md", "deep/r.md", "r r.md")
			g.plantAt(filepath.Join(g.project, dir, ".claude", "rules", name), g.rule())
		}
	}
	rules := g.some(2)
	for _, name := range []string{
		".cursor/rules/a.mdc", ".cursor/rules/deep/b.mdc", ".cursorrules", ".github/copilot-instructions.md",
		".github/instructions/c.instructions.md", ".clinerules/d.md", ".windsurf/rules/e.md",
		".claude/agent-memory/helper/MEMORY.md",
		".github/instructions/memory.instruction.md",
	} {
		if rules && g.some(3) {
			g.plantAt(filepath.Join(g.project, name), g.rule())
		}
	}
	g.plantSettings()
	g.plantMemories()
}

// plantAt writes a file, or makes a link to one in its place or in the place of its folder.
func (g *grove) plantAt(path, text string) {
	to := g.oneOf("docs/guide.md", "docs/deep/more.md", "../../shared/team.md", "docs/gone.md")
	if !g.some(6) {
		g.write(path, text)
		return
	}
	_ = os.MkdirAll(filepath.Dir(path), 0o700)
	target := filepath.Join(g.project, to)
	if rel, err := filepath.Rel(filestore.Real(filepath.Dir(path)), target); err == nil && g.some(2) {
		target = rel
	}
	_ = os.Symlink(target, path) // what is there already stays
}

// plantSettings writes settings that name files.
func (g *grove) plantSettings() {
	maybe := func(in, name string, texts ...string) {
		if g.some(3) {
			g.write(filepath.Join(in, name), g.oneOf(texts...))
		}
	}
	maybe(g.project, "opencode.json",
		`{"instructions": ["docs/*.md"]}`, `{"instructions": ["~/notes.md", "TEAM.md"]}`,
		`{"instructions": ["docs/deep/more.md", "docs/**/*.md", "gone.md"]}`,
		"{\"instructions\": [\"AGENTS.md\"] // all\n}")
	maybe(g.project, ".gemini/settings.json",
		`{"context": {"fileName": ["CONTEXT.md"]}}`, `{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}`,
		`{"context": {"fileName": "TEAM.md"}}`)
	maybe(g.home, ".codex/config.toml",
		"project_doc_fallback_filenames = [\"CONTEXT.md\"]\n", "project_doc_max_bytes = 200\n",
		"[features]\nmemories = true\n", "project_doc_fallback_filenames = [\"TEAM.md\", \"CLAUDE.md\"]\n")
	maybe(g.project, ".claude/settings.json", `{"claudeMdExcludes": ["**/other/**"]}`, `{"autoMemoryEnabled": false}`)
	const approved = `{"projects": {%q: {"hasClaudeMdExternalIncludesApproved": true, "hasTrustDialogAccepted": true}}}`
	maybe(g.home, ".claude.json", fmt.Sprintf(approved, g.main))
	if g.some(3) {
		g.write(filepath.Join(g.home, ".gemini", "trustedFolders.json"), fmt.Sprintf(`{%q: "TRUST_FOLDER"}`, g.project))
	}
}

// plantMemories writes what agents keep of the project elsewhere.
func (g *grove) plantMemories() {
	slug := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, g.main)
	dir := filepath.Join(g.home, ".claude", "projects", slug, "memory")
	for _, name := range []string{"MEMORY.md", "deploy.md", "deep/db.md"} {
		if g.some(2) {
			g.write(filepath.Join(dir, name), "- [deploy](deploy.md) - how\n"+g.text())
		}
	}
	if g.some(2) {
		of := filepath.Join(g.home, ".gemini", "tmp", "shop")
		g.write(filepath.Join(of, ".project_root"), g.project)
		g.write(filepath.Join(g.home, ".gemini", "projects.json"), fmt.Sprintf(`{"projects": {%q: "shop"}}`, g.project))
		for _, name := range []string{"MEMORY.md", "deploy.md"} {
			g.write(filepath.Join(of, "memory", name), g.text())
		}
	}
}

// isText reports whether a source is a text for a model that a store lists as a record.
func isText(s *memory.Source) bool {
	switch s.Kind {
	case memory.SourceSettings, memory.SourceHook, memory.SourceSkill:
		return false
	}
	return filepath.IsAbs(s.Path)
}

// isThere reports whether there is a file or a link, if only to nothing.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// said returns the texts that an agent's system names as sources.
func said(agents []memory.AgentSources, holds func(*memory.Source) bool) map[memory.SystemID][]string {
	files := map[memory.SystemID][]string{}
	for _, a := range agents {
		for i := range a.List {
			if s := &a.List[i]; isText(s) && isThere(s.Path) && holds(s) {
				files[a.System] = memory.AppendNew(files[a.System], s.Path)
			}
		}
	}
	return files
}

// TestPartsAgreeOnWhatAgentsRead makes random projects and compares the files that are named as sources
// with those of the records listed, counted and searched, those of which recall gives something, and those that an
// audit reads.
func TestPartsAgreeOnWhatAgentsRead(t *testing.T) {
	trees := uint64(4)
	if os.Getenv("WINNOW_LONG") != "" {
		trees = 300
	}
	compared := 0
	for seed := range trees {
		home := agentHome(t)
		g := &grove{t: t, r: rand.New(rand.NewPCG(seed, 7)), home: home}
		g.shape(seed)
		g.plant()
		env := system.Env{Home: home, Dir: g.project, Lookup: os.LookupEnv}
		start := func(f func()) { go f() }
		l := New(all.Systems(time.Now), env, time.Now, start, State{Dir: t.TempDir()}, all.Forms()...)
		compared += g.compare(seed, l)
	}
	if compared < 20*int(trees) {
		t.Errorf("only %d files were compared", compared)
	}
}

// compare compares the answers of one project, and returns how many files they name.
func (g *grove) compare(seed uint64, l *Library) (compared int) {
	t := g.t
	sources := l.Sources(t.Context(), g.dir, true)
	named := said(sources, func(*memory.Source) bool { return true })
	// AGENTS.md beside a file of Claude Code's own is no memory of it: the list has that of the working folder only.
	beside := said(
		sources,
		func(s *memory.Source) bool { return s.When == memory.Never && s.Loss == memory.LossBeside },
	)
	start := said(sources, func(s *memory.Source) bool { return s.When == memory.AtStart })
	start["gemini"] = said(sources, func(s *memory.Source) bool { // an import is a part of the file that imports it
		return s.When == memory.AtStart && s.Kind != memory.SourceImport
	})["gemini"]
	used := map[memory.SystemID]bool{}
	listed, given := map[memory.SystemID][]string{}, map[memory.SystemID][]string{}
	for _, p := range l.Find(t.Context()).Places {
		if !p.Exists || !UsedIn(g.project, &p) {
			continue
		}
		used[p.System] = true
		snap, err := l.Load(t.Context(), p.Store)
		if err != nil {
			t.Fatal(err)
		}
		for i := range snap.Records {
			listed[p.System] = memory.AppendNew(listed[p.System], snap.Records[i].File)
		}
		g.searched(seed, l, &snap)
		recall, err := l.Recall(t.Context(), p.Store, memory.Task{Folder: g.dir})
		if err != nil {
			continue
		}
		for _, b := range append([]memory.Block{recall.Block}, recall.Also...) {
			for _, part := range b.Parts {
				if subagent := strings.Contains(part.Path, "agent-memory"); subagent || !isThere(part.Path) {
					continue // subagents are given it, or Claude Code writes it at the start
				}
				given[p.System] = memory.AppendNew(given[p.System], part.Path)
			}
		}
	}
	for _, id := range []memory.SystemID{"claudecode", "codex", "gemini", "opencode", "rulefiles"} {
		compared += len(named[id])
		if !used[id] { // an agent that is not used here is said to be none
			for _, a := range sources {
				if a.System == id && len(a.List) > 0 && !strings.Contains(a.Note, "Nothing shows that") {
					t.Errorf("tree %d, %s has no store, and sources do not say so: %q", seed, a.Agent, a.Note)
				}
			}
			continue
		}
		read := without(named[id], beside[id])
		g.same(seed, string(id)+": sources and list", read, without(listed[id], beside[id]))
		g.same(seed, string(id)+": sources and recall", start[id], given[id])
	}
	g.audited(seed, l, named)
	return compared
}

// searched compares the records of a store with those that are counted and those that a search finds.
func (g *grove) searched(seed uint64, l *Library, snap *memory.Snapshot) {
	g.t.Helper()
	id := snap.Place.Store
	if sum, err := l.Summary(g.t.Context(), id); err != nil || sum.Total != len(snap.Records) {
		g.t.Errorf("tree %d, %s: %d records are listed, and %d counted (%v)", seed, id, len(snap.Records), sum.Total, err)
	}
	word := filter.Parse("push")
	var want, hits []string
	for i := range snap.Records {
		if r := &snap.Records[i]; filter.Matches(word, r, time.Now()) {
			want = append(want, string(r.ID))
		} else if strings.Contains(r.Body, "Push") {
			g.t.Errorf("tree %d: the word of %s is not found", seed, r.ID)
		}
	}
	_, err := l.Search(g.t.Context(), []memory.StoreID{id}, word, func(p memory.SearchPart) error {
		for i := range p.Records {
			hits = append(hits, string(p.Records[i].ID))
		}
		return nil
	})
	if err != nil {
		g.t.Fatal(err)
	}
	g.same(seed, string(id)+": list and search", want, hits)
}

// audited compares the sources with what an audit of the project finds a key in.
func (g *grove) audited(seed uint64, l *Library, named map[memory.SystemID][]string) {
	report, err := l.Audit(g.t.Context(), memory.AuditOrder{Paths: []string{g.dir}}, nil, nil)
	if err != nil && err != io.EOF {
		g.t.Fatal(err)
	}
	found := map[string]bool{}
	for i := range report.Findings {
		found[filestore.Real(report.Findings[i].File)] = true
	}
	for i := range report.Failed { // it says that it did not read them
		found[filestore.Real(l.Absolute(report.Failed[i].Path))] = true
	}
	var want []string
	for _, id := range slices.Sorted(maps.Keys(named)) {
		for _, path := range named[id] {
			text, err := os.ReadFile(path)
			hasKey := err == nil && strings.Contains(string(text), key)
			if hasKey && filestore.Within(g.project, path) && !found[filestore.Real(path)] {
				want = memory.AppendNew(want, path)
			}
		}
	}
	if len(want) > 0 {
		g.t.Errorf("tree %d: the audit does not read %s", seed, g.short(want))
	}
}

// without returns the paths that are not left out.
func without(paths, leftOut []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return slices.Contains(leftOut, path) })
}

func (g *grove) same(seed uint64, what string, a, b []string) {
	g.t.Helper()
	slices.Sort(a)
	slices.Sort(b)
	less := func(from, list []string) (only []string) {
		for _, path := range from {
			if !slices.Contains(list, path) {
				only = append(only, path)
			}
		}
		return only
	}
	if onlyA, onlyB := less(a, b), less(b, a); len(onlyA)+len(onlyB) > 0 {
		g.t.Errorf("tree %d, %s differ: only the first has %s, only the second %s",
			seed, what, g.short(onlyA), g.short(onlyB))
	}
}

func (g *grove) short(paths []string) string {
	return strings.ReplaceAll(fmt.Sprint(paths), g.home, "~")
}
