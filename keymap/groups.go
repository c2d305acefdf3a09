package keymap

import (
	"slices"
	"strings"
)

// groups are what a person wants to do, in the order of the help, and the actions that do it: all of a
// scope, or single ones, which come first.
var groups = []struct {
	title   string
	members []string
}{
	{"Look", []string{
		"lessons", "recall", "audit", "inbox", "home",
		"global.history", "global.guard", "global.sessions", "global.reveal",
	}},
	{"Change", []string{
		"curate", "global.undo", "global.redo", "home.edit", "home.edit-other", "home.mend", "home.meant",
		"audit.redact", "audit.redact-rule", "audit.redact-all", "audit.ignore", "inbox.approve", "inbox.reject",
		"inbox.edit", "inbox.pin", "inbox.merge", "inbox.later", "inbox.approve-clean", "inbox.restore",
		"inbox.distil",
	}},
	{"Mark", []string{"select"}},
	{"Go", []string{
		"global.screens", "global.prev-screen", "global.next-screen", "global.back", "global.switch",
		"global.open-path", "global.everywhere", "lessons.kin", "lessons.recall",
		"home.recall", "home.audit", "audit.open",
	}},
	{"Move", []string{"move", "global.next-pane", "global.prev-pane"}},
	{"Winnow", []string{"global"}},
}

// Groups returns the titles of what keys are for, in the order of the help.
func Groups() (titles []string) {
	for _, g := range groups {
		titles = append(titles, g.title)
	}
	return titles
}

// Group returns the title of what a binding is for. It is known by its keys and its description as they are in
// the map; one that is not in it is for looking.
func (m Map) Group(b Binding) string {
	name := ""
	m.each(func(action string, own *Binding) {
		if name == "" && own.Help() == b.Help() && slices.Equal(own.Keys(), b.Keys()) {
			name = action
		}
	})
	scope, _, _ := strings.Cut(name, ".")
	for _, key := range []string{name, scope} {
		for _, g := range groups {
			if slices.Contains(g.members, key) {
				return g.title
			}
		}
	}
	return groups[0].title
}
