package keymap

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryBindingHasHelp(t *testing.T) {
	for _, s := range Default().Sections() {
		for _, b := range s.Bindings {
			if len(b.Keys()) == 0 || b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%s: binding without keys or help: %+v", s.Title, b)
			}
		}
	}
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	for name, sections := range Default().Scopes() {
		owner := map[string]string{}
		for _, s := range sections {
			for _, b := range s.Bindings {
				for _, k := range b.Keys() {
					if prev, dup := owner[k]; dup {
						t.Errorf("%s: %q means both %q and %q", name, k, prev, b.Help().Desc)
					}
					owner[k] = b.Help().Desc
				}
			}
		}
	}
}

// TestCtrlWithALetterChangesNothingButRedo: such keys move in other programs, and a
// slip must not cost anything.
func TestCtrlWithALetterChangesNothingButRedo(t *testing.T) {
	m := Default()
	for _, b := range slices.Concat(all(m.Curate), all(m.Audit), changing(m.Inbox), []Binding{m.Global.Undo, m.Global.Redo, m.Dialog.Confirm, m.Dialog.Press}) {
		for _, k := range b.Keys() {
			if strings.HasPrefix(k, "ctrl+") && k != m.Global.Redo.Keys()[0] {
				t.Errorf("%s is on %s", b.Help().Desc, k)
			}
		}
	}
}

// TestKeysThatMoveAreNotKeysThatChange in any scope.
func TestKeysThatMoveAreNotKeysThatChange(t *testing.T) {
	m := Default()
	moves := map[string]bool{}
	for _, b := range all(m.Move) {
		for _, k := range b.Keys() {
			moves[k] = true
		}
	}
	for _, b := range slices.Concat(all(m.Curate), all(m.Audit), changing(m.Inbox), []Binding{m.Global.Undo, m.Global.Redo, m.Dialog.Confirm}) {
		for _, k := range b.Keys() {
			if moves[k] {
				t.Errorf("%s is on %s, which moves", b.Help().Desc, k)
			}
		}
	}
}

// changing are the keys of the inbox that decide something.
func changing(i Inbox) []Binding {
	return slices.DeleteFunc(all(i), func(b Binding) bool {
		return slices.Equal(b.Keys(), i.Open.Keys()) || slices.Equal(b.Keys(), i.List.Keys())
	})
}

func TestEverySectionIsInAScope(t *testing.T) {
	in := map[string]bool{}
	for _, sections := range Default().Scopes() {
		for _, s := range sections {
			in[s.Title] = true
		}
	}
	for _, s := range Default().Sections() {
		if !in[s.Title] {
			t.Errorf("no scope holds the section %q", s.Title)
		}
	}
}
