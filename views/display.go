package views

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Display is how the records of a store are listed: what the store says of itself, and
// the columns that its records have values for. The zero Display suits any record.
type Display struct {
	memory.Description
	Noun memory.Noun

	has                               map[string]bool // by the names of columns
	kindWidth, scopeWidth, flagsWidth int
	outcomeWidth                      int // of outcomes in words; 0 where letters do
}

// The widest that the columns of kinds, scopes and outcomes become.
const (
	maxKind    = 12
	maxScope   = 18
	maxEnded   = 9
	leastFlags = 6
	// maxPath is how many characters of a scope that is a path are looked at.
	maxPath = 200
	// leastName is how narrow the columns of kinds and scopes are made before one goes.
	leastName = 8
)

// DisplayOf returns how a snapshot is listed. It looks at each record once.
func DisplayOf(s memory.Snapshot) Display {
	d := Display{Description: s.Described, Noun: s.Noun.OrRecord(), has: map[string]bool{}, flagsWidth: leastFlags}
	for _, name := range s.Described.Columns {
		d.has[name] = true
	}
	// A map write for each record would cost more than all the rest.
	var outcome, count, used, created, next, flags, kind, scope bool
	for i := range s.Records {
		r := &s.Records[i]
		outcome = outcome || r.Outcome != ""
		count = count || r.Count.N != 0 || r.Count.Odd != ""
		used = used || dated(r.Used)
		created = created || dated(r.Created)
		next = next || r.Forecast.LeavesAfter > 0
		flags = flags || r.Flags != 0
		kind = kind || r.Kind != ""
		scope = scope || i > 0 && r.Scope != s.Records[i-1].Scope
		d.widen(r)
	}
	for name, has := range map[string]bool{
		"outcome": outcome, "rel": count, "used": used, "age": created, "next": next, "flags": flags, "kind": kind, "scope": scope,
	} {
		d.has[name] = d.has[name] || has
	}
	if slices.Contains(s.Described.Columns, "outcome") {
		d.outcomeWidth = 0
	}
	return d
}

// widen makes columns wide enough for a record.
func (d *Display) widen(r *memory.Record) {
	if r.Flags != 0 {
		d.flagsWidth = max(d.flagsWidth, len(r.Flags.Letters()))
	}
	if r.Outcome != "" && OutcomeLetter(r.Outcome) == "?" {
		d.outcomeWidth = min(max(d.outcomeWidth, Width(clip(string(r.Outcome), maxEnded)), len("Ended")), maxEnded)
	}
	if r.Kind != "" {
		d.kindWidth = min(max(d.kindWidth, Width(clip(r.Kind, maxKind))), maxKind)
	}
	if r.Scope != "" {
		d.scopeWidth = min(max(d.scopeWidth, Width(clip(r.Scope, maxScope))), maxScope)
	}
}

// dated reports whether a date is stored.
func dated(m memory.Moment) bool { return m.Text != "" || !m.Time.IsZero() }

// Has reports whether the records have a column: "outcome", "rel", "used", "age", "next",
// "flags", "kind" or "scope".
func (d Display) Has(column string) bool { return d.has[column] }

// title returns the heading of the column of titles.
func (d Display) title() string { return cmp.Or(d.Title, Capital(d.Noun.OrRecord().One)) }

// Capital returns a text with a capital letter where it begins with a small one.
func Capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// columns returns the columns that the records have, before that of titles.
func (d Display) columns() columns {
	ended := column{title: "O", name: "outcome", width: 3, gap: 1, cell: RecordTable.outcome}
	if d.outcomeWidth > 0 {
		ended = column{title: "Ended", name: "outcome", width: d.outcomeWidth + 1, drop: 3, gap: 1, cell: RecordTable.ended}
	}
	return slices.DeleteFunc(columns{
		ended,
		{title: "Rel", name: "rel", width: 5, drop: 5, right: true, cell: RecordTable.rel},
		{title: "Used", name: "used", width: 6, drop: 1, right: true, cell: RecordTable.used},
		{title: "Age", name: "age", width: 5, drop: 4, right: true, cell: RecordTable.age},
		{title: "Next", name: "next", width: 6, drop: 2, right: true, cell: RecordTable.next},
		// What is wrong with a record stays beside it.
		{title: "Flags", name: "flags", width: d.flagsWidth + 2, gap: 2, cell: RecordTable.flags},
		{title: "Kind", name: "kind", width: max(d.kindWidth, 4) + 2, least: leastName + 2, drop: 6, gap: 2, cell: RecordTable.kind},
		{title: "Scope", name: "scope", width: max(d.scopeWidth, 5) + 2, least: leastName + 2, drop: 7, gap: 2, cell: RecordTable.scope},
	}, func(c column) bool { return !d.has[c.name] })
}

// Legend explains the columns of the list, a line each: the name, a space, what it means.
func (d Display) Legend() []string {
	var lines []string
	for _, l := range []struct {
		shown bool
		text  string
	}{
		{d.outcomeWidth > 0, "Ended how the session ended, in the word of its system"},
		{d.outcomeWidth == 0 && d.Has("outcome"), "O session: S succeeded, F failed, ? neither"},
		{d.Has("rel") || d.Has("used"), "Rel times recalled   Used last recall   Age since it was written"},
		{!d.Has("rel") && !d.Has("used") && d.Has("age"), "Age since it was written"},
		{d.Has("next"), "Next place in the eviction order; - new records never push it out"},
		{d.Has("kind") || d.Has("scope"), "Kind, Scope what it is, and the part of the store it belongs to; s goes on"},
	} {
		if l.shown {
			lines = append(lines, l.text)
		}
	}
	if d.Evicts {
		lines = append(lines, "Flags S secret   I injection   ! pruned in 3 days   N new   2 same id",
			" B never loaded   X damaged   H halts agents   R gone at next load")
	} else {
		lines = append(lines, "Flags S secret   I injection   N new   2 same id   X damaged   B never loaded",
			" U no agent reads it   O old: its system warns")
	}
	return append(lines, " P pinned, in Winnow only   D similar to another   C contradicts another")
}

// FilterHint says what can be typed into the filter.
func (d Display) FilterHint() string {
	var fields []string
	for _, f := range [][2]string{
		{"kind", "kind:rule"}, {"scope", "scope:user"}, {"outcome", "outcome:failed"}, {"age", "age:>14d"}, {"rel", "rel:0"}, {"flags", "flag:s"},
	} {
		if d.Has(f[0]) {
			fields = append(fields, f[1])
		}
	}
	return joined(", ", "type to filter: words, !not, ~fuzzy", strings.Join(fields, " "))
}
