package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// dialogForm describes a dialog in its current state: what it shows and which input it takes.
type dialogForm struct {
	Keys keymap.Map
	// View returns the drawing on a screen of w by h cells, without the buttons.
	View  func(l views.Look, w, h int) views.Dialog
	Masks bool // the form shows records, whose secrets can be masked or revealed

	// Fields is the number of fields that Tab visits before the buttons.
	Fields  int
	Buttons []dialogAction
	// Actions are keys without a button. They take precedence over the keys that every form has,
	// which scroll and move the focus.
	Actions []dialogAction
	// Stops is the number of further places that Tab visits after the buttons.
	Stops int
	// Typed is the text that letters go to. It is nil if letters are keys.
	Typed *typedText
	// List is the list that has a cursor, or nil.
	List *formList
	// Click handles a click that hits neither a button nor a row of List. May be nil.
	Click func(l views.Look, w, h int, s views.DialogCell)
	// Other takes keys that nothing else takes. May be nil.
	Other func(tea.KeyPressMsg)
	// After is called when the dialog opens and after each input that does not close it. The command
	// it returns requests the plan for the current choices, for example. May be nil.
	After func() tea.Cmd
}

// dialogAction is something a person can press in a dialog.
type dialogAction struct {
	Binding keymap.Binding // its description is the hint
	Label   string         // of the button
	// Do runs the action. May be nil for a key that is handled elsewhere.
	Do func() formResult
	// Off is why the action does nothing right now. It is empty if the action does something.
	Off string
	// Hidden keeps the action out of the hints.
	Hidden bool
}

// formResult is the outcome of an action.
type formResult struct {
	cmd  tea.Cmd
	done bool // the dialog closes
}

// named returns a button label followed by the name of its key.
func named(label string, b keymap.Binding) string { return label + " (" + b.Help().Key + ")" }

// closing returns the result that closes the dialog and delivers m.
func closing(m tea.Msg) formResult { return formResult{cmd: msg.Emit(m), done: true} }

// staying returns the result that keeps the dialog open and delivers m.
func staying(m tea.Msg) formResult { return formResult{cmd: msg.Emit(m)} }

// closes is the action that only closes the dialog.
func closes() formResult { return formResult{done: true} }

// thenStay returns an action that runs do and keeps the dialog open.
func thenStay(do func()) func() formResult {
	return func() formResult {
		do()
		return formResult{}
	}
}

// typedText is a text that the person is typing.
type typedText struct {
	Line *page.TextLine
	// Changed is called after each change. May be nil.
	Changed func()
	// Complete is run by Tab, in a form without fields. May be nil.
	Complete       func()
	Accept, Cancel dialogAction
	// Also is one more action, if it is not zero.
	Also dialogAction
}

// newTyped returns the typed text for line in which Enter runs do and Esc closes the dialog.
func newTyped(k keymap.Map, line *page.TextLine, do dialogAction) *typedText {
	return &typedText{
		Line:   line,
		Accept: dialogAction{Binding: keymap.As(k.Text.Accept, do.Binding.Help().Desc), Do: do.Do},
		Cancel: dialogAction{Binding: keymap.As(k.Text.Cancel, "cancel"), Do: closes},
	}
}

// leaving is whether a form has asked if it should be left with what was typed in it.
type leaving struct{ asked bool }

// leave closes the form. If something was typed, it asks for the key a second time, in wrong.
func (l *leaving) leave(k keymap.Map, typed bool, wrong *string) formResult {
	if !typed || l.asked {
		return closes()
	}
	l.asked = true
	*wrong = "What you typed is not kept: " + k.Text.Cancel.Help().Key + " again throws it away."
	return formResult{}
}

// formList is a list of entries with a cursor.
type formList struct {
	Len    int
	Cursor *int
	// At returns the entry at a cell of the view, or -1. If At is nil, each row is an entry.
	At func(w, h int, s views.DialogCell) int
	// Skip reports whether the cursor skips an entry. May be nil.
	Skip func(i int) bool
	// Moved is called after each move. May be nil.
	Moved func()
	// Again is run by a click on the entry under the cursor. May be nil.
	Again func() formResult
}

// move moves the cursor by n entries, not counting those that it skips.
func (l *formList) move(n int) {
	dir := 1
	if n < 0 {
		dir, n = -1, -n
	}
	for at := *l.Cursor + dir; n > 0 && at >= 0 && at < l.Len; at += dir {
		if l.Skip == nil || !l.Skip(at) {
			*l.Cursor = at
			n--
		}
	}
	if l.Moved != nil {
		l.Moved()
	}
}

// view returns the drawing of the form.
func (f *dialogForm) view(l views.Look, w, h int, s dialogState) views.Dialog {
	v := f.View(l, w, h)
	v.Focus = s.focus - f.Fields
	v.First = s.offset
	for _, b := range f.Buttons {
		v.Buttons = append(v.Buttons, b.Label)
	}
	return v
}

// formInput passes one message to a form.
type formInput struct {
	dialogForm
	*dialogState
	look views.Look
	w, h int
}

func (in *formInput) update(m tea.Msg) formResult {
	switch m := m.(type) {
	case msg.Wheel:
		in.move(m.Lines)
	case tea.PasteMsg:
		return in.edit(m)
	case tea.KeyPressMsg:
		return in.press(m)
	}
	return formResult{}
}

// click handles a click on a button, on a row of the list, or elsewhere.
func (in *formInput) click(s views.DialogCell) formResult {
	if s.Button >= 0 {
		in.focus = in.Fields + s.Button
		return in.do(in.Buttons[s.Button])
	}
	if l := in.List; l != nil && s.Row >= 0 {
		i := s.Row
		if l.At != nil {
			i = l.At(in.w, in.h, s)
		}
		switch {
		case i < 0 || i >= l.Len || l.Skip != nil && l.Skip(i):
		case i != *l.Cursor:
			*l.Cursor = i
			l.move(0)
		case l.Again != nil:
			return l.Again()
		}
		return formResult{}
	}
	if in.Click != nil {
		in.Click(in.look, in.w, in.h, s)
	}
	return formResult{}
}

// edit passes a key or a paste to the typed text.
func (in *formInput) edit(m tea.Msg) formResult {
	if t := in.Typed; t != nil && t.Line.Update(in.Keys.Text, m) && t.Changed != nil {
		t.Changed()
	}
	return formResult{}
}

// press runs the action of a key. While text is typed, a key that produces a character is text and
// no action.
func (in *formInput) press(k tea.KeyPressMsg) formResult {
	for _, a := range in.actions() {
		if does := a.Do != nil || a.Off != ""; does && key.Matches(k, a.Binding) && (in.Typed == nil || k.Text == "") {
			return in.do(a)
		}
	}
	if in.Other != nil {
		in.Other(k)
	}
	return in.edit(k)
}

// actions returns what can be pressed now, in the order of the hints: first the dialog's own actions,
// then those that every dialog has. If two actions share a key, the first one gets it.
func (in *formInput) actions() []dialogAction {
	if in.Typed != nil {
		return in.typedActions()
	}
	d := in.Keys.Dialog
	all := slices.Clone(in.Buttons)
	slices.SortStableFunc(all, func(a, b dialogAction) int { return isCancel(a, d) - isCancel(b, d) })
	all = append(all, in.Actions...)
	at := in.focus - in.Fields
	onField := at < 0
	if onField { // Enter in a field presses the last button
		at = len(in.Buttons) - 1
	}
	if at >= 0 && at < len(in.Buttons) {
		b := in.Buttons[at]
		all = append(
			all,
			dialogAction{
				Binding: keymap.As(d.Press, b.Binding.Help().Desc),
				Do:      func() formResult { return in.do(b) },
				Hidden:  onField,
			},
		)
	}
	if len(in.Buttons) > 0 {
		next, last := thenStay(func() { in.turn(+1) }), thenStay(func() { in.turn(-1) })
		all = append(
			all,
			dialogAction{Binding: d.Focus, Do: next},
			dialogAction{Binding: d.Right, Do: next, Hidden: true},
			dialogAction{Binding: d.FocusBack, Do: last, Hidden: true},
			dialogAction{Binding: d.Left, Do: last, Hidden: true},
		)
	}
	const page, end = 10, 1 << 20
	scrolls := in.last() > 0
	move, some := "scroll", scrolls
	if in.List != nil {
		move, some = "move", in.List.Len > 1
	}
	by := func(n int) func() formResult { return thenStay(func() { in.move(n) }) }
	turn := func(n int) func() formResult { // if rows other than those of the list can scroll, page keys scroll them
		if scrolls {
			return thenStay(func() { in.scroll(n) })
		}
		return by(n)
	}
	return append(
		all,
		dialogAction{Binding: keymap.Both(d.Down, d.Up, move), Do: by(+1), Hidden: !some},
		dialogAction{Binding: d.Up, Do: by(-1), Hidden: true},
		dialogAction{Binding: d.Top, Do: by(-end), Hidden: true},
		dialogAction{Binding: d.Bottom, Do: by(+end), Hidden: true},
		dialogAction{
			Binding: d.PageDown,
			Do:      turn(+page),
			Hidden:  !scrolls,
		},
		dialogAction{Binding: d.PageUp, Do: turn(-page), Hidden: !scrolls},
	)
}

// isCancel returns 1 for the button that leaves the dialog, and 0 for others. It sorts that button
// last.
func isCancel(a dialogAction, d keymap.Dialog) int {
	if overlap(a.Binding, d.Cancel) {
		return 1
	}
	return 0
}

// typedActions returns what can be pressed while text is typed.
func (in *formInput) typedActions() []dialogAction {
	d, t, m := in.Keys.Dialog, in.Keys.Text, in.Keys.Move
	all := []dialogAction{in.Typed.Accept, in.Typed.Cancel, in.Typed.Also}
	next, last := thenStay(func() { in.turn(+1) }), thenStay(func() { in.turn(-1) })
	if in.Fields > 0 {
		all = append(
			all,
			dialogAction{Binding: keymap.As(d.Focus, "next field"), Do: next},
			dialogAction{Binding: t.Newer, Do: next, Hidden: true},
			dialogAction{Binding: d.FocusBack, Do: last, Hidden: true},
			dialogAction{Binding: t.Older, Do: last, Hidden: true},
		)
	}
	if in.List != nil {
		const page = 10
		by := func(n int) func() formResult { return thenStay(func() { in.List.move(n) }) }
		all = append(
			all,
			dialogAction{Binding: keymap.Both(t.Older, t.Newer, "choose"), Do: by(-1)},
			dialogAction{Binding: t.Newer, Do: by(+1), Hidden: true},
			dialogAction{
				Binding: m.PageUp,
				Do:      by(-page),
				Hidden:  true,
			},
			dialogAction{Binding: m.PageDown, Do: by(+page), Hidden: true},
		)
	}
	if in.Typed.Complete != nil {
		all = append(all, dialogAction{Binding: keymap.As(d.Focus, "complete"), Do: thenStay(in.Typed.Complete)})
	}
	// hints only: the line handles these keys
	return append(all, dialogAction{Binding: t.DeleteWord}, dialogAction{Binding: t.DeleteLine})
}

// do runs an action, or says why it is off.
func (in *formInput) do(a dialogAction) formResult {
	if a.Off != "" {
		return staying(msg.Toast{Text: views.OffText(a.Binding, a.Off)})
	}
	return a.Do()
}

// turn moves the focus through the fields, the buttons and the stops after them.
func (in *formInput) turn(by int) {
	n := in.Fields + len(in.Buttons) + in.Stops
	in.focus = (in.focus + by + n) % n
}

// move moves the cursor of the list, or scrolls if there is no list.
func (in *formInput) move(by int) {
	if in.List != nil {
		in.List.move(by)
		return
	}
	in.scroll(by)
}

// last returns the largest useful scroll offset. It is 0 if the view follows a cursor.
func (in *formInput) last() int {
	v := in.view(in.look, in.w, in.h, *in.dialogState)
	if v.Cursor >= 0 {
		return 0
	}
	return v.Last(in.h)
}

func (in *formInput) scroll(by int) {
	last := in.last()
	in.offset = max(min(min(in.offset, last)+by, last), 0)
}

// hints returns the bindings that do something right now, most useful first.
func (in *formInput) hints() []keymap.Binding {
	var list []keymap.Binding
	all := in.actions()
	for i, a := range all {
		taken := slices.ContainsFunc(all[:i], func(b dialogAction) bool { return overlap(a.Binding, b.Binding) })
		if a.Off == "" && !a.Hidden && !taken && len(a.Binding.Keys()) > 0 {
			list = append(list, a.Binding)
		}
	}
	return list
}

// overlap reports whether two bindings have a key in common.
func overlap(a, b keymap.Binding) bool {
	return slices.ContainsFunc(a.Keys(), func(k string) bool { return slices.Contains(b.Keys(), k) })
}
