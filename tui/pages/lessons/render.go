package lessons

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	out := p.filterLine().Render(p.theme, w)
	if h > 1 {
		out += "\n" + p.body(w, h-1)
	}
	if p.menu {
		return views.OverCentre(out, p.sortMenu().Render(p.theme, w, h), w, h)
	}
	return out
}

// Cursor implements page.Cursor.
func (p *Page) Cursor() (x, y int, ok bool) {
	if !p.typing {
		return 0, 0, false
	}
	return p.filterLine().CursorAt(p.line.Before(), p.w), 0, true
}

func (p *Page) filterLine() views.FilterLine {
	s := p.shown.snap
	return views.FilterLine{
		Text: p.line.Text(), Typing: p.typing, Note: p.note(), Sort: p.sortText(),
		Shown: len(p.shown.result.Index), Total: len(s.Records), Marked: p.marks.len(),
		Stored: s.Total, Scope: p.scope, Hint: p.shown.display.FilterHint(),
	}
}

func (p *Page) body(w, h int) string {
	if state, ok := p.state(); ok {
		return state.Render(p.theme, w, h)
	}
	panes := p.panes(w, h+1)
	switch {
	case panes.Below:
		return p.stacked(w, h)
	case panes.Detail.Empty():
		return p.list(w, h)
	case panes.List.Empty():
		return p.detailPane(w, h)
	}
	return views.Beside(p.list(panes.List.Dx(), h), p.detailPane(panes.Detail.Dx(), h))
}

func (p *Page) table(w, h int) views.RecordTable {
	return views.RecordTable{
		Records: p.shown.snap.Records, Index: p.shown.result.Index,
		Cursor: p.cursor, Offset: offsetFor(p.offset, p.cursor, p.rows(w, h), len(p.shown.result.Index)),
		Marked: p.marks.set.has, RangeFrom: p.marks.from,
		SortBy: p.sortedBy(), Desc: p.query.Desc, Left: p.left,
		Now: p.now, Reveal: p.reveal, Dim: p.onDetail(), Match: p.spans, Display: p.shown.display, Mask: p.mask(),
	}
}

func (p *Page) list(w, h int) string {
	return views.Pane{
		Title: p.title, Right: p.position(), Focused: !p.onDetail(), Lines: p.lines(w-2, h-2),
	}.Render(p.theme, w, h)
}

// lines returns the inside of the list: the table, and above it what makes an
// agent stop if anything does, since nothing else in the store matters as much.
func (p *Page) lines(w, h int) []string {
	lines := p.alarm(p.panes(p.w, p.h).List)
	return append(lines, p.table(p.w, p.h).Lines(p.theme, w, h-len(lines))...)
}

// alarm returns the lines above the table in a list of this place.
func (p *Page) alarm(list image.Rectangle) []string {
	const share = 5 // of its lines that stay for the table, for each of these
	for _, h := range p.shown.snap.Health {
		if h.Level == memory.Stop {
			what := strings.Replace(h.What, "the agent would stop here, because ", "", 1)
			return views.Alarm(p.theme, safe.Line(what), "Stores: next step", list.Dx()-2, min(list.Dy()/share, 2))
		}
	}
	return nil
}

// stacked returns list and detail in one box.
func (p *Page) stacked(w, h int) string {
	panes := p.panes(w, h+1)
	lines := p.lines(w-2, panes.List.Dy()-1)
	for len(lines) < panes.List.Dy()-1 {
		lines = append(lines, "")
	}
	lines = append(lines, p.theme.Border.Render(strings.Repeat(p.theme.Borders.Horizontal, max(w-2, 0))))
	lines = append(lines, p.window(p.linesOf(w-2, true), linesIn(panes))...)
	return views.Pane{Title: p.title, Right: p.position(), Focused: true, Lines: lines}.Render(p.theme, w, h)
}

func (p *Page) detailPane(w, h int) string {
	lines := p.linesOf(w-2, false)
	right := ""
	if len(lines) > h-2 {
		right = strconv.Itoa(min(p.detail.scroll+h-2, len(lines))) + "/" + strconv.Itoa(len(lines))
	}
	return views.Pane{
		Title: p.view(p.record()).Title(), Right: right, Focused: p.onDetail(), Lines: p.window(lines, h-2),
	}.Render(p.theme, w, h)
}

// window returns the lines of the detail that can be seen.
func (p *Page) window(lines []string, h int) []string {
	at := max(min(p.detail.scroll, len(lines)-h), 0)
	return lines[at:max(min(at+h, len(lines)), at)]
}

// position says which rows can be seen.
func (p *Page) position() string {
	n := len(p.shown.result.Index)
	visible := p.rows(p.w, p.h)
	if n <= visible {
		return ""
	}
	first := offsetFor(p.offset, p.cursor, visible, n)
	return fmt.Sprintf("rows %d-%d of %d", first+1, min(first+visible, n), n)
}

// state returns the box that is shown in place of an empty list.
func (p *Page) state() (views.State, bool) {
	s := p.shown.snap
	switch {
	case !p.shown.loaded && p.slow:
		return views.State{Title: p.title, What: stillReading}, true
	case !p.shown.loaded:
		return views.State{Title: p.title}, true
	case s.Problem != nil:
		return p.problemState(s), true
	case len(s.Records) == 0:
		return p.emptyState(s), true
	case len(p.shown.result.Index) == 0:
		return p.nothingState(), true
	}
	return views.State{}, false
}

func (p *Page) problemState(s memory.Snapshot) views.State {
	x := s.Problem
	v := views.State{Title: p.title, What: x.What, Danger: true, Lines: []string{s.Place.Path}}
	v.Next = []string{"S  open another store      ?  help"}
	if x.Code == "missing" || x.Code == "empty" { // what every agent begins with
		v.Danger = false
		v.Next = append(v.Next, "winnow --demo   try with sample data")
		v.Next = append(v.Next, byHand(s)...)
	}
	if x.Hint != "" {
		v.Lines = append(v.Lines, x.Hint)
	}
	if !strings.Contains(x.Hint, "by itself") {
		v.Lines = append(v.Lines, "This screen updates by itself when that changes.")
	}
	return v
}

// stillReading is said while the first records have not come.
const stillReading = "Reading the store; keys work meanwhile."

// byHand returns the hint for adding a record by hand, where that can be done.
func byHand(s memory.Snapshot) []string {
	if s.ReadOnly != "" {
		return nil
	}
	return []string{"L  add one by hand"}
}

func (p *Page) emptyState(s memory.Snapshot) views.State {
	const updates = "This screen updates by itself when "
	v := views.State{
		Title: p.title, What: "No " + p.noun().Many + " yet in " + s.Place.Path, Lines: []string{updates + "that changes."},
		Next: []string{"S  open another store      ?  help"},
	}
	if s.Partial {
		v.What, v.Lines = stillReading, nil
	} else if s.Described.Arrives != "" {
		v.Lines = []string{s.Described.Arrives, updates + "it does."}
		v.Next = append(append(v.Next, "winnow --demo   try with sample data"), byHand(s)...)
	}
	return v
}

func (p *Page) nothingState() views.State {
	v := views.State{
		Title: p.title,
		What:  fmt.Sprintf("0 of %d match %q", len(p.shown.snap.Records), p.shown.query.Text),
		Next:  []string{"Esc  clears the filter"},
	}
	if s := p.shown.result.Suggest; s != "" {
		v.Lines = []string{"Did you mean " + s + " ?"}
	}
	if n := p.note(); n != "" {
		v.Lines = append(v.Lines, n)
	}
	return v
}
