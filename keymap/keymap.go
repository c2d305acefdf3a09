// Package keymap declares every key binding of the program once. Matching, the
// footer, the help overlay, the palette and the table in the README are all made from it.
//
// Lower-case letters act on the selection, upper-case ones are wider in reach or
// open something, and motion keys never change data. Nor does ctrl with a letter, but
// for redo.
package keymap

import (
	"fmt"

	"charm.land/bubbles/v2/key"
)

// Binding couples an action with its keys and its help text.
type Binding = key.Binding

// Off is a binding that does nothing right now, and why.
type Off struct {
	Binding Binding
	// Why completes a sentence after the name of the action: "the store is read-only".
	Why string
}

// WhyOff returns the binding that matches a key and why it is off, or false when the key is
// not in the list.
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

// The fields of the scopes below are in the order of the help.

// Global holds the bindings that work on every screen.
type Global struct {
	Help, Palette, Screens, PrevScreen, NextScreen, NextPane, PrevPane, Back, Quit, Switch, OpenPath, Everywhere,
	Reveal, Theme, Mouse, Layout, ShrinkList, GrowList, Undo, Redo, History, Guard, Sessions, Redraw,
	Suspend, Abort Binding
}

// Move holds the bindings that move in a list or text.
type Move struct {
	Up, Down, Top, Bottom, HalfDown, HalfUp, PageDown, PageUp, Left, Right, NextMatch, PrevMatch,
	Count Binding
}

// Select holds the bindings that mark rows.
type Select struct {
	Mark, Range, ExtendUp, ExtendDown, All, Invert Binding
}

// Lessons holds the bindings of the lessons screen. Scope goes to the next part of a store
// that has several, Kin to the record of another store that this one is like.
type Lessons struct {
	Full, Filter, Views, Sort, Columns, Raw, Numbers, Copy, CopyRaw, Recall, Scope, Kin, Timeline Binding
}

// Curate holds the bindings that change records. Those in lower case act on the
// marked records, or else on the one under the cursor. Verify edits, and marks the text as
// checked.
type Curate struct {
	Delete, Edit, EditRaw, Verify, Pin, Prune, Merge, Add, Repair, Redact Binding
}

// Dialog holds the bindings of the dialogs. Confirm does what the dialog is about, Cancel
// leaves without doing it, and Press presses the button that has the focus.
type Dialog struct {
	Confirm, Cancel, Press, Focus, FocusBack, Up, Down, Top, Bottom, PageUp, PageDown, Left,
	Right, Pick, More, Less, Mine, Theirs, Both, Again, Always, AlwaysAll, Compare, Restore,
	RestoreOne, Overrule, Amend Binding
}

// Sort holds the bindings of the sort menu: each picks a column, and pressed
// again turns the order round.
type Sort struct {
	Store, Outcome, Rel, Used, Age, Next, Flags, Task Binding
}

// Recall holds the bindings of the recall screen.
type Recall struct {
	Edit, Editor, Explain, Drop, Tools, Mode, Block, Markers, Wrap, Numbers, Copy, CopyRaw, Parts, Got,
	Compare, Scope, Folder Binding
}

// Audit holds the bindings of the audit screen. Redact and Ignore are about the finding
// under the cursor, RedactRule about all finds of its rule, RedactAll about all secrets of the store.
type Audit struct {
	Redact, RedactRule, RedactAll, Ignore, Export, Level, Open, Copy Binding
}

// Inbox holds the bindings of the inbox. Those in lower case act on the marked entries, or else
// on the one under the cursor.
type Inbox struct {
	Approve, Reject, Edit, Pin, Merge, Later, Target, ApproveClean, Restore, Open, List Binding
}

// Stores holds the bindings of the stores screen.
type Stores struct {
	Open, Fold, Filter, Sort, Refresh, Copy, Activity Binding
}

// Text holds the bindings of a text box. While one is in use, single letters are
// text and only these and Global.Abort and Global.Suspend act.
type Text struct {
	Accept, NewLine, Cancel, Older, Newer, DeleteWord, DeleteLine, LineStart, LineEnd Binding
}

// Filter returns the keys of a line that narrows a list.
func (t Text) Filter() []Binding {
	return []Binding{
		As(t.Accept, "keep"), As(t.Cancel, "clear"),
		Both(t.Older, t.Newer, "move"), t.DeleteWord, t.DeleteLine,
	}
}

// Line returns the keys of a field of one line.
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
	Stores  Stores
	Text    Text
}

// Default returns the key map that holds unless it is configured otherwise.
func Default() Map {
	return Map{
		Global: global(), Move: move(), Select: selection(),
		Lessons: lessons(), Curate: curate(), Dialog: dialog(), Sort: sorting(),
		Recall: recall(), Audit: audit(), Inbox: inbox(), Stores: stores(), Text: text(),
	}
}

// As returns b with another description, for a place where its keys mean something narrower.
func As(b Binding, desc string) Binding {
	b.SetHelp(b.Help().Key, desc)
	return b
}

// Both returns b with the key of another shown beside its own: "j/k move".
func Both(b, other Binding, desc string) Binding {
	b.SetHelp(b.Help().Key+"/"+other.Help().Key, desc)
	return b
}

// bind returns a binding. Help names the first of its keys.
func bind(desc string, keys ...string) Binding { return bindAs(Shown(keys[0]), desc, keys...) }

// bindAs returns a binding whose keys help has another name for.
func bindAs(name, desc string, keys ...string) Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, desc))
}
