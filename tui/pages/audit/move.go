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
