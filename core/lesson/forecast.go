package lesson

import (
	"math"
	"sort"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// soon is how long before its pruning a lesson is flagged.
const soon = 3 * 24 * time.Hour

// forecasts returns the forecast of each held lesson, by index.
func (l *List) forecasts() []memory.Forecast {
	out := make([]memory.Forecast, len(l.lessons))
	order := evictionOrder(l.lessons)
	before := l.beforeArrivals(order)
	after := len(order) - before
	for pos, i := range order {
		f := &out[i]
		f.Rank = pos + 1
		switch {
		case pos < before: // each new lesson past Cap pushes one of these out
			f.LeavesAfter = max(1, pos+1+Cap-len(order))
		case pos-before < after-Cap: // the first new lesson cuts the list to Cap
			f.LeavesAfter = 1
		}
		f.PruneAt = l.pruneAt(l.lessons[i].Value)
	}
	return out
}

// beforeArrivals returns the number of lessons that come before a new lesson in the eviction order.
// A new lesson has count 0 and the newest date.
func (l *List) beforeArrivals(order []int) int {
	newest := l.now
	for i := range l.lessons {
		if d, ok := l.lessons[i].text(KeyCreated); ok {
			if m := Moment(d); Regular(m) && m.Time.After(newest) {
				newest = m.Time
			}
		}
	}
	arrival := sortKey{count: jstext.NumberValue(0), created: ISO(newest)}
	return sort.Search(len(order), func(i int) bool {
		k := keyOf(&l.lessons[order[i]])
		return compareKeys(&k, &arrival) > 0
	})
}

// pruneAt returns the first time at which a load prunes the lesson, or zero if age never removes
// it. It counts whole days: if clocks change on the first or the last of them, it may be as much too
// early or too late as they change.
func (l *List) pruneAt(v jstext.Value) time.Time {
	if count, ok := v.Field(KeyCount); ok && count.ToNumber() > 0 {
		return time.Time{}
	}
	newest := ""
	for _, key := range [...]string{KeyUsed, KeyCreated} {
		date, _ := v.Field(key)
		if key == KeyUsed && !date.Truthy() {
			continue
		}
		if s, ok := asText(date); ok && jstext.Compare(s, newest) > 0 {
			newest = s
		}
	}
	cutoff, ok := firstISO(newest)
	if !ok {
		return time.Time{}
	}
	return shiftDays(cutoff, l.zone, PruneDays)
}

// firstISO returns the first time, to the millisecond, whose ISO text is not less than s. It
// returns false if there is none in the years 0 to 9999.
func firstISO(s string) (time.Time, bool) {
	if m := Moment(s); Regular(m) && m.Time.Nanosecond()%1e6 == 0 && ISO(m.Time) == s {
		return m.Time, true
	}
	first := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	span := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() - first
	n := int64(sort.Search(int(min(span, math.MaxInt)), func(ms int) bool {
		return jstext.Compare(ISO(time.UnixMilli(first+int64(ms))), s) >= 0
	}))
	return time.UnixMilli(first + n), n < span
}

// Mark sets the forecast of a record of the store that l was loaded from, and the flags and the
// Problem that follow from how the load treated its line.
func (l *List) Mark(r *memory.Record) {
	switch l.fate[r.Line] {
	case fateHeld:
		l.markHeld(r)
	case fatePruned:
		r.Flags |= memory.FlagPruned
		if r.Flags&memory.FlagDamaged != 0 {
			r.Flags &^= memory.FlagDamaged
			r.Problem = nil
		}
		r.Problem = withoutStop(r.Problem, "the agent drops the line because of its age when it loads the store")
	case fateStops:
		r.Flags |= memory.FlagStops
	default:
		if l.last > 0 && r.Line > l.last {
			r.Flags |= memory.FlagBeyond
			r.Forecast.Beyond = true
			r.Problem = withoutStop(r.Problem, "the agent does not load the line, because it is too far down")
		}
	}
}

func (l *List) markHeld(r *memory.Record) {
	l.forecast.Do(l.prepareForecasts)
	i := l.lines[r.Line]
	r.Forecast = l.outlook[i]
	stops := l.lessons[i].Stops()
	if stops != nil {
		r.Flags |= memory.FlagStops
	}
	if r.Flags&memory.FlagDamaged != 0 { // forgiven at the ends of the file
		r.Flags &^= memory.FlagDamaged
		r.Problem = stops
	}
	if at := r.Forecast.PruneAt; !at.IsZero() && at.Sub(l.now) <= soon {
		r.Flags |= memory.FlagPrunesSoon
	}
}

// prepareForecasts prepares the forecasts by line.
func (l *List) prepareForecasts() {
	l.outlook = l.forecasts()
	l.lines = make(map[int]int, len(l.lessons))
	for i := range l.lessons {
		l.lines[l.lessons[i].Line] = i
	}
}

// withoutStop returns what remains of a problem when the agent does not hold the line, and so does not
// stop at it.
func withoutStop(p *memory.Problem, instead string) *memory.Problem {
	if p == nil {
		return nil
	}
	switch p.Code {
	case codeNoText, CodeOddOutcome, CodeNullLine:
		return &memory.Problem{Code: p.Code, What: "this line lacks a text that a lesson needs", Hint: instead}
	}
	return p
}
