package views

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// matching returns how many stores are listed, including those in folded groups.
func (v Stores) matching() int {
	listed := map[int]bool{}
	for _, l := range v.Lines {
		for _, row := range append([]int{l.Row}, l.Of...) {
			listed[row] = true
		}
	}
	return len(listed)
}

// filterRows returns how many lines the filter takes.
func (v Stores) filterRows() int {
	if v.Typing || v.Filter != "" {
		return 1
	}
	return 0
}

func (v Stores) filterLine() FilterLine {
	return FilterLine{
		Key:  keyOf(v.keys().Home.Filter),
		Text: v.Filter,
		Hint: "system, project, name or path; !word leaves out",
	}
}

// CursorAt returns where the text cursor is on the screen, given the text of the filter before it.
func (v Stores) CursorAt(before string, w int) (x, y int, ok bool) {
	return 1 + v.filterLine().CursorAt(before, w-2), 1, v.Typing && w > 2
}

// nameWidth is the width that names of stores should have before another column is shown.
const nameWidth = 22

// storeColumns returns the columns of the table in w cells.
func storeColumns(w int) columns {
	all := columns{
		{title: "Store", name: "store"},
		{title: "   Holds", name: "records", width: 17, gap: 2, drop: 8},
		{title: "Full", name: "full", width: fillCells + 2, gap: 2, drop: 5},
		{title: "Findings", name: "findings", width: 12, gap: 2, drop: 7},
		{title: "Written", name: "written", width: 12, gap: 2, drop: 6},
		{title: "At start", name: "start", width: 10, right: true, drop: 3},
		{title: "Tokens", width: 10, right: true, drop: 2},
		{title: "Git", width: 11, gap: 2, drop: 1},
		{title: "RO", width: 4, gap: 2, drop: 4},
	}
	w -= markWidth
	all.fitted(w, nameWidth)
	all[0].width = max(w-all.total(), 0)
	return all
}

// line returns a line of the table, and its style.
func (v Stores) line(t theme.Theme, cols columns, l StoreLine) (theme.Style, string) {
	if l.Heading != "" {
		return t.Strong, v.headingLine(t, cols, l)
	}
	return v.storeLine(t, cols, l)
}

func (v Stores) headingLine(t theme.Theme, cols columns, l StoreLine) string {
	sign := cmp.Or(textIf(l.Folded, "+ "), "- ")
	s := v.sum(l.Of)
	of := fmt.Sprintf(" (%d)", len(l.Of))
	name := cutFront(t, v.Mask.line(l.Heading, cols[0].width), max(cols[0].width-l.Depth*2-2-len(of), 8))
	return "  " + cols.line(
		t,
		pad(l.Depth*2)+sign+name+of,
		s.records(),
		"",
		s.trouble(t),
		textIf(s.running > 0, "%d running", s.running),
		s.start(),
		s.tokens(),
		"",
		"",
	)
}

func (v Stores) storeLine(t theme.Theme, cols columns, l StoreLine) (theme.Style, string) {
	r, room := &v.Rows[l.Row], cols[0].width
	mark := cmp.Or(textIf(r.Place.Store == v.Open, "* "), "  ")
	name := pad(l.Depth*2) + v.name(t, r, l, room-l.Depth*2)
	note := func(text string) string { // replaces the numbers
		return mark + Cell(t, name, min(room, max(Width(name), nameWidth))) + "  " + text
	}
	s := &r.Summary
	switch {
	case r.Failed != "":
		return t.Danger, note("! " + v.Mask.line(r.Failed, 200))
	case !r.Loaded:
		return t.Dim, note("reading" + t.Borders.Cut)
	case s.Problem != nil:
		return t.Danger, note("! " + v.Mask.line(s.Problem.What, 200))
	}
	sum, full := v.sum([]int{l.Row}), Fullest(s)
	git := textIf(s.Git != memory.GitUnknown, "%s", s.Git)
	readOnly := textIf(s.ReadOnly != "", "RO")
	return t.Text, mark + cols.line(
		t, name, countText(s), fill(t, full), sum.trouble(t), v.written(r), sum.start(), sum.tokens(), git, readOnly,
	)
}

// name returns the name of a store in w cells, with the end of its path to distinguish it from
// others.
func (v Stores) name(t theme.Theme, r *StoreRow, l StoreLine, w int) string {
	name := v.Mask.line(l.Name, w)
	if v.Flat {
		name = strings.TrimSpace(v.system(r) + "  " + name)
	}
	path := v.Mask.line(l.Path, 4*max(w, 1))
	switch room := w - Width(name) - 2; {
	case name == "":
		return cutFront(t, path, w)
	case path == "" || room < 8:
		return truncate(t, name, w)
	default:
		return name + "  " + cutFront(t, path, room)
	}
}

// system returns what the system of a store is called.
func (v Stores) system(r *StoreRow) string { return systemName(v.Names, r.Place.System) }

func systemName(names map[memory.SystemID]string, id memory.SystemID) string {
	return safe.Line(cmp.Or(names[id], string(id)))
}

// countText returns how many records a store has, and its limit if it has one.
func countText(s *memory.Snapshot) string {
	return numberFirst(s.Noun.Count(cmp.Or(s.Cap, s.Counted())), textIf(s.Cap > 0, "%d/%d", s.Held, s.Cap))
}

// numberFirst aligns a number and its noun so that nouns line up in a column. If instead is not
// empty, it replaces the number.
func numberFirst(counted, instead string) string {
	number, word, _ := strings.Cut(counted, " ")
	return fmt.Sprintf("%6s ", cmp.Or(instead, number)) + safe.Line(word)
}

// Fullest returns how full the fullest part of a store is, in percent, or -1 if none has a limit.
func Fullest(s *memory.Snapshot) int {
	most := -1
	if s.Cap > 0 {
		most = s.Held * 100 / s.Cap
	}
	for _, u := range s.Usage {
		if u.Limit > 0 {
			most = max(most, u.Used*100/u.Limit)
		}
	}
	return most
}

// fillCells is the width of the bar that shows how full a store is.
const fillCells = 8

// fill returns the bar for a store, or nothing if the store has no limit.
func fill(t theme.Theme, percent int) string {
	switch {
	case percent < 0:
		return ""
	case percent >= nearlyFull:
		return t.Warn.Render(bar(t, percent, 100, fillCells))
	}
	return t.Dim.Render(bar(t, percent, 100, fillCells))
}

// nearlyFull is the percentage from which a bar is coloured.
const nearlyFull = 90

// written says who is running now, or when and by whom the store was last written.
func (v Stores) written(r *StoreRow) string {
	s := &r.Summary
	n := len(s.Running)
	who := cmp.Or(textIf(r.Tally.Writer == memory.You, "you"), textIf(r.Tally.Writer != "", "other"))
	switch {
	case n == 1 && s.Running[0].State != "":
		return v.Mask.line(s.Running[0].State, 12) + " now"
	case n > 0:
		return cmp.Or(textIf(n == 1, "running"), strconv.Itoa(n)+" running")
	case s.Writer != "":
		return "agent now"
	case s.ModTime.IsZero():
		return ""
	}
	return joined(" ", Age(v.Now.Sub(s.ModTime)), who)
}

// storeSum is the total of several stores.
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
		}
		if !r.Loaded || r.Summary.Problem != nil {
			continue
		}
		s.mixed = s.mixed || s.loaded > 0 && s.noun != r.Summary.Noun
		s.loaded, s.noun = s.loaded+1, r.Summary.Noun
		s.total, s.running = s.total+r.Summary.Loaded(), s.running+len(r.Summary.Running)
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
	return numberFirst(noun.Count(s.total), "")
}

// findings returns how many findings there are.
func (s storeSum) findings() string {
	return cmp.Or(severities(", ", s.tally), "none")
}

// trouble returns the number of findings of the worst severity.
func (s storeSum) trouble(t theme.Theme) string {
	style, text, n := t.Dim, "none", s.tally
	switch {
	case s.tallied == 0:
		return ""
	case n.High > 0:
		style, text = t.Danger, strconv.Itoa(n.High)+" high"
	case n.Medium > 0:
		style, text = t.Warn, strconv.Itoa(n.Medium)+" medium"
	case n.Low > 0:
		text = strconv.Itoa(n.Low) + " low"
	}
	return style.Render(text + textIf(s.tallied < s.of && s.of > 1, "%s", t.Borders.Cut))
}

func (s storeSum) start() string {
	return textIf(s.size.Bytes > 0, "%s", ByteSize(int64(s.size.Bytes)))
}

func (s storeSum) tokens() string {
	return textIf(s.size.TokensHigh > 0, "<%s", short(s.size.TokensHigh))
}

// short formats a number in few cells: 940, 3.1k, 41k.
func short(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 10_000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return strconv.Itoa(n/1000) + "k"
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
