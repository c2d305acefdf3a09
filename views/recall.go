package views

import (
	"cmp"
	"image"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// RecallPanel is what the right side of the recall screen shows.
type RecallPanel uint8

// The panels.
const (
	PanelText    RecallPanel = iota // a text that the agent would read
	PanelExplain                    // why a record is recalled or not
	PanelWords                      // the words of the task, some of which can be left out
	PanelSession                    // what a session received, and what differs now
)

// RecallLine says what the one-line field of the recall screen is used for.
type RecallLine uint8

// The uses of the field; NoLine hides it.
const (
	NoLine RecallLine = iota
	ToolsLine
	FolderLine // folder and files that the session works in
)

// Recall is the data of the recall screen: the draft task and its hits on the left, the texts that
// the agent would read on the right.
type Recall struct {
	Keyed
	Described memory.Description // description of the store
	Noun      memory.Noun
	Scopes    int // number of parts of the store to choose from

	Box    TextBox
	Typing bool // the user types into Box
	Line   TextBox
	For    RecallLine // the use of Line while the user types into it

	Task   memory.Task // the task of Result; Text may lag behind Box
	Result memory.Recall
	Ready  bool   // Result is valid
	Failed string // why there is no result; empty if nothing failed
	// Risks are the open findings on records whose text would act on the model, is hidden from
	// people, or contains a secret; the worst first.
	Risks map[memory.ID][]memory.Finding

	// Listing is the state of the table. Its detail is the right side, and Scroll the first line
	// shown there.
	Listing
	Left int // first visible cell of the right side

	Panel  RecallPanel
	Block  int  // index of the shown text
	Pieces bool // the table lists pieces of the texts instead of hits
	All    bool // also list rows that match only on noise
	Word   int  // selected row of PanelWords

	Markers, Wrap, Reveal bool
	Numbers               bool // number the lines of blocks
	Mask                  Mask
	Now                   time.Time
}

// panes returns where the two sides are on a screen of w by h cells. A narrow screen shows only one
// of them.
func (v Recall) panes(w, h int) layout.Panes {
	mode := v.Layout
	if w < layout.SplitWidth && mode == layout.Both {
		mode = layout.ListOnly
		if v.Panel != PanelText {
			mode = layout.DetailOnly
		}
	}
	return layout.Split(w, h-1, mode, v.Share).Down(1)
}

// wide reports whether the list of a screen of w cells has a box for the task.
func (v Recall) wide(w int) bool { return w >= layout.SplitWidth || v.Layout == layout.ListOnly }

// Render returns the screen as text of exactly w by h cells.
func (v Recall) Render(t theme.Theme, w, h int) string {
	return paneUnder(t, v.head(t, w), w, h, func() string {
		return listAndDetail(v.panes(w, h), func(lw, lh int) string { return v.listPane(t, lw, lh, v.wide(w)) },
			func(pw, ph int) string { return v.panelPane(t, pw, ph) })
	})
}

// head returns the line above the boxes.
func (v Recall) head(t theme.Theme, w int) string {
	left, right := " What does "+cmp.Or(safe.Line(v.Described.System), "the agent")+" get", "dry run"
	always := v.Box.Text == "" && !v.Described.Draft.TextOnly
	left += cmp.Or(textIf(w < layout.SplitWidth, "?"), textIf(always, " at every start?"), " for this task?")
	right += textIf(v.Described.Draft.Modes, "  %s", v.mode())
	return leftAndRight(t, t.Strong.Render(left), t.Dim.Render(right+" "), w)
}

func (v Recall) mode() memory.Mode {
	return cmp.Or(v.Task.Mode, memory.Single)
}

// blank reports whether there is no task and none is being typed.
func (v Recall) blank() bool { return v.Box.Text == "" && !v.Typing }

// CursorAt returns where the text cursor is on a screen of w by h cells.
func (v Recall) CursorAt(w, h int) (x, y int, ok bool) {
	inner := v.panes(w, h).List.Inset(1)
	if !v.Typing && v.For == NoLine || inner.Empty() {
		return 0, 0, false
	}
	l := v.list(theme.Theme{}, inner.Dx(), inner.Dy(), v.wide(w))
	x, y = inner.Min.X+l.x, inner.Min.Y+l.y
	return x, y, l.cursor && image.Pt(x, y).In(inner)
}

// BoxWidth returns how many cells a line of the task box has on a screen of w by
// h cells.
func (v Recall) BoxWidth(w, h int) int {
	frame := 2 + len(narrowTask)
	if v.wide(w) {
		frame = 4
	}
	return max(v.panes(w, h).List.Dx()-frame, 1)
}

// RowAt returns the row of the table at a cell of a screen of w by h cells.
func (v Recall) RowAt(w, h, x, y int) (row int, ok bool) {
	inner := v.panes(w, h).List.Inset(1)
	l := v.list(theme.Theme{}, inner.Dx(), inner.Dy(), v.wide(w))
	i := y - inner.Min.Y
	if x < inner.Min.X-1 || x > inner.Max.X || i < 0 || i >= len(l.rows) {
		return 0, false
	}
	return l.rows[i], l.rows[i] >= 0
}

// InPanel reports whether a cell belongs to the right side.
func (v Recall) InPanel(w, h, x, y int) bool { return image.Pt(x, y).In(v.panes(w, h).Detail) }

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Recall) MaxScroll(w, h int) int {
	panel := v.panes(w, h).Detail
	if panel.Empty() {
		return 0
	}
	lines, _, fits := v.panelParts(theme.Theme{}, max(panel.Dx()-2, 0), max(panel.Dy()-2, 0))
	return len(lines) - fits
}

// HasPanel reports whether the right side is shown on a screen of w by h cells.
func (v Recall) HasPanel(w, h int) bool { return !v.panes(w, h).Detail.Empty() }

// leftBox is the inside of the left box: its lines, the table row of each line or -1, and the
// position of the text cursor.
type leftBox struct {
	lines  []string
	rows   []int
	x, y   int
	cursor bool
}

// add adds lines outside the table.
func (l *leftBox) add(lines ...string) { l.addRow(-1, lines...) }

// addRow adds the lines of a row of the table.
func (l *leftBox) addRow(row int, lines ...string) {
	l.lines = append(l.lines, lines...)
	l.rows = append(l.rows, slices.Repeat([]int{row}, len(lines))...)
}

func (v Recall) listPane(t theme.Theme, w, h int, wide bool) string {
	title := cmp.Or(textIf(wide, "Task and matches"), "Recall preview")
	l := v.list(t, w-2, h-2, wide)
	return pane{Title: title, Focused: !v.Detail, Lines: l.lines}.render(t, w, h)
}

func (v Recall) list(t theme.Theme, w, h int, wide bool) leftBox {
	if w <= 0 || h <= 0 {
		return leftBox{}
	}
	var l leftBox
	if wide {
		v.addBox(t, &l, w, h)
	} else {
		v.addNarrowTask(t, &l, w, h)
	}
	v.addChoices(t, &l, w)
	v.addEstimate(t, &l, w, max(h/6, 1))
	if wide {
		v.addWords(t, &l, w, max(min(h-8, 6), 1))
	} else if words := v.wordLine(t, w); h >= 7 && words != "" {
		l.add(words)
	}
	var below []string
	if !wide {
		below = append(v.preview(t, w, h-len(l.lines)-1), v.bottomLine(t, w))
	}
	switch name := v.tableName(); {
	case h-len(l.lines) <= 6:
	case wide && name == "":
		l.add("")
	default:
		l.add(rule(t, w, name))
	}
	if wide {
		if notes := v.tableNotes(t, w); h-len(l.lines) >= len(notes)+8 {
			below = notes
		}
	}
	v.addTable(t, &l, w, max(h-len(l.lines)-len(below), 2), wide)
	l.add(below...)
	return l
}

// preview returns the shown text from its scroll position, for the space below the table on a
// narrow screen. It returns nothing if room is too small.
func (v Recall) preview(t theme.Theme, w, room int) []string {
	b := v.Shown()
	if room < 8 || !v.Ready || b.Text == "" || v.Layout == layout.ListOnly {
		return nil
	}
	lines := v.blockLines(t, b, w)
	lines = lines[max(min(v.Scroll, len(lines)-1), 0):]
	for len(lines) > 1 && lines[0] == t.Border.Render(literalEdge) {
		lines = lines[1:]
	}
	last := " " + v.facts(t, b)
	if h := room/2 - 1; len(lines) >= h {
		more := "  .. " + memory.Counted(len(lines)-h+1, "more line") + "   "
		lines, last = lines[:h-1:h-1], t.Border.Render(literalEdge)+t.Dim.Render(more)+v.facts(t, b)
	}
	return append(
		append([]string{rule(t, w, v.textName()+" ("+keyOf(v.keys().Recall.Block)+": full screen)")}, lines...),
		last,
	)
}

// narrowTask is the label of the task if there is no room for a box.
const narrowTask = "Task: "

// rule returns a line across w cells that contains a text.
func rule(t theme.Theme, w int, text string) string {
	line := cmp.Or(t.Borders.Horizontal, "-")
	if text == "" || w < Width(text)+6 {
		return t.Border.Render(repeat(line, w))
	}
	return t.Border.Render(repeat(line, 3)) + t.Dim.Render(" "+text+" ") +
		t.Border.Render(repeat(line, w-5-Width(text)))
}

func repeat(s string, n int) string { return strings.Repeat(s, max(n, 0)) }
