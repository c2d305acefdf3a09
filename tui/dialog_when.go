package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// whenDialog is the dialog that asks for the moment at which something is told.
type whenDialog struct {
	dialogState
	keys  keymap.Map
	name  string
	do    func(when string) tea.Cmd
	line  page.TextLine
	wrong string
}

// newWhen returns the dialog for a request.
func newWhen(k keymap.Map, m msg.When) *whenDialog {
	d := &whenDialog{keys: k, name: m.Name, do: m.Do}
	text := m.Text
	if text == "" {
		text = memory.When{}.String()
	}
	d.line.Set(text)
	return d
}

// form implements dialog.
func (d *whenDialog) form() dialogForm {
	on := d.keys.Dialog
	save := dialogAction{Binding: keymap.As(on.Confirm, "save"), Label: named("Save", d.keys.Text.Accept), Do: d.save}
	view := views.Moment{Name: d.name}
	view.Wrong, view.Focus = d.wrong, d.focus
	view.Fields = []views.Field{{Name: "When", Text: d.line.Text(), Before: d.line.Before()}}
	f := dialogForm{
		Keys: d.keys, View: view.Dialog, Fields: 1,
		Buttons: []dialogAction{{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: closes}, save},
	}
	if d.focus == 0 {
		f.Typed = newTyped(d.keys, &d.line, save)
		f.Typed.Changed = func() { d.wrong = "" }
	}
	return f
}

// save gives the moment that was typed, if it is one.
func (d *whenDialog) save() formResult {
	w, err := memory.ParseWhen(strings.TrimSpace(d.line.Text()))
	if err != nil {
		d.wrong = views.Capital(err.Error()) + "."
		return formResult{}
	}
	return formResult{cmd: d.do(w.String()), done: true}
}
