package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

type stores = map[memory.StoreID][]memory.Record

func recordSaying(id, body string) memory.Record {
	title, _, _ := strings.Cut(body, "\n")
	return memory.Record{ID: memory.ID(id), Title: title, Body: body}
}

// all returns what was found, one line for each direction.
func all(s stores) []string {
	var out []string
	for store, records := range Across([]string{"Claude Code", "Codex"}, s) {
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
` + "```sh\nthe API server listens on port 1\n```" + `

- [x] Unit tests of the shop live in ` + "`test/unit`" + `.
1. The API server listens on
   port 8080.

| never | push to main by hand |
<!-- Never push to main by hand
-->
**Commit all generated files.**
`

func TestLineOfALongFileIsMet(t *testing.T) {
	got := all(stores{
		"agents": {recordSaying("AGENTS.md", agents)},
		"memory": {
			recordSaying("spec", "Unit tests of the shop live in `src/test/unit`"),
			recordSaying("port", "API\n\nThe API server listens on port 3000."),
			recordSaying("generated", "Never commit all generated files.\n\nThey are built in CI."),
			recordSaying("tea", "The tea is green."),
			recordSaying("push", "Push to main by hand."),
		},
	})
	const files, all = `"Never commit all generated files."`, `"**Commit all generated files.**"`
	want := []string{
		"agents/AGENTS.md contrary memory/generated: " + files + ", and here " + all,
		`agents/AGENTS.md contrary memory/port: "3000", and here "8080"`,
		"agents/AGENTS.md contrary memory/spec: \"src/test/unit\", and here \"test/unit\"",
		"memory/generated contrary agents/AGENTS.md: " + all + ", and here " + files,
		`memory/port contrary agents/AGENTS.md: "8080", and here "3000"`,
		"memory/spec contrary agents/AGENTS.md: \"test/unit\", and here \"src/test/unit\"",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestSameIsToldAcrossStoresAndContraryInOneToo(t *testing.T) {
	got := all(stores{
		"a": {
			recordSaying("1", "Run the linter before every commit."),
			recordSaying("2", "Before every commit run the linter"),
			recordSaying("3", "Never run the linter before every commit"),
		},
		"b": {recordSaying("2", "Run the linter before every commit\n\nThe linter is quick.")},
	})
	want := []string{
		"a/1 contrary a/3", "a/1 same b/2", "a/2 same b/2", "a/3 contrary a/1", "a/3 contrary b/2",
		"b/2 contrary a/3", "b/2 same a/1", "b/2 same a/2",
	}
	for i := range got {
		got[i], _, _ = strings.Cut(got[i], ":")
	}
	if !slices.Equal(got, want) {
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
	got := all(stores{"a": {recordSaying("x", file("garden"))}, "b": {recordSaying("y", file("engine"))}})
	if got != nil {
		t.Errorf("%q", got)
	}
}

var numberWords = []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"}

func TestWhatIsNotMeantToHoldIsNotCompared(t *testing.T) {
	const here, there = "The API server listens on port 8080", "The API server listens on port 3000"
	of := func(set func(*memory.Record)) stores {
		a, b := recordSaying("1", here), recordSaying("1", there)
		set(&a)
		return stores{"a": {a}, "b": {b}}
	}
	if got := all(of(func(*memory.Record) {})); len(got) != 2 {
		t.Fatalf("%q, want a contradiction without any of the reasons below", got)
	}
	file := of(func(r *memory.Record) { r.File = "/p/AGENTS.md" })
	file["b"][0].File = "/p/AGENTS.md"
	for name, s := range map[string]stores{
		"sessions":             of(func(r *memory.Record) { r.Kind = "session" }),
		"lines of an index":    of(func(r *memory.Record) { r.Kind = "index" }),
		"rules of other paths": of(func(r *memory.Record) { r.Facts = []memory.Fact{{Name: "globs", Text: "*.go"}} }),
		"one file":             file,
		"tasks":                of(func(r *memory.Record) { r.Outcome, r.Body = memory.Failed, "Failed: timeout" }),
		"damaged":              of(func(r *memory.Record) { r.Flags = memory.FlagDamaged }),
		"generated": {
			"a": {{ID: "1", Body: "Completed using read-file. 2 step(s) succeeded.", Outcome: "succeeded"}},
			"b": {{ID: "1", Body: "Completed using read-file. 3 step(s) succeeded.", Outcome: "succeeded"}},
		},
	} {
		if got := all(s); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestFileOfTwoStoresIsNamedOnce(t *testing.T) {
	file := func(id string, flags memory.Flags) memory.Record {
		r := recordSaying(id, "Mock the database in integration tests.")
		r.File, r.Flags = "/p/AGENTS.md", flags
		return r
	}
	topic := recordSaying("topic", "Never mock the database in integration tests.")
	got := all(stores{
		"claudecode:/p": {file("AGENTS.md", memory.FlagUnseen), topic},
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
		r := recordSaying(id, text)
		r.File = "/h/MEMORY.md"
		return r
	}
	got := all(stores{"/h": {entry("1", "The API is at port 8080"), entry("2", "The API is at port 3000")}})
	if len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestSetPhrasesAreNotCompared(t *testing.T) {
	s := stores{}
	for i := range 12 {
		own := "Fact " + numberWords[i%10] + " holds here " + fmt.Sprint(i)
		s[memory.StoreID(fmt.Sprint("s", i))] = []memory.Record{
			recordSaying("1", "Please read the contributing guide first.\n"+own+" and there\n"+own+" as ever"),
		}
	}
	for _, line := range all(s) {
		if strings.Contains(line, "contributing") {
			t.Error(line)
		}
	}
}

// TestNamesOfAgentsAreNoContradiction: found in public repositories, where two files are one text but for them.
func TestNamesOfAgentsAreNoContradiction(t *testing.T) {
	a := recordSaying("1", "Put skills of the project for Claude Code into `.claude/skills`, and rules into CLAUDE.md.")
	a.File = "/p/CLAUDE.md"
	b := recordSaying("2", "Put skills of the project for Codex into `.codex/skills`, and rules into AGENTS.md.")
	b.File = "/p/AGENTS.md"
	for _, line := range all(stores{"a": {a}, "b": {b}}) {
		if strings.Contains(line, "contrary") {
			t.Error(line)
		}
	}
}

func TestRecordsWithOtherNumbersOrPathsAreNotNear(t *testing.T) {
	const opening = "The server of the shop starts with make serve and waits for the queue. "
	for name, c := range map[string]struct {
		one, other string
		near       bool
	}{
		"ports in two places": {
			"The server listens on 8080 in development and on 9090 in production",
			"The server listens on 8081 in development and on 9091 in production", false,
		},
		"a port in a later sentence": {
			opening + "It listens on port 8080.",
			opening + "It listens on port 8081.",
			false,
		},
		"a path in a later sentence": {opening + "Its log is `var/shop.log`.", opening + "Its log is `log/shop.log`.", false},
		"a number that only one has": {opening + "It listens on port 8080.", opening + "It listens on a port.", true},
		"signs around a number":      {opening + "It listens on port `8080`.", opening + "It listens on port 8080!", true},
	} {
		got := Near([]memory.Record{{Title: "one", Body: c.one}, {Title: "other", Body: c.other}})
		if isNear := len(got[0]) > 0; isNear != c.near {
			t.Errorf("%s: near %v, want %v", name, isNear, c.near)
		}
	}
}

func TestNearRecordsOfAnySystem(t *testing.T) {
	records := []memory.Record{
		{Title: "testing-feedback", Body: "Do not mock the database in integration tests."},
		{Title: "db-mocks", Body: "Integration tests: do not mock the database!"},
		{Title: "port", Body: "The test database listens on port 5433"},
		{Title: "port-2", Body: "The test database listens on port 5432"},
		{Title: "npm", Body: "Install all packages of the shop with npm"},
		{Title: "pnpm", Body: "Install all packages of the shop with pnpm"},
		{Title: "role", Body: "The user is a senior backend engineer."},
		{Title: "session", Body: "The user is a senior backend engineer.", Kind: "session"},
		{},
	}
	got := Near(records)
	want := [][]int{{1}, {0}, nil, nil, nil, nil, nil, nil, nil}
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
		s[id] = append(s[id], recordSaying(fmt.Sprint(i), text))
	}
	return s
}

func BenchmarkAcross10000(b *testing.B) {
	s := many(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if got := Across(nil, s); len(got) == 0 {
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
	f.Add("The port is 8080 here", "The port is 3000 here", agents)
	f.Add("port 8080; `a b`", "port 3000\n\n- never `x y` without z", "---\ndescription: x\n---\n")
	f.Add("v1.2.3 at /a:5 and http://x/ 2026-01-01 12:30", "Never without never ...", "\x00\xff`` ` ```")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		s := stores{
			"x": {recordSaying("1", a), recordSaying("2", b)},
			"y": {recordSaying("1", c), recordSaying("2", a+"\n"+c)},
		}
		got := Across(nil, s)
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
			s := stores{
				"a": {recordSaying("1", text), recordSaying("2", text)},
				"b": {recordSaying("1", text+"x"), recordSaying("2", text)},
			}
			for b.Loop() {
				Across(nil, s)
			}
		})
	}
}

func TestReasonCutsNoSecretThatMasksWouldThenMiss(t *testing.T) {
	const text = "Integration tests must hit a real database and never any of the mocks with gh" +
		"p_Zq7Rk2Vw9Xt4Nb6Mc1Hd8JsLf3Gy5Pa0Ue2T."
	got := all(stores{
		"a": {recordSaying("x", "# Tests\n\n- "+text)}, "b": {recordSaying("y", "# Rules\n\n- "+text)},
	})
	if len(got) != 2 || strings.Contains(got[0], "ghp_Zq7R") || !strings.Contains(got[0], "mocks with …") {
		t.Errorf("got %q", got)
	}
}
