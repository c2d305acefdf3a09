// Package page declares what the root model asks of a page.
package page

import tea "charm.land/bubbletea/v2"

// Page is one full-screen part of the program. A page is a pointer and not a
// tea.Model: the root model owns the loop and calls the page.
type Page interface {
	// Init returns the command that starts the page, or nil.
	Init() tea.Cmd

	// Update changes the page in place. Input (tea.KeyPressMsg, tea.PasteMsg,
	// msg.Click, msg.Wheel) arrives only at the visible page; every other message
	// is a fact that arrives at all pages, and a page ignores the types that it
	// does not know.
	Update(tea.Msg) tea.Cmd

	// Render returns the page as text of exactly w by h cells. It does no IO, asks
	// for no time and changes nothing that can be seen.
	Render(w, h int) string

	// Actions returns what keys do right now, or why they do nothing, the most useful
	// first: the footer and the help are made from it. A key that is off does not reach
	// the page; the root shows the reason.
	Actions() Actions

	// Typing reports whether letters go to a text field, in which case only
	// ctrl-c and ctrl-z are the root's.
	Typing() bool

	// Title returns the name on the page's tab.
	Title() string
}

// Cursor is implemented by a page that shows the terminal's cursor.
type Cursor interface {
	// Cursor returns where the cursor is, from the top left cell of the page.
	Cursor() (x, y int, ok bool)
}

// Backer is implemented by a page that has views within views.
type Backer interface {
	// Back leaves the innermost view, such as a full-screen detail, and reports
	// whether there was one. Key q asks it before it quits. Esc is not asked for:
	// it arrives at Update as a key, so that a page can also clear marks with it.
	Back() bool
}

// Numbered is implemented by a page with a list, for those who choose by number.
type Numbered interface {
	// EntryAt returns the entry of the list at line y of the page.
	EntryAt(y int) (entry int, ok bool)
	// Choose puts the cursor on an entry.
	Choose(entry int)
}

// Storeless is implemented by a page that is of use while no store is open. The
// others are then replaced by a screen that says where was looked.
type Storeless interface {
	// Storeless reports whether that is so.
	Storeless() bool
}

// Legend is implemented by a page with letters and signs that need to be
// explained.
type Legend interface {
	// Legend returns what they mean, in a few lines for the help.
	Legend() []string
}

// Badge is implemented by a page that has a count on its tab: of what awaits a person
// there.
type Badge interface {
	// Badge returns the count as it is shown behind the title, or nothing: "6!".
	Badge() string
}

// Counter is implemented by a page that takes a number before a move.
type Counter interface {
	// Counting reports whether a number has been begun, in which case digits are
	// the page's and do not switch screens.
	Counting() bool
}

// Busy is implemented by a page whose keys are about the records of a store: those that
// are pressed before it is open are kept for it.
type Busy interface {
	// Busy reports whether the effect of a key is still awaited.
	Busy() bool
}

// Shown is implemented by a page that begins something when it becomes visible.
type Shown interface {
	// Shown returns the command that does so, or nil. It is called at the start too.
	Shown() tea.Cmd
}

// Hidden is implemented by a page that stops something while it is not visible.
type Hidden interface {
	// Hidden is called when another page becomes visible.
	Hidden()
}

// Saver is implemented by a page that changes something by itself. Quitting waits for it.
type Saver interface {
	// Saving reports whether a change is under way.
	Saving() bool
}

// Instead is implemented by a page on which keys of the root mean something else.
type Instead interface {
	// Instead returns what they do there.
	Instead() Actions
}
