package compare

import "testing"

func TestAnImportIsNoPartOfAStatement(t *testing.T) {
	all := Statements("@AGENTS.md\nRun tests with go 1.24.\n\n- @docs/rules.md\n- Ask @ada first.\n")
	want := []Statement{{Text: "Run tests with go 1.24.", Line: 2}, {Text: "Ask @ada first.", Line: 5}}
	if len(all) != len(want) {
		t.Fatalf("%+v", all)
	}
	for i := range want {
		if all[i] != want[i] {
			t.Errorf("statement %d is %+v, want %+v", i, all[i], want[i])
		}
	}
}
