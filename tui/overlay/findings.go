package overlay

import (
	"errors"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// Findings shows what the check says of a typed text, and lets the person edit it
// again or overrule the check.
type Findings struct {
	pointer
	scroll
	keys  keymap.Map
	plan  memory.Plan
	typed string
	focus int
}

// The buttons of Findings.
const (
	amend = iota
	overrule
	cancel
)

// NewFindings returns the dialog for a plan that has findings. Typed is the text as
// it was typed, for editing it again; empty when it did not come from an editor.
func NewFindings(k keymap.Map, p memory.Plan, typed string) *Findings {
	return &Findings{keys: k, plan: p, typed: typed, focus: cancel}
}

// Order implements Planned.
func (f *Findings) Order() memory.Order { return f.plan.Order }

// SetPlan implements Planned. Text that was refused stays refused while there is no
// plan.
func (f *Findings) SetPlan(p memory.Plan, err error) {
	if err == nil {
		f.plan = p
	}
}

// Update implements Dialog.
func (f *Findings) Update(m tea.Msg) (tea.Cmd, bool) {
	d := f.keys.Dialog
	if wheel, ok := m.(msg.Wheel); ok {
		f.by(wheel.Lines)
	}
	k, ok := f.press(d, m, &f.focus).(tea.KeyPressMsg)
	if !ok {
		return nil, true
	}
	pressed := -1
	if key.Matches(k, d.Press) {
		pressed = f.focus
	}
	switch {
	case f.typed != "" && (key.Matches(k, d.Amend) || pressed == amend):
		return msg.Emit(f.edit()), false
	case key.Matches(k, d.Overrule), pressed == overrule:
		return msg.Emit(msg.Order{Order: f.overruled()}), false
	case key.Matches(k, d.Cancel), pressed == cancel:
		return nil, false
	case f.onKey(d, k):
	default:
		f.turn(k)
	}
	return nil, true
}

// turn moves the focus. Text that came from no editor cannot be edited again.
func (f *Findings) turn(k tea.KeyPressMsg) {
	was := f.focus
	f.focus = turned(f.keys.Dialog, k, f.focus, cancel+1)
	if f.focus == amend && f.typed == "" {
		f.focus = cancel + overrule - was
	}
}

// edit returns the request to open the editor on what was typed.
func (f *Findings) edit() msg.Edit {
	o := f.plan.Order
	e := msg.Edit{Raw: o.Edit.Raw != nil, Text: f.typed}
	if len(o.IDs) > 0 {
		e.ID = o.IDs[0]
	}
	if len(o.Base) > 0 {
		e.Base = o.Base[0]
	}
	return e
}

// overruled returns the order with the rules of the findings allowed.
func (f *Findings) overruled() memory.Order {
	o := f.plan.Order
	o.Allow = slices.Clone(o.Allow)
	for _, finding := range f.plan.Findings {
		if !slices.Contains(o.Allow, finding.Rule) {
			o.Allow = append(o.Allow, finding.Rule)
		}
	}
	return o
}

// Render implements Dialog.
func (f *Findings) Render(t theme.Theme, w, h int) string {
	v := views.Findings{Findings: f.plan.Findings, Focus: f.focus, Edit: f.typed != ""}
	f.drawn(v.Last(t, w, h))
	v.Offset = f.offset
	f.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (f *Findings) Keys() []keymap.Binding {
	d := f.keys.Dialog
	list := []keymap.Binding{keymap.Named(d.Overrule, d.Overrule.Help().Key, "store as it is"), d.Cancel, d.Focus, d.Press}
	if f.typed != "" {
		list = append([]keymap.Binding{d.Amend}, list...)
	}
	if f.last > 0 {
		list = append(list, d.Down, d.Up)
	}
	return list
}

// Mistake says what is wrong with an edited text, and where that is kept.
type Mistake struct {
	pointer
	keys       keymap.Map
	what, hint string
	edit       msg.Edit
	focus      int
}

// NewMistake returns the dialog for a text that is not valid; e opens the editor on
// it again.
func NewMistake(k keymap.Map, err error, e msg.Edit) *Mistake {
	m := &Mistake{keys: k, what: err.Error(), edit: e}
	var p *memory.Problem
	if errors.As(err, &p) {
		m.hint = p.Hint
	}
	return m
}

// Update implements Dialog.
func (d *Mistake) Update(m tea.Msg) (tea.Cmd, bool) {
	on := d.keys.Dialog
	k, ok := d.press(on, m, &d.focus).(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(k, on.Amend), key.Matches(k, on.Press) && d.focus == 0:
		return msg.Emit(d.edit), false
	case key.Matches(k, on.Cancel, on.Press):
		return msg.Emit(msg.Toast{Text: d.leave()}), false
	default:
		d.focus = turned(on, k, d.focus, 2)
	}
	return nil, true
}

// leave says what becomes of the text when it is left.
func (d *Mistake) leave() string {
	if d.edit.Kept == "" {
		return "Nothing was changed; the text was thrown away"
	}
	return "Nothing was changed; the text is in " + d.edit.Kept
}

// Render implements Dialog.
func (d *Mistake) Render(t theme.Theme, w, h int) string {
	v := views.Mistake{What: d.what, Hint: d.hint, Kept: d.edit.Kept, Focus: d.focus}
	d.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (d *Mistake) Keys() []keymap.Binding {
	k := d.keys.Dialog
	return []keymap.Binding{k.Amend, keymap.Named(k.Cancel, "Esc", "leave it"), k.Focus, k.Press}
}
