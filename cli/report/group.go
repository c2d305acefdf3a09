package report

import (
	"fmt"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
)

// group is a set of findings listed as one entry: a single finding, all private data of one kind,
// all files with the same finding of a rule, or those of a rule that are too many to list.
type group struct {
	*memory.Finding // the first finding
	rest            bool
	findings        int
	places, files   int
}

// listedMost limits the findings of a rule that are listed below a heading.
const listedMost = 20

// section returns the heading that a finding is listed under.
func section(f *memory.Finding) string {
	switch {
	case !f.Open():
		return "IGNORED"
	case f.Family == memory.FamilyFile:
		return "FILE"
	}
	return strings.ToUpper(f.Severity.String())
}

// collector sorts findings into groups.
type collector struct {
	groups map[string][]*group  // by heading
	open   map[[2]string]*group // groups that still accept findings, by heading and rule
	listed map[[2]string]int    // number of entries listed, by heading and rule
	files  map[fileOf]bool      // files already counted
}

// fileOf identifies a file with findings of a group.
type fileOf struct {
	*group
	path string
}

func (c *collector) add(f *memory.Finding) {
	head := section(f)
	key := [2]string{head, f.Rule}
	g := c.open[key]
	if g == nil {
		g = &group{Finding: f, rest: c.listed[key] == listedMost}
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
	c := collector{map[string][]*group{}, map[[2]string]*group{}, map[[2]string]int{}, map[fileOf]bool{}}
	for _, f := range r.listed() {
		c.add(f)
	}
	for _, head := range []string{"HIGH", "MEDIUM", "LOW", "FILE", "IGNORED"} {
		if len(c.groups[head]) > 0 {
			heads = append(heads, head)
		}
	}
	return heads, c.groups
}

// place says where the findings of a group are.
func (r *Report) place(g *group) string {
	switch {
	case g.rest:
		return fmt.Sprintf("and %d more in %s: --json lists them", g.findings, output.Plural(g.files, "file"))
	case g.findings > 1 && g.Family == memory.FamilyFile:
		return fmt.Sprintf("%s, first %s", output.Plural(g.files, "file"), r.where(g.Finding))
	case g.findings > 1 || g.Family == memory.FamilyPrivate && g.places > 1:
		one := *g.Finding
		one.Count = 1
		return fmt.Sprintf("%s in %s, first %s", output.Plural(g.places, "place"), output.Plural(g.files, "file"), r.where(&one))
	}
	return r.where(g.Finding)
}
