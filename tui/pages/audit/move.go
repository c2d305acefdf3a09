package audit

// next goes to the next finding that counts. It is false when there is none.
func (p *Page) next(dir int) bool {
	v := &p.view
	for i := v.Cursor + dir; i >= 0 && i < len(v.Items); i += dir {
		if v.Items[i].Open() {
			p.list.MoveTo(i)
			return true
		}
	}
	return false
}

// EntryAt implements page.Numbered.
func (p *Page) EntryAt(y int) (entry int, ok bool) { return p.list.EntryAt(y) }

// Choose implements page.Numbered.
func (p *Page) Choose(entry int) { p.list.Choose(entry) }
