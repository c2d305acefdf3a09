package views

import (
	"cmp"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Chosen returns the line under the cursor.
func (v Stores) Chosen() (StoreLine, bool) {
	if v.Cursor < 0 || v.Cursor >= len(v.Lines) {
		return StoreLine{}, false
	}
	return v.Lines[v.Cursor], true
}

// Visible returns the rows of the stores whose lines are on a screen of h lines.
func (v Stores) Visible(h int) []int {
	room := v.tableHeight(h) - 3 - v.filterRows()
	var rows []int
	for i := v.first(room); i < min(v.first(room)+max(room, 0), len(v.Lines)); i++ {
		if l := v.Lines[i]; l.Heading == "" {
			rows = append(rows, l.Row)
		}
	}
	return rows
}

// matching returns how many stores are listed, those of folded groups too.
func (v Stores) matching() int {
	listed := map[int]bool{}
	for _, l := range v.Lines {
		if l.Heading == "" {
			listed[l.Row] = true
		}
		for _, row := range l.Of {
			listed[row] = true
		}
	}
	return len(listed)
}

func (v Stores) filtering() bool { return v.Typing || v.Filter != "" }

// filterRows is how many lines of the table the filter takes.
func (v Stores) filterRows() int {
	if v.filtering() {
		return 1
	}
	return 0
}

// storeFilter is the column at which the filter of the table begins.
const storeFilter = 3

func (v Stores) filterLines(t theme.Theme, w int) []string {
	if !v.filtering() {
		return nil
	}
	text := t.Text.Render(cutStart(safe.Line(v.Filter), max(w-storeFilter-1, 0)))
	if v.Filter == "" {
		text = t.Dim.Render("system, project, name or path; !word leaves out")
	}
	return []string{" " + t.Accent.Render("/") + " " + text}
}

// CursorAt returns where the text cursor is, from the top left cell of the screen,
// when the text of the filter before it is given.
func (v Stores) CursorAt(before string, w int) (x, y int, ok bool) {
	return min(1+storeFilter+Width(safe.Line(before)), max(w-2, 0)), 1, v.Typing && w > 2
}

func (v Stores) noLines() string {
	switch {
	case !v.Ready:
		return "Looking for stores.."
	case len(v.Rows) > 0:
		return "No store matches; Esc clears the filter."
	}
	return "No store was found. Below: where Winnow looked."
}

// storeColumns are the widths of the columns of the table, 0 for one that is not shown.
type storeColumns struct{ name, records, findings, start, tokens, full, now, git, fixed int }

// nameWidth is the width that the name of a store should have before a column is shown.
const nameWidth = 22

func storeWidths(w int) storeColumns {
	c := storeColumns{records: 15, findings: 9, start: 8, tokens: 8, full: 5, now: 13, git: 9, fixed: 2}
	for _, drop := range []*int{&c.git, &c.full, &c.tokens, &c.fixed, &c.now, &c.start, &c.findings, &c.records} {
		if c.name = w - markWidth - c.rest(); c.name >= nameWidth {
			return c
		}
		*drop = 0
	}
	c.name = max(w-markWidth-c.rest(), 0)
	return c
}

func (c storeColumns) rest() int {
	n := 0
	for _, w := range []int{c.records, c.findings, c.start, c.tokens, c.full, c.now, c.git, c.fixed} {
		if w > 0 {
			n += w + 2
		}
	}
	return n
}

// storeCells are the texts of the columns of one line.
type storeCells struct{ records, findings, start, tokens, full, now, git, fixed string }

func (c storeColumns) line(mark, name string, x storeCells) string {
	var b strings.Builder
	b.WriteString(mark + Cell(name, c.name))
	for _, col := range []struct {
		text  string
		w     int
		right bool
	}{
		{x.records, c.records, false}, {x.findings, c.findings, false}, {x.start, c.start, true}, {x.tokens, c.tokens, true},
		{x.full, c.full, true}, {x.now, c.now, false}, {x.git, c.git, false}, {x.fixed, c.fixed, false},
	} {
		switch {
		case col.w == 0:
		case col.right:
			b.WriteString("  " + Right(col.text, col.w))
		default:
			b.WriteString("  " + Cell(col.text, col.w))
		}
	}
	return b.String()
}

// table returns the inside of the upper box.
func (v Stores) table(t theme.Theme, w, h int) []string {
	lines := v.filterLines(t, w)
	if len(v.Lines) == 0 {
		return append(lines, " "+t.Dim.Render(v.noLines()))
	}
	c := storeWidths(w)
	head := storeCells{"   Holds", "Findings", "At start", "Tokens", "Full", "Now", "Git", "RO"}
	lines = append(lines, t.Strong.Render(Cell(c.line(pad(markWidth), "Store", head), w)))
	for i := v.first(h - len(lines)); i < len(v.Lines) && len(lines) < h; i++ {
		lines = append(lines, v.tableLine(t, c, w, i))
	}
	return lines
}

func (v Stores) tableLine(t theme.Theme, c storeColumns, w, i int) string {
	l := v.Lines[i]
	cursor := " "
	if i == v.Cursor {
		cursor = ">"
	}
	style, line := v.storeLine(t, c, cursor, l)
	if l.Heading != "" {
		style, line = t.Strong, v.headingLine(c, cursor, l)
	}
	line = Cell(line, w)
	if i == v.Cursor && !v.Detail {
		return t.Selection.Render(line)
	}
	return style.Render(line)
}

func (v Stores) headingLine(c storeColumns, cursor string, l StoreLine) string {
	sign := "- "
	if l.Folded {
		sign = "+ "
	}
	s := v.sum(l.Of)
	cells := storeCells{records: s.records(), findings: s.findings(), start: s.start(), tokens: s.tokens()}
	if s.running > 0 {
		cells.now = strconv.Itoa(s.running) + " running"
	}
	name := v.Mask.line(l.Heading, c.name)
	of := " (" + strconv.Itoa(len(l.Of)) + ")"
	return c.line(cursor+"  ", pad(l.Depth*2)+sign+cutFront(name, max(c.name-l.Depth*2-2-len(of), 8))+of, cells)
}

func (v Stores) storeLine(t theme.Theme, c storeColumns, cursor string, l StoreLine) (theme.Style, string) {
	r := &v.Rows[l.Row]
	mark := cursor + "  "
	if r.Place.Store == v.Open {
		mark = cursor + "* "
	}
	name := pad(l.Depth*2) + v.name(r, l, c.name-l.Depth*2)
	s := &r.Summary
	switch {
	case r.Failed != "":
		return t.Danger, c.note(mark, name, "! "+v.Mask.line(r.Failed, 200))
	case !r.Loaded:
		return t.Dim, c.note(mark, name, "reading..")
	case s.Problem != nil:
		return t.Danger, c.note(mark, name, "! "+v.Mask.line(s.Problem.What, 200))
	}
	sum := v.sum([]int{l.Row})
	cells := storeCells{
		records: holds(s), findings: sum.findings(), start: sum.start(), tokens: sum.tokens(),
		full: fullest(s.Usage), now: v.now(s),
	}
	if s.Git != memory.GitUnknown {
		cells.git = s.Git.String()
	}
	if s.ReadOnly != "" {
		cells.fixed = "RO"
	}
	return t.Text, c.line(mark, name, cells)
}

// note sets one sentence where the numbers of a store would be.
func (c storeColumns) note(mark, name, text string) string {
	return mark + Cell(name, max(min(c.name, Width(name)), min(c.name, nameWidth))) + "  " + text
}

// name returns what a line calls its store in w cells: its name, and the end of the path
// that tells it from others.
func (v Stores) name(r *StoreRow, l StoreLine, w int) string {
	name := v.Mask.line(l.Name, w)
	if v.Flat {
		name = strings.TrimSpace(v.system(r) + "  " + name)
	}
	path := v.Mask.line(l.Path, 4*max(w, 1))
	switch room := w - Width(name) - 2; {
	case name == "":
		return cutFront(path, w)
	case path == "" || room < 8:
		return fit(name, w)
	default:
		return name + "  " + cutFront(path, room)
	}
}

// system returns what the system of a store is called.
func (v Stores) system(r *StoreRow) string { return systemName(v.Names, r.Place.System) }

func systemName(names map[memory.SystemID]string, id memory.SystemID) string {
	return safe.Line(cmp.Or(names[id], string(id)))
}

// holds returns the number of records of a store, the number at the right of six cells.
func holds(s *memory.Snapshot) string {
	number, word, _ := strings.Cut(s.Noun.Count(s.Counted()), " ")
	if s.Cap > 0 {
		number = strconv.Itoa(s.Held) + "/" + strconv.Itoa(s.Cap)
	}
	return Right(number, max(Width(number), 6)) + " " + safe.Line(word)
}

// fullest returns how full the fullest part of a store is.
func fullest(all []memory.Usage) string {
	most := -1
	for _, u := range all {
		if u.Limit > 0 {
			most = max(most, u.Used*100/u.Limit)
		}
	}
	if most < 0 {
		return ""
	}
	return strconv.Itoa(most) + "%"
}

// now says who runs now, or since when nobody has written.
func (v Stores) now(s *memory.Snapshot) string {
	switch n := len(s.Running); {
	case n == 1 && s.Running[0].State != "":
		return v.Mask.line(s.Running[0].State, 12) + " now"
	case n == 1:
		return "running"
	case n > 1:
		return strconv.Itoa(n) + " running"
	}
	return strings.TrimPrefix(v.writer(s), "active ")
}

// storeSum is what some stores come to together.
type storeSum struct {
	loaded, of, tallied int
	total, running      int
	noun                memory.Noun
	mixed               bool
	tally               memory.Tally
	size                memory.Size
}

func (v Stores) sum(rows []int) storeSum {
	s := storeSum{of: len(rows)}
	for _, i := range rows {
		r := &v.Rows[i]
		if r.Tallied {
			s.tallied++
			s.tally.High += r.Tally.High
			s.tally.Medium += r.Tally.Medium
			s.tally.Low += r.Tally.Low
			s.tally.Files += r.Tally.Files
		}
		if !r.Loaded || r.Summary.Problem != nil {
			continue
		}
		s.mixed = s.mixed || s.loaded > 0 && s.noun != r.Summary.Noun
		s.loaded, s.noun = s.loaded+1, r.Summary.Noun
		s.total, s.running = s.total+r.Summary.Counted(), s.running+len(r.Summary.Running)
		s.size.Bytes += r.Summary.Start.Bytes
		s.size.TokensHigh += r.Summary.Start.TokensHigh
	}
	return s
}

func (s storeSum) records() string {
	if s.loaded == 0 {
		return ""
	}
	noun := s.noun
	if s.mixed {
		noun = memory.Noun{}
	}
	number, word, _ := strings.Cut(noun.Count(s.total), " ")
	return Right(number, 6) + " " + safe.Line(word)
}

// findings returns how many findings there are: high, medium and low ones.
func (s storeSum) findings() string {
	if s.tallied == 0 {
		return ""
	}
	var parts []string
	for _, n := range []struct {
		n      int
		letter string
	}{{s.tally.High, "h"}, {s.tally.Medium, "m"}, {s.tally.Low, "l"}} {
		if n.n > 0 {
			parts = append(parts, strconv.Itoa(n.n)+n.letter)
		}
	}
	text := cmp.Or(strings.Join(parts, " "), "none")
	if s.tallied < s.of && s.of > 1 {
		text += ".."
	}
	return text
}

func (s storeSum) start() string {
	if s.size.Bytes == 0 {
		return ""
	}
	return byteSize(int64(s.size.Bytes))
}

func (s storeSum) tokens() string {
	if s.size.TokensHigh == 0 {
		return ""
	}
	return "<" + short(s.size.TokensHigh)
}

// short returns a number in few cells: 940, 3.1k, 41k.
func short(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 10_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
	case n < 1_000_000:
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "M"
}
