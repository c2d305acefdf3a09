// Package problems finds what is wrong with what the agents of a project read: words that an agent silently leaves
// out, statements that differ, what only one agent is told, and names of what is gone. It only computes: texts and
// what git knows are handed in.
package problems

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
)

// Project is a project with what its agents read there.
type Project struct {
	Root   string // absolute
	Agents []memory.AgentSources
	Gap    string // a sentence on what was not compared; see Differences

	texts map[string]*text
	names compare.Names
}

// text is a file that agents read.
type text struct {
	path       string
	string     string
	statements []compare.Statement
	said       *compare.Text // see [Project.said]
}

// said returns what a text says in a comparable form, made once.
func (p *Project) said(t *text) *compare.Text {
	if t.said == nil {
		t.said = compare.NewText(t.statements, p.names)
	}
	return t.said
}

// New returns a project. Texts are the decoded texts of its sources by path; a source without one was not read.
func New(root string, agents []memory.AgentSources, texts map[string]string) *Project {
	p := &Project{Root: root, Agents: agents, texts: make(map[string]*text, len(texts))}
	for path, s := range texts {
		p.texts[path] = &text{path: path, string: s, statements: compare.Statements(s)}
	}
	p.names = agentNames(agents)
	return p
}

// agentNames returns the words by which agents and their files are known.
func agentNames(agents []memory.AgentSources) compare.Names {
	names := compare.Names{}
	for i := range agents {
		a := &agents[i]
		names.AddAgent(a.Agent)
		for j := range a.List {
			switch s := &a.List[j]; s.Kind {
			case memory.SourceInstructions, memory.SourceMemoryIndex:
				names.AddFile(s.Path)
			}
		}
	}
	return names
}

// isInside reports whether a file is in the project.
func (p *Project) isInside(path string) bool {
	rel, err := filepath.Rel(p.Root, path)
	return err == nil && filepath.IsLocal(rel)
}

// rel returns a path as people know it: relative to the project if it is in it.
func (p *Project) rel(path string) string {
	if rel, err := filepath.Rel(p.Root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// at returns a statement of a file as a place.
func (t *text) at(i int) memory.Spot {
	return memory.Spot{File: t.path, Line: t.statements[i].Line, Text: t.statements[i].Text}
}

// holding returns the place of the first line that holds a word, or the whole file.
func (t *text) holding(word string) memory.Spot {
	n := 0
	for line := range strings.Lines(t.string) {
		n++
		if strings.Contains(line, word) {
			return memory.Spot{File: t.path, Line: n, Text: strings.TrimSpace(line)}
		}
	}
	return memory.Spot{File: t.path}
}

// finish sorts the issues of one kind, and gives each what all have.
func (p *Project) finish(issues []memory.Issue) []memory.Issue {
	for i := range issues {
		is := &issues[i]
		is.Level = cmp.Or(is.Level, memory.Warn)
		leads := slices.ContainsFunc(is.Places, func(s memory.Spot) bool { return !p.isInside(s.File) })
		is.Outside = is.Outside || leads
		is.Fingerprint = p.fingerprint(is)
	}
	slices.SortStableFunc(issues, func(a, b memory.Issue) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Places[0].File, b.Places[0].File),
			cmp.Compare(a.Places[0].Line, b.Places[0].Line), cmp.Compare(a.What, b.What))
	})
	return issues
}

// fingerprint identifies an issue by its kind, files and texts, and not by lines.
func (p *Project) fingerprint(is *memory.Issue) string {
	h := sha256.New()
	parts := []string{string(is.Kind), is.Slots[0], is.Slots[1]}
	if len(is.Places) == 0 || is.Slots == [2]string{} {
		parts = append(parts, is.What)
	}
	for _, s := range is.Places {
		parts = append(parts, p.rel(s.File), s.Text)
	}
	h.Write([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// readers returns the names of the agents that are given a file on some occasion.
func (p *Project) readers(path string) (names []string) {
	for i := range p.Agents {
		a := &p.Agents[i]
		if slices.ContainsFunc(a.List, func(s memory.Source) bool { return s.Path == path && s.When != memory.Never }) {
			names = memory.AppendNew(names, a.Agent)
		}
	}
	return names
}
