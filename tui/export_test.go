package tui

import (
	"winnow/keymap"
	"winnow/views"
)

// CommandsOf returns what the palette of a screen lists.
func (a *App) CommandsOf(screen int) []views.HelpKey {
	a.show(screen)
	return a.commands()
}

// Hints returns the bindings of the footer for the page or the dialog.
func (a *App) Hints() []keymap.Binding { return a.footer().Page }

// Covered reports whether a dialog is open.
func (a *App) Covered() bool { return !a.stack.empty() }

// Named returns the binding that a line with the name of an action presses in plain mode.
func (a *App) Named(action string) (keymap.Binding, bool) { return NewPlain(a, nil, 100).named(action) }
