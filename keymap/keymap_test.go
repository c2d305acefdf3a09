package keymap

import "testing"

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
