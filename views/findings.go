package views

import (
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Findings is the data of the dialog for a typed text that the check refuses.
type Findings struct {
	Findings []memory.Finding
	Edit     bool // the text came from an editor and can be edited again
	Focus    int  // 0 edit again, 1 store it as it is, 2 cancel
	Offset   int
}

// Render returns a box of at most w by h cells.
func (v Findings) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).render(t, box, h)
}

// Last returns the largest Offset that shows more, in a box of w by h cells.
func (v Findings) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).last(h)
}

func (v Findings) sheet(t theme.Theme, w int) sheet {
	p := paper{t: t, w: w}
	for i, f := range v.Findings {
		if i > 0 {
			p.blank()
		}
		p.add(t.Danger, "", "! "+safe.Line(f.Rule)+" in "+safe.Line(f.Field))
		p.add(t.Text, "  ", safe.Line(f.What))
		p.place(f)
	}
	s := sheet{title: "Not saved yet: " + count(len(v.Findings), "finding"), first: v.Offset}.ofLines(p.lines)
	s.foot = append(s.foot, blank, wrapped(t.Dim, "Storing it as it is overrules the check for this entry only. "+
		"An agent will read it as it is.", w))
	names, focus := []string{"Edit again (e)", "Store as it is (o)", "Cancel"}, v.Focus
	if !v.Edit {
		names, focus = names[1:], focus-1
	}
	s.foot = append(s.foot, blank)
	return s.buttons(t, focus, w, names...)
}

// place shows the part of the text around a finding, with a line below it that
// points at the place.
func (p *paper) place(f memory.Finding) {
	start := min(max(f.Start, 0), len(f.Text))
	end := min(max(f.End, start), len(f.Text))
	room := max(p.w-2, 1)
	spot := fit(safe.Line(clip(f.Text[start:end], room)), room)
	left, right := (room-Width(spot))/2, 0
	from := start - min(start, left*4)
	for from > 0 && !utf8.RuneStart(f.Text[from]) {
		from--
	}
	before := safe.Line(f.Text[from:start])
	if Width(before) > left {
		before = cutStart(before, left)
	}
	right = max(room-Width(before)-Width(spot), 0)
	after := fit(safe.Line(clip(f.Text[end:], right)), right)
	p.lines = append(p.lines, "  "+p.t.Text.Render(before)+p.t.Match.Render(spot)+p.t.Text.Render(after))
	p.lines = append(p.lines, "  "+pad(Width(before))+p.t.Danger.Render(strings.Repeat("^", max(Width(spot), 1))))
}

// Mistake is the data of the dialog for an edited text that is not valid.
type Mistake struct {
	What, Hint string
	Kept       string // the file that holds the text; empty when none does
	Focus      int    // 0 edit again, 1 leave it
}

// Render returns a box of at most w by h cells.
func (v Mistake) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).render(t, box, h)
}

func (v Mistake) sheet(t theme.Theme, inner int) sheet {
	lines := wrapped(t.Danger, "! "+safe.Line(v.What), inner)
	if v.Hint != "" {
		lines = append(lines, wrapped(t.Info, safe.Line(v.Hint), inner)...)
	}
	s := sheet{title: "Not saved"}.ofLines(lines)
	kept := "Nothing was changed. Your text is kept while this is open."
	if v.Kept != "" {
		kept = "Nothing was changed. Your text is in " + safe.Line(v.Kept)
	}
	s.foot = append(s.foot, blank, wrapped(t.Dim, kept, inner))
	s.foot = append(s.foot, blank)
	return s.buttons(t, v.Focus, inner, "Edit again (e)", "Leave it (Esc)")
}
