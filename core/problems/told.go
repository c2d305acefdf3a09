package problems

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
)

// leastTold is how many words a statement has that is worth saying that only one agent is told it.
const leastTold = 3

// toldAtStart returns the agents that are given something at the start, and by statement those that are given it.
func (p *Project) toldAtStart() (told map[string][]string, agents []string) {
	told = map[string][]string{}
	for i := range p.Agents {
		a := &p.Agents[i]
		for j := range a.List {
			t := p.texts[a.List[j].Path]
			if t == nil || a.List[j].When != memory.AtStart {
				continue
			}
			agents = memory.AppendNew(agents, a.Agent)
			for key := range p.said(t).Keys() {
				told[key] = memory.AppendNew(told[key], a.Agent)
			}
		}
	}
	return told, agents
}

// OnlyOneTold returns for each file what the one agent that is given it is told in it, and that no other agent that
// is given something at the start is told. What stands in differences is left out: the other agents are told something
// else of it. An issue is about a file: its places are the first statements.
func (p *Project) OnlyOneTold(differences []memory.Issue) []memory.Issue {
	const shown = 3
	told, agents := p.toldAtStart()
	if len(agents) < 2 {
		return nil
	}
	differing := statementsOf(differences)
	var all []memory.Issue
	for _, t := range p.compared() {
		if s := p.startSource(t.path); s == nil || s.Kind == memory.SourceMemoryIndex {
			continue
		}
		is := memory.Issue{Kind: memory.OnlyOneTold, Level: memory.Note}
		n := 0
		said := p.said(t)
		for i := range said.Statements {
			key, words := said.Key(i)
			if words < leastTold || said.Keys()[key] != i || differing[said.Statements[i].Text] {
				continue
			}
			if names := told[key]; len(names) == 1 {
				is.Agents = names
				if n++; n <= shown {
					is.Places = append(is.Places, t.at(i))
				}
			}
		}
		if n == 0 {
			continue
		}
		is.More = n - len(is.Places)
		first := strings.TrimSuffix(excerpt(is.Places[0].Text), ".")
		is.What = fmt.Sprintf("Only %s is told “%s”", is.Agents[0], first)
		if n > 1 {
			is.What += fmt.Sprintf(" and %d more", n-1)
		}
		is.What += "."
		all = append(all, is)
	}
	return p.finish(all)
}

// statementsOf returns the statements of issues.
func statementsOf(issues []memory.Issue) map[string]bool {
	all := map[string]bool{}
	for i := range issues {
		for _, s := range issues[i].Places {
			all[s.Text] = true
		}
	}
	return all
}

// startSource returns a file as the source that some agent is given at the start, or nil.
func (p *Project) startSource(path string) *memory.Source {
	for i := range p.Agents {
		for j := range p.Agents[i].List {
			if s := &p.Agents[i].List[j]; s.Path == path && s.When == memory.AtStart {
				return s
			}
		}
	}
	return nil
}

// SameTwice returns the pairs of files of one folder that are one text to a large part, the largest first.
func (p *Project) SameTwice() (all []memory.SharedText) {
	const least, most = 5, 20
	texts := p.compared()
	for i, a := range texts {
		for _, b := range texts[i+1:] {
			if p.scope(a.path) != p.scope(b.path) {
				continue
			}
			inA, inB := p.said(a).Keys(), p.said(b).Keys()
			s := memory.SharedText{A: a.path, B: b.path, OfA: len(inA), OfB: len(inB)}
			for key := range inA {
				if _, both := inB[key]; both {
					s.Same++
				}
			}
			if s.Same >= least && s.Same*2 >= min(s.OfA, s.OfB) {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y memory.SharedText) int { return cmp.Compare(y.Same, x.Same) })
	return all[:min(len(all), most)]
}
