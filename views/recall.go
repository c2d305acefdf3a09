package views

import (
	"image"
	"strconv"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/theme"
)

// RecallPanel is what the right side of the recall screen shows.
type RecallPanel uint8

// The panels.
const (
	PanelBlock   RecallPanel = iota // the part that recall adds to the prompt
	PanelPrompt                     // the whole prompt
	PanelExplain                    // why a lesson is recalled or not
	PanelWords                      // the words of the task, to leave some out
	PanelGot                        // what a session got, and what is otherwise now
)

// Recall is the data of the recall screen: the draft task and what it would
// find on the left, the text that the agent would read on the right.
type Recall struct {
	Box    TextBox
	Typing bool // into Box
	// Tools is the line of tool names, shown while it is typed into.
	Tools       TextBox
	TypingTools bool

	Task   memory.Task // what Result was computed for; Text may lag behind Box
	Result memory.Recall
	Ready  bool   // there is a result
	Failed string // why there is none; empty when nothing went wrong
	System memory.SystemID
	// Risks are the open findings on lessons whose text would act on the model, be
	// hidden from a person, or give a secret away; the worst first.
	Risks map[memory.ID][]memory.Finding

	Layout layout.Mode
	Share  int  // of the left side in percent
	Right  bool // the right side has the keys

	Panel  RecallPanel
	Cursor int  // row of the table
	All    bool // list also the rows that match on noise only
	Word   int  // row of PanelWords
	// Scroll and Left are the first line and cell shown on the right side.
	Scroll, Left int

	Markers, Wrap, Reveal bool

	Other *Other // of a system that is not the planner's, else nil
}

// recallParts is where the parts of the screen stand, from its top left cell.
type recallParts struct {
	list, panel image.Rectangle // boxes; the panel is empty where it is not shown
	wide        bool
}

func (v Recall) parts(w, h int) recallParts {
	w, h = max(w, 0), max(h, 0)
	head := min(h, 1)
	mode := v.Layout
	wide := w >= layout.SplitWidth
	if !wide && mode == layout.Both {
		if v.Panel == PanelExplain || v.Panel == PanelWords || v.Panel == PanelGot {
			mode = layout.DetailOnly
		} else {
			return recallParts{list: image.Rect(0, head, w, h)}
		}
	}
	p := layout.Split(w, h-head, mode, v.Share)
	down := image.Pt(0, head)
	return recallParts{list: p.List.Add(down), panel: p.Detail.Add(down), wide: wide}
}

// Render returns the screen as text of exactly w by h cells.
func (v Recall) Render(t theme.Theme, w, h int) string {
	if w <= 0 || h <= 0 {
		return Fill(nil, w, h)
	}
	p := v.parts(w, h)
	head := v.head(t, w)
	if h == 1 {
		return head
	}
	var body string
	switch {
	case p.panel.Empty():
		body = v.listPane(t, p.list.Dx(), p.list.Dy(), p.wide || v.Layout == layout.ListOnly)
	case p.list.Empty():
		body = v.panelPane(t, p.panel.Dx(), p.panel.Dy())
	default:
		body = beside(v.listPane(t, p.list.Dx(), p.list.Dy(), true), v.panelPane(t, p.panel.Dx(), p.panel.Dy()))
	}
	return head + "\n" + body
}

// head returns the line above the boxes.
func (v Recall) head(t theme.Theme, w int) string {
	if v.Other != nil {
		return v.otherHead(t, w)
	}
	left, right := " What would the planner read for this task?", "dry run  "+string(v.mode())
	if w < layout.SplitWidth {
		left = " What would the planner read?"
	} else if v.System != "" {
		right += "  engine: " + string(v.System)
	}
	return Sides(t.Strong.Render(left), t.Dim.Render(right+" "), w)
}

func (v Recall) mode() memory.Mode {
	if v.Task.Mode == "" {
		return memory.Single
	}
	return v.Task.Mode
}

// blank reports whether there is no task, and nobody writes one.
func (v Recall) blank() bool { return v.Box.Text == "" && !v.Typing }

// CursorAt returns where the text cursor stands on a screen of w by h cells.
func (v Recall) CursorAt(w, h int) (x, y int, ok bool) {
	p := v.parts(w, h)
	inner := image.Rect(p.list.Min.X+1, p.list.Min.Y+1, p.list.Max.X-1, p.list.Max.Y-1)
	if !v.Typing && !v.TypingTools && (v.Other == nil || !v.Other.TypingFolder) || p.list.Dx() < 3 || p.list.Dy() < 3 {
		return 0, 0, false
	}
	l := v.list(theme.Theme{}, inner.Dx(), inner.Dy(), p.wide || v.Layout == layout.ListOnly)
	x, y = inner.Min.X+l.x, inner.Min.Y+l.y
	return x, y, l.cursor && image.Pt(x, y).In(inner)
}

// BoxWidth returns how many cells a line of the task box has on a screen of w by
// h cells.
func (v Recall) BoxWidth(w, h int) int {
	p := v.parts(w, h)
	if p.wide || v.Layout == layout.ListOnly {
		return max(p.list.Dx()-4, 1)
	}
	return max(p.list.Dx()-2-len(narrowTask), 1)
}

// RowAt returns the row of the table at a cell of a screen of w by h cells.
func (v Recall) RowAt(w, h, x, y int) (row int, ok bool) {
	p := v.parts(w, h)
	if !image.Pt(x, y).In(p.list) {
		return 0, false
	}
	l := v.list(theme.Theme{}, p.list.Dx()-2, p.list.Dy()-2, p.wide || v.Layout == layout.ListOnly)
	i := y - p.list.Min.Y - 1
	if i < 0 || i >= len(l.rows) || l.rows[i] < 0 {
		return 0, false
	}
	return l.rows[i], true
}

// InPanel reports whether a cell belongs to the right side.
func (v Recall) InPanel(w, h, x, y int) bool { return image.Pt(x, y).In(v.parts(w, h).panel) }

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Recall) MaxScroll(w, h int) int {
	p := v.parts(w, h)
	if p.panel.Empty() {
		return 0
	}
	lines, _, fits := v.panelParts(theme.Theme{}, max(p.panel.Dx()-2, 0), max(p.panel.Dy()-2, 0))
	return len(lines) - fits
}

// HasPanel reports whether the right side is shown on a screen of w by h cells.
func (v Recall) HasPanel(w, h int) bool { return !v.parts(w, h).panel.Empty() }

// listing is the inside of the left box: lines, the row of the table that each
// belongs to or -1, and where the text cursor stands.
type listing struct {
	lines  []string
	rows   []int
	x, y   int
	cursor bool
}

func (l *listing) add(lines ...string) {
	for _, s := range lines {
		l.lines = append(l.lines, s)
		l.rows = append(l.rows, -1)
	}
}

func (v Recall) listPane(t theme.Theme, w, h int, wide bool) string {
	title := "Task and matches"
	if !wide {
		title = "Recall preview"
	}
	l := v.list(t, w-2, h-2, wide)
	return Pane{Title: title, Focused: !v.Right, Lines: l.lines}.Render(t, w, h)
}

func (v Recall) list(t theme.Theme, w, h int, wide bool) listing {
	if w <= 0 || h <= 0 {
		return listing{}
	}
	if v.Other != nil {
		return v.otherList(t, w, h, wide)
	}
	if wide {
		return v.wideList(t, w, h)
	}
	return v.narrowList(t, w, h)
}

func (v Recall) wideList(t theme.Theme, w, h int) listing {
	var l listing
	v.addBox(t, &l, w, h)
	v.addWords(t, &l, w, max(min(h-8, 6), 1))
	if len(l.lines) < h-4 {
		l.add("")
	}
	notes := v.tableNotes(t, w)
	if h-len(l.lines) < len(notes)+8 {
		notes = nil
	}
	v.addTable(t, &l, w, h-len(l.lines)-len(notes), wideColumns(w))
	l.add(notes...)
	return l
}

// narrowTask stands before the task where there is no room for a box around it.
const narrowTask = "Task: "

func (v Recall) narrowList(t theme.Theme, w, h int) listing {
	var l listing
	v.addNarrowTask(t, &l, w, h)
	if v.TypingTools {
		v.addTools(t, &l, w)
	} else if h >= 7 {
		l.add(v.wordLine(t, w))
	}
	if h >= 10 {
		l.add(rule(t, w, ""))
	}
	left := h - len(l.lines) - 1
	var block []string
	if left >= 8 && v.Ready && v.Result.Block.Text != "" {
		block = v.blockStart(t, w, left/2-1)
		block = append([]string{rule(t, w, "exact block (b: full screen)")}, block...)
	}
	v.addTable(t, &l, w, max(left-len(block), 2), narrowColumns(w))
	l.add(block...)
	l.add(v.bottomLine(t, w))
	return l
}

// rule returns a line across w cells, with a text in it.
func rule(t theme.Theme, w int, text string) string {
	if w <= 0 {
		return ""
	}
	bar := t.Borders.Horizontal
	if bar == "" {
		bar = "-"
	}
	if text == "" || w < Width(text)+8 {
		return t.Border.Render(repeat(bar, w))
	}
	return t.Border.Render(repeat(bar, 3)) + t.Dim.Render(" "+text+" ") + t.Border.Render(repeat(bar, w-5-Width(text)))
}

func repeat(s string, n int) string {
	out := make([]byte, 0, max(n, 0)*len(s))
	for range n {
		out = append(out, s...)
	}
	return string(out)
}

// count returns "1 lesson" or "5 lessons".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
