package views

import "winnow/views/theme"

// Spot is what stands at a cell of a dialog: a button, or a row that can be chosen.
// What does not is -1.
type Spot struct{ Button, Row int }

// nowhere is a cell at which there is nothing to click.
var nowhere = Spot{Button: -1, Row: -1}

// place is where a cell of a sheet is: in one of the lines that stay on top, in a row,
// or on a button; and how far from the left edge of the lines.
type place struct{ head, row, button, x int }

// at returns the place of a cell of a box of h lines, of which x and y count from its
// top left cell.
func (s sheet) at(h, x, y int) place {
	spans := s.spans
	s, rows := s.fitted(h)
	p := place{head: -1, row: -1, button: -1, x: x - sheetSides/2}
	line := y - 1
	switch below := line - len(s.head); {
	case line < 0 || y >= h-1 || p.x < 0:
	case below < 0:
		p.head = line
	case below < rows:
		p.row = max(min(s.first, s.n-rows), 0) + below
	case below-rows == s.footLines()-1:
		for i, span := range spans {
			if p.x >= span[0] && p.x < span[1] {
				p.button = i
			}
		}
	}
	return p
}

// pressed is the Spot of a dialog in which only buttons can be clicked.
func (s sheet) pressed(h, x, y int) Spot { return Spot{Button: s.at(h, x, y).button, Row: -1} }

// SpotAt returns what stands at a cell of the box that Render returns for w and h.
func (v Confirm) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).pressed(h, x, y)
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. The
// number of a button is what Focus is when it is on it.
func (v Findings) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, dialogWide)
	s := v.sheet(t, inner).pressed(h, x, y)
	if s.Button >= 0 && !v.Edit {
		s.Button++
	}
	return s
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h.
func (v Mistake) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).pressed(h, x, y)
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h.
func (v Conflict) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner).pressed(h, x, y)
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. A row is
// a field on the left, and MergeFields more than it on the right.
func (v Merge) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, guardWide)
	s := v.sheet(t, inner, h)
	p := s.at(h, x, y)
	spot := Spot{Button: p.button, Row: -1}
	most := maxDetail
	if v.scrolls(t, inner, h) {
		most = brief
	}
	line := 0
	for i := range MergeFields {
		first := line + 1 // below the name of the field
		line += len(v.fieldRows(t, i, inner, most))
		if p.row >= first && p.row < line {
			spot.Row = i
			if p.x > halfOf(inner) {
				spot.Row += MergeFields
			}
		}
	}
	return spot
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. A row is
// a rule.
func (v Prune) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, guardWide)
	p := v.sheet(t, inner).at(h, x, y)
	spot := Spot{Button: p.button, Row: -1}
	line := 0
	for _, rules := range v.ruleLines(t, inner) {
		at := ruleLabel
		for _, rule := range rules {
			end := at + Width(v.rule(t, rule))
			if p.head == line && p.x >= at && p.x < end {
				spot.Row = rule
			}
			at = end + ruleGap
		}
		line++
	}
	return spot
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. A row is
// a change that was undone.
func (v Guard) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, guardWide)
	p := v.sheet(t, inner, h).at(h, x, y)
	spot := Spot{Button: p.button, Row: -1}
	if v.Compare || p.row < 0 {
		return spot
	}
	for i := range v.Undone {
		v.Cursor = i
		if v.line() == p.row {
			spot.Row = i
		}
	}
	return spot
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. A row is
// an entry.
func (v History) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, historyWide)
	_, rows := v.frame(t, inner, h).fitted(h)
	list, _ := v.split(inner, rows)
	p := v.sheet(t, inner, h).at(h, x, y)
	entry := v.firstEntry(list) + p.row
	if p.row < 0 || p.row >= list || p.x >= v.listWidth(inner) || entry >= len(v.History.Entries) {
		return nowhere
	}
	return Spot{Button: -1, Row: entry}
}
