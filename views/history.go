package views

import (
	"cmp"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// History is the dialog that lists what was done to a store.
type History struct {
	History memory.History
	Cursor  int // selected entry
	Change  int // selected change of the entry, which can be restored alone
	Offset  int // first visible line of the changes
}

// historyWide is the preferred width of the dialog. From the width historySplit on, the changes are
// beside the entries.
const (
	historyWide  = 118
	historySplit = 88
	historyList  = 54
)

// frame returns the dialog without its rows, the width of its lines and the number of rows that
// fit.
func (v History) frame(t theme.Theme, w, h int) (d Dialog, inner, rows int) {
	d, inner = newDialog("History", w, historyWide)
	d.Right, d.Rows = entries(len(v.History.Entries)), max(h-2, 1)
	if n := v.History.Damaged; n > 0 {
		d.Foot = append(
			d.Foot,
			blank,
			wrapped(t.Warn, "! "+entries(n)+" cannot be read and "+plural(n, "is", "are")+" left out", inner),
		)
	}
	if why := v.History.Unfinished; why != "" {
		d.Foot = append(d.Foot, blank, wrapped(t.Warn, "! An interrupted change is not listed: "+why, inner))
	}
	fitted := d
	return d, inner, fitted.dropLines(h)
}

// Dialog returns the dialog in a room of w by h cells.
func (v History) Dialog(l Look, w, h int) Dialog {
	d, w, rows := v.frame(l.Theme, w, h)
	list, below := v.split(w, rows)
	listWidth, detailWidth := v.widths(w)
	details, chosen := v.details(l, detailWidth)
	d.Within, d.Follow = max(len(details)-below, 0), chosen
	first := max(min(v.Offset, d.Within), 0)
	left, right := v.list(l, listWidth, list), details[first:min(first+below, len(details))]
	if w >= historySplit {
		d.setLines(zipped(l.Theme, left, right, historyList))
		return d
	}
	if below > 0 {
		left = append(left, rule(l.Theme, w, ""))
	}
	d.setLines(append(left, right...))
	return d
}

// EntryAt returns the entry at a cell of the dialog in a room of w by h cells, or -1.
func (v History) EntryAt(w, h int, s DialogCell) int {
	_, w, rows := v.frame(theme.Theme{}, w, h)
	list, _ := v.split(w, rows)
	width, _ := v.widths(w)
	entry := v.firstEntry(list) + s.Row
	if s.Row < 0 || s.Row >= list || s.X >= width || entry >= len(v.History.Entries) {
		return -1
	}
	return entry
}

// entries counts entries.
func entries(n int) string { return memory.Noun{One: "entry", Many: "entries"}.Count(n) }

// widths splits a line of w cells between the list and the changes.
func (v History) widths(w int) (list, detail int) {
	if w < historySplit {
		return w, w
	}
	return historyList, w - historyList - 3
}

// split divides rows between the list and the changes, if those are below the list.
func (v History) split(w, rows int) (list, detail int) {
	if w >= historySplit {
		return rows, rows
	}
	list = min(max(rows/2, 1), max(len(v.History.Entries), 1))
	return list, max(rows-list-1, 0)
}

// list returns at most h entries around the cursor.
func (v History) list(l Look, w, h int) []string {
	entries := v.History.Entries
	if len(entries) == 0 {
		return wrapped(l.Theme.Dim, "Nothing was changed here yet.", w)
	}
	first := v.firstEntry(h)
	var lines []string
	for i := first; i < min(first+h, len(entries)); i++ {
		lines = append(lines, v.row(l, i, w))
	}
	return lines
}

// firstEntry returns the first of h entries around the cursor.
func (v History) firstEntry(h int) int {
	return min(max(v.Cursor-h/2, 0), max(len(v.History.Entries)-h, 0))
}

// row is one entry: when, who and what.
func (v History) row(l Look, i, w int) string {
	t := l.Theme
	e := &v.History.Entries[i]
	who := cmp.Or(
		map[memory.Who]string{memory.You: "you", memory.Others: "other", memory.Guard: "guard"}[e.Who],
		safe.Line(clip(string(e.Who), 6)),
	)
	sign, style := "  ", t.Text
	switch {
	case e.ID == v.History.Undo:
		sign = "u "
	case e.ID == v.History.Redo:
		sign = "r "
	case e.UndoneBy != "":
		sign = "- " // was undone
	}
	if e.UndoneBy != "" || e.Who == memory.Others {
		style = t.Dim
	}
	return rowLine(
		t,
		style,
		i == v.Cursor,
		" "+sign+Cell(t, clockTime(l, e.At), 12)+Cell(t, who, 6)+v.what(l, e, w),
		w,
	)
}

// what says what an entry did, and the title of its first record.
func (v History) what(l Look, e *memory.Entry, w int) string {
	text := safe.Line(clip(e.What, w))
	for i := range e.Changes {
		if c := &e.Changes[i]; !c.Companion && c.Record.Title != "" {
			return text + ": " + rowTitle(l, &c.Record, w)
		}
	}
	return text
}

// clockTime returns the time of an entry, without the day if that is today.
func clockTime(l Look, at time.Time) string {
	at = at.In(l.Now.Location())
	if at.Format(time.DateOnly) == l.Now.Format(time.DateOnly) {
		return at.Format("15:04:05")
	}
	return at.Format("01-02 15:04")
}

// maxHistory limits the changes shown for an entry.
const maxHistory = 200

// details returns the changes of the selected entry, and the Offset that puts the selected change
// at the top.
func (v History) details(l Look, w int) (lines []string, chosen int) {
	t := l.Theme
	p := paper{t: t, w: max(w, 1)}
	if v.Cursor >= len(v.History.Entries) {
		return nil, 0
	}
	e := &v.History.Entries[v.Cursor]
	p.add(t.Strong, "", safe.Line(e.What))
	p.add(t.Dim, "", e.At.In(l.Now.Location()).Format("2006-01-02 15:04:05")+", "+safe.Line(string(e.Who)))
	for i := range min(len(e.Changes), maxHistory) {
		c := &e.Changes[i]
		cursor := "  "
		p.blank()
		if i == v.Change {
			cursor, chosen = "> ", len(p.lines)
		}
		p.put(t.Accent.Render(cursor+Cell(t, c.Do.String(), 7)) + rowTitle(l, &c.Record, max(p.w-9, 1)))
		p.add(t.Dim, "    ", safe.Line(c.Why))
		p.indented("    ", diffOf(*c, l.Reveal).Lines(t, max(p.w-4, 1)))
	}
	p.blank()
	more := len(e.Changes) - maxHistory
	p.add(t.Dim, "", textIf(more > 0, "%d more changes are not shown", more))
	p.add(t.Warn, "", textIf(e.Omitted > 0, "! %s too large to be kept", memory.Counted(e.Omitted, "change")))
	p.add(t.Warn, "", textIf(e.Final, "! cannot be undone: no copy of the old text is kept"))
	p.add(t.Dim, "", textIf(e.UndoneBy != "", "undone by entry %s", safe.Line(string(e.UndoneBy))))
	p.add(t.Dim, "", textIf(e.Undoes != "", "undoes entry %s", safe.Line(string(e.Undoes))))
	if v.Change == 0 {
		chosen = 0 // include the heading
	}
	return p.lines, chosen
}
