package lessons

import (
	"cmp"
	"fmt"
	"image"
	"strings"

	"winnow/core/memory"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/safe"
)

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	out := p.filterLine().Render(p.Theme, w)
	if h > 1 {
		out += "\n" + p.body(w, h-1)
	}
	if p.menu && p.Theme.Plain {
		return p.sortMenu().Render(p.Theme, w, h)
	}
	if p.menu {
		return views.OverCentre(out, p.sortMenu().Render(p.Theme, w, h), w, h)
	}
	return out
}

// Cursor implements page.Cursor.
func (p *Page) Cursor() (x, y int, ok bool) {
	if !p.filter.Typing {
		return 0, 0, false
	}
	return p.filterLine().CursorAt(p.filter.Before(), p.W), 0, true
}

func (p *Page) filterLine() views.FilterLine {
	s := p.shown.snap
	return views.FilterLine{
		Key:  p.keys.Lessons.Filter.Help().Key,
		Text: p.filter.Text(), Typing: p.filter.Typing, Note: p.note(), Sort: p.sortText(),
		Shown: p.Len(), Total: len(s.Records), Marked: len(p.at.Marked),
		Stored: s.Total, Scope: p.scope, Hint: p.shown.display.FilterHint(),
	}
}

func (p *Page) body(w, h int) string {
	if w <= 0 {
		return views.Fill(p.Theme, nil, w, h)
	}
	if state, ok := p.state(); ok {
		return state.Render(p.Theme, w, h)
	}
	panes := p.Panes(w, h+1)
	lw, lh := panes.Inside()
	visible, n := p.Visible(p.W, p.H), p.Len()
	detail := p.detail(panes, false)
	v := views.ListDetail{
		Panes:       panes,
		Title:       p.title,
		Detail:      detail.Lines(p.Theme, panes.Detail.Dx()),
		DetailTitle: detail.Title(panes.Detail.Dx()),
		Scroll:      p.at.Scroll, DetailFocused: p.OnDetail(),
	}
	if n > visible {
		v.Right = fmt.Sprintf("rows %d-%d of %d", p.at.Offset+1, min(p.at.Offset+visible, n), n)
	}
	// What stops an agent is shown above the table, because nothing else in the store matters as much.
	v.List = p.alarm(p.Panes(p.W, p.H).List)
	v.List = append(v.List, p.table().Lines(p.Theme, lw, lh-len(v.List))...)
	return v.Render(p.Theme)
}

func (p *Page) table() views.RecordTable {
	return views.RecordTable{
		Records: p.shown.snap.Records, Index: p.shown.result.Index,
		Cursor: p.at.Cursor, Offset: p.at.Offset,
		Marked: func(i int32) bool { return p.at.Marked[string(p.shown.snap.Records[i].ID)] }, RangeFrom: p.at.Range,
		SortBy: cmp.Or(page.When(p.shown.result.Ranked, "rank"), p.query.Sort), Desc: p.query.Desc, Left: p.left,
		Now:     p.Now,
		Reveal:  p.Reveal,
		Dim:     p.OnDetail(),
		Match:   p.spans,
		Display: p.display(),
		Mask:    p.Mask,
	}
}

// display returns how the records are listed, with the columns that the person chose.
func (p *Page) display() views.Display {
	d := p.shown.display
	d.Chosen = p.columns
	return d
}

// alarm returns the lines above the table that say what stops the agent, if anything. List is the
// area of the list.
func (p *Page) alarm(list image.Rectangle) []string {
	const share = 5 // lines of the list for each line of the alarm
	for _, h := range p.shown.snap.Health {
		if h.Level == memory.Stop {
			what := strings.Replace(h.What, "the agent would stop here, because ", "", 1)
			return views.Alarm(p.Theme, safe.Line(what), "Stores: next step", list.Dx()-2, min(list.Dy()/share, 2))
		}
	}
	return nil
}

// state returns the box shown instead of an empty list.
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
	case p.Len() == 0:
		return p.nothingState(), true
	}
	return views.State{}, false
}

const (
	updates = "This screen updates by itself when "
	sample  = "winnow --demo   try with sample data"

	// stillReading is shown until the first records arrive.
	stillReading = "Reading the store; keys work meanwhile."
)

// others returns the hint for opening another store.
func (p *Page) others() string {
	return page.Hint(p.keys.Global.Switch, "open another store") + "      " + page.Hint(p.keys.Global.Help, "help")
}

func (p *Page) problemState(s memory.Snapshot) views.State {
	x := s.Problem
	v := views.State{
		Title:  p.title,
		What:   x.What,
		Danger: true,
		Lines:  []string{s.Place.Path},
		Next:   []string{p.others()},
	}
	if x.Code == "missing" || x.Code == "empty" { // the normal state of a new agent
		v.Danger = false
		v.Next = append(append(v.Next, sample), p.byHand(s)...)
	}
	if x.Hint != "" {
		v.Lines = append(v.Lines, x.Hint)
	}
	if !strings.Contains(x.Hint, "by itself") {
		v.Lines = append(v.Lines, updates+"that changes.")
	}
	return v
}

// byHand returns the hint for adding a record by hand, or nil for a read-only store.
func (p *Page) byHand(s memory.Snapshot) []string {
	if s.ReadOnly != "" {
		return nil
	}
	return []string{page.Hint(p.keys.Curate.Add, "add one by hand")}
}

func (p *Page) emptyState(s memory.Snapshot) views.State {
	v := views.State{
		Title: p.title,
		What:  "No " + p.noun().Many + " yet in " + s.Place.Path,
		Lines: []string{updates + "that changes."},
		Next:  []string{p.others()},
	}
	switch {
	case s.Partial:
		v.What, v.Lines = stillReading, nil
	case s.Described.Arrives != "":
		v.Lines = []string{s.Described.Arrives, updates + "it does."}
		v.Next = append(append(v.Next, sample), p.byHand(s)...)
	}
	return v
}

func (p *Page) nothingState() views.State {
	v := views.State{
		Title: p.title,
		What:  fmt.Sprintf("0 of %d match %q", len(p.shown.snap.Records), p.shown.query.Text),
		Next:  []string{page.Hint(p.keys.Global.Back, "clears the filter")},
	}
	if s := p.shown.result.Suggest; s != "" {
		v.Lines = append(v.Lines, "Did you mean "+s+" ?")
	}
	if n := p.note(); n != "" {
		v.Lines = append(v.Lines, n)
	}
	return v
}
