package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

// When is the dialog that asks for the moment at which something is told.
type When struct {
	state
	keys  keymap.Map
	name  string
	do    func(when string) tea.Cmd
	line  textline.Line
	wrong string
}

// NewWhen returns the dialog for a request.
func NewWhen(k keymap.Map, m msg.When) *When {
	d := &When{keys: k, name: m.Name, do: m.Do}
	text := m.Text
	if text == "" {
		text = memory.When{}.String()
	}
	d.line.Set(text)
	return d
}

// Form implements Dialog.
func (d *When) Form() Form {
	on := d.keys.Dialog
	save := Action{Binding: keymap.As(on.Confirm, "save"), Label: named("Save", d.keys.Text.Accept), Do: d.save}
	view := views.Moment{Name: d.name}
	view.Wrong, view.Focus = d.wrong, d.focus
	view.Fields = []views.Field{{Name: "When", Text: d.line.Text(), Before: d.line.Before()}}
	f := Form{
		Keys: d.keys, View: view.Dialog, Fields: 1,
		Buttons: []Action{{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: closes}, save},
	}
	if d.focus == 0 {
		f.Typed = newTyped(d.keys, &d.line, save)
		f.Typed.Changed = func() { d.wrong = "" }
	}
	return f
}

// save gives the moment that was typed, if it is one.
func (d *When) save() result {
	w, err := memory.ParseWhen(strings.TrimSpace(d.line.Text()))
	if err != nil {
		d.wrong = views.Capital(err.Error()) + "."
		return result{}
	}
	return result{cmd: d.do(w.String()), done: true}
}
