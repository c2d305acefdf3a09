package views

import (
	"io/fs"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// StoreRow is one store of the stores screen.
type StoreRow struct {
	Place   memory.Place
	Summary memory.Snapshot
	Loaded  bool   // Summary is there
	Failed  string // why there is none
	Tally   memory.Tally
	Tallied bool // Tally is there
}

// StoreLine is a line of the table: a store, or the heading of several.
type StoreLine struct {
	Row        int // of Rows; of a heading the first of its stores
	Depth      int // how far it stands in
	Name, Path string
	// Heading is the name of a group, empty for a store. Of are its stores.
	Heading string
	Of      []int
	Folded  bool
}

// Stores is the data of the stores screen: a table of the stores that were
// found, and below it the health of the chosen one.
type Stores struct {
	Rows []StoreRow
	// Lines are what the table lists, in order; nil when it lists the rows as they are.
	Lines []StoreLine
	// Grouped is set where stores of several systems or projects are listed.
	Grouped bool
	// Flat is set when lines have no headings, and rows tell their system themselves.
	Flat   bool
	Sorted string // how they are sorted; empty for groups
	Names  map[memory.SystemID]string
	Filter string
	Typing bool
	Mask   Mask

	Looked []memory.Looked
	Ready  bool // the search has ended
	Open   memory.StoreID
	Now    time.Time

	Cursor int  // a line of the table
	Offset int  // the first line of the table, as far as the cursor is seen
	Detail bool // the lower box has the keys
	Scroll int  // first line of the lower box
}

// tableHeight returns how many lines the upper box takes of h.
func (v Stores) tableHeight(h int) int {
	want := max(v.Len(), 1) + 3 + v.filterRows()
	most := h / 2
	if v.Grouped {
		most = h * 3 / 5
	}
	return min(want, max(most, min(h, 4)))
}

// Render returns the screen as text of exactly w by h cells.
func (v Stores) Render(t theme.Theme, w, h int) string {
	if w <= 0 || h <= 0 {
		return Fill(nil, w, h)
	}
	top := v.tableHeight(h)
	upper := Pane{Title: "Stores", Right: v.found(), Focused: !v.Detail, Lines: v.table(t, w-2, top-2)}.Render(t, w, top)
	if top == h {
		return upper
	}
	lines := v.detail(t, w-2)
	from := min(max(v.Scroll, 0), v.MaxScroll(w, h))
	lower := Pane{Title: v.detailTitle(w), Focused: v.Detail, Lines: lines[from:]}
	if shown := h - top - 2; len(lines) > shown && shown > 0 {
		lower.Right = strconv.Itoa(from+1) + "-" + strconv.Itoa(min(from+shown, len(lines))) + " of " + strconv.Itoa(len(lines))
	}
	return upper + "\n" + lower.Render(t, w, h-top)
}

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Stores) MaxScroll(w, h int) int {
	return max(len(v.detail(theme.Theme{}, w-2))-max(h-v.tableHeight(h)-2, 1), 0)
}

// RowAt returns the store at line y of a screen of h lines.
func (v Stores) RowAt(h, y int) (row int, ok bool) {
	height := v.tableHeight(h)
	top := 2 + v.filterRows()
	row = y - top + v.first(height-1-top)
	return row, y >= top && y < height-1 && row < v.Len()
}

// InDetail reports whether line y of a screen of h lines is in the lower box.
func (v Stores) InDetail(h, y int) bool { return y >= v.tableHeight(h) }

// first returns the first row shown when n are.
func (v Stores) first(n int) int {
	n = max(n, 1)
	return max(min(v.Offset, v.Cursor, max(v.Len()-n, 0)), v.Cursor-n+1, 0)
}

// First returns the first line of the table that is shown on a screen of h lines.
func (v Stores) First(h int) int { return v.first(v.tableHeight(h) - 3 - v.filterRows()) }

func (v Stores) found() string {
	if !v.Ready {
		return "looking.."
	}
	said := count(len(v.Rows), "store")
	if v.Filter != "" {
		said = strconv.Itoa(v.matching()) + " of " + said
	}
	if v.Sorted != "" {
		said = "sort " + v.Sorted + "  " + said
	}
	return said
}

// storeColumns are the widths of the columns, 0 for one that is not shown.
type storeColumns struct{ path, lessons, unused, writer, git, mode, watch int }

func storeWidths(w int) storeColumns {
	c := storeColumns{lessons: 9, unused: 6, git: 9, mode: 9, watch: 5, writer: 22}
	c.writer = min(c.writer, max(w/6, 12))
	for _, drop := range []*int{&c.watch, &c.mode, &c.writer, &c.git, &c.unused, &c.lessons} {
		if c.path = w - 3 - c.rest(); c.path >= 24 {
			return c
		}
		*drop = 0
	}
	c.path = max(w-2-c.rest(), 0)
	return c
}

// rest returns the cells of all columns but the first.
func (c storeColumns) rest() int {
	n := 0
	for _, w := range []int{c.lessons, c.unused, c.writer, c.git, c.mode, c.watch} {
		if w > 0 {
			n += w + 2
		}
	}
	return n
}

// line sets cells under their columns.
func (c storeColumns) line(mark, path, lessons, unused, writer, git, mode, watch string) string {
	var b strings.Builder
	b.WriteString(mark)
	b.WriteString(Cell(path, c.path))
	add := func(s string, w int, right bool) {
		if w == 0 {
			return
		}
		b.WriteString("  ")
		if right {
			b.WriteString(Right(s, w))
		} else {
			b.WriteString(Cell(s, w))
		}
	}
	add(lessons, c.lessons, true)
	add(unused, c.unused, true)
	add(writer, c.writer, false)
	add(git, c.git, false)
	add(mode, c.mode, false)
	add(watch, c.watch, false)
	return b.String()
}

func (v Stores) table(t theme.Theme, w, h int) []string {
	lines := v.filterLines(t, w)
	if v.Len() == 0 {
		return append(lines, " "+t.Dim.Render(v.noLines()))
	}
	if v.Grouped {
		return v.tree(t, w, h, lines)
	}
	c := storeWidths(w)
	head := c.line("   ", "Path", "Lessons", "Unused", "Writer", "Git", "Mode", "Watch")
	lines = append(lines, t.Strong.Render(Cell(head, w)))
	for i := v.first(h - len(lines)); i < v.Len() && len(lines) < h; i++ {
		lines = append(lines, v.row(t, c, w, i))
	}
	return lines
}

func (v Stores) row(t theme.Theme, c storeColumns, w, i int) string {
	r := &v.Rows[v.at(i).Row]
	mark := "   "
	if i == v.Cursor {
		mark = ">  "
	}
	if r.Place.Store == v.Open {
		mark = mark[:1] + "* "
	}
	path := cutFront(safe.Line(r.path()), c.path)
	style, line := t.Text, ""
	s := &r.Summary
	switch {
	case r.Failed != "":
		style, line = t.Danger, c.note(mark, path, "! "+safe.Line(r.Failed))
	case !r.Loaded:
		style, line = t.Dim, c.note(mark, path, "reading..")
	case s.Problem != nil:
		style, line = t.Danger, c.note(mark, path, "! "+safe.Line(s.Problem.What))
	default:
		line = c.line(mark, path, strconv.Itoa(s.Held)+"/"+strconv.Itoa(s.Cap), percent(s.Unused, s.Held),
			v.writer(s), s.Git.String(), modeText(s.Mode), watchText(s.Watch))
	}
	line = Cell(line, w)
	if i == v.Cursor && !v.Detail {
		return t.Selection.Render(line)
	}
	return style.Render(line)
}

// note sets one sentence where the numbers of a store would be.
func (c storeColumns) note(mark, path, text string) string {
	return mark + Cell(path, c.path) + "  " + text
}

func (r *StoreRow) path() string {
	if r.Place.Path != "" {
		return r.Place.Path
	}
	return string(r.Place.Store)
}

// cutFront cuts a path at its beginning, since its end tells more.
func cutFront(s string, w int) string {
	over := Width(s) - w
	if over <= 0 {
		return s
	}
	over += len(dots)
	at, width := 0, 0
	for at < len(s) && width < over {
		n, cells := next(s[at:])
		at, width = at+n, width+cells
	}
	return fit(dots+s[at:], w)
}

// writer says who writes the store, or when it was written last.
func (v Stores) writer(s *memory.Snapshot) string {
	if s.Writer != "" {
		return safe.Line(s.Writer)
	}
	if s.ModTime.IsZero() || v.Now.IsZero() {
		return "-"
	}
	return ago(v.Now.Sub(s.ModTime))
}

func ago(d time.Duration) string {
	if d >= 0 && d < time.Minute {
		return "active just now" // the clock of a screen ticks by the minute
	}
	if d < 0 {
		return "in the future"
	}
	return "idle " + Age(d)
}

func percent(n, of int) string {
	if of <= 0 {
		return "-"
	}
	return strconv.Itoa(n*100/of) + "%"
}

func modeText(m fs.FileMode) string {
	if m.IsDir() {
		return "folder"
	}
	return m.Perm().String()[1:]
}

func watchText(m memory.WatchMode) string {
	switch m {
	case memory.WatchLive:
		return "live"
	case memory.WatchPoll:
		return "poll"
	}
	return "-"
}
