package problems

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
)

// The limits of a comparison.
const (
	mostIssues = 200 // of one kind
	mostTexts  = 400 // texts that are compared with each other
)

// Differences returns the statements of two sources that are the same but for a number, a path, a flag, a command or
// a negation. It sets Gap if some were not compared.
func (p *Project) Differences() (all []memory.Issue) {
	texts := p.compared()
	scopes := make([]string, len(texts))
	read := make([]*compare.Text, len(texts))
	for i, t := range texts {
		scopes[i], read[i] = p.scope(t.path), p.said(t)
	}
	found, whole := compare.FindDiffering(read, func(a, b int) bool { return scopes[a] == scopes[b] })
	if !whole {
		p.Gap = "Not compared with each other: some of the texts, because they are very many or very large."
	}
	for i := range found {
		all = append(all, p.difference(texts[found[i].A], texts[found[i].B], &found[i]))
	}
	all = sameDifference(all)
	return p.finish(all[:min(len(all), mostIssues)])
}

// sameDifference leaves one of the differences with the same two texts: a statement that stands in three files.
func sameDifference(all []memory.Issue) (out []memory.Issue) {
	for _, is := range all {
		at := slices.IndexFunc(out, func(o memory.Issue) bool {
			x, y := o.Places, is.Places
			return x[0].Text == y[0].Text && x[1].Text == y[1].Text || x[0].Text == y[1].Text && x[1].Text == y[0].Text
		})
		if at < 0 {
			out = append(out, is)
			continue
		}
		out[at].Agents = memory.AppendNew(out[at].Agents, is.Agents...)
		out[at].More++
	}
	return out
}

// compared returns the texts that some agent is given, in the order in which they are read. Lists of topics are left
// out.
func (p *Project) compared() (all []*text) {
	seen := map[*text]bool{}
	for i := range p.Agents {
		for j := range p.Agents[i].List {
			s := &p.Agents[i].List[j]
			t := p.texts[s.Path]
			wanted := s.When != memory.Never || s.Loss == memory.LossBeside
			if t == nil || seen[t] || !wanted || s.Kind == memory.SourceMemoryIndex || len(all) >= mostTexts {
				continue
			}
			seen[t] = true
			all = append(all, t)
		}
	}
	return all
}

// scope returns the folder whose sessions a file is for, relative to the project: that around the folder of a tool.
func (p *Project) scope(file string) string {
	rel := p.rel(file)
	if filepath.IsAbs(rel) {
		return ""
	}
	dir := path.Dir(rel)
	for i, element := range strings.Split(dir, "/") {
		if strings.HasPrefix(element, ".") {
			return strings.Join(strings.Split(dir, "/")[:i], "/")
		}
	}
	return strings.TrimPrefix(dir, ".")
}

// difference returns two statements that differ as an issue.
func (p *Project) difference(a, b *text, d *compare.Differing) memory.Issue {
	is := memory.Issue{
		Kind: memory.Differ, Places: []memory.Spot{a.at(d.InA), b.at(d.InB)}, Slots: d.Slots,
		Agents: memory.AppendNew(p.readers(a.path), p.readers(b.path)...),
	}
	x, y := is.Places[0], is.Places[1]
	is.What = fmt.Sprintf("%s:%d says %s, and %s:%d says %s.", p.rel(x.File), x.Line, quoted(d.Slots[0], x.Text),
		p.rel(y.File), y.Line, quoted(d.Slots[1], y.Text))
	return is
}

// quoted returns what is in the slot, or the whole statement if there is nothing.
func quoted(slot, text string) string {
	slot = strings.TrimRight(slot, ".,;:")
	if slot == "" {
		slot = excerpt(text)
	}
	return "“" + slot + "”"
}
