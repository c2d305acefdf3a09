package views

import (
	"fmt"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// FoundLine is a line in the search over all stores: the heading of a store, or one of its records.
type FoundLine struct {
	Store   memory.StoreID
	Heading string // name of a store; empty for a record

	ID          memory.ID
	Title       string
	Text        string // excerpt of the body around the match; may be empty
	Kind, Scope string
	Flags       memory.Flags
	// The places of secrets in Title and Text.
	TitleSecrets, TextSecrets [][2]int
}

// Everywhere is the dialog that searches all stores.
type Everywhere struct {
	Search
	Lines  []FoundLine
	Found  int // records listed
	More   int // further matches that are not listed
	Read   int // records searched
	Stores int
	Unread []memory.Unread
	Done   bool
	Match  Spans // what was searched for
}

const everywhereWide = 112

// Dialog returns the dialog in a room of w by h cells, all of which it fills.
func (v Everywhere) Dialog(l Look, w, h int) Dialog {
	v.Title, v.Typing = "Search all stores", true
	d, inner := v.list(l, w, everywhereWide, len(v.Lines), nil)
	d.Head = []string{d.Head[0], v.status(l, inner), ""}
	d.Rows = max(len(v.Lines), h-2-len(d.Head))
	d.Row = func(i int) string {
		if i >= len(v.Lines) {
			return ""
		}
		return v.row(l, i, inner)
	}
	return d
}

// status says how far the search got.
func (v Everywhere) status(l Look, w int) string {
	t := l.Theme
	switch {
	case v.Query == "":
		return t.Dim.Render(
			truncate(t, "words, !not, kind:rule age:<7d flag:secret; in "+memory.Counted(v.Stores, "store"), w),
		)
	case !v.Done && v.Read == 0:
		return t.Dim.Render("searching" + t.Borders.Cut)
	}
	n, unread := len(v.Unread), ""
	if n > 0 {
		unread = memory.Counted(n, "store") + " not read whole: " + l.Mask.line(v.Unread[0].Path, 60)
	}
	return t.Dim.Render(truncate(t, joined(
		"; ",
		textIf(v.Found > 0, "%d found", v.Found),
		textIf(v.Found == 0 && v.Done, "nothing found"),
		textIf(v.More > 0, "%d more are not listed", v.More),
		textIf(!v.Done, "searching%s ", t.Borders.Cut)+fmt.Sprintf("%d records read", v.Read),
		unread,
	), max(w, 0)))
}

func (v Everywhere) row(l Look, i, w int) string {
	t, f := l.Theme, &v.Lines[i]
	if f.Heading != "" {
		return t.Strong.Render(Cell(t, " "+l.Mask.line(f.Heading, w), w))
	}
	title := safe.Masked(f.Title, f.TitleSecrets, l.Reveal)
	if title == "" {
		title = "(" + l.Mask.line(string(f.ID), 40) + ")"
	}
	tag := joined(", ", truncate(t, l.Mask.line(f.Kind, 24), 24), truncate(t, l.Mask.line(f.Scope, 24), 24))
	text := textIf(f.Text != "", "  %s", safe.Masked(blanks.Replace(f.Text), f.TextSecrets, l.Reveal))
	room := max(w-4-Width(tag)-2, 0)
	shown := truncate(t, title, room)
	rest := ""
	if left := room - Width(shown); left > 8 {
		rest = truncate(t, text, left)
	}
	found := highlight(t, shown, t.Text, spansOf(v.Match, shown, true)) +
		highlight(t, rest, t.Dim, spansOf(v.Match, rest, false))
	return rowLine(t, theme.Style{}, i == v.Cursor, "   "+Cell(t, found, room)+"  "+t.Info.Render(tag), w)
}

// blanks turns several lines into one. Each byte is replaced by one byte, so that offsets stay
// valid.
var blanks = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")
