package overlay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/theme"
)

// Ignore asks why a finding is no matter, and for how long. Of one that is ignored it
// offers to take that back.
type Ignore struct {
	pointer
	keys    keymap.Map
	finding memory.Finding
	now     func() time.Time
	lines   [views.IgnoreCancel]textline.Line // by what has the focus
	wrong   string
	focus   int
}

// NewIgnore returns the dialog for a finding.
func NewIgnore(k keymap.Map, f memory.Finding, now func() time.Time) *Ignore {
	d := &Ignore{keys: k, finding: f, now: now, focus: views.OnReason}
	if f.Ignored != nil {
		d.focus = views.IgnoreCancel
	}
	return d
}

// Typing implements Typist.
func (d *Ignore) Typing() bool { return d.focus < views.IgnoreCancel }

// Update implements Dialog.
func (d *Ignore) Update(m tea.Msg) (tea.Cmd, bool) {
	if s, ok := d.spot(m); ok && s.Button >= 0 {
		d.focus = views.IgnoreCancel + s.Button
		return d.press()
	}
	k, ok := m.(tea.KeyPressMsg)
	on := d.keys.Dialog
	switch {
	case !ok:
		d.write(m)
	case key.Matches(k, d.keys.Global.Back), !d.Typing() && key.Matches(k, on.Cancel):
		return nil, false
	case key.Matches(k, on.Focus), d.Typing() && key.Matches(k, d.keys.Text.Newer):
		d.turn(+1)
	case key.Matches(k, on.FocusBack), d.Typing() && key.Matches(k, d.keys.Text.Older):
		d.turn(-1)
	case key.Matches(k, on.Press):
		return d.press()
	case !d.Typing() && key.Matches(k, on.Confirm):
		return d.do()
	default:
		d.write(k)
	}
	return nil, true
}

// turn moves the focus. There is nothing to type where something is taken back.
func (d *Ignore) turn(by int) {
	first := views.OnReason
	if d.finding.Ignored != nil {
		first = views.IgnoreCancel
	}
	n := views.IgnoreFields - first
	d.focus = first + (d.focus-first+by+n)%n
}

// write takes what is typed or pasted.
func (d *Ignore) write(m tea.Msg) {
	if d.Typing() && d.lines[d.focus].Update(d.keys.Text, m) {
		d.wrong = ""
	}
}

func (d *Ignore) press() (tea.Cmd, bool) {
	if d.focus == views.IgnoreCancel {
		return nil, false
	}
	return d.do()
}

// do returns the decision. While something is wrong with what was typed, the dialog
// stays.
func (d *Ignore) do() (tea.Cmd, bool) {
	f := d.finding
	if f.Ignored != nil {
		return msg.Emit(msg.Decide{Remove: []string{f.Fingerprint}, What: f.Rule + " counts again"}), false
	}
	reason := strings.TrimSpace(d.lines[views.OnReason].Text())
	if reason == "" {
		d.wrong, d.focus = "a reason is needed: who reads this later should know why", views.OnReason
		return nil, true
	}
	now := d.now()
	end, err := until(d.lines[views.OnUntil].Text(), now)
	if err != nil {
		d.wrong, d.focus = err.Error(), views.OnUntil
		return nil, true
	}
	i := memory.Ignore{Fingerprint: f.Fingerprint, Rule: f.Rule, Reason: reason, Added: now, Until: end}
	return msg.Emit(msg.Decide{Add: []memory.Ignore{i}, What: "Ignored " + f.Rule + ": " + reason}), false
}

// until reads an end date: a day, a number of days from now on, or nothing for never.
func until(text string, now time.Time) (time.Time, error) {
	const most = 3650 // days
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > most {
			return time.Time{}, fmt.Errorf("%s is no number of days from 1d to %dd", text, most)
		}
		return now.AddDate(0, 0, n), nil
	}
	end, err := time.ParseInLocation(time.DateOnly, text, now.Location())
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("%s is no date such as 2027-01-31, nor a number of days such as 30d", text)
	case !end.After(now):
		return time.Time{}, fmt.Errorf("%s is not in the future", text)
	}
	return end, nil
}

// Render implements Dialog.
func (d *Ignore) Render(t theme.Theme, w, h int) string {
	v := views.Ignoring{
		Finding: d.finding, Ignored: d.finding.Ignored, Wrong: d.wrong, Focus: d.focus,
		Reason: d.lines[views.OnReason].Text(), Until: d.lines[views.OnUntil].Text(),
	}
	if d.Typing() {
		v.Before = d.lines[d.focus].Before()
	}
	d.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (d *Ignore) Keys() []keymap.Binding {
	on, t := d.keys.Dialog, d.keys.Text
	if d.finding.Ignored != nil {
		return []keymap.Binding{keymap.Named(on.Confirm, "y", "take it back"), on.Cancel, on.Focus, pressing(on, d.focus == views.IgnoreCancel)}
	}
	next := keymap.Named(on.Focus, "Tab", "next field")
	if d.Typing() {
		return []keymap.Binding{keymap.Named(t.Accept, "Enter", "ignore it"), keymap.Named(t.Cancel, "Esc", "cancel"), next, t.DeleteWord, t.DeleteLine}
	}
	return []keymap.Binding{keymap.Named(on.Confirm, "y", "ignore it"), on.Cancel, next, pressing(on, d.focus == views.IgnoreCancel)}
}
