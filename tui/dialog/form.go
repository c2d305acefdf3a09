package dialog

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

// Form is a dialog as data.
type Form struct {
	Keys keymap.Map
	// View returns what is drawn in a room of w by h cells, apart from the buttons.
	View  func(l views.Look, w, h int) views.Dialog
	Masks bool // it shows records, in which secrets are masked or revealed

	// Fields is how many fields Tab goes through before the buttons.
	Fields  int
	Buttons []Action
	// Actions are keys that have no button. They come before those of the form itself, which
	// scroll and move the focus.
	Actions []Action
	// Stops is how many places the focus has behind the buttons.
	Stops int
	// Typed is the text that letters go to; nil when they are keys.
	Typed *Typed
	List  *List
	// Click does what a click on a row or a line above the rows means; it may be nil.
	Click func(l views.Look, w, h int, s views.DialogCell)
	// Other takes keys that nothing else takes; it may be nil.
	Other func(tea.KeyPressMsg)
	// After is called when the dialog was opened and after each input, and returns what follows: the plan of
	// what is chosen now is asked for. It may be nil.
	After func() tea.Cmd
}

// Action is something to press.
type Action struct {
	Binding keymap.Binding // what it says of the action is the hint
	Label   string         // on the button
	// Do returns what is ordered. With more than that the dialog stays open.
	Do func() result
	// Off says why it does nothing now; empty when it does something.
	Off string
	// Hidden keeps it out of the hints.
	Hidden bool
}

// result is what an action came to.
type result struct {
	cmd  tea.Cmd
	done bool // the dialog closes
}

// named returns the label of a button with the name of its key.
func named(label string, b keymap.Binding) string { return label + " (" + b.Help().Key + ")" }

// closing is the result that closes the dialog and delivers m.
func closing(m tea.Msg) result { return result{cmd: msg.Emit(m), done: true} }

// staying is the result that leaves the dialog open and delivers m.
func staying(m tea.Msg) result { return result{cmd: msg.Emit(m)} }

// closes is the action that only closes the dialog.
func closes() result { return result{done: true} }

// then returns an action without an order.
func then(do func()) func() result {
	return func() result {
		do()
		return result{}
	}
}

// Typed is a text that is typed.
type Typed struct {
	Line *textline.Line
	// Changed is called after each change; it may be nil.
	Changed        func()
	Complete       func() // what Tab does where there are no fields; it may be nil
	Accept, Cancel Action
	// Also is another action; its zero is none.
	Also Action
}

// typing has a text of a form typed: Enter does what do does, and Esc closes.
func typing(k keymap.Map, line *textline.Line, do Action) *Typed {
	return &Typed{
		Line:   line,
		Accept: Action{Binding: keymap.As(k.Text.Accept, do.Binding.Help().Desc), Do: do.Do},
		Cancel: Action{Binding: keymap.As(k.Text.Cancel, "cancel"), Do: closes},
	}
}

// List is rows that a cursor goes through.
type List struct {
	Len    int
	Cursor *int
	// At returns what is listed at a place of the view, or -1; nil when the rows are the list.
	At func(w, h int, s views.DialogCell) int
	// Skip reports rows that the cursor does not stop at; it may be nil.
	Skip func(i int) bool
	// Moved is called after each move; it may be nil.
	Moved func()
	// Again is what a click on the row at the cursor does; it may be nil.
	Again func() result
}

// to moves the cursor by rows, over those that are skipped.
func (l *List) by(n int) {
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

// view returns the form as it is drawn.
func (f *Form) view(l views.Look, w, h int, s state) views.Dialog {
	v := f.View(l, w, h)
	v.Focus = s.focus - f.Fields
	v.First = s.offset
	for _, b := range f.Buttons {
		v.Buttons = append(v.Buttons, b.Label)
	}
	return v
}

// input gives one message to a form.
type input struct {
	Form
	*state
	look views.Look
	w, h int
}

func (in *input) update(m tea.Msg) result {
	switch m := m.(type) {
	case msg.Wheel:
		if in.List != nil {
			in.List.by(m.Lines)
		} else {
			in.scroll(m.Lines)
		}
	case tea.PasteMsg:
		return in.edit(m)
	case tea.KeyPressMsg:
		if in.Typed != nil {
			return in.typed(m)
		}
		return in.press(m)
	}
	return result{}
}

// click does what a click means: on a button, on a row of the list, or elsewhere.
func (in *input) click(s views.DialogCell) result {
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
			l.by(0)
		case l.Again != nil:
			return l.Again()
		}
		return result{}
	}
	if in.Click != nil {
		in.Click(in.look, in.w, in.h, s)
	}
	return result{}
}

// typed takes a key while letters are text.
func (in *input) typed(k tea.KeyPressMsg) result {
	t, d, move := in.Keys.Text, in.Keys.Dialog, in.Keys.Move
	const page = 10
	switch {
	case key.Matches(k, t.Cancel):
		return in.do(in.Typed.Cancel)
	case key.Matches(k, t.Accept):
		return in.do(in.Typed.Accept)
	case in.Typed.Also.Do != nil && key.Matches(k, in.Typed.Also.Binding):
		return in.do(in.Typed.Also)
	case in.Fields > 0 && key.Matches(k, d.Focus, t.Newer):
		in.turn(+1)
	case in.Fields > 0 && key.Matches(k, d.FocusBack, t.Older):
		in.turn(-1)
	case in.Typed.Complete != nil && key.Matches(k, d.Focus):
		in.Typed.Complete()
	case in.List == nil || k.Text != "":
		return in.edit(k)
	case key.Matches(k, t.Older):
		in.List.by(-1)
	case key.Matches(k, t.Newer):
		in.List.by(+1)
	case key.Matches(k, move.PageUp):
		in.List.by(-page)
	case key.Matches(k, move.PageDown):
		in.List.by(+page)
	default:
		return in.edit(k)
	}
	return result{}
}

// edit changes the text that is typed.
func (in *input) edit(m tea.Msg) result {
	if t := in.Typed; t != nil && t.Line.Update(in.Keys.Text, m) && t.Changed != nil {
		t.Changed()
	}
	return result{}
}

// press takes a key while letters are keys.
func (in *input) press(k tea.KeyPressMsg) result {
	for _, list := range [][]Action{in.Actions, in.Buttons} {
		for _, a := range list {
			if key.Matches(k, a.Binding) {
				return in.do(a)
			}
		}
	}
	d := in.Keys.Dialog
	at := in.focus - in.Fields
	if at < 0 { // on a field: Enter is for all of them
		at = len(in.Buttons) - 1
	}
	switch {
	case key.Matches(k, d.Press) && at >= 0 && at < len(in.Buttons):
		return in.do(in.Buttons[at])
	case in.moves(k):
	case len(in.Buttons) > 0 && key.Matches(k, d.Focus, d.Right):
		in.turn(+1)
	case len(in.Buttons) > 0 && key.Matches(k, d.FocusBack, d.Left):
		in.turn(-1)
	case in.Other != nil:
		in.Other(k)
	}
	return result{}
}

// do runs an action, or says why that is off.
func (in *input) do(a Action) result {
	if a.Off != "" {
		return staying(msg.Toast{Text: views.OffText(a.Binding, a.Off)})
	}
	return a.Do()
}

// turn moves the focus through fields, buttons and what is behind them.
func (in *input) turn(by int) {
	n := in.Fields + len(in.Buttons) + in.Stops
	in.focus = (in.focus + by + n) % n
}

// moves moves in the list, or scrolls. Where the list has its own cursor and other rows
// scroll, the keys of pages scroll. It is false for a key that does neither.
func (in *input) moves(k tea.KeyPressMsg) bool {
	const page = 10
	d, n := in.Keys.Dialog, 1<<20
	for _, step := range []struct {
		binding keymap.Binding
		by      int
	}{
		{d.Up, -1}, {d.Down, +1}, {d.Top, -n}, {d.Bottom, +n}, {d.PageUp, -page}, {d.PageDown, +page},
	} {
		if !key.Matches(k, step.binding) {
			continue
		}
		if in.List != nil && (step.by*step.by != page*page || in.last() == 0) {
			in.List.by(step.by)
		} else {
			in.scroll(step.by)
		}
		return true
	}
	return false
}

// last returns how far the rows scroll, apart from those of a list with a cursor.
func (in *input) last() int {
	v := in.view(in.look, in.w, in.h, *in.state)
	if v.Cursor >= 0 {
		return 0
	}
	return v.Last(in.h)
}

func (in *input) scroll(by int) {
	last := in.last()
	in.offset = max(min(min(in.offset, last)+by, last), 0)
}

// hints returns the bindings that do something right now, the most useful first.
func (f *Form) hints(s state, scrolls bool) []keymap.Binding {
	d, t := f.Keys.Dialog, f.Keys.Text
	var list []keymap.Binding
	add := func(a Action) {
		if a.Off == "" && !a.Hidden {
			list = append(list, a.Binding)
		}
	}
	if f.Typed != nil {
		add(f.Typed.Accept)
		add(f.Typed.Cancel)
		if f.Typed.Also.Do != nil {
			add(f.Typed.Also)
		}
		switch {
		case f.Fields > 0:
			list = append(list, keymap.As(d.Focus, "next field"))
		case f.List != nil:
			list = append(list, keymap.Both(t.Older, t.Newer, "choose"))
		}
		if f.Typed.Complete != nil {
			list = append(list, keymap.As(d.Focus, "complete"))
		}
		return append(list, t.DeleteWord, t.DeleteLine)
	}
	for _, isCancel := range []bool{false, true} {
		for _, b := range f.Buttons {
			if overlap(b.Binding, d.Cancel) == isCancel {
				add(b)
			}
		}
	}
	for _, a := range f.Actions {
		add(a)
	}
	if at := s.focus - f.Fields; at >= 0 && at < len(f.Buttons) {
		list = append(list, keymap.As(d.Press, f.Buttons[at].Binding.Help().Desc))
	}
	if len(f.Buttons) > 0 {
		list = append(list, d.Focus)
	}
	switch {
	case f.List != nil && f.List.Len > 1:
		list = append(list, keymap.Both(d.Down, d.Up, "move"))
	case f.List == nil && scrolls && !slices.ContainsFunc(f.Actions, func(a Action) bool { return overlap(a.Binding, d.Down) }):
		list = append(list, keymap.Both(d.Down, d.Up, "scroll"))
	}
	if scrolls {
		list = append(list, d.PageDown, d.PageUp)
	}
	return list
}

// overlap reports whether two bindings have a key in common.
func overlap(a, b keymap.Binding) bool {
	return slices.ContainsFunc(a.Keys(), func(k string) bool { return slices.Contains(b.Keys(), k) })
}
