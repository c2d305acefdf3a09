package stores

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/views"
)

// sorting is what the stores can be sorted by; without it they are in groups.
type sorting uint8

const (
	byGroup sorting = iota
	byFindings
	byStart
	byRecords
	byFull
	byWritten
	sortings
)

func (s sorting) String() string {
	return [...]string{"", "findings", "size at start", "records", "fullest", "last written"}[min(s, byWritten)]
}

// outline makes the lines of the table anew: of the stores that the filter lets through,
// in groups or sorted.
func (p *Page) outline() {
	v := &p.view
	v.Filter, v.Typing = p.filter.Text(), p.filter.Typing
	rows := p.matching()
	v.Flat, v.Sorted = p.sort != byGroup, p.sort.String()
	switch {
	case v.Flat:
		v.Lines = p.sorted(rows)
	case views.Grouped(p.places):
		v.Lines = p.tree(rows)
	default:
		v.Lines = make([]views.StoreLine, 0, len(rows))
		for _, i := range rows {
			v.Lines = append(v.Lines, views.StoreLine{Row: i, Path: v.Rows[i].Place.Path})
		}
	}
	p.order = p.order[:0]
	for _, l := range v.Lines {
		if l.Heading == "" || l.Folded {
			p.order = append(p.order, max(l.Row, 0))
			p.order = append(p.order, l.Of...)
		}
	}
}

// resort sorts anew when what is sorted by has become known.
func (p *Page) resort() {
	if p.sort == byGroup {
		return
	}
	chosen := p.chosen()
	p.outline()
	p.goTo(chosen)
}

// matching returns the rows that have each word of the filter.
func (p *Page) matching() []int {
	words := strings.Fields(strings.ToLower(p.filter.Text()))
	rows := make([]int, 0, len(p.view.Rows))
	for i := range p.view.Rows {
		place := &p.view.Rows[i].Place
		text := strings.ToLower(p.cfg.Names[place.System] + " " + string(place.System) + " " + place.Name + " " + place.Path +
			" " + string(place.Store) + " " + place.Project)
		if !slices.ContainsFunc(words, func(w string) bool {
			word, not := strings.CutPrefix(w, "!")
			return word != "" && strings.Contains(text, word) == not
		}) {
			rows = append(rows, i)
		}
	}
	return rows
}

// sorted returns rows as lines without headings, the most first.
func (p *Page) sorted(rows []int) []views.StoreLine {
	key := func(i int) int64 {
		r := &p.view.Rows[i]
		switch s := &r.Summary; p.sort {
		case byFindings:
			return int64(r.Tally.High)<<40 + int64(r.Tally.Medium)<<20 + int64(r.Tally.Low)
		case byStart:
			return int64(s.Start.Bytes)
		case byRecords:
			return int64(s.Counted())
		case byFull:
			return int64(views.Fullest(s))
		}
		if r.Summary.ModTime.IsZero() {
			return -1 << 62
		}
		return r.Summary.ModTime.Unix()
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(key(b), key(a)) })
	lines := make([]views.StoreLine, 0, len(rows))
	for _, i := range rows {
		place := &p.view.Rows[i].Place
		l := views.StoreLine{Row: i, Name: place.Name, Path: cmp.Or(p.short(place.Project), place.Path)}
		if place.ByPath {
			l.Name, l.Path = "", place.Path
		}
		lines = append(lines, l)
	}
	return lines
}

// tree returns rows below the headings of their systems. Those of a project are below a
// heading where there are several.
func (p *Page) tree(rows []int) []views.StoreLine {
	place := func(i int) *memory.Place { return &p.view.Rows[i].Place }
	project := func(i int) string { return projectOf(place(i)) }
	var lines []views.StoreLine
	for _, of := range divided(rows, func(i int) string { return string(place(i).System) }) {
		s := place(of[0]).System
		head := views.StoreLine{Row: of[0], Heading: cmp.Or(p.cfg.Names[s], string(s), "other"), Of: of, Folded: p.isFolded(foldKey(s, ""))}
		lines = append(lines, head)
		if head.Folded {
			continue
		}
		sorted := slices.Clone(of)
		slices.SortStableFunc(sorted, func(a, b int) int { return strings.Compare(project(a), project(b)) })
		for _, rows := range divided(sorted, project) {
			lines = append(lines, p.project(s, rows)...)
		}
	}
	return lines
}

// divided returns rows by a key, in the order in which the keys come first.
func divided(rows []int, key func(row int) string) [][]int {
	var groups [][]int
	at := map[string]int{}
	for _, i := range rows {
		n, known := at[key(i)]
		if !known {
			n, at[key(i)], groups = len(groups), len(groups), append(groups, nil)
		}
		groups[n] = append(groups[n], i)
	}
	return groups
}

// projectOf returns the project that a store is listed under.
func projectOf(p *memory.Place) string {
	if p.ByPath {
		return ""
	}
	return p.Project
}

func (p *Page) project(s memory.SystemID, rows []int) []views.StoreLine {
	folder := projectOf(&p.view.Rows[rows[0]].Place)
	depth := 1
	var lines []views.StoreLine
	if folder != "" && len(rows) > 1 {
		head := views.StoreLine{
			Row: rows[0], Depth: 1, Heading: p.short(folder), Of: rows, Folded: p.isFolded(foldKey(s, folder)),
		}
		lines = append(lines, head)
		if head.Folded {
			return lines
		}
		depth = 2
	}
	for _, i := range rows {
		place := &p.view.Rows[i].Place
		l := views.StoreLine{Row: i, Depth: depth, Name: place.Name, Path: place.Path}
		switch {
		case place.ByPath:
			l.Name = ""
		case depth == 2 && l.Name != "":
			l.Path = ""
		case folder != "":
			l.Path = p.short(folder)
		}
		lines = append(lines, l)
	}
	return lines
}

// foldKey names a heading. Project is empty for that of a system.
func foldKey(system memory.SystemID, project string) string { return string(system) + ":" + project }

// Restore implements page.Remembering.
func (p *Page) Restore(s config.State) {
	for _, heading := range s.Folded {
		p.folded[heading] = true
	}
	p.cfg.Stand = cmp.Or(p.cfg.Stand, s.Store)
	p.outline()
	p.MoveTo(0)
	p.toFirst(anyStore)
	p.goTo(p.cfg.Stand)
}

// Remember implements page.Remembering.
func (p *Page) Remember(s *config.State, _ bool) {
	if now := slices.Sorted(maps.Keys(p.folded)); !slices.Equal(now, s.Folded) {
		s.Folded = now
	}
}

// isFolded reports whether the stores of a heading are hidden. A filter shows them.
func (p *Page) isFolded(key string) bool { return p.folded[key] && p.filter.Text() == "" }

// keyOf returns the name of a heading.
func (p *Page) keyOf(l views.StoreLine) string {
	place := &p.view.Rows[l.Row].Place
	if l.Depth == 0 {
		return foldKey(place.System, "")
	}
	return foldKey(place.System, place.Project)
}

// short returns a path with ~ for the home of the user, as a store whose path is shown
// with ~ tells it.
func (p *Page) short(path string) string {
	if rest, ok := strings.CutPrefix(path, p.home+"/"); ok && p.home != "" {
		return "~/" + rest
	}
	return path
}
