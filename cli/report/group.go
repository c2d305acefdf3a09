package report

import (
	"cmp"
	"fmt"
	"slices"

	"winnow/cli/output"
	"winnow/core/memory"
)

// group is a set of findings listed as one entry: a single finding, all private data of one kind,
// all files with the same finding of a rule, or those of a rule that are too many to list.
type group struct {
	*memory.Finding      // the first finding
	rest, others    bool // it stands for further findings of the rule, or of any rule
	findings        int
	places, files   int
}

// listedMost limits the findings of a rule that are listed below a heading. shortMost does so where
// each has one line, and headMost all that such a heading has.
const (
	listedMost = 20
	shortMost  = 3
	headMost   = 10
)

// The headings, in order.
const (
	headHigh    = "HIGH"
	headReview  = "TO READ"
	headLow     = "LOW"
	headFile    = "FILE"
	headIgnored = "IGNORED"
)

// section returns the heading that a finding is listed under.
func section(f *memory.Finding) string {
	switch {
	case !f.Open():
		return headIgnored
	case f.Severity == memory.High:
		return headHigh
	case f.Severity == memory.Medium:
		return headReview
	case f.Family == memory.FamilyFile:
		return headFile
	}
	return headLow
}

// collector sorts findings into groups.
type collector struct {
	groups map[string][]*group  // by heading
	open   map[[2]string]*group // groups that still accept findings, by heading and rule
	listed map[[2]string]int    // number of entries listed, by heading and rule
	files  map[fileOf]bool      // files already counted
	long   bool                 // findings have several lines
}

// full reports whether no more findings of a rule are listed below a heading one by one.
func (c *collector) full(key [2]string) bool {
	if c.long {
		return c.listed[key] >= listedMost
	}
	return c.listed[key] >= shortMost
}

// fileOf identifies a file with findings of a group.
type fileOf struct {
	*group
	path string
}

func (c *collector) add(f *memory.Finding) {
	head := section(f)
	key := [2]string{head, f.Rule}
	if !c.long && c.open[key] == nil && len(c.groups[head]) >= headMost {
		key[1] = "" // all other rules together
	}
	g := c.open[key]
	if g == nil {
		g = &group{Finding: f, rest: key[1] == "" || c.full(key), others: key[1] == ""}
		c.groups[head] = append(c.groups[head], g)
		c.listed[key]++
		if g.rest || (f.Family == memory.FamilyPrivate || f.Family == memory.FamilyFile) && f.Open() {
			c.open[key] = g
		}
	}
	g.findings++
	g.places += max(f.Count, 1)
	if file := (fileOf{g, f.Path}); !c.files[file] {
		c.files[file] = true
		g.files++
	}
}

// sections returns the headings in order, and the groups under each.
func (r *Report) sections() (heads []string, groups map[string][]*group) {
	c := collector{map[string][]*group{}, map[[2]string]*group{}, map[[2]string]int{}, map[fileOf]bool{}, r.Long}
	for _, f := range r.listed() {
		c.add(f)
	}
	for _, head := range []string{headHigh, headReview, headLow, headFile, headIgnored} {
		if len(c.groups[head]) > 0 {
			heads = append(heads, head)
			if !r.Long {
				sortByRule(c.groups[head])
			}
		}
	}
	return heads, c.groups
}

// sortByRule puts the groups of a rule together, in the order of their first ones.
func sortByRule(groups []*group) {
	first := map[string]int{}
	for i, g := range groups {
		if _, known := first[g.Rule]; !known {
			first[g.Rule] = i
		}
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		switch {
		case a.others == b.others:
			return cmp.Compare(first[a.Rule], first[b.Rule])
		case a.others:
			return 1
		}
		return -1
	})
}

// place says where the findings of a group are.
func (r *Report) place(g *group) string {
	switch {
	case g.others:
		return fmt.Sprintf("%d more of other rules in %s", g.findings, output.Plural(g.files, "file"))
	case g.rest:
		return fmt.Sprintf("%d more of this rule in %s", g.findings, output.Plural(g.files, "file"))
	case g.findings > 1 && g.Family == memory.FamilyFile:
		return fmt.Sprintf("%s, first %s", output.Plural(g.files, "file"), r.where(g.Finding))
	case g.findings > 1 || g.Family == memory.FamilyPrivate && g.places > 1:
		first := *g.Finding
		first.Count = 1
		return fmt.Sprintf(
			"%s in %s, first %s",
			output.Plural(g.places, "place"),
			output.Plural(g.files, "file"),
			r.where(&first),
		)
	}
	return r.where(g.Finding)
}
