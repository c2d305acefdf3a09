package dialog

import (
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// Distil is the dialog that asks whether a program shall be given sessions.
type Distil struct {
	state
	keys keymap.Map
	ask  msg.Distil
	view views.Distilling
	stop func()
}

// NewDistil returns the dialog for a request, which says that sessions are looked for until SetPlan hands over
// what was found. Stop ends that when the dialog closes.
func NewDistil(k keymap.Map, m msg.Distil, names map[memory.SystemID]string, stop func()) *Distil {
	return &Distil{keys: k, ask: m, stop: stop, view: views.Distilling{Names: names, Looking: true}}
}

// Close implements Closer.
func (d *Distil) Close() { d.stop() }

// SetPlan hands over what the program would be given, or why that is unknown.
func (d *Distil) SetPlan(plan memory.Distilling, err error) {
	d.view.Plan, d.view.Looking = plan, false
	if err != nil {
		d.view.Wrong = msg.Reason(err)
	}
}

// Form implements Dialog. The focus is on the button that gives nothing.
func (d *Distil) Form() Form {
	on := d.keys.Dialog
	f := Form{Keys: d.keys, Masks: true, View: d.view.Dialog, Buttons: []Action{
		{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: closes},
	}}
	if d.view.Asks() {
		f.Buttons = append(f.Buttons, Action{
			Binding: keymap.As(on.Confirm, "give them"),
			Label:   named("Yes, give them", on.Confirm),
			Do:      func() result { return result{cmd: d.ask.Give(d.view.Plan), done: true} },
		})
	}
	return f
}
