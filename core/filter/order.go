package filter

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
)

// Column is a column by which records can be sorted.
type Column = string

// The columns. Records without a value come last in either direction.
const (
	ByStore   Column = "" // the order of the store
	ByOutcome Column = "outcome"
	ByRel     Column = "rel"
	ByUsed    Column = "used" // most recently recalled first
	ByAge     Column = "age"  // youngest first
	ByNext    Column = "next" // next to be evicted first
	ByFlags   Column = "flags"
	ByTask    Column = "task"
)

// order sorts index by a column. Equal records keep the order of the store.
func order(records []memory.Record, index []int32, q Query) {
	compared := comparisons[q.Sort]
	if compared == nil {
		if q.Desc {
			slices.Reverse(index)
		}
		return
	}
	slices.SortStableFunc(index, func(a, b int32) int {
		known, c := compared(&records[a], &records[b])
		if known && q.Desc {
			return -c
		}
		return c
	})
}

// comparison compares two records. If at most one of them has a value, known is false, and the order does
// not depend on the sort direction.
type comparison func(a, b *memory.Record) (known bool, c int)

// comparisons has the comparison of every column except ByStore.
var comparisons = map[Column]comparison{
	ByOutcome: byText(func(r *memory.Record) string { return string(r.Outcome) }),
	ByTask:    byText(func(r *memory.Record) string { return r.Title }),
	ByRel:     byValue(func(r *memory.Record) (int, bool) { return r.Count.N, r.Problem == nil }, cmp.Compare),
	ByUsed:    byTime(func(r *memory.Record) time.Time { return r.Used.Time }),
	ByAge:     byTime(func(r *memory.Record) time.Time { return r.Created.Time }),
	ByNext:    byValue(func(r *memory.Record) (int, bool) { return r.Forecast.Rank, r.Forecast.Rank > 0 }, cmp.Compare),
	ByFlags:   byValue(func(r *memory.Record) (int, bool) { return int(r.Flags), r.Flags != 0 }, cmp.Compare),
}

// byValue compares values, and puts records with a value before those without.
func byValue[T any](value func(*memory.Record) (T, bool), compare func(a, b T) int) comparison {
	return func(a, b *memory.Record) (bool, int) {
		x, okX := value(a)
		y, okY := value(b)
		switch {
		case okX && okY:
			return true, compare(x, y)
		case okX:
			return false, -1
		case okY:
			return false, 1
		}
		return false, 0
	}
}

func byText(value func(*memory.Record) string) comparison {
	return byValue(func(r *memory.Record) (string, bool) { return value(r), value(r) != "" }, compareFold)
}

// byTime puts the latest time, which is the lowest age, first.
func byTime(value func(*memory.Record) time.Time) comparison {
	latest := func(a, b time.Time) int { return b.Compare(a) }
	return byValue(func(r *memory.Record) (time.Time, bool) { return value(r), !value(r).IsZero() }, latest)
}

// compareFold compares two texts and ignores the case of ASCII letters.
func compareFold(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
