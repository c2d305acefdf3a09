package views

import (
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Findings is the dialog for a typed text that the check refuses.
type Findings struct{ Findings []memory.Finding }

// Dialog returns the dialog in a room of w cells.
func (v Findings) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog("Not saved yet: "+count(len(v.Findings), "finding"), w, dialogWide)
	p := paper{t: l.Theme, w: w}
	for i, f := range v.Findings {
		if i > 0 {
			p.blank()
		}
		p.add(l.Theme.Danger, "", "! "+safe.Line(f.Rule)+" in "+safe.Line(f.Field))
		p.add(l.Theme.Text, "  ", safe.Line(f.What))
		p.place(f)
	}
	d.SetLines(p.lines)
	d.Foot = [][]string{blank, wrapped(l.Theme.Dim, "Storing the text anyway overrules the check for this entry only. "+
		"An agent will read it as it is.", w), blank}
	return d
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

// Mistake is the dialog for an edited text that is not valid.
type Mistake struct {
	What, Hint string
	Kept       string // the file that holds the text; empty when none does
}

// Dialog returns the dialog in a room of w cells.
func (v Mistake) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog("Not saved", w, dialogWide)
	lines := wrapped(l.Theme.Danger, "! "+safe.Line(v.What), w)
	if v.Hint != "" {
		lines = append(lines, wrapped(l.Theme.Info, safe.Line(v.Hint), w)...)
	}
	d.SetLines(lines)
	kept := "Nothing was changed. Your text is kept while this is open."
	if v.Kept != "" {
		kept = "Nothing was changed. Your text is in " + safe.Line(v.Kept)
	}
	d.Foot = [][]string{blank, wrapped(l.Theme.Dim, kept, w), blank}
	return d
}

// Typed is what a person typed into the fields of a dialog.
type Typed struct {
	Fields []Field
	Focus  int
	Wrong  string // what is wrong with it; may be empty
}

// wrong adds what is wrong with what was typed.
func (v Typed) wrong(d *Dialog, t theme.Theme, w int) {
	if v.Wrong != "" {
		d.Foot = append(d.Foot, wrapped(t.Danger, "! "+safe.Line(v.Wrong), w))
	}
}

// Ignoring is the dialog in which a person says why a finding is ignored, or counts it again
// when it is.
type Ignoring struct {
	Typed
	Finding memory.Finding
}

// Dialog returns the dialog in a room of w cells.
func (v Ignoring) Dialog(l Look, w, _ int) Dialog {
	t, f := l.Theme, &v.Finding
	d, w := newDialog("Ignore this finding", w, dialogWide)
	lines := []string{Sides(t.Strong.Render(safe.Line(f.Rule)), severityStyle(t, f.Severity).Render("  "+f.Severity.String()), w)}
	if f.Name != "" && f.Name != f.Rule {
		lines = append(lines, wrapped(t.Text, safe.Line(f.Name), w)...)
	}
	lines = append(lines, "")
	i := f.Ignored
	if i == nil {
		d.Head = lines
		d.SetFields(t, v.Fields, v.Focus)
		v.wrong(&d, t, w)
		d.Foot = append(d.Foot, blank, wrapped(t.Dim, "Until: a date (2027-01-31), a number of days (30d), or nothing for always. "+
			"The finding counts again when the text is edited.", w), blank)
		return d
	}
	d.Title = "Ignored already"
	lines = append(lines, wrapped(t.Text, "Ignored: "+orDash(safe.Line(i.Reason)), w)...)
	for _, at := range []struct {
		name string
		date time.Time
	}{{"since", i.Added}, {"until", i.Until}} {
		if !at.date.IsZero() {
			lines = append(lines, t.Dim.Render(fit(at.name+" "+at.date.Format(time.DateOnly), w)))
		}
	}
	d.SetLines(lines)
	d.Foot = [][]string{blank, wrapped(t.Dim, "It then counts again at once.", w), blank}
	return d
}

// Exporting is the dialog that writes a report.
type Exporting struct {
	Typed
	Exists   bool // there is a file of that name: writing replaces it
	Findings int
}

// Dialog returns the dialog in a room of w cells.
func (v Exporting) Dialog(l Look, w, _ int) Dialog {
	t := l.Theme
	d, w := newDialog("Write a report of "+count(v.Findings, "finding"), w, dialogWide)
	d.SetFields(t, v.Fields, v.Focus)
	if v.Exists {
		d.Foot = append(d.Foot, blank, wrapped(t.Warn, "! There is a file of that name. Nothing was written yet.", w))
	}
	v.wrong(&d, t, w)
	d.Foot = append(d.Foot, blank, wrapped(t.Dim, "Secrets are masked in it. A relative path starts in the folder where you started Winnow.", w), blank)
	return d
}
