package recall

import (
	"winnow/views"
	"winnow/views/layout"
)

// halfPage returns half a page in lines.
func (p *Page) halfPage() int { return max(p.H/2-2, 1) }

// step moves in what has the focus: the words, the text on the right, or the rows.
func (p *Page) step(by int) {
	v := &p.view
	switch {
	case v.Panel == views.PanelWords:
		v.Word = max(min(v.Word+by, len(v.TaskWords())-1), 0)
	case v.Detail || v.Layout == layout.DetailOnly && v.Panel != views.PanelExplain:
		p.scroll(by)
	default:
		p.moveTo(v.Cursor + by)
		if v.Panel == views.PanelExplain {
			v.Scroll = 0
		}
	}
}

// scroll scrolls the text on the right, but not beyond its end.
func (p *Page) scroll(by int) {
	v := &p.view
	v.Scroll = max(min(v.Scroll+by, v.MaxScroll(p.W, p.H)), 0)
}

// moveTo puts the cursor on a row.
func (p *Page) moveTo(row int) {
	p.view.Cursor = max(min(row, p.view.RowCount()-1), 0)
	p.toPiece()
}

// click moves the cursor to a row, or acts like enter if the row already had it. A click on the text
// gives that the focus.
func (p *Page) click(x, y int) {
	v := &p.view
	if p.Typing() {
		return
	}
	if v.InPanel(p.W, p.H, x, y) {
		v.Detail = true
		return
	}
	row, ok := v.RowAt(p.W, p.H, x, y)
	switch {
	case !ok:
	case row == v.Cursor && !v.Detail:
		p.enter()
	default:
		p.moveTo(row)
	}
	v.Detail = false
}

// wheel scrolls what is under the mouse.
func (p *Page) wheel(x, y, lines int) {
	switch {
	case p.view.InPanel(p.W, p.H, x, y):
		p.scroll(lines)
	default:
		p.moveTo(p.view.Cursor + lines)
	}
}

// EntryAt implements page.Numbered.
func (p *Page) EntryAt(y int) (entry int, ok bool) {
	return p.view.RowAt(p.W, p.H, 0, y)
}

// Choose implements page.Numbered.
func (p *Page) Choose(entry int) {
	p.moveTo(entry)
	p.view.Detail = false
}
