package problems

import (
	"fmt"
	"strings"

	"winnow/core/memory"
)

// Doubt is what speaks against a text: it names what the project had and has no more.
type Doubt struct {
	What string // a sentence
	Key  string // the same for the same name, and what became of it
}

// NewLessons returns a project with lessons in the place of sources. Their texts are by what names them; names that
// follow from the moment of a lesson stand in them in backticks.
func NewLessons(root string, lessons map[string]string) *Project {
	of := memory.AgentSources{Agent: "lessons"}
	texts := map[string]string{}
	for name, text := range lessons {
		path := lessonPath(root, name)
		texts[path] = text
		of.List = append(of.List, memory.Source{Path: path, Kind: memory.SourceInstructions, When: memory.AtStart})
	}
	return New(root, []memory.AgentSources{of}, texts)
}

// lessonPath returns a path in the root, from which the names in a lesson are meant.
func lessonPath(root, name string) string { return strings.TrimSuffix(root, "/") + "/\x00" + name }

// AskPattern asks whether git ever had a file that a pattern matches, unless the project has one.
func (l *Look) AskPattern(key string, match func(rel string) bool) {
	for _, file := range l.files {
		if match(file) {
			return
		}
	}
	l.Patterns[key] = match
}

// Doubts returns what speaks against the lesson with a name. That a name was never in git, or is written in another
// case, does not.
func (l *Look) Doubts(name string, e Evidence) (all []Doubt) {
	path := lessonPath(l.project.Root, name)
	seen := map[string]bool{}
	for i := range l.mentions {
		m := &l.mentions[i]
		if m.text.path != path {
			continue
		}
		g, ok := l.fateOf(m, &e)
		key := strings.Join([]string{g.how, g.path, g.entry.Key(), g.fate.Commit}, "\x00")
		if !ok || g.fate.Commit == "" || seen[key] {
			continue
		}
		seen[key] = true
		all = append(all, Doubt{What: g.sentence(1, "It", g.since()), Key: key})
	}
	return all
}

// since says in which commit it came so, and when; empty if no commit did.
func (g *gone) since() string {
	if g.fate.Commit == "" {
		return ""
	}
	const hash = 9
	return fmt.Sprintf(" in %s, %s", g.fate.Commit[:min(hash, len(g.fate.Commit))], g.fate.At.Format("2 January 2006"))
}
