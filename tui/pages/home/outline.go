package home

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/tui/page"
	"winnow/views"
)

// sorting is what stores are sorted by. With byGroup they are in groups.
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

// outline makes the lines of the table again, from the stores that match the filter, in groups or
// sorted.
func (p *Page) outline() {
	v := &p.view
	v.Filter, v.Typing = p.filter.Text(), p.filter.Typing
	v.Flat, v.Sorted, v.Lines = p.sort != byGroup, p.sort.String(), nil
	switch rows := p.matching(); {
	case v.Flat:
		v.Lines = p.sorted(rows)
	case views.Grouped(p.places):
		v.Lines = p.tree(rows)
	default:
		for _, i := range rows {
			v.Lines = append(v.Lines, views.StoreLine{Row: i, Path: v.Rows[i].Place.Path})
		}
	}
	p.noteOthers()
	p.rearrange()
	p.order = nil
	for _, l := range v.Lines {
		if l.Heading == "" || l.Folded {
			p.order = append(p.order, l.Row)
			p.order = append(p.order, l.Of...)
		}
	}
}

// resort sorts again after a value that stores are sorted by has become known.
func (p *Page) resort() {
	if p.sort == byGroup {
		return
	}
	chosen := p.chosen()
	p.outline()
	p.goTo(chosen)
}

// matching returns the rows that contain every word of the filter. A word after ! must not occur.
func (p *Page) matching() []int {
	words := strings.Fields(strings.ToLower(p.filter.Text()))
	rows := make([]int, 0, len(p.view.Rows))
	for i := range p.view.Rows {
		place := &p.view.Rows[i].Place
		text := strings.ToLower(
			p.cfg.Names[place.System] + " " + string(place.System) + " " + place.Name + " " + place.Path +
				" " + string(place.Store) + " " + place.Project,
		)
		if !slices.ContainsFunc(words, func(w string) bool {
			word, not := strings.CutPrefix(w, "!")
			return word != "" && strings.Contains(text, word) == not
		}) {
			rows = append(rows, i)
		}
	}
	return rows
}

// weight returns the number that a store is sorted by.
func (p *Page) weight(row int) int64 {
	r := &p.view.Rows[row]
	s := &r.Summary
	return [sortings]int64{
		byFindings: int64(r.Tally.High)<<40 + int64(r.Tally.Medium)<<20 + int64(r.Tally.Low),
		byStart:    int64(s.Start.Bytes),
		byRecords:  int64(s.Counted()),
		byFull:     int64(views.Fullest(s)),
		byWritten:  s.ModTime.Unix(), // of a store never written: negative, so it sorts last
	}[p.sort]
}

// sorted returns rows as lines without headings, the highest weight first.
func (p *Page) sorted(rows []int) []views.StoreLine {
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(p.weight(b), p.weight(a)) })
	var lines []views.StoreLine
	for _, i := range rows {
		place := &p.view.Rows[i].Place
		lines = append(lines, p.line(i, 0, cmp.Or(p.short(place.Project), place.Path)))
	}
	return lines
}

// line returns the line of a store. A store found by a path that the person gave is shown under that
// path.
func (p *Page) line(row, depth int, path string) views.StoreLine {
	place := &p.view.Rows[row].Place
	if place.ByPath {
		return views.StoreLine{Row: row, Depth: depth, Path: place.Path}
	}
	return views.StoreLine{Row: row, Depth: depth, Name: place.Name, Path: path}
}

// tree returns rows under the headings of their systems. Several stores of one project are under a
// heading of their own.
func (p *Page) tree(rows []int) []views.StoreLine {
	system := func(i int) string { return string(p.view.Rows[i].Place.System) }
	project := func(i int) string { return projectOf(&p.view.Rows[i].Place) }
	var lines []views.StoreLine
	for _, of := range divided(rows, system) {
		s := system(of[0])
		head := p.heading(of, 0, cmp.Or(p.cfg.Names[memory.SystemID(s)], s, "other"))
		if lines = append(lines, head); head.Folded {
			continue
		}
		sorted := slices.Clone(of)
		slices.SortStableFunc(sorted, func(a, b int) int { return strings.Compare(project(a), project(b)) })
		for _, rows := range divided(sorted, project) {
			lines = append(lines, p.project(rows, project(rows[0]))...)
		}
	}
	return lines
}

// heading returns the heading above rows.
func (p *Page) heading(of []int, depth int, name string) views.StoreLine {
	l := views.StoreLine{Row: of[0], Depth: depth, Heading: name, Of: of}
	l.Folded = p.folded[p.keyOf(l)] && p.filter.Text() == "" // a filter unfolds all groups
	return l
}

// divided groups rows by a key. The groups are in the order in which their keys first occur.
func divided(rows []int, key func(row int) string) [][]int {
	var keys []string
	groups := map[string][]int{}
	for _, i := range rows {
		if groups[key(i)] == nil {
			keys = append(keys, key(i))
		}
		groups[key(i)] = append(groups[key(i)], i)
	}
	var list [][]int
	for _, k := range keys {
		list = append(list, groups[k])
	}
	return list
}

// projectOf returns the project that a store is listed under, or "".
func projectOf(p *memory.Place) string {
	if p.ByPath {
		return ""
	}
	return p.Project
}

// project returns the lines of a project's stores, with a heading if there are several.
func (p *Page) project(rows []int, folder string) []views.StoreLine {
	var lines []views.StoreLine
	headed := folder != "" && len(rows) > 1
	depth := 1
	if headed {
		head := p.heading(rows, 1, p.short(folder))
		if lines = append(lines, head); head.Folded {
			return lines
		}
		depth = 2
	}
	for _, i := range rows {
		place := &p.view.Rows[i].Place
		path := cmp.Or(p.short(folder), place.Path)
		if headed {
			path = page.Unless(place.Name != "", path) // below a heading, a name is enough
		}
		lines = append(lines, p.line(i, depth, path))
	}
	return lines
}

// foldKey returns the key of a heading. Project is "" for the heading of a system.
func foldKey(system memory.SystemID, project string) string { return string(system) + ":" + project }

// Restore implements page.Remembering.
func (p *Page) Restore(s config.State) {
	for _, heading := range s.Folded {
		p.folded[heading] = true
	}
	p.cfg.Stand = cmp.Or(p.cfg.Stand, s.Store)
	p.outline()
	p.toFirst(anyStore)
	p.goTo(p.cfg.Stand)
}

// Remember implements page.Remembering.
func (p *Page) Remember(s *config.State) {
	if now := slices.Sorted(maps.Keys(p.folded)); !slices.Equal(now, s.Folded) {
		s.Folded = now
	}
}

// keyOf returns the key of a heading.
func (p *Page) keyOf(l views.StoreLine) string {
	place := &p.view.Rows[l.Row].Place
	if l.Depth == 0 {
		return foldKey(place.System, "")
	}
	return foldKey(place.System, place.Project)
}

// short returns a path with ~ for the user's home, if that is known.
func (p *Page) short(path string) string {
	if rest, ok := strings.CutPrefix(path, p.home+"/"); ok && p.home != "" {
		return "~/" + rest
	}
	return path
}
