package views

import (
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Ignoring is the data of the dialog in which a person says why a finding is no
// matter. While Ignored is set it offers to take that back.
type Ignoring struct {
	Finding memory.Finding
	Ignored *memory.Ignore
	// Reason and Until are what was typed, and Before the part of the one that has the
	// focus that is before the cursor.
	Reason, Until, Before string
	Wrong                 string // what is wrong with what was typed; may be empty
	Focus                 int
}

// What has the focus in Ignoring. While it offers to take something back there are
// only the buttons.
const (
	OnReason = iota
	OnUntil
	IgnoreCancel
	IgnoreDo
	IgnoreFields // how many there are
)

// Render returns a box of at most w by h cells.
func (v Ignoring) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).render(t, box, h)
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. The
// number of a button counts from 0 for cancelling.
func (v Ignoring) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).pressed(h, x, y)
}

func (v Ignoring) sheet(t theme.Theme, w int) sheet {
	s := sheet{title: "Ignore this finding"}
	f := v.Finding
	lines := []string{Sides(t.Strong.Render(safe.Line(f.Rule)), severityStyle(t, f.Severity).Render("  "+f.Severity.String()), w)}
	if f.Name != "" && f.Name != f.Rule {
		lines = append(lines, wrapped(t.Text, safe.Line(f.Name), w)...)
	}
	if v.Ignored != nil {
		return v.back(t, s, lines, w)
	}
	s.head = append(lines, "")
	s = s.ofLines([]string{v.input(t, "Reason", v.Reason, OnReason, w), v.input(t, "Until", v.Until, OnUntil, w)})
	if v.Wrong != "" {
		s.foot = append(s.foot, wrapped(t.Danger, "! "+safe.Line(v.Wrong), w))
	}
	s.foot = append(s.foot, blank, wrapped(t.Dim, "Until is a date (2027-01-31), a number of days (30d), or nothing for always. "+
		"The finding counts again when the text is edited.", w), blank)
	return s.buttons(t, v.Focus-IgnoreCancel, w, "Cancel (Esc)", "Ignore it (Enter)")
}

// back is the dialog for a finding that is ignored already.
func (v Ignoring) back(t theme.Theme, s sheet, lines []string, w int) sheet {
	i := v.Ignored
	lines = append(lines, "")
	lines = append(lines, wrapped(t.Text, "Ignored: "+orDash(safe.Line(i.Reason)), w)...)
	for _, at := range []struct{ name, date string }{
		{"since", i.Added.Format("2006-01-02")}, {"until", i.Until.Format("2006-01-02")},
	} {
		if at.date != "0001-01-01" {
			lines = append(lines, t.Dim.Render(fit(at.name+" "+at.date, w)))
		}
	}
	s.title = "Ignored already"
	s = s.ofLines(lines)
	s.foot = append(s.foot, blank, wrapped(t.Dim, "Taken back, it counts again at once.", w), blank)
	return s.buttons(t, v.Focus-IgnoreCancel, w, "Cancel (Esc)", "Take it back (y)")
}

// inputLabel is the width of the name before a text that is typed.
const inputLabel = 8

// input is a line with a text that is typed, its end shown where it is too long.
func (v Ignoring) input(t theme.Theme, name, text string, focus, w int) string {
	return inputLine(t, name, text, v.Before, v.Focus == focus, w)
}

// inputLine is a line of w cells with a text field. While it has the focus there is a
// sign at the cursor, which stands behind before.
func inputLine(t theme.Theme, name, text, before string, focused bool, w int) string {
	room := max(w-inputLabel-2, 1)
	label, style := t.Dim.Render(Cell(name, inputLabel)), t.Text
	shown := fit(safe.Line(text), room)
	if focused {
		label, style = t.Accent.Render(Cell(name, inputLabel)), t.Strong
		left := cutInput(safe.Line(before), max(room-1, 0))
		after := strings.TrimPrefix(text, before)
		shown = left + "_" + fit(safe.Line(clip(after, room)), max(room-Width(left)-1, 0))
	}
	return Cell(label+"["+style.Render(Cell(shown, room))+"]", w)
}

// cutInput returns the end of a text in at most w cells.
func cutInput(s string, w int) string {
	for Width(s) > w && s != "" {
		n, _ := next(s)
		s = s[n:]
	}
	return s
}

// Exporting is the data of the dialog that writes a report.
type Exporting struct {
	// Formats are the names of the forms, Format is the chosen one.
	Formats      []string
	Format       int
	Path, Before string // where to, and the part of it before the cursor
	Exists       bool   // the file is there: writing replaces it
	Wrong        string
	Findings     int
	Focus        int
}

// What has the focus in Exporting.
const (
	OnPath = iota
	OnFormat
	ExportCancel
	ExportDo
	ExportFields // how many there are
)

// Render returns a box of at most w by h cells.
func (v Exporting) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).render(t, box, h)
}

// SpotAt returns what stands at a cell of the box that Render returns for w and h. The
// number of a button counts from 0 for cancelling, a row is a form.
func (v Exporting) SpotAt(t theme.Theme, w, h, x, y int) Spot {
	_, inner := sheetWidth(w, dialogWide)
	p := v.sheet(t, inner).at(h, x, y)
	spot := Spot{Button: p.button, Row: -1}
	at := inputLabel
	for i, name := range v.Formats {
		end := at + len("( ) ") + Width(name)
		if p.row == 1 && p.x >= at && p.x < end {
			spot.Row = i
		}
		at = end + 2
	}
	return spot
}

func (v Exporting) sheet(t theme.Theme, w int) sheet {
	s := sheet{title: "Write a report of " + count(v.Findings, "finding")}
	s = s.ofLines([]string{inputLine(t, "File", v.Path, v.Before, v.Focus == OnPath, w), v.formats(t, w)})
	do := "Write (Enter)"
	if v.Exists {
		do = "Replace it (y)"
		s.foot = append(s.foot, blank, wrapped(t.Warn, "! There is a file of that name. Nothing was written yet.", w))
	}
	if v.Wrong != "" {
		s.foot = append(s.foot, wrapped(t.Danger, "! "+safe.Line(v.Wrong), w))
	}
	s.foot = append(s.foot, blank, wrapped(t.Dim, "Secrets are masked in it. A path is reckoned from the folder that Winnow was started in.", w), blank)
	return s.buttons(t, v.Focus-ExportCancel, w, "Cancel (Esc)", do)
}

// formats is the line in which the form is chosen.
func (v Exporting) formats(t theme.Theme, w int) string {
	label := t.Dim.Render(Cell("Form", inputLabel))
	if v.Focus == OnFormat {
		label = t.Accent.Render(Cell("Form", inputLabel))
	}
	line := label
	for i, name := range v.Formats {
		mark, style := "( ) ", t.Text
		if i == v.Format {
			mark, style = "(o) ", t.Strong
		}
		line += style.Render(mark+name) + "  "
	}
	return Cell(line, w)
}
