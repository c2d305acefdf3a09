package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

type stores = map[memory.StoreID][]memory.Record

func said1(id, body string) memory.Record {
	title, _, _ := strings.Cut(body, "\n")
	return memory.Record{ID: memory.ID(id), Title: title, Body: body}
}

// all returns what was found, one line for each direction.
func all(s stores) []string {
	var out []string
	for store, records := range Across(s) {
		for id, kin := range records {
			for _, k := range kin {
				kind := "same"
				if k.Contrary {
					kind = "contrary"
				}
				out = append(out, fmt.Sprintf("%s/%s %s %s/%s: %s", store, id, kind, k.Store, k.ID, k.Why))
			}
		}
	}
	slices.Sort(out)
	return out
}

const agents = `---
description: "rules of the shop"
---
# Shop

Some words on what this is. It sells tea, and is
old enough that nobody knows all of it.

## Commands
` + "```sh\nuse npm, not pnpm\n```" + `

- Use pnpm for all packages; the lockfile
  is checked.
- [x] Tests live in tests/
1. The API listens on port 8080.

| never | push to main |
<!-- Never push to main
-->
**Commit generated files.**
`

func TestLineOfALongFileIsMet(t *testing.T) {
	got := all(stores{
		"agents": {said1("AGENTS.md", agents)},
		"memory": {
			said1("npm", "Use npm, not pnpm"), said1("spec", "tests live in `spec/`"), said1("port", "API server: port 3000"),
			said1("generated", "Never commit generated files.\n\nThey are built in CI."), said1("tea", "The tea is green."), said1("push", "Push to main."),
		},
	})
	want := []string{
		"agents/AGENTS.md contrary memory/generated: \"Never commit generated files.\", and here \"**Commit generated files.**\"",
		"agents/AGENTS.md contrary memory/npm: npm, and here pnpm",
		"agents/AGENTS.md contrary memory/port: 3000, and here 8080",
		"agents/AGENTS.md contrary memory/spec: spec, and here tests",
		"memory/generated contrary agents/AGENTS.md: \"**Commit generated files.**\", and here \"Never commit generated files.\"",
		"memory/npm contrary agents/AGENTS.md: pnpm, and here npm",
		"memory/port contrary agents/AGENTS.md: 8080, and here 3000",
		"memory/spec contrary agents/AGENTS.md: tests, and here spec",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestSameIsToldAcrossStoresAndContraryInOneToo(t *testing.T) {
	got := all(stores{
		"a": {said1("1", "Run the linter before every commit."), said1("2", "Before every commit run the linter"), said1("3", "Never run the linter before every commit")},
		"b": {said1("1", "Before each commit, run the linter.\nLint errors block the merge in CI and in review."), said1("2", "Run the linter before every commit")},
	})
	want := []string{"a/1 contrary a/3", "a/1 same b/1", "a/1 same b/2", "a/2 contrary a/3", "a/2 same b/1", "a/2 same b/2",
		"a/3 contrary a/1", "a/3 contrary a/2", "a/3 contrary b/1", "a/3 contrary b/2",
		"b/1 contrary a/3", "b/1 same a/1", "b/1 same a/2", "b/2 contrary a/3", "b/2 same a/1", "b/2 same a/2"}
	for i := range got {
		got[i], _, _ = strings.Cut(got[i], ":")
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestLongFilesThatShareALineAreNotTheSame(t *testing.T) {
	file := func(line string) string {
		var b strings.Builder
		for i := range 10 {
			fmt.Fprintf(&b, "- The %s %s of part %s is kept by its owner.\n", line, numberWords[i], numberWords[9-i])
		}
		return b.String() + "- Run the whole suite before committing.\n"
	}
	if got := all(stores{"a": {said1("x", file("garden"))}, "b": {said1("y", file("engine"))}}); got != nil {
		t.Errorf("%q", got)
	}
}

var numberWords = []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"}

func TestWhatIsNotMeantToHoldIsNotCompared(t *testing.T) {
	rule := func(id, body, globs string) memory.Record {
		r := said1(id, body)
		r.Facts = []memory.Fact{{Name: "globs", Text: globs}}
		return r
	}
	of := func(r memory.Record, set func(*memory.Record)) memory.Record { set(&r); return r }
	for name, s := range map[string]stores{
		"sessions":             {"a": {of(said1("1", "Use npm"), func(r *memory.Record) { r.Kind = "session" })}, "b": {said1("1", "Use pnpm")}},
		"lines of an index":    {"a": {of(said1("1", "Use npm"), func(r *memory.Record) { r.Kind = "index" })}, "b": {said1("1", "Use pnpm")}},
		"rules of other paths": {"a": {rule("1", "Indent with tabs", "*.go")}, "b": {rule("1", "Indent with spaces", "*.py"), said1("2", "Indent with spaces")}},
		"one file":             {"a": {of(said1("1", "Use npm"), func(r *memory.Record) { r.File = "/p/AGENTS.md" })}, "b": {of(said1("1", "Use pnpm"), func(r *memory.Record) { r.File = "/p/AGENTS.md" })}},
		"tasks":                {"a": {of(said1("1", "Use npm"), func(r *memory.Record) { r.Outcome = memory.Failed; r.Body = "Failed: timeout after 3000 ms" })}, "b": {said1("1", "Use pnpm")}},
		"generated":            {"a": {{ID: "1", Body: "Completed using read-file. 2 step(s) succeeded.", Outcome: "succeeded"}}, "b": {{ID: "1", Body: "Completed using read-file. 3 step(s) succeeded.", Outcome: "succeeded"}}},
		"lists": {"a": {said1("1", "- Tea 1 costs 5 coins\n- Tea 2 costs 6 coins\n- Tea 3 costs 7 coins"), said1("2", "- Tea 1 costs 8 coins\n- Tea 2 costs 9 coins")},
			"b": {said1("1", "- Tea 4 costs 9 coins")}},
		"damaged": {"a": {of(said1("1", "Use npm"), func(r *memory.Record) { r.Flags = memory.FlagDamaged })}, "b": {said1("1", "Use pnpm")}},
	} {
		if got := all(s); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestFileOfTwoStoresIsNamedOnce(t *testing.T) {
	file := func(id string, flags memory.Flags) memory.Record {
		r := said1(id, "Mock the database in integration tests.")
		r.File, r.Flags = "/p/AGENTS.md", flags
		return r
	}
	got := all(stores{
		"claudecode:/p": {file("AGENTS.md", memory.FlagUnseen), said1("topic", "Do not mock the database in integration tests.")},
		"opencode:/p":   {file("AGENTS.md", 0)},
	})
	n := 0
	for _, line := range got {
		if strings.HasPrefix(line, "claudecode:/p/topic contrary opencode:/p/AGENTS.md") {
			n++
		} else if strings.HasPrefix(line, "claudecode:/p/topic") {
			t.Error(line)
		}
	}
	if n != 1 || len(got) != 3 {
		t.Errorf("%q", got)
	}
}

func TestEntriesOfOneFileAreCompared(t *testing.T) {
	entry := func(id, text string) memory.Record {
		r := said1(id, text)
		r.File = "/h/MEMORY.md"
		return r
	}
	got := all(stores{"/h": {entry("1", "Use pnpm"), entry("2", "Use npm, not pnpm"), entry("3", "Install packages with npm")}})
	if len(got) != 4 {
		t.Errorf("%q", got)
	}
}

func TestSetPhrasesAreNotCompared(t *testing.T) {
	s := stores{}
	for i := range 12 {
		id := memory.StoreID(fmt.Sprint("s", i))
		s[id] = []memory.Record{said1("1", "Please read the contributing guide first."), said1("2", "Fact "+numberWords[i%10]+" holds here "+fmt.Sprint(i))}
	}
	for _, line := range all(s) {
		if strings.Contains(line, "contributing") {
			t.Error(line)
		}
	}
}

func TestNearRecordsOfAnySystem(t *testing.T) {
	records := []memory.Record{
		{Title: "testing-feedback", Body: "Do not mock the database in integration tests."},
		{Title: "db-mocks", Body: "Integration tests: do not mock the database!"},
		{Title: "port", Body: "The test database listens on port 5433"},
		{Title: "port-2", Body: "The test database listens on port 5432"},
		{Title: "role", Body: "The user is a senior backend engineer."},
		{Title: "session", Body: "The user is a senior backend engineer.", Kind: "session"},
		{},
	}
	got := Near(records)
	want := [][]int{{1}, {0}, nil, nil, nil, nil, nil}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if Near(nil) != nil && len(Near(nil)) != 0 {
		t.Error("nothing is near to nothing")
	}
}

// many returns n short records of which every hundredth contradicts another.
func many(n int) stores {
	s := stores{}
	for i := range n {
		id := memory.StoreID(fmt.Sprint("store", i%5))
		text := fmt.Sprintf("The %s %s of module%d is kept in the %s part and is read by job%d.",
			numberWords[i%10], numberWords[i/10%10], i*7919%(n/3+1), numberWords[i/100%10], i%977)
		if i%100 == 0 {
			text = fmt.Sprintf("Service%d listens on port %d.", i/200, 3000+i%200)
		}
		s[id] = append(s[id], said1(fmt.Sprint(i), text))
	}
	return s
}

func BenchmarkAcross10000(b *testing.B) {
	s := many(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if got := Across(s); len(got) == 0 {
			b.Fatal("nothing found")
		}
	}
}

func BenchmarkNear10000(b *testing.B) {
	var records []memory.Record
	for _, r := range many(10_000) {
		records = append(records, r...)
	}
	b.ReportAllocs()
	for b.Loop() {
		Near(records)
	}
}

// FuzzAcrossIsMutual: what one record has to do with another, that has to do with it.
func FuzzAcrossIsMutual(f *testing.F) {
	f.Add("Use pnpm", "Use npm, not pnpm", agents)
	f.Add("port 8080; `a b`", "port 3000\n\n- never `x y` without z", "---\ndescription: x\n---\n")
	f.Add("v1.2.3 at /a:5 and http://x/ 2026-01-01 12:30", "Never without never ...", "\x00\xff`` ` ```")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		s := stores{"x": {said1("1", a), said1("2", b)}, "y": {said1("1", c), said1("2", a+"\n"+c)}}
		got := Across(s)
		for store, records := range got {
			for id, kin := range records {
				for _, k := range kin {
					if k.Why == "" || !slices.ContainsFunc(got[k.Store][k.ID], func(o memory.Kin) bool {
						return o.Store == store && o.ID == id && o.Contrary == k.Contrary
					}) {
						t.Errorf("%s/%s and %+v", store, id, k)
					}
				}
			}
		}
		Near(s["x"])
	})
}

func BenchmarkHostile(b *testing.B) {
	texts := map[string]string{
		"one word":  strings.Repeat("port 8080. ", 300_000),
		"backticks": strings.Repeat("`a ", 1_000_000),
		"bullets":   strings.Repeat("- use npm not pnpm never without\n", 100_000),
		"one line":  strings.Repeat("x", 4<<20),
	}
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			s := stores{"a": {said1("1", text), said1("2", text)}, "b": {said1("1", text+"x"), said1("2", text)}}
			for b.Loop() {
				Across(s)
			}
		})
	}
}

func TestReasonCutsNoSecretThatMasksWouldThenMiss(t *testing.T) {
	const text = "Integration tests must hit a real database and never any of the mocks with gh" + "p_Zq7Rk2Vw9Xt4Nb6Mc1Hd8JsLf3Gy5Pa0Ue2T."
	got := all(stores{"a": {said1("x", "# Tests\n\n- "+text)}, "b": {said1("y", "# Rules\n\n- "+text)}})
	if len(got) != 2 || strings.Contains(got[0], "ghp_Zq7R") || !strings.Contains(got[0], "mocks with …") {
		t.Errorf("got %q", got)
	}
}
