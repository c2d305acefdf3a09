package tui

import (
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// distilDialog is the dialog that asks whether a program shall be given sessions.
type distilDialog struct {
	dialogState
	keys keymap.Map
	ask  msg.Distil
	view views.Distilling
	stop func()
}

// newDistil returns the dialog for a request, which says that sessions are looked for until setPlan hands over
// what was found. Stop ends that when the dialog closes.
func newDistil(k keymap.Map, m msg.Distil, names map[memory.SystemID]string, stop func()) *distilDialog {
	return &distilDialog{keys: k, ask: m, stop: stop, view: views.Distilling{Names: names, Looking: true}}
}

// close implements closer.
func (d *distilDialog) close() { d.stop() }

// setPlan hands over what the program would be given, or why that is unknown.
func (d *distilDialog) setPlan(plan memory.Distilling, err error) {
	d.view.Plan, d.view.Looking = plan, false
	if err != nil {
		d.view.Wrong = msg.Reason(err)
	}
}

// form implements dialog. The focus is on the button that gives nothing.
func (d *distilDialog) form() dialogForm {
	on := d.keys.Dialog
	f := dialogForm{Keys: d.keys, Masks: true, View: d.view.Dialog, Buttons: []dialogAction{
		{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: closes},
	}}
	if d.view.Asks() {
		f.Buttons = append(f.Buttons, dialogAction{
			Binding: keymap.As(on.Confirm, "give them"),
			Label:   named("Yes, give them", on.Confirm),
			Do:      func() formResult { return formResult{cmd: d.ask.Give(d.view.Plan), done: true} },
		})
	}
	return f
}
