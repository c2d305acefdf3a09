package views

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// Display says how to list the records of a store: its own description, and the columns that its
// records have values for. The zero Display suits any record.
type Display struct {
	memory.Description
	Noun memory.Noun
	// Chosen are the columns that the user selected, in order; nil for all.
	Chosen []string

	// has are the names of the columns of the store, and filled of those with a value in some
	// record.
	has, filled                       map[string]bool
	kindWidth, scopeWidth, flagsWidth int
	outcomeWidth, firedWidth          int
	differ                            []uint16
	names                             []string // of the files that hold one record each; "" for other records
}

// Maximum widths of the columns for kinds, scopes and outcomes.
const (
	maxKind    = 14
	maxScope   = 24
	maxEnded   = 9
	leastFlags = len("Flags")
	// maxPath limits how many characters of a path in a scope are examined.
	maxPath = 200
	// leastName is the minimum width of the columns for kinds and scopes.
	leastName = 8
)

// DisplayOf returns how to list a snapshot. It examines each record once.
func DisplayOf(s memory.Snapshot) Display {
	d := Display{
		Description: s.Described, Noun: s.Noun.OrRecord(), has: map[string]bool{}, flagsWidth: leastFlags,
		outcomeWidth: outcomeCells, differ: differences(s.Records), names: fileNames(s.Records),
	}
	for _, name := range s.Described.Columns {
		d.has[name] = true
	}
	// Local variables, because a map write for each record would cost more than everything else.
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
	d.filled = map[string]bool{
		"outcome": outcome, "rel": count, "used": used, "age": created, "next": next, "fired": d.firedWidth > 0,
		"flags": flags, "kind": kind, "scope": scope, "task": true,
	}
	for name, has := range d.filled {
		d.has[name] = d.has[name] || has
	}
	return d
}

// widen widens the columns to fit a record.
func (d *Display) widen(r *memory.Record) {
	if r.Flags != 0 {
		d.flagsWidth = max(d.flagsWidth, len(r.Flags.Worst()))
	}
	if c := recurrenceOf(r); c.Fired > 0 {
		d.firedWidth = max(d.firedWidth, len(c.Short()))
	}
	if r.Outcome != "" {
		d.outcomeWidth = min(max(d.outcomeWidth, Width(clip(string(endedAs(r.Outcome)), maxEnded))), maxEnded)
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
// "fired", "flags", "kind" or "scope".
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

// columns returns the columns with content; that of titles has no width. Columns with a low drop
// are dropped first.
func (d Display) columns() columns {
	all := slices.DeleteFunc(columns{
		{title: d.title(), name: "task"},
		{title: "Ended", name: "outcome", width: d.outcomeWidth + 2, drop: 4, gap: 2, cell: RecordTable.ended},
		{
			title: "Kind",
			name:  "kind",
			width: max(d.kindWidth, 4) + 2,
			least: leastName + 2,
			drop:  6,
			gap:   2,
			cell:  RecordTable.kind,
		},
		{
			title: "Scope",
			name:  "scope",
			width: max(d.scopeWidth, 5) + 2,
			least: leastName + 2,
			drop:  7,
			gap:   2,
			cell:  RecordTable.scope,
		},
		{title: "Rel", name: "rel", width: 5, drop: 8, right: true, cell: RecordTable.rel},
		{title: "Used", name: "used", width: 5, drop: 3, right: true, cell: RecordTable.used},
		{title: "Age", name: "age", width: 5, drop: 2, right: true, cell: RecordTable.age},
		{title: "Next", name: "next", width: 6, drop: 1, right: true, cell: RecordTable.next},
		{
			title: "Fired",
			name:  "fired",
			width: max(d.firedWidth, 5) + 2,
			drop:  5,
			gap:   2,
			cell:  RecordTable.fired,
		},
		// Problems of a record stay next to it.
		{title: "Flags", name: "flags", width: d.flagsWidth + 1, gap: 1, cell: RecordTable.flags},
	}, func(c column) bool {
		switch {
		case c.name == "task":
			return false
		case d.Chosen == nil:
			return !d.filled[c.name]
		}
		return !d.has[c.name] || !slices.Contains(d.Chosen, c.name)
	})
	chosen := func(c column) int { return slices.Index(d.Chosen, c.name) }
	slices.SortStableFunc(all, func(a, b column) int { return cmp.Compare(chosen(a), chosen(b)) })
	return all
}

// fileNames returns, for each record that is a file of its own, the end of its path that no other has: its
// name, or with the folder before it. It returns nil if no record is a file.
func fileNames(records []memory.Record) []string {
	held, named := map[string]int{}, map[string]int{}
	for i := range records {
		if path := records[i].File; path != "" {
			if held[path]++; held[path] == 1 {
				named[pathEnd(path, 1)]++
			}
		}
	}
	if len(held) == 0 {
		return nil
	}
	names := make([]string, len(records))
	for i := range records {
		r := &records[i]
		if held[r.File] != 1 || r.File == "" || r.Kind == "session" {
			continue
		}
		names[i] = pathEnd(r.File, 1)
		if named[names[i]] > 1 {
			names[i] = pathEnd(r.File, 2)
		}
	}
	return names
}

// pathEnd returns the last parts of a path.
func pathEnd(path string, parts int) string {
	at := len(path)
	for ; parts > 0 && at > 0; parts-- {
		at = strings.LastIndexAny(path[:at], "/\\")
	}
	return path[at+1:]
}

// Titles are compared up to mostAlike bytes. If two differ within the first leastAlike bytes, the
// difference is visible wherever they are cut.
const (
	leastAlike = 16
	mostAlike  = 600
	sameTitle  = 1 << 15 // flag: another record has exactly the same title
)

// differences returns, for each record, the byte at which its title begins to differ from the most
// similar title, or 0.
func differences(records []memory.Record) []uint16 {
	var order []int32
	for i := range records {
		if records[i].Title != "" {
			order = append(order, int32(i))
		}
	}
	title := func(i int) string { return records[order[i]].Title }
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(records[a].Title, records[b].Title) })
	at := make([]uint16, len(records))
	for from, before := 0, 0; from < len(order); {
		to, behind := from+1, 0
		for to < len(order) && title(to) == title(from) {
			to++
		}
		if to < len(order) {
			behind = common(title(from), title(to))
		}
		for _, i := range order[from:to] {
			at[i] = uint16(max(before, behind))
			if to-from > 1 {
				at[i] += sameTitle
			}
		}
		from, before = to, behind
	}
	return at
}

// common returns the length of the common prefix of two titles, or 0 if it is short.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b), mostAlike) && a[n] == b[n] {
		n++
	}
	if n = safe.RuneStart(a, n); n < leastAlike {
		return 0
	}
	return n
}

// Legend explains the columns of numbers, one per line: the name, a space, the meaning.
func (d Display) Legend() []string {
	var lines []string
	for _, l := range []struct {
		shown bool
		text  string
	}{
		{d.Has("rel") || d.Has("used"), "Rel times recalled   Used last recall   Age since it was written"},
		{!d.Has("rel") && !d.Has("used") && d.Has("age"), "Age since it was written"},
		{d.Has("next"), "Next place in the eviction order; - new records never push it out"},
		{d.Has("fired"), "Fired sessions that were told it; again in how many its failure came all the same"},
		{d.Has("kind") || d.Has("scope"), "Kind, Scope\twhat it is, and the part of the store it belongs to"},
	} {
		if l.shown {
			lines = append(lines, l.text)
		}
	}
	return lines
}

// FilterHint says what can be typed into the filter.
func (d Display) FilterHint() string {
	var fields []string
	for _, f := range [][2]string{
		{"kind", "kind:rule"},
		{"scope", "scope:user"},
		{"outcome", "outcome:failed"},
		{"age", "age:>14d"},
		{"rel", "rel:0"},
		{"flags", "flag:secret"},
	} {
		if d.Has(f[0]) {
			fields = append(fields, f[1])
		}
	}
	return joined(", ", "type to filter: words, !not, ~fuzzy", strings.Join(fields, " "))
}
