package views

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// note returns a dialog with lines, followed by an explanation in dim text.
func note(l Look, title string, w int, said string, lines func(p *paper)) Dialog {
	d, w := newDialog(title, w, dialogWide)
	p := paper{t: l.Theme, w: w}
	lines(&p)
	d.setLines(p.lines)
	d.Foot = [][]string{blank, wrapped(l.Theme.Dim, said, w), blank}
	return d
}

// Findings is the dialog for a typed text that was rejected by the check.
type Findings struct{ Findings []memory.Finding }

// Dialog returns the dialog in a room of w cells.
func (v Findings) Dialog(l Look, w, _ int) Dialog {
	const below = "Storing the text anyway overrules the check for this entry only. An agent will read it as it is."
	return note(l, "Not saved yet: "+memory.Counted(len(v.Findings), "finding"), w, below, func(p *paper) {
		for _, f := range v.Findings {
			p.blank()
			p.add(p.t.Danger, "", "! "+safe.Line(f.Rule)+" in "+safe.Line(f.Field))
			p.add(p.t.Text, "  ", safe.Line(f.What))
			p.place(l.Mask, f)
		}
	})
}

// place adds the part of the text around a finding, with a marker line below it. A secret that
// overlaps the place is included in full.
// points at the place. A secret that reaches into the place is shown with all of it.
func (p *paper) place(m Mask, f memory.Finding) {
	at, text := placeOf(&f), f.Text
	start, end := at[0], at[1]
	if m != nil {
		text = m(text)
		before, place, after := m(f.Text[:start]), m(f.Text[start:end]), m(f.Text[end:])
		start, end = len(before), len(before+place)
		if before+place+after != text {
			start, end = 0, len(text)
		}
	}
	room := max(p.w-2, 1)
	spot := truncate(p.t, safe.Line(clip(text[start:end], room)), room)
	left := (room - Width(spot)) / 2
	before := safe.Line(text[safe.RuneStart(text, start-left*4):start])
	if Width(before) > left {
		before = cutStart(p.t, before, left)
	}
	right := max(room-Width(before)-Width(spot), 0)
	after := truncate(p.t, safe.Line(clip(text[end:], right)), right)
	p.put("  " + p.t.Text.Render(before) + p.t.Match.Render(spot) + p.t.Text.Render(after))
	p.put("  " + pad(Width(before)) + p.t.Danger.Render(strings.Repeat("^", max(Width(spot), 1))))
}

// Mistake is the dialog for an edited text that is not valid.
type Mistake struct {
	What, Hint string
	Kept       string // file that holds the text; empty if there is none
}

// Dialog returns the dialog in a room of w cells.
func (v Mistake) Dialog(l Look, w, _ int) Dialog {
	kept := cmp.Or(
		textIf(v.Kept != "", "Your text is in %s", l.Mask.line(v.Kept, 2*maxPath)),
		"Your text is kept while this is open.",
	)
	return note(l, "Not saved", w, "Nothing was changed. "+kept, func(p *paper) {
		p.add(p.t.Danger, "", "! "+l.Mask.longText(v.What))
		p.add(p.t.Info, "", l.Mask.longText(v.Hint))
	})
}

// Typed is a dialog with fields.
type Typed struct {
	Title  string
	Fields []Field
	Focus  int
	Warn   string // may be empty
	Wrong  string // the problem with the typed text; may be empty
	Help   string // shown below the fields
	head   func(p *paper)
}

// Dialog returns the dialog in a room of w cells.
func (v Typed) Dialog(l Look, w, _ int) Dialog {
	t := l.Theme
	d, w := newDialog(v.Title, w, dialogWide)
	if v.head != nil {
		p := paper{t: t, w: w}
		v.head(&p)
		d.Head = append(p.lines, "")
	}
	d.setFields(t, v.Fields, v.Focus)
	if v.Warn != "" {
		d.Foot = append(d.Foot, blank, wrapped(t.Warn, "! "+v.Warn, w))
	}
	if v.Wrong != "" {
		d.Foot = append(d.Foot, wrapped(t.Danger, "! "+safe.Line(v.Wrong), w))
	}
	d.Foot = append(d.Foot, blank, wrapped(t.Dim, v.Help, w), blank)
	return d
}

// Ignoring is the dialog to ignore a finding with a reason, or to stop ignoring it.
type Ignoring struct {
	Typed
	Finding memory.Finding
}

// Dialog returns the dialog in a room of w by h cells.
func (v Ignoring) Dialog(l Look, w, h int) Dialog {
	v.head = func(p *paper) {
		p.put(findingHead(p.t, &v.Finding, v.Finding.Severity.String(), p.w))
		p.add(p.t.Text, "", findingName(&v.Finding))
	}
	i := v.Finding.Ignored
	if i == nil {
		v.Title = "Ignore this finding"
		v.Help = "Until: a date (2027-01-31), a number of days (30d), or nothing for always. The finding counts again when the text is edited."
		return v.Typed.Dialog(l, w, h)
	}
	return note(l, "Ignored already", w, "It then counts again at once.", func(p *paper) {
		v.head(p)
		p.blank()
		p.add(p.t.Text, "", ignoredText(l.Now, i))
	})
}

// Editing is the dialog to edit the text of a record.
type Editing struct {
	Typed
	Record *memory.Record
	Noun   memory.Noun
}

// Dialog returns the dialog in a room of w by h cells.
func (v Editing) Dialog(l Look, w, h int) Dialog {
	k := l.keys()
	v.Help = keyOf(k.Text.NewLine) + " begins a line, " + keyOf(k.Recall.Editor) + " opens the text in $EDITOR."
	if v.Record.ID == "" {
		v.Title = "Add a " + v.Noun.OrRecord().One
	} else {
		r := RecordDetail{Record: v.Record, Now: l.Now, Reveal: l.Reveal}
		v.Title = "Edit this " + v.Noun.OrRecord().One
		v.Help = joined(
			", ",
			"relevance "+r.countText(),
			r.usedText(),
			textIf(dated(v.Record.Created), "created %s", r.dateText(v.Record.Created, memory.InCreated)),
		) + ": these stay. " + v.Help
	}
	v.Fields = slices.Clone(v.Fields)
	v.Fields[0].Lines, v.Fields[1].Lines = 3, max(h-16, 3)
	return v.Typed.Dialog(l, w, h)
}

// Moment is the dialog that asks when something is told.
type Moment struct {
	Typed
	Name string // of what is told
}

// Dialog returns the dialog in a room of w by h cells.
func (v Moment) Dialog(l Look, w, h int) Dialog {
	v.Title = "When is it told?"
	v.Help = "One of task, always, command: PREFIX, file: GLOB, error: TEXT. " + safe.Line(v.Name)
	return v.Typed.Dialog(l, w, h)
}

// Exporting is the dialog that writes a report.
type Exporting struct {
	Typed
	Exists   bool // the file exists and would be replaced
	Findings int
}

// Dialog returns the dialog in a room of w by h cells.
func (v Exporting) Dialog(l Look, w, h int) Dialog {
	v.Title = "Write a report of " + memory.Counted(v.Findings, "finding")
	v.Warn = textIf(v.Exists, "There is a file of that name. Nothing was written yet.")
	v.Help = "Secrets are masked in it. A relative path starts in the folder where you started Winnow."
	return v.Typed.Dialog(l, w, h)
}
