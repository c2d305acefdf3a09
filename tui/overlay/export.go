package overlay

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/theme"
)

// Export asks where to write a report of an audit, and in which form. When a file is in
// the way it asks whether to replace that.
type Export struct {
	pointer
	keys   keymap.Map
	report msg.Report
	forms  []string
	form   int
	path   textline.Line
	exists bool
	wrong  string
	focus  int
}

// reportName is how the file of a report is called, without the end of its name.
const reportName = "winnow-audit."

// NewExport returns the dialog for a report of an audit.
func NewExport(k keymap.Map, a memory.Audit) *Export {
	d := &Export{keys: k, report: msg.Report{Audit: a}, forms: msg.ReportForms(), focus: views.OnPath}
	d.path.Set(reportName + d.forms[0])
	return d
}

// NewReplace returns the dialog for a report whose file is there already.
func NewReplace(k keymap.Map, r msg.Report) *Export {
	d := &Export{keys: k, report: r, forms: msg.ReportForms(), exists: true, focus: views.ExportCancel}
	d.path.Set(r.Path)
	for i, name := range d.forms {
		if name == r.Form {
			d.form = i
		}
	}
	return d
}

// NewRetry returns the dialog for a report that could not be written, with what was typed
// and why.
func NewRetry(k keymap.Map, r msg.Report, why string) *Export {
	d := NewReplace(k, r)
	d.exists, d.wrong, d.focus = false, why, views.OnPath
	return d
}

// Typing implements Typist.
func (d *Export) Typing() bool { return d.focus == views.OnPath }

// Update implements Dialog.
func (d *Export) Update(m tea.Msg) (tea.Cmd, bool) {
	if s, ok := d.spot(m); ok {
		return d.click(s)
	}
	k, ok := m.(tea.KeyPressMsg)
	on := d.keys.Dialog
	switch {
	case !ok:
		d.write(m)
	case key.Matches(k, d.keys.Global.Back), !d.Typing() && key.Matches(k, on.Cancel):
		return nil, false
	case key.Matches(k, on.Focus), d.Typing() && key.Matches(k, d.keys.Text.Newer):
		d.focus = (d.focus + 1) % views.ExportFields
	case key.Matches(k, on.FocusBack), d.Typing() && key.Matches(k, d.keys.Text.Older):
		d.focus = (d.focus + views.ExportFields - 1) % views.ExportFields
	case key.Matches(k, on.Press):
		return d.press()
	case d.Typing():
		d.write(k)
	case key.Matches(k, on.Confirm):
		return d.do()
	case key.Matches(k, on.Right, on.Pick, on.Down):
		d.take(d.form + 1)
	case key.Matches(k, on.Left, on.Up):
		d.take(d.form + len(d.forms) - 1)
	}
	return nil, true
}

func (d *Export) click(s views.Spot) (tea.Cmd, bool) {
	switch {
	case s.Button >= 0:
		d.focus = views.ExportCancel + s.Button
		return d.press()
	case s.Row >= 0:
		d.take(s.Row)
	}
	return nil, true
}

// write takes what is typed or pasted. Another file may not be there, and its name may
// say its form.
func (d *Export) write(m tea.Msg) {
	if !d.Typing() || !d.path.Update(d.keys.Text, m) {
		return
	}
	d.wrong, d.exists = "", false
	for i, name := range d.forms {
		if strings.HasSuffix(strings.TrimSpace(d.path.Text()), "."+name) {
			d.form = i
		}
	}
}

// take takes another form, and has the name of the file end in it where it ended in the
// one before.
func (d *Export) take(form int) {
	form %= len(d.forms)
	if base, ok := strings.CutSuffix(d.path.Text(), "."+d.forms[d.form]); ok && form != d.form {
		d.path.Set(base + "." + d.forms[form])
		d.exists = false
	}
	d.form = form
}

func (d *Export) press() (tea.Cmd, bool) {
	if d.focus == views.ExportCancel {
		return nil, false
	}
	return d.do()
}

func (d *Export) do() (tea.Cmd, bool) {
	path := strings.TrimSpace(d.path.Text())
	if path == "" {
		d.wrong, d.focus = "a file is needed", views.OnPath
		return nil, true
	}
	r := d.report
	r.Path, r.Form, r.Replace = path, d.forms[d.form], d.exists
	return msg.Emit(r), false
}

// Render implements Dialog.
func (d *Export) Render(t theme.Theme, w, h int) string {
	v := views.Exporting{
		Formats: d.forms, Format: d.form, Path: d.path.Text(), Before: d.path.Before(), Exists: d.exists, Wrong: d.wrong,
		Findings: len(d.report.Audit.Findings), Focus: d.focus,
	}
	d.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (d *Export) Keys() []keymap.Binding {
	on, t := d.keys.Dialog, d.keys.Text
	next, do := keymap.Named(on.Focus, "Tab", "next field"), "write it"
	if d.exists {
		do = "replace it"
	}
	if d.Typing() {
		return []keymap.Binding{keymap.Named(t.Accept, "Enter", do), keymap.Named(t.Cancel, "Esc", "cancel"), next, t.DeleteWord, t.DeleteLine}
	}
	return []keymap.Binding{
		keymap.Named(on.Confirm, "y", do), on.Cancel, next, keymap.Named(on.Right, "h/l", "form"),
		pressing(on, d.focus == views.ExportCancel),
	}
}
