package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
)

// Fields returns the names of the fields that a query can use.
func Fields() []string {
	return []string{"outcome", "rel", "age", "used", "tool", "flag", "session", "id", "line", "kind", "scope", "file"}
}

// fieldTerm completes t for a field and the typed value.
func fieldTerm(t Term, name, value string) Term {
	t.Kind, t.Name, t.Text = Field, name, value
	if value == "" {
		t.Problem = name + ": wants a value"
		return t
	}
	switch name {
	case "rel", "line":
		return countTerm(t)
	case "age", "used":
		return ageTerm(t)
	case "flag":
		return flagTerm(t)
	}
	t.match = textMatch(name, strings.ToLower(value))
	return t
}

// texts returns the texts of a record for each text field.
var texts = map[string]func(*memory.Record) []string{
	"outcome": func(r *memory.Record) []string { return []string{string(r.Outcome)} },
	"tool":    func(r *memory.Record) []string { return r.Tools },
	"session": func(r *memory.Record) []string { return []string{r.Session} },
	"id":      func(r *memory.Record) []string { return []string{string(r.ID)} },
	"kind":    func(r *memory.Record) []string { return []string{r.Kind} },
	"scope":   func(r *memory.Record) []string { return []string{r.Scope} },
	"file":    func(r *memory.Record) []string { return []string{r.File} },
}

func textMatch(name, low string) func(*memory.Record, time.Time) bool {
	of, begins := texts[name], name == "outcome" || name == "kind"
	return func(r *memory.Record, _ time.Time) bool {
		return slices.ContainsFunc(of(r), func(s string) bool {
			at := indexFold(s, low)
			return at == 0 || at > 0 && !begins
		})
	}
}

// countTerm compares a number. A relevance count that is not a number never matches.
func countTerm(t Term) Term {
	in, ok := parseRange(t.Text, func(s string) (float64, bool) {
		n, err := strconv.Atoi(s)
		return float64(n), err == nil
	})
	if !ok {
		t.Problem = t.Name + ": wants a number, as in " + t.Name + ":0 or " + t.Name + ":>3"
		return t
	}
	rel := t.Name == "rel"
	t.match = func(r *memory.Record, _ time.Time) bool {
		if !rel {
			return in.contains(float64(r.Line))
		}
		return r.Count.Odd == "" && in.contains(float64(r.Count.N))
	}
	return t
}

// ageTerm compares the time since a date. An unreadable date never matches. "never" matches records that
// were not recalled.
func ageTerm(t Term) Term {
	used := t.Name == "used"
	if used && strings.EqualFold(t.Text, "never") {
		t.match = func(r *memory.Record, _ time.Time) bool { return r.Used.Text == "" && r.Used.Time.IsZero() }
		return t
	}
	in, ok := parseRange(t.Text, ParseAge)
	if !ok {
		t.Problem = t.Name + ": wants a time, as in " + t.Name + ":>14d"
		return t
	}
	if exact := in.least == in.most; exact { // no two moments are the same
		bare := strings.TrimLeft(t.Text, "=")
		t.Problem = fmt.Sprintf("%s: wants < or >: %[1]s:>%s is longer ago, %[1]s:<%[2]s more recent", t.Name, bare)
		return t
	}
	t.match = func(r *memory.Record, now time.Time) bool {
		at := r.Created.Time
		if used {
			at = r.Used.Time
		}
		return !at.IsZero() && in.contains(float64(now.Sub(at)))
	}
	return t
}

// ParseAge parses a duration such as 14d, with a unit from minutes to years: m h d w y. Without a unit it
// means days. It returns nanoseconds.
func ParseAge(s string) (float64, bool) {
	const day = float64(24 * time.Hour)
	unit := day
	if s != "" {
		units := map[byte]float64{
			'm': float64(time.Minute),
			'h': float64(time.Hour),
			'd': day,
			'w': 7 * day,
			'y': 365 * day,
		}
		if u, ok := units[s[len(s)-1]|0x20]; ok {
			unit, s = u, s[:len(s)-1]
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n * unit, err == nil && n >= 0 && n < 1e6
}

// span is a range of numbers.
type span struct{ least, most float64 }

func (s span) contains(n float64) bool { return n >= s.least && n <= s.most }

// parseRange parses N, >N, >=N, <N, <=N, =N or N..M.
func parseRange(s string, parse func(string) (float64, bool)) (span, bool) {
	const inf = 1e300
	const step = 1e-9 // below any difference between two counts or times
	if from, to, ok := strings.Cut(s, ".."); ok {
		a, okA := parse(from)
		b, okB := parse(to)
		return span{a, b}, okA && okB
	}
	op := s[:len(s)-len(strings.TrimLeft(s, "<>="))]
	n, ok := parse(s[len(op):])
	more := n + max(n*step, step)
	less := n - max(n*step, step)
	in, known := map[string]span{
		"": {n, n}, "=": {n, n}, ">": {more, inf}, ">=": {n, inf}, "<": {-inf, less}, "<=": {-inf, n},
	}[op]
	return in, ok && known
}

func flagTerm(t Term) Term {
	want, ok := flagNamed(strings.ToLower(t.Text))
	if !ok {
		want, ok = flagsOfLetters(strings.ToUpper(t.Text))
	}
	if !ok {
		t.Problem = "flag: wants one of " + strings.Join((^memory.Flags(0)).Words(), " ")
		return t
	}
	t.match = func(r *memory.Record, _ time.Time) bool { return r.Flags&want == want }
	return t
}

// flagNamed returns the flag with a word of the screens, or with a name of the JSON if no word is the same.
func flagNamed(name string) (memory.Flags, bool) {
	const every = ^memory.Flags(0)
	all := every.WorstFirst()
	if i := slices.Index(every.Words(), name); i >= 0 {
		return all[i], true
	}
	i := slices.IndexFunc(all, func(f memory.Flags) bool { return f.Names()[0] == name })
	if i < 0 {
		return 0, false
	}
	return all[i], true
}

// flagsOfLetters returns the flags with all of some letters.
func flagsOfLetters(typed string) (want memory.Flags, ok bool) {
	letters := (^want).Letters()
	for _, c := range typed {
		i := strings.IndexRune(letters, c)
		if i < 0 {
			return 0, false
		}
		want |= 1 << i
	}
	return want, true
}
