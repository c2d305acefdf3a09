package views

import (
	"strconv"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// History is the data of the dialog of what was done to a store.
type History struct {
	History memory.History
	Cursor  int // an entry
	Change  int // a change of the entry, which can be restored alone
	Offset  int // the first line of the changes that is shown
	Reveal  bool
	Now     time.Time
}

// historyWide is how wide the dialog likes to be, and historySplit from which width
// on the changes stand beside the entries.
const (
	historyWide  = 118
	historySplit = 88
	historyList  = 54
)

// Render returns a box of at most w by h cells.
func (v History) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, historyWide)
	return v.sheet(t, inner, h).render(t, box, h)
}

// Last returns the largest Offset that shows more of the changes, in a box of w by
// h cells.
func (v History) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, historyWide)
	_, rows := v.frame(t, inner, h).fitted(h)
	_, below := v.split(inner, rows)
	return max(len(v.details(t, v.detailWidth(inner)))-below, 0)
}

// frame is the sheet with as many rows as there is room for.
func (v History) frame(t theme.Theme, w, h int) sheet {
	s := sheet{title: "History", right: entries(len(v.History.Entries)), n: max(h-2, 1)}
	if n := v.History.Damaged; n > 0 {
		verb := " cannot be read and is left out"
		if n > 1 {
			verb = " cannot be read and are left out"
		}
		s.foot = [][]string{blank, wrapped(t.Warn, "! "+entries(n)+verb, w)}
	}
	if why := v.History.Unfinished; why != "" {
		s.foot = append(s.foot, blank, wrapped(t.Warn, "! An interrupted change is not listed: "+why, w))
	}
	return s
}

// entries counts entries.
func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return strconv.Itoa(n) + " entries"
}

func (v History) detailWidth(w int) int {
	if w >= historySplit {
		return w - historyList - 3
	}
	return w
}

// split divides rows between the list and, when it is below, the changes.
func (v History) split(w, rows int) (list, detail int) {
	if w >= historySplit {
		return rows, rows
	}
	list = min(max(rows/2, 1), max(len(v.History.Entries), 1))
	return list, max(rows-list-1, 0)
}

func (v History) sheet(t theme.Theme, w, h int) sheet {
	s := v.frame(t, w, h)
	_, rows := s.fitted(h)
	list, below := v.split(w, rows)
	left := v.list(t, min(w, v.listWidth(w)), list)
	right := v.window(v.details(t, v.detailWidth(w)), below)
	if w < historySplit {
		if below > 0 {
			left = append(left, rule(t, w, ""))
		}
		return s.ofLines(append(left, right...))
	}
	return s.ofLines(zipped(t, left, right, historyList))
}

func (v History) listWidth(w int) int {
	if w >= historySplit {
		return historyList
	}
	return w
}

// window returns the visible part of lines.
func (v History) window(lines []string, h int) []string {
	first := max(min(v.Offset, len(lines)-h), 0)
	return lines[first:min(first+h, len(lines))]
}

// list returns at most h entries around the cursor.
func (v History) list(t theme.Theme, w, h int) []string {
	entries := v.History.Entries
	if len(entries) == 0 {
		return wrapped(t.Dim, "Nothing was changed here yet.", w)
	}
	first := v.firstEntry(h)
	var lines []string
	for i := first; i < min(first+h, len(entries)); i++ {
		lines = append(lines, v.row(t, i, w))
	}
	return lines
}

// firstEntry is the first of h entries around the cursor.
func (v History) firstEntry(h int) int {
	return min(max(v.Cursor-h/2, 0), max(len(v.History.Entries)-h, 0))
}

// row is one entry: when, who, what.
func (v History) row(t theme.Theme, i, w int) string {
	e := &v.History.Entries[i]
	who := map[memory.Who]string{memory.You: "you", memory.Others: "other", memory.Guard: "guard"}[e.Who]
	if who == "" {
		who = safe.Line(clip(string(e.Who), 6))
	}
	sign := "  "
	switch {
	case e.ID == v.History.Undo:
		sign = "u "
	case e.ID == v.History.Redo:
		sign = "r "
	case e.UndoneBy != "":
		sign = "- " // was undone
	}
	text := sign + Cell(v.when(e.At), 12) + Cell(who, 6) + safe.Line(clip(e.What, w))
	if i == v.Cursor {
		return t.Selection.Render(Cell("> "+text, w))
	}
	style := t.Text
	if e.UndoneBy != "" || e.Who == memory.Others {
		style = t.Dim
	}
	return style.Render(Cell("  "+text, w))
}

// when returns the time of an entry: today's without the day.
func (v History) when(at time.Time) string {
	at = at.In(v.Now.Location())
	if at.Format(time.DateOnly) == v.Now.Format(time.DateOnly) {
		return at.Format("15:04:05")
	}
	return at.Format("01-02 15:04")
}

// maxHistory is how many changes of an entry are shown.
const maxHistory = 200

// details returns the changes of the entry at the cursor.
func (v History) details(t theme.Theme, w int) []string {
	p := paper{t: t, w: max(w, 1)}
	if v.Cursor >= len(v.History.Entries) {
		return nil
	}
	e := &v.History.Entries[v.Cursor]
	p.add(t.Strong, "", safe.Line(e.What))
	p.add(t.Dim, "", e.At.In(v.Now.Location()).Format("2006-01-02 15:04:05")+", "+safe.Line(string(e.Who)))
	for i := range min(len(e.Changes), maxHistory) {
		c := &e.Changes[i]
		cursor := "  "
		if i == v.Change {
			cursor = "> "
		}
		p.blank()
		p.lines = append(p.lines, t.Accent.Render(cursor+Cell(c.Do.String(), 7))+rowTitle(t, &c.Record, max(p.w-9, 1), v.Reveal))
		if c.Why != "" {
			p.add(t.Dim, "    ", safe.Line(c.Why))
		}
		for _, l := range DiffOf(*c, v.Reveal).Lines(t, max(p.w-4, 1)) {
			p.lines = append(p.lines, "    "+l)
		}
	}
	v.after(&p, e)
	return p.lines
}

// ChangeLine returns the Offset at which the chosen change is at the top, in a box of
// w cells.
func (v History) ChangeLine(t theme.Theme, w int) int {
	if v.Change == 0 || v.Cursor >= len(v.History.Entries) {
		return 0
	}
	e := v.History.Entries[v.Cursor]
	e.Changes, e.Omitted, e.Final, e.UndoneBy, e.Undoes = e.Changes[:min(v.Change, len(e.Changes))], 0, false, "", ""
	v.History.Entries, v.Cursor = []memory.Entry{e}, 0
	_, inner := sheetWidth(w, historyWide)
	return len(v.details(t, v.detailWidth(inner)))
}

// after says what is not shown of an entry, and what became of it.
func (v History) after(p *paper, e *memory.Entry) {
	p.blank()
	if n := len(e.Changes) - maxHistory; n > 0 {
		p.add(p.t.Dim, "", strconv.Itoa(n)+" more changes are not shown")
	}
	if e.Omitted > 0 {
		p.add(p.t.Warn, "", "! "+count(e.Omitted, "change")+" too large to be kept")
	}
	if e.Final {
		p.add(p.t.Warn, "", "! cannot be undone: no copy of the old text is kept")
	}
	if e.UndoneBy != "" {
		p.add(p.t.Dim, "", "undone by entry "+safe.Line(string(e.UndoneBy)))
	}
	if e.Undoes != "" {
		p.add(p.t.Dim, "", "undoes entry "+safe.Line(string(e.Undoes)))
	}
}
