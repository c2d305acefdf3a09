package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/audit"
	"winnow/core/memory"
)

// TestPageHasTheRulesOfTheProgram fails when a rule changed and docs/rules.md did not:
// run `go run ./docs/rules`.
func TestPageHasTheRulesOfTheProgram(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != page(audit.Rules()) {
		t.Error("docs/rules.md is out of date: go run ./docs/rules")
	}
}

func TestEveryRuleIsToldWhole(t *testing.T) {
	rules := audit.Rules()
	text := page(rules)
	seen := map[string]bool{}
	for _, u := range rules {
		if u.ID == "" || seen[u.ID] || strings.ContainsAny(u.ID, " `|\n") {
			t.Errorf("%q is no name for a rule of its own", u.ID)
		}
		seen[u.ID] = true
		if u.Name == "" || u.Why == "" || u.Next == "" || u.Severity == 0 || strings.Contains(u.Source, "|") {
			t.Errorf("%s does not say enough: %+v", u.ID, u)
		}
		if !strings.Contains(text, "\n| `"+u.ID+"` | ") {
			t.Errorf("%s is missing in the page", u.ID)
		}
	}
}

func TestTextOfARuleIsNoMarkup(t *testing.T) {
	got := row(
		&memory.AuditRule{ID: "x", Severity: memory.Low, Name: "a|b", Why: "<img> [a](b) `c` *d* e_f_g", Next: `\`},
	)
	if want := "| `x` | low | a\\|b | \\<img> \\[a](b) \\`c\\` \\*d\\* e_f_g | \\\\ |  |\n"; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
}
