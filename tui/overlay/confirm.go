package overlay

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// Confirm shows a plan, and has it applied when the person says so.
type Confirm struct {
	facts
	pointer
	scroll
	planned
	keys  keymap.Map
	warn  string
	focus int
	mask  views.Mask
	// more is set when the plan is shown once more after it was overruled.
	more bool
}

// NewConfirm returns the dialog for a plan. Warn is a line about other writers, or
// empty. Cancel has the focus.
func NewConfirm(k keymap.Map, p memory.Plan, reveal bool, warn string) *Confirm {
	c := &Confirm{keys: k, warn: warn, facts: facts{reveal: reveal}}
	c.begin(p)
	return c
}

// NewAsked returns the dialog for a plan that wants a decision. With more it is shown
// once more, as any other, before it is applied.
func NewAsked(k keymap.Map, p memory.Plan, reveal bool, warn string, more bool) *Confirm {
	c := NewConfirm(k, p, reveal, warn)
	c.more = more
	return c
}

// SetMask implements Masked.
func (c *Confirm) SetMask(m views.Mask) { c.mask = m }

func (c *Confirm) asks() bool { return c.plan.Asks != "" && !c.plan.Order.Anyway }

// overrule orders the same, whatever speaks against it now.
func (c *Confirm) overrule() (tea.Cmd, bool) {
	o := c.plan.Order
	o.Anyway = true
	return msg.Emit(msg.Order{Order: o, Ask: c.more}), false
}

// Order implements Planned.
func (c *Confirm) Order() memory.Order { return c.plan.Order }

// SetPlan implements Planned.
func (c *Confirm) SetPlan(p memory.Plan, err error) { c.renew(p, err) }

// Update implements Dialog.
func (c *Confirm) Update(m tea.Msg) (tea.Cmd, bool) {
	d := c.keys.Dialog
	if wheel, ok := m.(msg.Wheel); ok {
		c.by(wheel.Lines)
	}
	k, ok := c.press(d, m, &c.focus).(tea.KeyPressMsg)
	switch {
	case !ok:
	case c.asks() && (key.Matches(k, d.Overrule) || key.Matches(k, d.Press) && c.focus == 1):
		return c.overrule()
	case c.asks() && key.Matches(k, d.Confirm):
		return msg.Emit(msg.Toast{Text: d.Overrule.Help().Key + " does it all the same"}), true
	case key.Matches(k, d.Confirm), key.Matches(k, d.Press) && c.focus == 1:
		return c.confirm()
	case key.Matches(k, d.Cancel, d.Press):
		return nil, false
	case c.onKey(d, k):
	default:
		c.focus = turned(d, k, c.focus, 2)
	}
	return nil, true
}

// Render implements Dialog.
func (c *Confirm) Render(t theme.Theme, w, h int) string {
	v := views.Confirm{
		Plan: c.plan, Was: c.was, Changed: c.changed, Warn: c.warn, Failed: c.failed, Focus: c.focus,
		Reveal: c.reveal, Now: c.now, Mask: c.mask,
	}
	c.drawn(v.Last(t, w, h))
	v.Offset = c.offset
	c.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (c *Confirm) Keys() []keymap.Binding {
	d := c.keys.Dialog
	list := []keymap.Binding{d.Confirm, d.Cancel, pressing(d, c.focus == 0), d.Focus}
	if c.asks() {
		list[0] = keymap.Named(d.Overrule, d.Overrule.Help().Key, "do it all the same")
	}
	if c.last > 0 {
		list = append(list, d.Down, d.Up, d.PageDown, d.PageUp)
	}
	return list
}

// pressing is what Enter does: it cancels, or does what the dialog is about.
func pressing(d keymap.Dialog, cancels bool) keymap.Binding {
	if cancels {
		return keymap.Named(d.Press, d.Press.Help().Key, "cancel")
	}
	return keymap.Named(d.Press, d.Press.Help().Key, "do it")
}
