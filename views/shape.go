package views

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// Shape is what the records of a store have, where they are not lessons: it decides on the
// columns, and on the words.
type Shape struct {
	Noun                                       memory.Noun
	Outcome, Count, Used, Created, Next, Flags bool
	Kind, Scope                                bool
	kindWidth, scopeWidth, flagsWidth          int
	endedWidth                                 int // of outcomes that have no letter, else 0
}

// The widest that the columns of kinds and scopes become.
const (
	maxKind  = 12
	maxScope = 18
	maxEnded = 9
	// maxPath is how many characters of a scope that is a path are looked at.
	maxPath = 200
	// leastName is how narrow the columns of kinds and scopes are made before one goes.
	leastName = 8
)

// ShapeOf returns the shape of records. It looks at each once.
func ShapeOf(noun memory.Noun, records []memory.Record) *Shape {
	s := &Shape{Noun: noun}
	scope := ""
	for i := range records {
		r := &records[i]
		s.Outcome = s.Outcome || r.Outcome != ""
		s.Count = s.Count || r.Count.N != 0 || r.Count.Odd != ""
		s.Used = s.Used || r.Used.Text != "" || !r.Used.Time.IsZero()
		s.Created = s.Created || r.Created.Text != "" || !r.Created.Time.IsZero()
		s.Next = s.Next || r.Forecast.LeavesAfter > 0
		if r.Flags != 0 {
			s.Flags, s.flagsWidth = true, max(s.flagsWidth, len(r.Flags.Letters()))
		}
		if r.Outcome != "" && OutcomeLetter(r.Outcome) == "?" {
			s.endedWidth = min(max(s.endedWidth, Width(clip(string(r.Outcome), maxEnded)), len("Ended")), maxEnded)
		}
		if r.Kind != "" {
			s.Kind, s.kindWidth = true, min(max(s.kindWidth, Width(clip(r.Kind, maxKind))), maxKind)
		}
		if i > 0 && r.Scope != scope {
			s.Scope = true
		}
		scope = r.Scope
		s.scopeWidth = min(max(s.scopeWidth, Width(clip(r.Scope, maxScope))), maxScope)
	}
	return s
}

// title returns the word for a record, for the head of its column.
func (s *Shape) title() string {
	if s == nil {
		return "Task summary"
	}
	return Capital(nounOr(s.Noun).One)
}

func nounOr(n memory.Noun) memory.Noun {
	if n.One == "" {
		return memory.Noun{One: "record", Many: "records"}
	}
	return n
}

// Capital returns a word with a capital letter.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// columns returns the columns that records of the shape have.
func (s *Shape) columns() []column {
	all := columns()
	if s == nil {
		return all
	}
	has := map[string]bool{
		"outcome": s.Outcome, "rel": s.Count, "used": s.Used, "age": s.Created, "next": s.Next, "flags": s.Flags,
	}
	all = slices.DeleteFunc(all, func(c column) bool { return !has[c.name] })
	for i := range all {
		switch c := &all[i]; {
		case c.name == "flags": // what is wrong with a record stays beside it
			c.width, c.drop = max(s.flagsWidth, len(c.title))+c.lead, 0
		case c.name == "outcome" && s.endedWidth > 0:
			*c = column{title: "Ended", name: c.name, width: s.endedWidth + 1, drop: 3, lead: 1, render: LessonTable.ended}
		}
	}
	if s.Kind {
		all = append(all, column{title: "Kind", name: "kind", width: max(s.kindWidth, 4) + 2, least: leastName + 2, drop: 6, lead: 2, render: LessonTable.kind})
	}
	if s.Scope {
		all = append(all, column{title: "Scope", name: "scope", width: max(s.scopeWidth, 5) + 2, least: leastName + 2, drop: 7, lead: 2, render: LessonTable.scope})
	}
	return all
}

func (v LessonTable) kind(r *memory.Record) string  { return v.Mask.line(r.Kind, maxKind) }
func (v LessonTable) scope(r *memory.Record) string { return v.Mask.line(r.Scope, maxPath) }

// ended says how a session ended, in the word that its system has for it.
func (v LessonTable) ended(r *memory.Record) string {
	if r.Outcome == "" {
		return "-"
	}
	return field(r, memory.InOutcome, 0, string(r.Outcome), maxEnded, v.Reveal)
}

// narrowed makes the columns that can be narrower so much narrower that all of them take
// at most most cells of the used ones, the last first, and returns how many they take.
func narrowed(all []column, used, most int) int {
	for i := len(all) - 1; i >= 0 && used > most; i-- {
		c := &all[i]
		if by := min(used-most, c.width-c.least); c.least > 0 && by > 0 {
			c.width, used = c.width-by, used-by
		}
	}
	return used
}
