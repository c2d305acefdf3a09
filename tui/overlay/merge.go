package overlay

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/theme"
)

// Merge makes one record of several: the person takes each text from the left or
// the right one, or types it.
type Merge struct {
	facts
	pointer
	scroll
	planned
	keys        keymap.Map
	records     []memory.Record
	left, right int
	field       int
	chosen      [views.MergeFields]int
	own         [views.MergeFields]string
	follow      bool // the texts scroll to the field
	typing      bool
	line        textline.Line
	pending     bool
	focus       int
	warn        string
}

// NewMerge returns the dialog for records, at least two. The first is the one that
// stays. Order is what to plan first.
func NewMerge(k keymap.Map, records []memory.Record) *Merge {
	return &Merge{keys: k, records: records, right: min(1, len(records)-1), pending: true}
}

// SetWarn sets the line about other writers.
func (d *Merge) SetWarn(text string) { d.warn = text }

// Typing implements Typist.
func (d *Merge) Typing() bool { return d.typing }

// Order implements Planned.
func (d *Merge) Order() memory.Order {
	o := memory.Order{Do: memory.Merge}
	whole := true
	for i := range d.records {
		o.IDs = append(o.IDs, d.records[i].ID)
		o.Base = append(o.Base, d.records[i].Raw)
		whole = whole && d.records[i].Raw != "" && !d.records[i].RawCut()
	}
	if !whole {
		o.Base = nil
	}
	for i, set := range []**string{&o.Edit.Title, &o.Edit.Body, &o.Edit.Outcome} {
		if d.chosen[i] != 0 {
			text := d.text(i)
			*set = &text
		}
	}
	return o
}

// text returns the chosen text of a field.
func (d *Merge) text(field int) string {
	c := d.chosen[field]
	if c == views.OwnText {
		return d.own[field]
	}
	return views.TextOf(&d.records[c], field)
}

// SetPlan implements Planned. A plan of other texts than those chosen is dropped.
func (d *Merge) SetPlan(p memory.Plan, err error) {
	switch {
	case err != nil:
		d.pending = false
		d.renew(p, err)
	case !sameTexts(p.Order.Edit, d.Order().Edit):
	case d.pending:
		d.pending = false
		d.begin(p)
	default:
		d.renew(p, nil)
	}
}

func sameTexts(a, b memory.Edit) bool {
	same := func(x, y *string) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y }
	return same(a.Title, b.Title) && same(a.Body, b.Body) && same(a.Outcome, b.Outcome)
}

// Update implements Dialog.
func (d *Merge) Update(m tea.Msg) (tea.Cmd, bool) {
	on := d.keys.Dialog
	if wheel, ok := m.(msg.Wheel); ok {
		d.by(wheel.Lines)
	}
	if d.typing {
		return d.onText(m), true
	}
	if s, ok := d.spot(m); ok && s.Row >= 0 {
		return d.take(s.Row), true
	}
	k, ok := d.press(on, m, &d.focus).(tea.KeyPressMsg)
	if !ok {
		return nil, true
	}
	switch press := key.Matches(k, on.Press); {
	case key.Matches(k, on.Confirm), press && d.focus == 1:
		if d.pending {
			return nil, true
		}
		return d.confirm()
	case key.Matches(k, on.Cancel), press:
		return nil, false
	case key.Matches(k, on.Focus, on.FocusBack):
		d.focus = 1 - d.focus
	case key.Matches(k, on.Amend):
		d.begins()
	case d.choose(k):
		return d.preview(), true
	default:
		d.move(k)
	}
	return nil, true
}

// preview asks for the plan of what is chosen now.
func (d *Merge) preview() tea.Cmd {
	d.pending, d.failed = true, ""
	return msg.Emit(msg.Preview{Order: d.Order()})
}

// take takes the text that was clicked: a field of the left record, or of the right.
func (d *Merge) take(row int) tea.Cmd {
	d.field = row % views.MergeFields
	record, was := d.left, d.chosen[d.field]
	if row >= views.MergeFields {
		record = d.right
	}
	if d.chosen[d.field] = record; record == was {
		return nil
	}
	return d.preview()
}

// choose takes the text of the left or the right record.
func (d *Merge) choose(k tea.KeyPressMsg) bool {
	on, was := d.keys.Dialog, d.chosen[d.field]
	switch {
	case key.Matches(k, on.Left):
		d.chosen[d.field] = d.left
	case key.Matches(k, on.Right):
		d.chosen[d.field] = d.right
	}
	return d.chosen[d.field] != was
}

// move goes to another field or record, or scrolls.
func (d *Merge) move(k tea.KeyPressMsg) {
	on, last := d.keys.Dialog, len(d.records)-1
	switch {
	case key.Matches(k, on.Up):
		d.field, d.follow = max(d.field-1, 0), true
	case key.Matches(k, on.Down):
		d.field, d.follow = min(d.field+1, views.MergeFields-1), true
	case key.Matches(k, on.More):
		d.right = min(d.right+1, last)
	case key.Matches(k, on.Less):
		d.right = max(d.right-1, min(1, last))
	default:
		d.onKey(on, k)
	}
}

// begins begins to type the field. What stands there is offered, unless secrets of
// it are masked or a line cannot hold it as it is.
func (d *Merge) begins() {
	d.typing = true
	text := d.text(d.field)
	if c := d.chosen[d.field]; c != views.OwnText && !d.reveal && len(d.records[c].Secrets) > 0 {
		text = ""
	}
	if d.line.Set(text); d.line.Text() != text {
		d.line.Set("")
	}
}

// onText takes what is typed.
func (d *Merge) onText(m tea.Msg) tea.Cmd {
	k, isKey := m.(tea.KeyPressMsg)
	switch {
	case isKey && key.Matches(k, d.keys.Text.Cancel):
		d.typing = false
	case isKey && key.Matches(k, d.keys.Text.Accept):
		d.typing = false
		d.own[d.field], d.chosen[d.field] = d.line.Text(), views.OwnText
		return d.preview()
	default:
		d.line.Update(d.keys.Text, m)
	}
	return nil
}

// Render implements Dialog.
func (d *Merge) Render(t theme.Theme, w, h int) string {
	v := views.Merge{
		Records: d.records, Left: d.left, Right: d.right, Field: d.field, Chosen: d.chosen, Own: d.own, Typing: d.typing,
		Notes: d.plan.Notes, Pending: d.pending, Changed: d.changed, Warn: d.warn, Failed: d.failed, Focus: d.focus,
		Reveal: d.reveal, Now: d.now,
	}
	if d.typing {
		v.Own[d.field] = d.line.Text()
	}
	if d.follow {
		d.offset, d.follow = v.FieldLine(t, w), false
	}
	d.drawn(v.Last(t, w, h))
	v.Offset = d.offset
	d.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (d *Merge) Keys() []keymap.Binding {
	k, on := d.keys, d.keys.Dialog
	if d.typing {
		return []keymap.Binding{k.Text.Accept, keymap.Named(k.Text.Cancel, "Esc", "leave the text"), k.Text.DeleteLine}
	}
	list := []keymap.Binding{
		on.Confirm, on.Cancel, keymap.Named(on.Down, "j/k", "field"), keymap.Named(on.Left, "h", "take the left"),
		keymap.Named(on.Right, "l", "take the right"), keymap.Named(on.Amend, "e", "type it"),
	}
	if len(d.records) > 2 {
		list = append(list, keymap.Named(on.More, "+/-", "next record"))
	}
	list = append(list, on.Focus, pressing(on, d.focus == 0))
	if d.last > 0 {
		list = append(list, on.PageDown, on.PageUp)
	}
	return list
}
