package problems

import (
	"cmp"
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
	leastShared = 3   // words that two statements must share
	mostSlot    = 3   // words in the slot that differs
	mostWords   = 60  // of a statement that is compared
	mostIssues  = 200 // of one kind
	mostFound   = 5_000
	mostOthers  = 3   // values that others have in a slot; with more, the statements are a list
	mostTexts   = 400 // texts that are compared with each other

	mostStatements = 10_000    // of a text that are compared
	mostCompares   = 4_000_000 // words of all statements, each counted for every text it is compared with
)

// pair is two statements that are nearly the same.
type pair struct {
	a, b   int // their indexes in two texts
	shared int
	slots  [2]string
	own    [2]string // paths and code in the slots, in comparable form
}

// Differences returns the statements of two sources that are the same but for a number, a path, a flag, a command or
// a negation. It sets Gap if some were not compared.
func (p *Project) Differences() []memory.Issue {
	var all []memory.Issue
	texts := p.compared()
	for i, a := range texts {
		for _, b := range texts[i+1:] {
			if p.scope(a.path) != p.scope(b.path) || len(all) >= mostFound {
				continue
			}
			found := p.pairs(a, b)
			for _, d := range found[:min(len(found), mostIssues)] {
				all = append(all, p.difference(a, b, &d))
			}
		}
	}
	all = withoutLists(all)
	return p.finish(sameDifference(all[:min(len(all), mostIssues)]))
}

// withoutLists leaves out the differences of statements that say something else in each of many files, such as the
// first line of each note about a release.
func withoutLists(all []memory.Issue) []memory.Issue {
	others := map[memory.Spot]map[string]bool{}
	for i := range all {
		for j, spot := range all[i].Places {
			if others[spot] == nil {
				others[spot] = map[string]bool{}
			}
			others[spot][all[i].Slots[1-j]] = true
		}
	}
	return slices.DeleteFunc(all, func(is memory.Issue) bool {
		return len(others[is.Places[0]]) > mostOthers && len(others[is.Places[1]]) > mostOthers
	})
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
			all = append(all, p.formsOf(t))
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

// pairs returns the statements of two texts that differ in one slot. Each statement is in one pair at most, and in
// none if the other text has it too.
func (p *Project) pairs(a, b *text) []pair {
	with := b.skeletons()
	var found []pair
	for i := range a.forms {
		f := &a.forms[i]
		if _, both := b.keys[f.key]; both || !a.isCompared(i) {
			continue
		}
		if p.compares += len(f.words); p.compares > mostCompares {
			p.Gap = "Not compared with each other: some of the texts, because they are very many or very large."
			break
		}
		for _, j := range with.like(f, a.keys, b.forms) {
			if a.statements[i].Code != b.statements[j].Code {
				continue
			}
			d, ok := differing(f, &b.forms[j], a.statements[i].Code)
			if ok && !a.says(d.own[1]) && !b.says(d.own[0]) { // else each is about a thing of its own
				d.a, d.b = i, j
				found = append(found, d)
			}
		}
	}
	slices.SortStableFunc(found, func(x, y pair) int {
		return cmp.Or(cmp.Compare(y.shared, x.shared), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	var out []pair
	usedA, usedB := map[int]int{}, map[int]int{}
	for _, d := range found {
		if usedA[d.a] == 0 && usedB[d.b] == 0 {
			out = append(out, d)
		}
		usedA[d.a]++
		usedB[d.b]++
	}
	// What is like several others is one of a list.
	return slices.DeleteFunc(out, func(d pair) bool { return usedA[d.a] > 1 || usedB[d.b] > 1 })
}

// isCompared reports whether a statement is compared with others: short ones differ in everything, and what is beyond
// the limits is left out.
func (t *text) isCompared(i int) bool {
	n := len(t.forms[i].words)
	return i < mostStatements && n > leastShared && n <= mostWords
}

// withoutSharedEnds returns two lists of words without those with which both begin and end.
func withoutSharedEnds(a, b []word) ([]word, []word) {
	for len(a) > 0 && len(b) > 0 && a[0].text == b[0].text {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].text == b[len(b)-1].text {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// differing reports whether two statements differ in one slot whose content matters.
func differing(a, b *form, isCode bool) (d pair, ok bool) {
	x, y := withoutSharedEnds(a.words, b.words)
	d.shared = len(a.words) - len(x)
	if len(x) > mostSlot || len(y) > mostSlot || d.shared < leastShared || d.shared < 2*max(len(x), len(y)) {
		return d, false
	}
	d.slots = [2]string{slot(x), slot(y)}
	switch {
	case isCode:
		return d, d.inCommands(x, y)
	case len(x) == 1 && len(y) == 1 && x[0].code && y[0].code:
		d.own = [2]string{x[0].text, y[0].text}
		return d, d.inSpans(x[0].as, y[0].as)
	case len(x) == 1 && len(y) == 1 && differentValues(x[0].text, y[0].text):
		if numberOf(x[0].text) == "" || isPath(x[0].text) {
			d.own = [2]string{x[0].text, y[0].text}
		}
		return d, true
	}
	return d, isDenial(x, y)
}

// says reports whether a path or a span stands somewhere in a text.
func (t *text) says(w string) bool {
	if w == "" {
		return false
	}
	if t.words == nil {
		t.words = map[string]bool{}
		for _, f := range t.forms {
			for _, w := range f.words {
				t.words[w.text] = true
			}
		}
	}
	return t.words[w]
}

func slot(words []word) string {
	var parts []string
	for _, w := range words {
		parts = append(parts, w.as)
	}
	return strings.Join(parts, " ")
}

// inSpans reports whether two code spans are a choice: commands of one program, or paths to one thing, or numbers.
func (d *pair) inSpans(x, y string) bool {
	a, b := strings.Fields(x), strings.Fields(y)
	if len(a) > 1 || len(b) > 1 {
		return d.shared >= leastShared && sharedWords(a, b) > 0
	}
	return differentValues(x, y)
}

// sharedWords counts the words that two commands have at the same place from their start or end.
func sharedWords(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	head := n
	for k := 1; k <= len(a)-head && k <= len(b)-head && a[len(a)-k] == b[len(b)-k]; k++ {
		n++
	}
	return n
}

// inCommands reports whether two lines of code are one command with another number, flag or place.
func (d *pair) inCommands(x, y []word) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if len(x) == 1 && len(y) == 1 && numberOf(x[0].text) != "" && numberOf(y[0].text) != "" {
		return numberOf(x[0].text) != numberOf(y[0].text)
	}
	return strings.HasPrefix(x[0].as, "-") && strings.HasPrefix(y[0].as, "-") && d.shared > leastShared
}

// differentValues reports whether two words are different numbers, or different paths to what has one name.
func differentValues(x, y string) bool {
	if n, m := numberOf(x), numberOf(y); n != "" && m != "" {
		return n != m && around(x, n) == around(y, m)
	}
	if !isPath(x) || !isPath(y) {
		return false
	}
	x, y = strings.Trim(strings.TrimPrefix(x, "./"), "/"), strings.Trim(strings.TrimPrefix(y, "./"), "/")
	return !strings.EqualFold(x, y)
}

// isPath reports whether a word has the shape of a path of more than one element.
func isPath(w string) bool {
	return strings.Contains(strings.Trim(w, "/"), "/") && !strings.Contains(w, "://") && !strings.ContainsAny(w, " |")
}

// numberOf returns the first number in a word, with its dots: "3.12" of "python3.12". It is empty if there is none.
func numberOf(w string) string {
	start := strings.IndexAny(w, "0123456789")
	if start < 0 {
		return ""
	}
	end := start
	for end < len(w) && (w[end] >= '0' && w[end] <= '9' || strings.IndexByte(".,:_", w[end]) >= 0) {
		end++
	}
	return strings.TrimRight(w[start:end], ".,:_")
}

// around returns a word without its number.
func around(w, n string) string { return strings.Replace(w, n, "#", 1) }

// isDenial reports whether one of two slots denies, and the other does not. Beside nothing, it only denies.
func isDenial(x, y []word) bool {
	denying := func(words []word) (n int) {
		for _, w := range words {
			if !w.code && compare.Denies(w.text) {
				n++
			}
		}
		return n
	}
	n, m := denying(x), denying(y)
	if m > 0 {
		x, y, n, m = y, x, m, n
	}
	return n > 0 && m == 0 && (len(y) > 0 || n == len(x))
}

// difference returns a pair as an issue.
func (p *Project) difference(a, b *text, d *pair) memory.Issue {
	is := memory.Issue{
		Kind: memory.Differ, Places: []memory.Spot{a.at(d.a), b.at(d.b)}, Slots: d.slots,
		Agents: memory.AppendNew(p.readers(a.path), p.readers(b.path)...),
	}
	x, y := is.Places[0], is.Places[1]
	is.What = fmt.Sprintf("%s:%d says %s, and %s:%d says %s.", p.rel(x.File), x.Line, quoted(d.slots[0], x.Text),
		p.rel(y.File), y.Line, quoted(d.slots[1], y.Text))
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
