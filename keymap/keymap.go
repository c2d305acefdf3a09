// Package keymap declares every key binding of the program once. Matching, the footer, the help
// overlay, the palette and the table in the README are all derived from it.
//
// Lower-case letters act on the selection. Upper-case letters have a wider reach or open something.
// Motion keys never change data, and neither does ctrl with a letter, except redo.
package keymap

import (
	"fmt"

	"charm.land/bubbles/v2/key"
)

// Binding is the keys of an action and their help text.
type Binding = key.Binding

// Off is a binding that currently does nothing, and why.
type Off struct {
	Binding Binding
	// Why completes a sentence after the name of the action: "the store is read-only".
	Why string
}

// WhyOff returns the binding in list that matches k, and why it is off. ok is false if no binding
// matches.
func WhyOff(list []Off, k fmt.Stringer) (b Binding, why string, ok bool) {
	for _, off := range list {
		if key.Matches(k, off.Binding) {
			return off.Binding, off.Why, true
		}
	}
	return Binding{}, "", false
}

// Section is a titled group of bindings, in the order of the help.
type Section struct {
	Title    string
	Bindings []Binding
}

// The fields of the following scopes are in the order of the help.

// Global holds the bindings that work on every screen.
type Global struct {
	Help, Palette, Screens, PrevScreen, NextScreen, NextPane, PrevPane, Back, Quit, Switch, OpenPath, Everywhere,
	Reveal, Theme, Mouse, Layout, ShrinkList, GrowList, Undo, Redo, History, Guard, Sessions, Redraw,
	Suspend, Abort Binding
}

// Move holds the bindings that move in a list or text.
type Move struct {
	Up, Down, Top, Bottom, HalfDown, HalfUp, PageDown, PageUp, Left, Right, NextMatch, PrevMatch Binding
}

// Select holds the bindings that mark rows.
type Select struct {
	Mark, Range, ExtendUp, ExtendDown, All, Invert Binding
}

// Lessons holds the bindings of the lessons screen. Scope goes to the next part of a store that has
// several. Kin goes to the similar record in another store.
type Lessons struct {
	Full, Filter, Views, Sort, Raw, Numbers, Copy, CopyRaw, Recall, Scope, Kin, Timeline Binding
}

// Curate holds the bindings that change records. Lower-case bindings act on the marked records, or
// on the one under the cursor if none are marked. Verify opens the editor and marks the saved text
// as checked.
type Curate struct {
	Delete, Edit, EditRaw, Verify, When, Pin, Prune, Merge, Add, Repair, Redact Binding
}

// Dialog holds the bindings of dialogs. Confirm does what the dialog asks about, Cancel leaves
// without doing it, and Press presses the focused button.
type Dialog struct {
	Confirm, Cancel, Press, Focus, FocusBack, Up, Down, Top, Bottom, PageUp, PageDown, Left,
	Right, Pick, More, Less, Mine, Theirs, Both, Again, Always, AlwaysAll, Compare, Restore,
	RestoreOne, Overrule, Amend, Digit, NotTrue, NotGeneral, KnownAlready, Harmful, NoReason Binding
}

// Sort holds the bindings of the sort menu. Each picks a column; pressing it again reverses the
// order.
type Sort struct {
	Store, Outcome, Rel, Used, Age, Next, Flags, Task Binding
}

// Recall holds the bindings of the recall screen.
type Recall struct {
	Edit, Editor, Explain, Drop, Tools, Mode, Block, Markers, Wrap, Numbers, Copy, CopyRaw, Parts, Got,
	Scope, Folder Binding
}

// Audit holds the bindings of the audit screen. Redact and Ignore apply to the finding under the
// cursor, RedactRule to all finds of its rule, and RedactAll to all secrets of the store.
type Audit struct {
	Redact, RedactRule, RedactAll, Ignore, Export, Level, Open, Copy Binding
}

// Inbox holds the bindings of the inbox. Lower-case bindings act on the marked entries, or on the
// one under the cursor if none are marked.
type Inbox struct {
	Approve, Reject, Edit, When, Pin, Merge, Later, Target, ApproveClean, Restore, Distil, Open, List Binding
}

// Home holds the bindings of the first screen. Edit and EditOther edit the places of an issue, Meant
// says that it is meant so, and Mend makes the change that removes it.
type Home struct {
	Open, Recall, Audit, Edit, EditOther, Mend, Meant, Fold, Filter, Sort, Refresh, Copy, Activity Binding
}

// Text holds the bindings of a text box. While one has the focus, letters are text, and only these
// bindings, Global.Abort and Global.Suspend work.
type Text struct {
	Accept, NewLine, Cancel, Older, Newer, DeleteWord, DeleteLine, LineStart, LineEnd Binding
}

// Filter returns the bindings of a line that filters a list.
func (t Text) Filter() []Binding {
	return []Binding{
		As(t.Accept, "keep"), As(t.Cancel, "clear"),
		Both(t.Older, t.Newer, "move"), t.DeleteWord, t.DeleteLine,
	}
}

// Line returns the bindings of a one-line field.
func (t Text) Line() []Binding {
	return []Binding{t.Accept, t.Cancel, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd}
}

// Map is the whole key map.
type Map struct {
	Global  Global
	Move    Move
	Select  Select
	Lessons Lessons
	Curate  Curate
	Dialog  Dialog
	Sort    Sort
	Recall  Recall
	Audit   Audit
	Inbox   Inbox
	Home    Home
	Text    Text
}

// Default returns the key map that applies unless configured otherwise.
func Default() Map {
	return Map{
		Global: global(), Move: move(), Select: selection(),
		Lessons: lessons(), Curate: curate(), Dialog: dialog(), Sort: sorting(),
		Recall: recall(), Audit: audit(), Inbox: inbox(), Home: home(), Text: text(),
	}
}

// As returns b with another description, for a place where its action is narrower.
func As(b Binding, desc string) Binding {
	b.SetHelp(b.Help().Key, desc)
	return b
}

// Both returns b with the key of other shown next to its own: "j/k move".
func Both(b, other Binding, desc string) Binding {
	b.SetHelp(b.Help().Key+"/"+other.Help().Key, desc)
	return b
}

// bind returns a binding whose help shows the first of its keys.
func bind(desc string, keys ...string) Binding { return bindAs(shown(keys[0]), desc, keys...) }

// bindAs returns a binding whose help shows name instead of its keys.
func bindAs(name, desc string, keys ...string) Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, desc))
}
