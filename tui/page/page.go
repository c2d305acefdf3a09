// Package page declares the interfaces between the root model and its pages, and has what pages are made of: a list
// with a cursor and marks, a filter, a text field.
package page

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
)

// Page is one full-screen part of the program. A page is a pointer and not a tea.Model: the root
// model owns the loop and calls the page.
type Page interface {
	// Init returns the command that starts the page, or nil.
	Init() tea.Cmd

	// Update changes the page in place. Only the visible page receives input (tea.KeyPressMsg,
	// tea.PasteMsg, msg.Click, msg.Wheel). Every other message is a fact that all pages receive,
	// and a page ignores the types it does not know.
	Update(tea.Msg) tea.Cmd

	// Render returns the page as text of exactly w by h cells. It does no IO, does not ask for the
	// time, and changes nothing visible.
	Render(w, h int) string

	// Actions returns what keys do right now, or why they do nothing, most useful first. The footer
	// and the help are made from it. A key that is off does not reach the page; the root shows the
	// reason.
	Actions() Actions

	// Typing reports whether letters go to a text field. Then the root handles only ctrl-c and
	// ctrl-z.
	Typing() bool

	// Title returns the name on the page's tab.
	Title() string
}

// Cursor is implemented by a page that shows the terminal cursor.
type Cursor interface {
	// Cursor returns the cursor position, relative to the page's top left cell.
	Cursor() (x, y int, ok bool)
}

// Backer is implemented by a page that has views within views.
type Backer interface {
	// Back leaves the innermost view, such as a full-screen detail, and reports whether there was
	// one. Key q calls it before it quits. Esc does not: it arrives at Update as a key, so that a
	// page can also clear marks with it.
	Back() bool
}

// Numbered is implemented by a page with a list, for people who choose by number.
type Numbered interface {
	// EntryAt returns the entry of the list at line y of the page.
	EntryAt(y int) (entry int, ok bool)
	// Choose puts the cursor on an entry.
	Choose(entry int)
}

// Storeless is implemented by a page that is useful while no store is open. Other pages are then
// replaced by a screen that says where Winnow looked.
type Storeless interface {
	// Storeless reports whether the page is useful without a store.
	Storeless() bool
}

// Viewed is implemented by a page whose list can be saved as a view.
type Viewed interface {
	// View returns how the list is filtered and sorted now.
	View() config.View
}

// Legend is implemented by a page with letters and signs that need an explanation.
type Legend interface {
	// Legend returns their meaning, in a few lines for the help.
	Legend() []string
}

// Badge is implemented by a page with a count on its tab: the number of items that wait for a
// person.
type Badge interface {
	// Badge returns the count as shown after the title, or "": "6!".
	Badge() string
}

// Busy is implemented by a page whose keys act on the records of a store. Keys pressed before the
// store is open are kept for it.
type Busy interface {
	// Busy reports whether the effect of a key is still pending.
	Busy() bool
}

// Shown is implemented by a page that starts something when it becomes visible.
type Shown interface {
	// Shown returns the command that starts it, or nil. It is also called at program start.
	Shown() tea.Cmd
}

// Hidden is implemented by a page that stops something while it is not visible.
type Hidden interface {
	// Hidden is called when another page becomes visible.
	Hidden()
}

// Saver is implemented by a page that makes changes by itself. Quitting waits for them.
type Saver interface {
	// Saving reports whether a change is in progress.
	Saving() bool
}

// Instead is implemented by a page on which some keys of the root mean something else.
type Instead interface {
	// Instead returns the meaning of those keys.
	Instead() Actions
}
