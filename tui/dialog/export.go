package dialog

import (
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

// Export is the dialog that asks where to write an audit report, and in which form. If the file
// exists, it asks whether to replace it.
type Export struct {
	state
	keys   keymap.Map
	report msg.Report
	form   int // index in msg.ReportForms
	path   textline.Line
	exists bool
	wrong  string
}

// The fields of Export, and the button that has the focus first if the file exists.
const (
	onPath = iota
	onForm
	exportCancel
)

// NewExport returns the dialog for a report of an audit.
func NewExport(k keymap.Map, a memory.Audit) *Export {
	form := msg.ReportForms()[0]
	return NewRetry(k, msg.Report{Audit: a, Form: form, Path: "winnow-audit." + form}, "")
}

// NewReplace returns the dialog for a report whose file already exists.
func NewReplace(k keymap.Map, r msg.Report) *Export {
	d := NewRetry(k, r, "")
	d.exists, d.focus = true, exportCancel
	return d
}

// NewRetry returns the dialog for a report that could not be written. It shows what was typed, and
// why writing failed.
func NewRetry(k keymap.Map, r msg.Report, why string) *Export {
	d := &Export{keys: k, report: r, form: max(slices.Index(msg.ReportForms(), r.Form), 0), wrong: why}
	d.path.Set(r.Path)
	return d
}

// Form implements Dialog.
func (d *Export) Form() Form {
	on := d.keys.Dialog
	write := Action{Binding: keymap.As(on.Confirm, "write it"), Label: named("Write", d.keys.Text.Accept), Do: d.write}
	if d.exists {
		write = Action{
			Binding: keymap.As(on.Confirm, "replace it"),
			Label:   named("Replace it", on.Confirm),
			Do:      d.write,
		}
	}
	format := views.Field{Name: "Form", Choices: msg.ReportForms(), Chosen: d.form}
	view := views.Exporting{Exists: d.exists, Findings: len(d.report.Audit.Findings)}
	view.Wrong, view.Focus = d.wrong, d.focus
	view.Fields = []views.Field{{Name: "File", Text: d.path.Text(), Before: d.path.Before()}, format}
	f := Form{
		Keys: d.keys, View: view.Dialog, Fields: 2,
		Buttons: []Action{{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: closes}, write},
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
	next, last := thenStay(func() { d.choose(d.form + 1) }), thenStay(func() { d.choose(d.form - 1) })
	f.Actions = []Action{
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
func (d *Export) renamed() {
	d.wrong, d.exists = "", false
	for i, name := range msg.ReportForms() {
		if strings.HasSuffix(strings.TrimSpace(d.path.Text()), "."+name) {
			d.form = i
		}
	}
}

// choose chooses another form. If the file name ends in the extension of the old form, it gets that
// of the new one.
func (d *Export) choose(form int) {
	forms := msg.ReportForms()
	form = (form + len(forms)) % len(forms)
	if base, ok := strings.CutSuffix(d.path.Text(), "."+forms[d.form]); ok && form != d.form {
		d.path.Set(base + "." + forms[form])
		d.exists = false
	}
	d.form = form
}

func (d *Export) write() result {
	path := strings.TrimSpace(d.path.Text())
	if path == "" {
		d.wrong, d.focus = "a file is needed", onPath
		return result{}
	}
	r := d.report
	r.Path, r.Form, r.Replace = path, msg.ReportForms()[d.form], d.exists
	return closing(r)
}
