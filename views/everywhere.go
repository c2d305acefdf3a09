package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// FoundLine is a line of the search over all stores: the heading of a store, or a record
// of it.
type FoundLine struct {
	Store   memory.StoreID
	Heading string // of a store; empty for a record

	ID          memory.ID
	Title       string
	Text        string // of the body around what was found; may be empty
	Kind, Scope string
	Flags       memory.Flags
	// The places of secrets in Title and Text.
	TitleSecrets, TextSecrets [][2]int
}

// Everywhere is the data of the overlay that searches all stores.
type Everywhere struct {
	Query, Before string // Before is the part of it before the cursor
	Lines         []FoundLine
	Cursor        int
	Found         int // records that are listed
	More          int // that were found beyond those
	Read          int // records that were looked at
	Stores        int
	Unread        []memory.Unread
	Done, Reveal  bool
	Mask          Mask
}

const everywhereWide = 112

// everywhereHead is how many lines stand above the rows: the border, the query, what
// became of it, and a blank one.
const everywhereHead = 4

func (v Everywhere) size(w, h int) (bw, bh, first, rows int) {
	bw, bh = everywhereWide, h
	if w < everywhereWide+narrowMargin+1 {
		bw = w
	}
	rows = max(bh-everywhereHead-2, 0)
	return bw, bh, min(max(v.Cursor-rows/2, 0), max(len(v.Lines)-rows, 0)), rows
}

// Render returns a box of at most w by h cells.
func (v Everywhere) Render(t theme.Theme, w, h int) string {
	bw, bh, first, rows := v.size(w, h)
	inner := max(bw-2, 0)
	query := cutStart(safe.Line(v.Query), max(inner-5, 0))
	lines := []string{
		" " + t.Accent.Render("*") + " " + t.Text.Render(query) + t.Accent.Render("_"),
		" " + v.status(t, inner-2), "",
	}
	for i := first; i < min(first+rows, len(v.Lines)); i++ {
		lines = append(lines, v.row(t, i, inner))
	}
	for len(lines) < rows+everywhereHead-1 {
		lines = append(lines, "")
	}
	lines = append(lines, " "+t.Dim.Render("Enter opens it in its store   Esc closes"))
	right := ""
	if v.Found > 0 {
		right = strconv.Itoa(v.Found) + " found"
	}
	return Pane{Title: "Search all stores", Right: right, Focused: true, Lines: lines}.Render(t, bw, bh)
}

// status says how far the search got.
func (v Everywhere) status(t theme.Theme, w int) string {
	switch {
	case v.Query == "":
		return t.Dim.Render(fit("words, !not, kind:rule age:<7d flag:s; in "+count(v.Stores, "store"), w))
	case !v.Done && v.Read == 0:
		return t.Dim.Render("searching..")
	}
	said := strconv.Itoa(v.Read) + " records read"
	if !v.Done {
		said = "searching.. " + said
	}
	if v.Found == 0 && v.Done {
		said = "nothing found; " + said
	}
	if v.More > 0 {
		said = strconv.Itoa(v.More) + " more are not listed; " + said
	}
	if n := len(v.Unread); n > 0 {
		said += "; " + count(n, "store") + " not read whole: " + v.Mask.line(v.Unread[0].Path, 60)
	}
	return t.Dim.Render(fit(said, max(w, 0)))
}

func (v Everywhere) row(t theme.Theme, i, w int) string {
	l := v.Lines[i]
	if l.Heading != "" {
		return t.Strong.Render(Cell(" "+v.Mask.line(l.Heading, w), w))
	}
	title := safe.Masked(l.Title, l.TitleSecrets, v.Reveal)
	if title == "" {
		title = "(" + v.Mask.line(string(l.ID), 40) + ")"
	}
	var tags []string
	for _, tag := range []string{l.Kind, l.Scope} {
		if tag != "" {
			tags = append(tags, fit(v.Mask.line(tag, 24), 24))
		}
	}
	tag := strings.Join(tags, ", ")
	text := ""
	if l.Text != "" {
		text = "  " + safe.Masked(strings.Join(strings.FieldsFunc(l.Text, isBreak), " "), nil, true)
		if len(l.TextSecrets) > 0 {
			text = "  " + safe.Masked(l.Text, l.TextSecrets, v.Reveal)
		}
	}
	room := max(w-4-Width(tag)-2, 0)
	if i == v.Cursor {
		return t.Selection.Render(Cell("  > "+Cell(title+text, room)+"  "+tag, w))
	}
	shown := fit(title, room)
	line := "    " + t.Text.Render(shown)
	if left := room - Width(shown); left > 8 && text != "" {
		line += t.Dim.Render(Cell(text, left))
	} else {
		line += pad(left)
	}
	return Cell(line+"  "+t.Info.Render(tag), w)
}

func isBreak(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }

// SpotAt returns what stands at a cell of the box that Render returns for w and h.
func (v Everywhere) SpotAt(_ theme.Theme, w, h, x, y int) Spot {
	bw, _, first, rows := v.size(w, h)
	row := y - everywhereHead
	if row < 0 || row >= rows || first+row >= len(v.Lines) || x < 1 || x >= bw-1 {
		return nowhere
	}
	return Spot{Button: -1, Row: first + row}
}
