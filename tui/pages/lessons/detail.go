package lessons

import (
	"image"
	"strings"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/layout"
)

// detail is the state of the pane beside or below the list.
type detail struct {
	focus bool // motion keys scroll it
	full  bool // it hides the list
	raw   bool // the stored line is shown
	// numbers is set while the lines of the text are numbered.
	numbers bool
	scroll  int
}

func (d *detail) reset() { *d = detail{} }

func (p *Page) toggleFull() {
	p.detail.full = !p.detail.full
	p.detail.scroll = 0
	p.follow()
}

func (p *Page) toggleRaw() { p.detail.raw, p.detail.scroll = !p.detail.raw, 0 }

func (p *Page) nextPane() { p.detail.focus = !p.detail.focus }

// onDetail reports whether motion keys go to the detail.
func (p *Page) onDetail() bool {
	mode := p.effective()
	return mode == layout.DetailOnly || mode == layout.Both && p.detail.focus
}

// scroll scrolls the detail, not beyond its last line.
func (p *Page) scroll(by int) {
	most := max(len(p.detailLines())-p.detailHeight(), 0)
	p.detail.scroll = max(min(p.detail.scroll+by, most), 0)
}

// nextLine scrolls to the next line that has a match.
func (p *Page) nextLine(dir int) {
	lines := p.detailLines()
	for i := p.detail.scroll + dir; i >= 0 && i < len(lines); i += dir {
		if p.marked(lines[i]) {
			p.detail.scroll = 0
			p.scroll(i)
			return
		}
	}
}

// marked reports whether a rendered line has a match in it.
func (p *Page) marked(line string) bool {
	open, _, _ := strings.Cut(p.Theme.Match.Render("x"), "x")
	return open != "" && strings.Contains(line, open)
}

// detailHeight returns how many lines of the detail can be seen.
func (p *Page) detailHeight() int { return p.panes(p.W, p.H).DetailLines() }

func (p *Page) detailLines() []string {
	panes := p.panes(p.W, p.H)
	return p.view(panes, true).Lines(p.Theme, panes.Detail.Dx())
}

// view returns the detail of the record under the cursor. All of a long text is shown once it is
// scrolled or has the keys, and with all set.
func (p *Page) view(panes layout.Panes, all bool) views.RecordDetail {
	r := p.record()
	v := views.RecordDetail{
		Keyed:  views.Keyed{Keys: &p.keys},
		Record: r, Now: p.Now,
		Held: p.shown.snap.Held, LoadCap: p.shown.snap.LoadCap, Undone: p.undone(r.ID),
		Raw: p.detail.raw, Reveal: p.Reveal, Match: p.spans, Display: p.shown.display, Stores: p.names, Mask: p.Mask,
		Findings: p.shown.snap.Findings, Numbers: p.detail.numbers, Whole: panes.List.Empty(), Tight: panes.Below,
	}
	if !all && !v.Whole && p.detail.scroll == 0 && !p.onDetail() {
		v.Room = panes.DetailLines()
	}
	return v
}

// undone returns how often another writer undid a change of a lesson.
func (p *Page) undone(id memory.ID) int {
	for _, u := range p.shown.snap.Undone {
		if u.ID == id && !u.Kind.ByRule() {
			return u.Times
		}
	}
	return 0
}

func inside(r image.Rectangle, x, y int) bool { return image.Pt(x, y).In(r) }
