package lesson

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Add appends a lesson. If that makes more than Cap, the list is sorted into eviction order and
// only the last Cap stay, so the new lesson itself may leave at once. When the original would
// throw, Add returns a problem and the list keeps all its lessons.
func (l *List) Add(v jstext.Value) *memory.Problem {
	id, _ := v.Field(KeyID)
	l.lessons = append(l.lessons, Lesson{ID: memory.ID(id.Str()), Value: v})
	l.dropDerived()
	if len(l.lessons) <= Cap {
		return nil
	}
	if odd := oddDate(l.lessons); odd != nil {
		return oddSortDate(odd)
	}
	order := evictionOrder(l.lessons)
	stay := make([]Lesson, 0, Cap)
	for _, i := range order[len(order)-Cap:] {
		stay = append(stay, l.lessons[i])
	}
	l.lessons = stay
	return nil
}

// dropDerived drops what was computed from the lessons.
func (l *List) dropDerived() {
	l.lowered, l.texts = sync.Once{}, nil
	l.forecast, l.outlook, l.lines = sync.Once{}, nil, nil
}

// sortKey holds what the eviction order compares.
type sortKey struct {
	count   jstext.Value
	number  float64
	created string
}

// evictionOrder returns the indices of the lessons, the first to be evicted first: by count, then
// by date in the order of localeCompare, then by position.
func evictionOrder(lessons []Lesson) []int {
	keys := make([]sortKey, len(lessons))
	order := make([]int, len(lessons))
	for i := range lessons {
		keys[i], order[i] = keyOf(&lessons[i]), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareKeys(&keys[a], &keys[b]) })
	return order
}

func keyOf(l *Lesson) sortKey {
	count, ok := l.Value.Field(KeyCount)
	created, _ := l.Value.Field(KeyCreated)
	k := sortKey{count: count, number: math.NaN(), created: created.ToString()}
	if ok {
		k.number = count.ToNumber()
	}
	return k
}

// compareKeys orders like the original's comparator. A difference that is NaN counts as zero; lists
// with such counts have no consistent order.
func compareKeys(a, b *sortKey) int {
	if !sameCount(a, b) {
		return cmp.Compare(zeroNaN(a.number-b.number), 0)
	}
	return jstext.LocaleCompare(a.created, b.created)
}

func zeroNaN(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return f
}

// sameCount reports what === reports for the stored counts of two lessons.
func sameCount(a, b *sortKey) bool {
	if a.count.Kind() != b.count.Kind() {
		return false
	}
	switch a.count.Kind() {
	case jstext.Number:
		return a.number == b.number
	case jstext.Array, jstext.Object:
		return false
	case jstext.Null: // missing and null differ
		return math.IsNaN(a.number) == math.IsNaN(b.number)
	}
	return a.count.ToString() == b.count.ToString()
}

// oddDate returns a lesson whose date is not a string and whose count another lesson shares, or
// nil. Sorting makes the original compare its date, and throw.
func oddDate(lessons []Lesson) *Lesson {
	for i := range lessons {
		if _, ok := lessons[i].text(KeyCreated); ok {
			continue
		}
		k := keyOf(&lessons[i])
		for j := range lessons {
			if other := keyOf(&lessons[j]); j != i && sameCount(&k, &other) {
				return &lessons[i]
			}
		}
	}
	return nil
}

// Dropped says which of the agent's own rules would remove a record from a store that now holds
// records, for a load at now in the time zone. It returns memory.PrunedAway if the agent drops the
// line while loading: because of its age, because it is not a lesson or not JSON, or because it is
// past the values that are read. It returns memory.Evicted if the store holds Cap lessons or more
// and the record sorts before all of them. It returns false if no rule explains it, and for a
// record that was not read completely.
func Dropped(records []memory.Record, r *memory.Record, now time.Time, zone *time.Location) (memory.UndoneKind, bool) {
	if r.RawCut() {
		return 0, false
	}
	v, err := jstext.Parse(Decode(r.Raw))
	if err != nil || r.Forecast.Beyond || r.Flags&memory.FlagBeyond != 0 {
		return memory.PrunedAway, true
	}
	cutoff := ISO(cutoffAt(now, zone))
	keep, p := keeps(v, cutoff)
	switch {
	case p != nil:
		return 0, false
	case !keep:
		return memory.PrunedAway, true
	case evicted(records, v, cutoff):
		return memory.Evicted, true
	}
	return 0, false
}

// evicted reports whether the store is full of lessons that are evicted later than v.
func evicted(records []memory.Record, v jstext.Value, cutoff string) bool {
	key := keyOf(&Lesson{Value: v})
	held, read := 0, 0
	for i := range records {
		if read == LoadCap {
			break
		}
		other, err := jstext.Parse(Decode(records[i].Raw))
		if err != nil {
			continue
		}
		read++
		if keep, p := keeps(other, cutoff); !keep || p != nil {
			continue
		}
		held++
		if k := keyOf(&Lesson{Value: other}); compareKeys(&k, &key) < 0 {
			return false
		}
	}
	return held >= Cap
}
