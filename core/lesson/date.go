package lesson

import (
	"fmt"
	"strings"
	"time"

	"winnow/core/memory"
)

const (
	dayMillis = 24 * 60 * 60 * 1000
	isoLayout = "2006-01-02T15:04:05.000Z"
)

// ISO returns t as JavaScript's toISOString writes it: in UTC with three decimals.
func ISO(t time.Time) string {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("%+07d%s", y, t.Format("-01-02T15:04:05.000Z"))
	}
	return t.Format(isoLayout)
}

// cutoffAt returns the time up to which a load at now prunes: PruneDays days earlier in the calendar
// of the zone, at the same time of day.
func cutoffAt(now time.Time, zone *time.Location) time.Time {
	return shiftDays(now, zone, -PruneDays)
}

// shiftDays moves t by days on the wall clock of the zone, as setDate does. A wall time that a
// clock change skips or repeats is read with the offset before the change.
func shiftDays(t time.Time, zone *time.Location, days int) time.Time {
	ms := t.UnixMilli()
	wall := ms + offset(ms, zone) + int64(days)*dayMillis
	before := offset(wall-dayMillis, zone)
	early := wall - before
	if offset(early, zone) == before {
		return time.UnixMilli(early)
	}
	after := offset(wall+dayMillis, zone)
	if late := wall - after; offset(late, zone) == after {
		return time.UnixMilli(late)
	}
	return time.UnixMilli(early)
}

// offset returns by how many milliseconds the zone is ahead of UTC at the given time.
func offset(ms int64, zone *time.Location) int64 {
	_, s := time.UnixMilli(ms).In(zone).Zone()
	return int64(s) * 1000
}

// Moment reads a stored date. Its Time is zero when the text is not RFC 3339.
func Moment(text string) memory.Moment {
	if len(text) < len("2006-01-02T15:04:05Z") {
		return memory.Moment{Text: text}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return memory.Moment{Text: text}
	}
	return memory.Moment{Text: text, Time: t}
}

// Regular reports whether a date has the one format that the agent writes, in which text order is
// time order.
func Regular(m memory.Moment) bool {
	return len(m.Text) == len(isoLayout) && !m.Time.IsZero() &&
		m.Text[19] == '.' && strings.HasSuffix(m.Text, "Z")
}
