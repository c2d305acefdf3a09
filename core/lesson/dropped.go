package lesson

import (
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Dropped says by which of the agent's own rules a record would have left a store that
// now holds records, for a load at now in the time zone. It is memory.PrunedAway when
// the agent drops the line while it loads: for its age, since it is no lesson or no
// JSON, or since it stood past the values that are read. It is memory.Evicted when
// the store holds Cap lessons or more and the record sorts before all of them. It is
// false when no rule explains it, also for a record that was not read whole.
func Dropped(records []memory.Record, r *memory.Record, now time.Time, zone *time.Location) (memory.UndoneKind, bool) {
	if r.RawCut() {
		return 0, false
	}
	v, err := jstext.Parse(Decode(r.Raw))
	if err != nil || r.Forecast.Beyond || r.Flags&memory.FlagBeyond != 0 {
		return memory.PrunedAway, true
	}
	cutoff := ISO(Cutoff(now, zone))
	keep, p := kept(v, cutoff)
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

// evicted reports whether the store is full of lessons that stay before v does.
func evicted(records []memory.Record, v jstext.Value, cutoff string) bool {
	gone := keyOf(&Lesson{Value: v})
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
		if keep, p := kept(other, cutoff); !keep || p != nil {
			continue
		}
		held++
		if k := keyOf(&Lesson{Value: other}); compareKeys(&k, &gone) < 0 {
			return false
		}
	}
	return held >= Cap
}
