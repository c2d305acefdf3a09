package lesson

import (
	"slices"
	"strconv"
)

// Settled says how a stored lesson relates to what a person made of it.
type Settled uint8

// The relations.
const (
	Kept     Settled = iota // it has all that the person set
	Reverted                // what the person set is as it was before
	Crossed                 // what the person set is neither as before nor as set
)

// Settle compares theirs, which stands in a store, with mine, which a person made of
// the earlier forms was, oldest first. It looks at the members that differ between one
// of the earlier forms and mine:
//
//   - A member with the value of mine is kept, one with a value that an earlier form
//     had is reverted, any other is crossed. The worst of the members counts.
//   - A count that was raised is kept where theirs is at least as high, else
//     reverted. One that was lowered is reverted where theirs is as high as before, as
//     the agent counted on from its own copy.
//   - A date of use is kept where theirs is as late.
//
// Merged is theirs with those members as in mine; what the agent counted on is added,
// and of counts and dates that nobody set the higher stay.
func Settle(was []string, mine, theirs string) (merged string, s Settled) {
	m, ok := openObject(mine)
	t, also := openObject(theirs)
	if !ok || !also {
		return settleBytes(was, mine, theirs)
	}
	want, now := m.values(), t.values()
	before := make([]map[string]string, 0, len(was))
	for _, w := range was {
		if o, ok := openObject(w); ok {
			before = append(before, o.values())
		}
	}
	var settings []setting
	for _, key := range membersSet(before, want, &m) {
		json, state := settleMember(key, before, want, now)
		s = max(s, state)
		if stands, there := now[key]; json == "" && there || json != "" && json != stands {
			if json == want[key] {
				json, _ = m.spelled(key)
			}
			settings = append(settings, setting{key: key, json: json, drop: json == ""})
		}
	}
	merged = t.with(settings)
	if !lowered(before, want) {
		merged, _ = heighten(merged, mine)
	}
	return merged, s
}

// settleBytes is Settle for lines of which one is no object.
func settleBytes(was []string, mine, theirs string) (string, Settled) {
	switch {
	case sameValues(mine, theirs, false):
		return theirs, Kept
	case slices.ContainsFunc(was, func(w string) bool { return sameValues(w, theirs, true) }):
		return mine, Reverted
	}
	return mine, Crossed
}

// membersSet returns the members that a person set, in the order of mine.
func membersSet(before []map[string]string, want map[string]string, m *object) []string {
	var keys []string
	for i, at := range m.members {
		if m.last[at.key] == i && slices.ContainsFunc(before, differs(at.key, want)) {
			keys = append(keys, at.key)
		}
	}
	var gone []string
	for _, b := range before {
		for key := range b {
			if _, there := want[key]; !there && !slices.Contains(gone, key) {
				gone = append(gone, key)
			}
		}
	}
	slices.Sort(gone)
	return append(keys, gone...)
}

func differs(key string, want map[string]string) func(map[string]string) bool {
	return func(b map[string]string) bool {
		old, there := b[key]
		return !there || old != want[key]
	}
}

// settleMember returns the JSON that a member is to have, or "" to have it not, and
// how theirs relates to it.
func settleMember(key string, before []map[string]string, want, now map[string]string) (string, Settled) {
	mine, set := want[key]
	theirs, there := now[key]
	switch {
	case mine == theirs && set == there:
		return mine, Kept
	case key == keyCount && set && there:
		if json, s, ok := settleCount(before, mine, theirs); ok {
			return json, s
		}
	case key == keyUsed && set && there:
		if later, ok := laterDate(mine, theirs); ok && later == theirs {
			return theirs, Kept
		}
	}
	for _, b := range before {
		if old, had := b[key]; had == there && old == theirs {
			return mine, Reverted
		}
	}
	if key == keyUsed {
		return mine, Reverted
	}
	return mine, Crossed
}

// settleCount is settleMember for counts. It is not ok when one is no whole number.
func settleCount(before []map[string]string, mine, theirs string) (json string, s Settled, ok bool) {
	m, ok1 := whole(mine)
	t, ok2 := whole(theirs)
	if !ok1 || !ok2 {
		return "", 0, false
	}
	base := -1 // the highest earlier count that theirs can be counted on from
	lower := false
	for _, b := range before {
		if n, ok := whole(b[keyCount]); ok && n > m {
			lower = true
			if n <= t {
				base = max(base, n)
			}
		}
	}
	switch {
	case lower && base >= 0:
		return strconv.Itoa(m + t - base), Reverted, true
	case t >= m:
		return theirs, Kept, true
	}
	return mine, Reverted, true
}

// lowered reports whether the person lowered the count.
func lowered(before []map[string]string, want map[string]string) bool {
	m, ok := whole(want[keyCount])
	return ok && slices.ContainsFunc(before, func(b map[string]string) bool {
		n, ok := whole(b[keyCount])
		return ok && n > m
	})
}
