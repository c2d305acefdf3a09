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
	for _, c := range Default().conflicts(nil) {
		t.Errorf("%s: %s", c.Action, c.Why)
	}
}

// TestCtrlWithALetterChangesNothingButRedo: such keys move in other programs, and a
// slip must not cost anything.
func TestCtrlWithALetterChangesNothingButRedo(t *testing.T) {
	m := Default()
	for _, b := range slices.Concat(all(m.Curate), all(m.Audit), changing(m.Inbox), []Binding{
		m.Global.Undo,
		m.Global.Redo,
		m.Dialog.Confirm,
		m.Dialog.Press,
	}) {
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
	for _, b := range slices.Concat(all(m.Curate), all(m.Audit), changing(m.Inbox), []Binding{
		m.Global.Undo,
		m.Global.Redo,
		m.Dialog.Confirm,
	}) {
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

func TestEveryActionIsInAPlace(t *testing.T) {
	m := Default()
	in := map[string]bool{}
	for place := range places {
		for _, action := range m.In(place) {
			in[action] = true
		}
	}
	for _, action := range m.Names() {
		if !in[action] {
			t.Errorf("%s is in no place", action)
		}
	}
	for place, list := range places {
		for _, name := range list {
			if !slices.ContainsFunc(
				m.Names(),
				func(n string) bool { return n == name || strings.HasPrefix(n, name+".") },
			) {
				t.Errorf("%s: there is no %s", place, name)
			}
		}
	}
}

func TestKeysByNames(t *testing.T) {
	m, refused := Default().With(map[string][]string{
		"curate.delete":    {"Del", "ctrl-x"},
		"lessons.copy-raw": {"alt-y"},
		"move.page-down":   {"PgDn", "f5"},
	})
	if refused != nil {
		t.Fatal(refused)
	}
	if b := m.Curate.Delete; !slices.Equal(b.Keys(), []string{"delete", "ctrl+x"}) || b.Help().Key != "Del" ||
		b.Help().Desc != "delete" {
		t.Errorf("%v %v", b.Keys(), b.Help())
	}
	if ShownKeys(m.Move.PageDown) != "PgDn f5" || ShownKeys(m.Lessons.CopyRaw) != "alt-y" ||
		len(m.Curate.Edit.Keys()) != 1 {
		t.Error(ShownKeys(m.Move.PageDown), ShownKeys(m.Lessons.CopyRaw))
	}
	// An action that gives a key up leaves it to another.
	if _, refused := Default().With(map[string][]string{"curate.edit": {"B"}, "curate.delete": {"e"}}); refused != nil {
		t.Error(refused)
	}
}

func TestKeysThatCannotBe(t *testing.T) {
	for _, c := range []struct{ action, key, want string }{
		{"curate.remove", "d", "no action of that name"},
		{"curate.delete", "dd", "is no key"},
		{"curate.delete", "", "is no key"},
		{"curate.delete", "ctrl-", "is no key"},
		{"curate.delete", "ctrl-D", "is no key"},
		{"curate.delete", "shift-d", "is no key"},
		{"curate.delete", "\x1b", "is no key"},
		{"curate.delete", "e", "e is the key of curate.edit too"},
		{"curate.delete", "j", "j is the key of move.down too"},
		{"recall.copy", "d", "d is the key of curate.delete too"},
		{"text.accept", "x", "is text where it acts"},
		{"text.cancel", "space", "is text where it acts"},
		{"global.abort", "q", "is text where it acts"},
		{"global.screens", "f1", "stay"},
	} {
		m, refused := Default().With(map[string][]string{c.action: {c.key}})
		if len(refused) == 0 || !strings.Contains(refused[0].Why, c.want) || refused[0].Action != c.action {
			t.Errorf("%s = %q: %+v", c.action, c.key, refused)
		}
		if !slices.Equal(m.Curate.Delete.Keys(), []string{"d"}) {
			t.Errorf("%s = %q: keys changed", c.action, c.key)
		}
	}
	_, refused := Default().With(map[string][]string{"curate.delete": {"B"}, "lessons.copy": {"B"}})
	if len(refused) != 1 || refused[0].Other == "" {
		t.Errorf("two new keys that are the same: %+v", refused)
	}
}

func TestShownKeysAreTaken(t *testing.T) {
	for name, b := range Default().Actions() {
		for _, key := range b.Keys() {
			if got, ok := KeyOf(shown(key)); !ok || got != key {
				t.Errorf("%s: %q is shown as %q, which is %q", name, key, shown(key), got)
			}
		}
	}
}

// TestNothingIsBoundToZ: u undoes and ctrl-r redoes.
func TestNothingIsBoundToZ(t *testing.T) {
	for name, b := range Default().Actions() {
		if slices.Contains(b.Keys(), "z") || slices.Contains(b.Keys(), "Z") {
			t.Errorf("%s is on %v", name, b.Keys())
		}
	}
}
