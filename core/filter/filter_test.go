package filter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

var now = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func ago(days int) memory.Moment {
	at := now.AddDate(0, 0, -days)
	return memory.Moment{Text: at.Format(time.RFC3339), Time: at}
}

// lessons are six records; tests name them by line.
func lessons() []memory.Record {
	return []memory.Record{
		{
			ID:       "a1",
			Line:     1,
			Title:    "Fetch release notes",
			Body:     "Failed: HTTP 429; Retry budget exhausted",
			Outcome:  memory.Failed,
			Tools:    []string{"http-get", "shell-exec"},
			Session:  "s1",
			Created:  ago(41),
			Used:     ago(2),
			Count:    memory.Count{N: 12},
			Forecast: memory.Forecast{Rank: 6},
		},
		{
			ID:       "b2",
			Line:     2,
			Title:    "Run integration tests",
			Body:     "timeout waiting for postgres",
			Outcome:  memory.Failed,
			Tools:    []string{"shell-exec"},
			Session:  "s2",
			Created:  ago(6),
			Used:     ago(1),
			Count:    memory.Count{N: 9},
			Forecast: memory.Forecast{Rank: 5},
		},
		{
			ID:       "c3",
			Line:     3,
			Title:    "Build docs site",
			Body:     "Completed using mkdocs",
			Outcome:  memory.Succeeded,
			Tools:    []string{"mkdocs"},
			Session:  "s3",
			Created:  ago(12),
			Count:    memory.Count{N: 0},
			Forecast: memory.Forecast{Rank: 1},
			Flags:    memory.FlagDuplicate,
		},
		{
			ID:      "d4",
			Line:    4,
			Title:   "build docs site and deploy",
			Body:    "ÄRGER mit ssh",
			Outcome: memory.Succeeded,
			Session: "s3",
			Created: ago(30),
			Count:   memory.Count{N: 3},
			Flags:   memory.FlagSecret | memory.FlagDuplicate,
		},
		{ID: "line 5", Line: 5, Title: "", Problem: &memory.Problem{Code: "bad-json"}, Flags: memory.FlagDamaged},
		{ID: "f6", Line: 6, Title: "Odd one", Outcome: "abandoned", Count: memory.Count{Odd: `"7"`}, Created: memory.Moment{Text: "soon"}},
	}
}

func lines(t *testing.T, q Query) (string, Result) {
	t.Helper()
	records := lessons()
	res, err := Apply(t.Context(), records, q, now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range res.Index {
		got = append(got, fmt.Sprint(records[i].Line))
	}
	return strings.Join(got, " "), res
}

func TestSelecting(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing typed keeps all", "", "1 2 3 4 5 6"},
		{"a word in title or lesson", "retry", "1"},
		{"lower case matches either case", "build", "3 4"},
		{"upper case matches itself", "Build", "3"},
		{"a word of other letters", "ärger", "4"},
		{"all words must be there", "build deploy", "4"},
		{"a tool is searched too", "shell", "1 2"},
		{"not", "build !deploy", "3"},
		{"quoted blank", `"docs site and"`, "4"},
		{"not quoted", `!"docs site" build`, ""},
		{"quote left open", `"docs site and`, "4"},
		{"outcome begins with", "outcome:fail", "1 2"},
		{"another outcome", "outcome:abandoned", "6"},
		{"field name in upper case", "Outcome:FAILED", "1 2"},
		{"not a field", "!outcome:failed !flag:x", "3 4 6"},
		{"count is", "rel:0", "3 5"},
		{"count above", "rel:>3", "1 2"},
		{"count at least", "rel:>=3", "1 2 4"},
		{"count between", "rel:1..9", "2 4"},
		{"older than", "age:>14d", "1 4"},
		{"younger than, in weeks", "age:<1w", "2"},
		{"days without a unit", "age:>14", "1 4"},
		{"never used", "used:never", "3 4 5 6"},
		{"not used lately", "used:>36h", "1"},
		{"session", "session:s3", "3 4"},
		{"id", "id:b2", "2"},
		{"one line", "line:4", "4"},
		{"lines from", "line:>=5", "5 6"},
		{"flag", "flag:2", "3 4"},
		{"two flags", "flag:s2", "4"},
		{"flag by its word", "flag:Secret", "4"},
		{"flag by its name in the JSON", "flag:duplicate", "3 4"},
		{"tool field", "tool:mkdocs", "3"},
		{"field without a value yet", "outcome: build", "3 4"},
		{"field with nonsense", "rel:many build", "3 4"},
		{"unknown field is text", "Failed:", "1"},
		{"fuzzy", "~bdsd", "4"},
		{"not fuzzy", "!~bds docs", ""},
		{"lone signs are nothing", "! ~ build", "3 4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := lines(t, Query{Text: tt.text})
			if got != tt.want {
				t.Errorf("%q selects %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestWordThatIsNowhereBecomesFuzzy(t *testing.T) {
	got, res := lines(t, Query{Text: "rlsnotes"})
	if got != "1" || !res.Terms[0].FuzzyFallback || !res.Ranked {
		t.Errorf("selects %q, terms %+v", got, res.Terms)
	}
	got, res = lines(t, Query{Text: "postgres deploy"})
	if got != "" || res.Terms[0].FuzzyFallback || res.Terms[1].FuzzyFallback {
		t.Errorf("words that exist, though apart, select %q, terms %+v", got, res.Terms)
	}
}

func TestSorting(t *testing.T) {
	tests := []struct {
		by         Column
		up, down   string
		knownFirst int // how many have a value
	}{
		{ByStore, "1 2 3 4 5 6", "6 5 4 3 2 1", 6},
		{ByRel, "3 6 4 2 1 5", "1 2 4 3 6 5", 5},
		{ByUsed, "2 1 3 4 5 6", "1 2 3 4 5 6", 2},
		{ByAge, "2 3 4 1 5 6", "1 4 3 2 5 6", 4},
		{ByNext, "3 2 1 4 5 6", "1 2 3 4 5 6", 3},
		{ByOutcome, "6 1 2 3 4 5", "3 4 1 2 6 5", 5},
		{ByTask, "3 4 1 6 2 5", "2 6 1 4 3 5", 5},
	}
	for _, tt := range tests {
		up, _ := lines(t, Query{Sort: tt.by})
		down, _ := lines(t, Query{Sort: tt.by, Desc: true})
		if up != tt.up || down != tt.down {
			t.Errorf("%q: got %q and %q, want %q and %q", tt.by, up, down, tt.up, tt.down)
		}
	}
}

func TestSuggestions(t *testing.T) {
	tests := []struct{ text, want string }{
		{"outcome:fialed", "outcome:failed"},
		{"tool:mkdosc", "tool:mkdocs"},
		{"tol:mkdocs", "tool:mkdocs"},
		{"sucseeded", "outcome:succeeded"},
		{"abandoned", "outcome:abandoned"},
		{"s2", "session:s2"},
		{"qqqqqqq", ""},
	}
	for _, tt := range tests {
		got, res := lines(t, Query{Text: tt.text})
		if got != "" || res.Suggest != tt.want {
			t.Errorf("%q selects %q and suggests %q, want %q", tt.text, got, res.Suggest, tt.want)
		}
	}
}

func TestSuggestionFindsSomething(t *testing.T) {
	for _, text := range []string{"outcome:fialed", "tol:mkdocs", "abandoned", "s2"} {
		_, res := lines(t, Query{Text: text})
		if got, _ := lines(t, Query{Text: res.Suggest}); got == "" {
			t.Errorf("%q suggests %q, which finds nothing", text, res.Suggest)
		}
	}
}

func TestFuzzyWorkIsBounded(t *testing.T) {
	records := make([]memory.Record, MaxFuzzy+500)
	for i := range records {
		records[i].Title = "build docs"
	}
	res, err := Apply(t.Context(), records, Query{Text: "~bd"}, now)
	if err != nil || len(res.Index) != MaxFuzzy || !res.Limited {
		t.Errorf("%d rows, limited %v, %v", len(res.Index), res.Limited, err)
	}
}

func TestSupersededSearchEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"", "build", "~build"} {
		if _, err := Apply(ctx, lessons(), Query{Text: text, Sort: ByTask}, now); !errors.Is(err, context.Canceled) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestSpansAreWhereTheWordStands(t *testing.T) {
	tests := []struct {
		query, text string
		want        []string
	}{
		{"docs", "docs and DOCS", []string{"docs", "DOCS"}},
		{"Docs", "docs and Docs", []string{"Docs"}},
		{"~bd", "build docs", []string{"b", "d"}},
		{"!docs", "docs", nil},
		{"outcome:failed", "failed", nil},
		{"ärger", "viel Ärger", []string{"Ärger"}},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range Parse(tt.query)[0].Spans(tt.text, true, 100) {
			got = append(got, tt.text[s[0]:s[1]])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q in %q: %q, want %q", tt.query, tt.text, got, tt.want)
		}
	}
}

func TestLettersFollowTheFlags(t *testing.T) {
	all := []memory.Flags{memory.FlagSecret, memory.FlagInjection, memory.FlagPrunesSoon, memory.FlagNew,
		memory.FlagDuplicate, memory.FlagBeyond, memory.FlagDamaged, memory.FlagStops, memory.FlagPruned,
		memory.FlagPinned, memory.FlagSimilar}
	var got strings.Builder
	for _, f := range all {
		got.WriteString(f.Letters())
	}
	if got.String() != "SI!N2BXHRPD" {
		t.Errorf("letters %q", got.String())
	}
}

// FuzzApply checks that no query panics, and that each selected row is one row.
func FuzzApply(f *testing.F) {
	for _, s := range []string{"", "retry", `"a b`, "!~x", "rel:>=", "age:1..2w", "used:never", "flag:!", "\x00~\x00", "~\xff", "!\"", "outcome:\u0130", "~~~", "İ", "rel:1e400"} {
		f.Add(s, "Build docs \x00 site", false)
	}
	f.Fuzz(func(t *testing.T, query, title string, desc bool) {
		records := append(lessons(), memory.Record{ID: "x", Line: 7, Title: title, Body: query})
		res, err := Apply(t.Context(), records, Query{Text: query, Sort: ByTask, Desc: desc}, now)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int32]bool{}
		for _, i := range res.Index {
			if seen[i] || int(i) >= len(records) {
				t.Fatalf("row %d twice or out of range in %v", i, res.Index)
			}
			seen[i] = true
		}
		for i := range res.Terms {
			for _, s := range res.Terms[i].Spans(title, true, 100) {
				if s[0] < 0 || s[0] >= s[1] || s[1] > len(title) {
					t.Fatalf("span %v of %q", s, title)
				}
			}
		}
	})
}

// FuzzIndexFold compares the fast search with the plain one.
func FuzzIndexFold(f *testing.F) {
	f.Add("Fetch RELEASE notes", "release")
	f.Add("aAäÄ", "aä")
	f.Fuzz(func(t *testing.T, s, low string) {
		if strings.ToLower(low) != low || strings.ContainsFunc(s+low, func(r rune) bool { return r >= 0x80 }) {
			t.Skip("the plain search is the same only for ASCII")
		}
		if got, want := indexFold(s, low), strings.Index(strings.ToLower(s), low); got != want {
			t.Errorf("indexFold(%q, %q) = %d, want %d", s, low, got, want)
		}
	})
}

func BenchmarkApply100k(b *testing.B) {
	records := make([]memory.Record, 0, 100000)
	for i := range 100000 {
		r := lessons()[i%4]
		r.Title = fmt.Sprintf("%s %d", r.Title, i)
		records = append(records, r)
	}
	for _, q := range []Query{{Text: "docs"}, {Text: "docs", Sort: ByRel, Desc: true}, {Text: "~bds"}, {Sort: ByTask}} {
		b.Run(fmt.Sprintf("%s-%s", q.Text, q.Sort), func(b *testing.B) {
			for b.Loop() {
				if _, err := Apply(b.Context(), records, q, now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestSuggestionTellsNoSecret(t *testing.T) {
	const secret = "ghp_0123456789abcdefghij"
	record := memory.Record{ID: "a", Outcome: memory.Failed, Session: secret, Tools: []string{"shell", secret},
		Secrets: []memory.Secret{
			{Field: memory.InSession, End: len(secret)},
			{Field: memory.InTools, Item: 1, End: len(secret)},
		}}
	for _, text := range []string{"ghp_", "session:ghp_0123456789abcdefghix", "tool:ghp_0123456789abcdefghix"} {
		res, err := Apply(t.Context(), []memory.Record{record}, Query{Text: text + " nowhere"}, time.Time{})
		if err != nil || strings.Contains(res.Suggest, "0123456789") && !strings.Contains(text, "0123456789") ||
			strings.Contains(res.Suggest, "hij") {
			t.Errorf("%s: suggests %q (%v)", text, res.Suggest, err)
		}
	}
}

func TestAFileIsFoundByItsName(t *testing.T) {
	records := []memory.Record{
		{ID: "memory:user_role.md", Title: "Who Ada is", File: "/home/ada/user_role.md"},
		{ID: "7f3c-role", Title: "A lesson of a session"},
	}
	terms := Parse("role")
	var got []memory.ID
	for i := range records {
		if Matches(terms, &records[i], now) {
			got = append(got, records[i].ID)
		}
	}
	if len(got) != 1 || got[0] != records[0].ID {
		t.Errorf("found %q, want the file alone: an id is no name", got)
	}
}

// TestAFilterWithoutItsOperatorIsExplained: it would match nothing, or be taken for a word.
func TestAFilterWithoutItsOperatorIsExplained(t *testing.T) {
	for typed, want := range map[string]string{
		"age:30d":  "age: wants < or >: age:>30d is longer ago, age:<30d more recent",
		"used:=2h": "used: wants < or >: used:>2h is longer ago, used:<2h more recent",
	} {
		if got := Parse(typed)[0].Problem; got != want {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
	for typed, want := range map[string]string{"rel>3": "rel:>3", "AGE<14d": "age:<14d", "a>b": ""} {
		term := Parse(typed)[0]
		if got := term.nearField(); got != want {
			t.Errorf("%s: suggests %q, want %q", typed, got, want)
		}
	}
}
