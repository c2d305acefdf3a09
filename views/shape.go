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
	kindWidth, scopeWidth                      int
}

// The widest that the columns of kinds and scopes become.
const (
	maxKind  = 12
	maxScope = 18
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
		s.Flags = s.Flags || r.Flags != 0
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
	if s.Kind {
		all = append(all, column{title: "Kind", name: "kind", width: max(s.kindWidth, 4) + 2, drop: 6, lead: 2, render: LessonTable.kind})
	}
	if s.Scope {
		all = append(all, column{title: "Scope", name: "scope", width: max(s.scopeWidth, 5) + 2, drop: 7, lead: 2, render: LessonTable.scope})
	}
	return all
}

func (v LessonTable) kind(r *memory.Record) string  { return v.Mask.line(r.Kind, maxKind) }
func (v LessonTable) scope(r *memory.Record) string { return v.Mask.line(r.Scope, maxScope) }
