package filter

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

// TestOneRecordMatchesAsAmongOthers holds the match of single records against the
// selection of all, but for words that fall back on being fuzzy.
func TestOneRecordMatchesAsAmongOthers(t *testing.T) {
	records := parts()
	for _, text := range []string{
		"", "build", "build !deploy", "outcome:failed", "!flag:x", "rel:>3", "age:>14d", "used:never", "kind:rule",
		"kind:RU", "scope:ada", "!scope:ada", "file:claude", "file:.md !kind:rule", "~bdsd", "!~bds docs",
		"rel:many build",
	} {
		res, err := Apply(t.Context(), records, Query{Text: text}, now)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Clone(res.Index)
		slices.Sort(got) // fuzzy ones are ranked
		terms := Parse(text)
		var want []int32
		for i := range records {
			if Matches(terms, &records[i], now) {
				want = append(want, int32(i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q selects %v, and one by one %v", text, got, want)
		}
	}
}

// parts are the lessons, and records of a store that has kinds, scopes and files.
func parts() []memory.Record {
	return append(
		lessons(),
		memory.Record{
			ID:    "g7",
			Line:  7,
			Title: "Use tabs",
			Kind:  "rule",
			Scope: "project /home/ada/shop",
			File:  "/home/ada/shop/.claude/rules/Go.md",
		},
		memory.Record{
			ID:    "h8",
			Line:  8,
			Title: "Build with make",
			Kind:  "instructions",
			Scope: "user",
			File:  "/home/ada/CLAUDE.md",
		},
	)
}

func TestKindScopeAndFileAreFields(t *testing.T) {
	records := parts()
	for text, want := range map[string]string{
		"kind:rule":             "g7",
		"kind:instr":            "h8",
		"kind:ule":              "", // a kind is matched from its beginning
		"scope:user":            "h8",
		"scope:SHOP":            "g7",
		"file:go.md":            "g7",
		"file:/home/ada":        "g7 h8",
		"!kind:rule file:.md":   "h8",
		"kind:rule scope:other": "",
	} {
		res, err := Apply(t.Context(), records, Query{Text: text}, now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range res.Index {
			got = append(got, string(records[i].ID))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s selects %q, want %q", text, got, want)
		}
	}
	res, err := Apply(t.Context(), records, Query{Text: "kind:rlue"}, now)
	if err != nil || res.Suggest != "kind:rule" {
		t.Errorf("kind:rlue suggests %q, %v", res.Suggest, err)
	}
}

func TestTermWithoutSenseHoldsForNothing(t *testing.T) {
	r := &lessons()[0]
	for _, term := range Parse("rel:many kind:") {
		if term.Problem == "" || term.Holds(r, now) {
			t.Errorf("%s:%s: problem %q, holds %t", term.Name, term.Text, term.Problem, term.Holds(r, now))
		}
	}
}
