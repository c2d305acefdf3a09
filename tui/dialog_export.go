package tui

import (
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// exportDialog is the dialog that asks where to write an audit report, and in which form. If the file
// exists, it asks whether to replace it.
type exportDialog struct {
	dialogState
	keys   keymap.Map
	report msg.Report
	chosen int // index in msg.ReportForms
	path   page.TextLine
	exists bool
	wrong  string
}

// The fields of exportDialog, and the button that has the focus first if the file exists.
const (
	onPath = iota
	onForm
	exportCancel
)

// newExport returns the dialog for a report of an audit.
func newExport(k keymap.Map, a memory.Audit) *exportDialog {
	form := msg.ReportForms()[0]
	return newExportRetry(k, msg.Report{Audit: a, Form: form, Path: "winnow-audit." + form}, "")
}

// newExportReplace returns the dialog for a report whose file already exists.
func newExportReplace(k keymap.Map, r msg.Report) *exportDialog {
	d := newExportRetry(k, r, "")
	d.exists, d.focus = true, exportCancel
	return d
}

// newExportRetry returns the dialog for a report that could not be written. It shows what was typed, and
// why writing failed.
func newExportRetry(k keymap.Map, r msg.Report, why string) *exportDialog {
	d := &exportDialog{keys: k, report: r, chosen: max(slices.Index(msg.ReportForms(), r.Form), 0), wrong: why}
	d.path.Set(r.Path)
	return d
}

// form implements dialog.
func (d *exportDialog) form() dialogForm {
	on := d.keys.Dialog
	write := dialogAction{
		Binding: keymap.As(on.Confirm, "write it"),
		Label:   named("Write", d.keys.Text.Accept),
		Do:      d.write,
	}
	if d.exists {
		write = dialogAction{
			Binding: keymap.As(on.Confirm, "replace it"),
			Label:   named("Replace it", on.Confirm),
			Do:      d.write,
		}
	}
	format := views.Field{Name: "Form", Choices: msg.ReportForms(), Chosen: d.chosen}
	view := views.Exporting{Exists: d.exists, Findings: len(d.report.Audit.Findings)}
	view.Wrong, view.Focus = d.wrong, d.focus
	view.Fields = []views.Field{{Name: "File", Text: d.path.Text(), Before: d.path.Before()}, format}
	f := dialogForm{
		Keys: d.keys, View: view.Dialog, Fields: 2,
		Buttons: []dialogAction{{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: closes}, write},
		Click: func(_ views.Look, _, _ int, s views.DialogCell) {
			if i := format.ChoiceAt(s.X); s.Row == onForm && i >= 0 {
				d.choose(i)
			}
		},
	}
	if d.focus == onPath {
		f.Typed = newTyped(d.keys, &d.path, write)
		f.Typed.Changed = d.renamed
		return f
	}
	next, last := thenStay(func() { d.choose(d.chosen + 1) }), thenStay(func() { d.choose(d.chosen - 1) })
	f.Actions = []dialogAction{
		{Binding: keymap.Both(on.Right, on.Left, "form"), Do: next},
		{Binding: on.Pick, Do: next, Hidden: true},
		{Binding: on.Down, Do: next, Hidden: true},
		{Binding: on.Left, Do: last, Hidden: true},
		{Binding: on.Up, Do: last, Hidden: true},
	}
	return f
}

// renamed handles a change of the file name. The new file is assumed not to exist, and the
// extension selects the form.
func (d *exportDialog) renamed() {
	d.wrong, d.exists = "", false
	for i, name := range msg.ReportForms() {
		if strings.HasSuffix(strings.TrimSpace(d.path.Text()), "."+name) {
			d.chosen = i
		}
	}
}

// choose chooses another form. If the file name ends in the extension of the old form, it gets that
// of the new one.
func (d *exportDialog) choose(form int) {
	forms := msg.ReportForms()
	form = (form + len(forms)) % len(forms)
	if base, ok := strings.CutSuffix(d.path.Text(), "."+forms[d.chosen]); ok && form != d.chosen {
		d.path.Set(base + "." + forms[form])
		d.exists = false
	}
	d.chosen = form
}

func (d *exportDialog) write() formResult {
	path := strings.TrimSpace(d.path.Text())
	if path == "" {
		d.wrong, d.focus = "a file is needed", onPath
		return formResult{}
	}
	r := d.report
	r.Path, r.Form, r.Replace = path, msg.ReportForms()[d.chosen], d.exists
	return closing(r)
}
