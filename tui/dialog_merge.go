package tui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views"
)

// mergeDialog is the dialog that merges several records into one. The person takes each field from the
// left or the right record, or types it.
type mergeDialog struct {
	dialogState
	view views.Merge
	keys keymap.Map
	line page.TextLine
	planned
	reveal func() bool
}

// newMerge returns the dialog for at least two records. The first one is kept. Reveal reports
// whether secrets are shown.
func newMerge(k keymap.Map, records []memory.Record, warn string, reveal func() bool) *mergeDialog {
	m := &mergeDialog{keys: k, view: views.Merge{Records: records, Right: min(1, len(records)-1)}, reveal: reveal}
	m.Pending, m.Warn = true, warn
	return m
}

// order implements planDialog.
func (m *mergeDialog) order() memory.Order {
	o := memory.Order{Do: memory.Merge}
	whole := true
	for i := range m.view.Records {
		r := &m.view.Records[i]
		o.IDs = append(o.IDs, r.ID)
		o.Base = append(o.Base, r.Raw)
		whole = whole && r.Raw != "" && !r.RawCut()
	}
	if !whole {
		o.Base = nil
	}
	for i, set := range []**string{&o.Edit.Title, &o.Edit.Body, &o.Edit.Outcome} {
		if m.view.Chosen[i] != 0 {
			text := m.text(i)
			*set = &text
		}
	}
	return o
}

// text returns the chosen text of a field.
func (m *mergeDialog) text(field int) string {
	c := m.view.Chosen[field]
	if c == views.OwnText {
		return m.view.Own[field]
	}
	return views.TextOf(&m.view.Records[c], field)
}

// takePlan implements planDialog. It drops a plan for texts that are no longer chosen.
func (m *mergeDialog) takePlan(p memory.Plan, err error) {
	m.setPlan(p, err, sameTexts(p.Order.Edit, m.order().Edit))
}

func sameTexts(a, b memory.Edit) bool {
	same := func(x, y *string) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y }
	return same(a.Title, b.Title) && same(a.Body, b.Body) && same(a.Outcome, b.Outcome)
}

// form implements dialog.
func (m *mergeDialog) form() dialogForm {
	d, v := m.keys.Dialog, m.view
	v.Planned = m.Planned
	if v.Typing {
		v.Own[v.Field] = m.line.Text()
	}
	do := dialogAction{
		Binding: keymap.As(d.Confirm, "merge"),
		Label:   named("Merge "+strconv.Itoa(len(v.Records)), d.Confirm),
		Do:      m.confirm,
	}
	if m.Pending {
		do.Label = "Merge .. (checking)"
		do.Off = "the merge is still being checked"
	}
	f := dialogForm{
		Keys: m.keys, Masks: true, View: v.Dialog, After: func() tea.Cmd {
			return m.ask([...]any{m.view.Chosen, m.view.Own})
		},
		Buttons: []dialogAction{{Binding: d.Cancel, Label: "Cancel", Do: closes}, do},
	}
	f.Click = func(l views.Look, w, h int, s views.DialogCell) {
		i, right := v.FieldAt(l, w, h, s, []string{"Cancel", do.Label})
		switch {
		case i < 0:
		case right:
			m.view.Field, m.view.Chosen[i] = i, v.Right
		default:
			m.view.Field, m.view.Chosen[i] = i, 0
		}
	}
	if v.Typing {
		f.Typed = &typedText{
			Line:   &m.line,
			Accept: dialogAction{Binding: m.keys.Text.Accept, Do: thenStay(m.typed)},
			Cancel: dialogAction{Binding: keymap.As(m.keys.Text.Cancel, "leave the text"), Do: thenStay(func() {
				m.view.Typing = false
			})},
		}
		return f
	}
	take := func(record int) func() formResult { return thenStay(func() { m.view.Chosen[v.Field] = record }) }
	field := func(to int) func() formResult {
		return thenStay(func() { m.view.Field, m.follow = max(min(to, views.MergeFields-1), 0), true })
	}
	beside := func(to int) func() formResult {
		return thenStay(func() { m.view.Right = max(min(to, len(v.Records)-1), min(1, len(v.Records)-1)) })
	}
	f.Actions = []dialogAction{
		{Binding: keymap.Both(d.Down, d.Up, "field"), Do: field(v.Field + 1)},
		{Binding: d.Up, Do: field(v.Field - 1), Hidden: true},
		{Binding: keymap.As(d.Left, "take the left"), Do: take(0)},
		{Binding: keymap.As(d.Right, "take the right"), Do: take(v.Right)},
		{Binding: keymap.As(d.Amend, "type it"), Do: thenStay(m.startTyping)},
		{Binding: keymap.Both(d.More, d.Less, "next record"), Do: beside(v.Right + 1), Hidden: len(v.Records) < 3},
		{Binding: d.Less, Do: beside(v.Right - 1), Hidden: true},
	}
	return f
}

// startTyping starts typing the field. The input line holds the chosen text, unless that has masked
// secrets or the line cannot hold it unchanged; then the line is empty.
func (m *mergeDialog) startTyping() {
	v := &m.view
	v.Typing = true
	text := m.text(v.Field)
	if c := v.Chosen[v.Field]; c != views.OwnText && !m.reveal() && len(v.Records[c].Secrets) > 0 {
		text = ""
	}
	if m.line.Set(text); m.line.Text() != text {
		m.line.Set("")
	}
}

// typed chooses the typed text for the field.
func (m *mergeDialog) typed() {
	v := &m.view
	v.Typing, v.Own[v.Field], v.Chosen[v.Field] = false, m.line.Text(), views.OwnText
}
