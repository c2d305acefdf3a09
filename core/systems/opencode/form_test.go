package opencode

import (
	"testing"

	"winnow/core/systems/instructions"
)

func TestTheFormOfANewFileAsksForItsName(t *testing.T) {
	s := &instructions.AgentStore{}
	if e, err := s.ParseForm("", s.Form("")); err != nil || e.Body != nil || e.Name != nil {
		t.Errorf("a form that is left as it is: %+v, %v", e, err)
	}
	for form, want := range map[string][2]string{
		"file name: web/AGENTS.md\n\nUse pnpm.\n": {"web/AGENTS.md", "Use pnpm.\n"},
		"file name:\n\nUse pnpm.\n":               {"", "Use pnpm.\n"},
		"Use pnpm.\n":                             {"", "Use pnpm.\n"},
		"file name: a.md":                         {"a.md", ""},
	} {
		e, err := s.ParseForm("", form)
		name := ""
		if e.Name != nil {
			name = *e.Name
		}
		if err != nil || e.Body == nil || name != want[0] || *e.Body != want[1] {
			t.Errorf("%q: %q, %v, %v", form, name, e.Body, err)
		}
	}
}

func TestTheIndexOfALogIsNeverOpened(t *testing.T) {
	for _, f := range Forms() {
		if f.Named != nil && f.Named("/home/u/.local/share/opencode/opencode.db-shm") {
			t.Errorf("%s takes the index of a log", f.Name)
		}
	}
}
