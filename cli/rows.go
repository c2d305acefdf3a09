package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// printRows prints a table on a terminal, and columns with tabs elsewhere.
func (e Env) printRows(o *output, all *flags, snap memory.Snapshot, rows []int32) {
	switch {
	case o.width == 0:
		e.printColumns(o, all, snap, rows)
	case snap.Cap > 0 || snap.Place.System == engine:
		e.printLessons(o, snap, rows)
	default:
		e.printTable(o, snap, rows)
	}
}

func (e Env) printColumns(o *output, all *flags, snap memory.Snapshot, rows []int32) {
	sorted := false // whether the records are of kinds and scopes
	for i := range snap.Records {
		sorted = sorted || snap.Records[i].Kind != "" || snap.Records[i].Scope != ""
	}
	for _, i := range rows {
		r := o.shown(&snap.Records[i])
		columns := []string{
			safe.Line(string(r.ID)), word(string(r.Outcome)), count(r), moment(r.Used, all.zone(e)),
			moment(r.Created, all.zone(e)), leaves(r), word(filter.Letters(r.Flags)), o.headline(r),
		}
		if sorted {
			columns = append(columns, word(r.Kind), word(r.Scope))
		}
		o.printf("%s\n", strings.Join(columns, "\t"))
	}
}

// printLessons prints the table of a store that holds so many records and no more.
func (e Env) printLessons(o *output, snap memory.Snapshot, rows []int32) {
	o.line("ID        Outcome    Rel  Used  Age   Next  Flags  Task")
	now := e.Now()
	for _, i := range rows {
		r := o.shown(&snap.Records[i])
		o.line(fmt.Sprintf("%s  %s %s  %s  %s %s  %s  %s",
			o.id(r.ID), views.Cell(word(string(r.Outcome)), 9), views.Right(count(r), 4),
			views.Right(ago(r.Used, now), 4), views.Right(ago(r.Created, now), 4), views.Right(leaves(r), 5),
			views.Cell(filter.Letters(r.Flags), 5), o.headline(r)))
	}
}

// column is a column of a table: its head, and what a record has in it.
type column struct {
	head  string
	most  int // cells
	right bool
	text  func(r *memory.Record) string
}

// tableColumns are those that a table of any system can have, but for the title.
func (e Env) tableColumns(o *output) []column {
	now := e.Now()
	return []column{
		{"ID", 28, false, func(r *memory.Record) string { return safe.Line(string(r.ID)) }},
		{"Kind", 12, false, func(r *memory.Record) string { return safe.Line(r.Kind) }},
		{"Scope", 20, false, func(r *memory.Record) string { return safe.Line(r.Scope) }},
		{"Outcome", 10, false, func(r *memory.Record) string { return safe.Line(string(r.Outcome)) }},
		{"Rel", 5, true, func(r *memory.Record) string { return unlessNone(r) }},
		{"Used", 4, true, func(r *memory.Record) string { return strings.TrimPrefix(ago(r.Used, now), "-") }},
		{"Age", 4, true, func(r *memory.Record) string { return strings.TrimPrefix(ago(r.Created, now), "-") }},
		{"Flags", 5, false, func(r *memory.Record) string { return filter.Letters(r.Flags) }},
	}
}

// titleRoom is how many cells are left for titles if that can be.
const titleRoom = 32

// makeRoom takes from the columns what titles want, first what says least.
func makeRoom(columns []column, width int) {
	for _, give := range []struct {
		head string
		to   int
	}{{"Used", 0}, {"Scope", 12}, {"Kind", 8}, {"ID", 20}, {"Scope", 0}, {"ID", 14}, {"Outcome", 0}} {
		room := width
		for _, c := range columns {
			if c.most > 0 {
				room -= c.most + 2
			}
		}
		if room >= titleRoom {
			return
		}
		for c := range columns {
			if columns[c].head == give.head {
				columns[c].most = min(columns[c].most, give.to)
			}
		}
	}
}

// printTable prints the columns in which a record has something, and the titles.
func (e Env) printTable(o *output, snap memory.Snapshot, rows []int32) {
	columns := e.tableColumns(o)
	cells := make([][]string, len(columns))
	for c := range columns {
		width := 0
		for _, i := range rows {
			text := columns[c].text(o.shown(&snap.Records[i]))
			cells[c] = append(cells[c], text)
			width = max(width, views.Width(text))
		}
		if width > 0 {
			width = max(width, len(columns[c].head))
		}
		columns[c].most = min(width, columns[c].most)
	}
	makeRoom(columns, o.width)
	line := func(title string, text func(c int) string) {
		var b strings.Builder
		for c := range columns {
			switch w := columns[c].most; {
			case w == 0:
			case columns[c].right:
				b.WriteString(views.Right(text(c), w) + "  ")
			default:
				b.WriteString(views.Cell(text(c), w) + "  ")
			}
		}
		o.line(b.String() + title)
	}
	line("Title", func(c int) string { return columns[c].head })
	for n, i := range rows {
		line(o.headline(o.shown(&snap.Records[i])), func(c int) string { return cells[c][n] })
	}
}

// headline says what a record is about: its task, or what is wrong with it.
func (o *output) headline(r *memory.Record) string {
	if r.Title == "" && r.Problem != nil {
		return o.sentence(r.Problem.What)
	}
	return o.title(r)
}

// id returns an id as it is printed: whole, or on a terminal its first 8 cells,
// which name a record as well unless another begins so.
func (o *output) id(id memory.ID) string {
	s := safe.Line(string(id))
	if o.width == 0 || o.foreign { // a name, of which the beginning tells little
		return s
	}
	for views.Width(s) > 8 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return views.Cell(s, 8)
}

func word(s string) string {
	if s == "" {
		return "-"
	}
	return safe.Line(s)
}

func count(r *memory.Record) string {
	if r.Count.Odd != "" {
		return safe.Line(r.Count.Odd)
	}
	return strconv.Itoa(r.Count.N)
}

func leaves(r *memory.Record) string {
	if r.Forecast.LeavesAfter == 0 {
		return "-"
	}
	return strconv.Itoa(r.Forecast.LeavesAfter)
}

// moment returns a stored date in the zone, or its text when it is no date.
func moment(m memory.Moment, zone *time.Location) string {
	if m.Time.IsZero() {
		return word(m.Text)
	}
	return m.Time.In(zone).Format(time.RFC3339)
}

func ago(m memory.Moment, now time.Time) string {
	switch {
	case !m.Time.IsZero():
		return views.Age(now.Sub(m.Time))
	case m.Text != "":
		return "?"
	}
	return "-"
}

// unlessNone returns a relevance count, and nothing for 0: many systems have none.
func unlessNone(r *memory.Record) string {
	if r.Count == (memory.Count{}) {
		return ""
	}
	return count(r)
}
