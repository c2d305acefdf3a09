package jsonl

import (
	"slices"
	"strconv"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

// Settle compares theirs, the line in a store, with a person's changes to the lesson. It looks at
// the members that the person set in any of the changes:
//
//   - A member with the value of mine is kept, one with the value of an earlier form is reverted,
//     and any other has diverged. The worst member decides.
//   - A raised count is kept if theirs is at least as high, and otherwise reverted. A lowered
//     count is reverted if theirs is as high as before, because the agent counted on from its own
//     copy.
//   - A date of use is kept if theirs is not earlier.
//
// Merged is theirs with those members as in mine, plus what the agent counted on. A count or a date
// of use never goes down unless the person set it lower: otherwise the highest known value stays.
func Settle(made memory.Forms, theirs string) (merged string, s system.Relation) {
	mine, was := made.Mine(), made.Earlier()
	m, ok := openObject(mine)
	t, also := openObject(theirs)
	if !ok || !also {
		return settleBytes(was, mine, theirs)
	}
	p := settling{want: m.values(), now: t.values()}
	for _, w := range was {
		if o, ok := openObject(w); ok {
			p.before = append(p.before, o.values())
		}
	}
	var settings []setting
	for _, key := range p.membersSet(made, &m) {
		json, state := p.member(key)
		s = max(s, state)
		if current, there := p.now[key]; json == "" && there || json != "" && json != current {
			if json == p.want[key] {
				json, _ = m.spelled(key)
			}
			settings = append(settings, setting{key: key, json: json, drop: json == ""})
		}
	}
	merged = t.with(settings)
	for _, form := range append(was, mine) {
		merged, _ = heightenOf(merged, form, len(p.lowered) == 0, !p.dated || form == mine)
	}
	return merged, s
}

// settleBytes is Settle for lines that are not both objects.
func settleBytes(was []string, mine, theirs string) (string, system.Relation) {
	switch {
	case sameValues(mine, theirs, false):
		return theirs, system.Kept
	case slices.ContainsFunc(was, func(w string) bool { return sameValues(w, theirs, true) }):
		return mine, system.Reverted
	}
	return mine, system.Diverged
}

// settling is the state of one Settle call.
type settling struct {
	before    []map[string]string // the members of the earlier forms
	want, now map[string]string   // the members of mine and theirs
	lowered   []int               // the counts that a person lowered, before they did
	dated     bool                // a person set an earlier date of use, or none
}

// membersSet returns the members that a person set in any of the changes, in the order of mine.
func (p *settling) membersSet(made memory.Forms, m *object) []string {
	set := map[string]bool{}
	count, counted := parseCount(p.want[lesson.KeyCount])
	for _, c := range made {
		b, ok := openObject(c.Before)
		a, also := openObject(c.After)
		if !ok || !also {
			continue
		}
		was, is := b.values(), a.values()
		for _, members := range [...]map[string]string{was, is} {
			for key := range members {
				set[key] = set[key] || differ(key, was, is)
			}
		}
		from, ok1 := parseCount(was[lesson.KeyCount])
		to, ok2 := parseCount(is[lesson.KeyCount])
		if ok1 && ok2 && from > to && counted && from > count {
			p.lowered = append(p.lowered, from)
		}
		p.dated = p.dated || datesBack(was, is)
	}
	return p.inOrder(set, m)
}

// inOrder returns the names of a set that differ from an earlier form: those of mine in its order, then those that it
// no longer has.
func (p *settling) inOrder(set map[string]bool, m *object) []string {
	var keys, removed []string
	for i, at := range m.members {
		if m.last[at.key] == i && set[at.key] && slices.ContainsFunc(p.before, p.differsEarlier(at.key)) {
			keys = append(keys, at.key)
		}
	}
	for key, is := range set {
		if _, there := p.want[key]; is && !there {
			removed = append(removed, key)
		}
	}
	slices.Sort(removed)
	return append(keys, removed...)
}

// datesBack reports whether a date of use moved back or was removed.
func datesBack(was, is map[string]string) bool {
	from, had := was[lesson.KeyUsed]
	to, has := is[lesson.KeyUsed]
	later, ok := laterDate(to, from)
	return had && (!has || ok && later != to)
}

// differsEarlier returns a function that reports whether an earlier form has a different value than
// mine.
func (p *settling) differsEarlier(key string) func(map[string]string) bool {
	return func(b map[string]string) bool { return differ(key, b, p.want) }
}

func differ(key string, a, b map[string]string) bool {
	x, had := a[key]
	y, has := b[key]
	return had != has || x != y
}

// member returns the JSON that a member should have, or "" if it should be absent, and how theirs
// relates to that.
func (p *settling) member(key string) (string, system.Relation) {
	mine, set := p.want[key]
	theirs, there := p.now[key]
	switch {
	case mine == theirs && set == there:
		return mine, system.Kept
	case key == lesson.KeyCount && set && there:
		if json, s, ok := p.count(mine, theirs); ok {
			return json, s
		}
	case key == lesson.KeyUsed && there && p.usedLater(theirs):
		return theirs, system.Kept
	}
	for _, b := range p.before {
		if old, had := b[key]; had == there && old == theirs {
			return mine, system.Reverted
		}
	}
	if key == lesson.KeyUsed {
		return mine, system.Reverted
	}
	return mine, system.Diverged
}

// usedLater reports whether a date of use is one that the agent set since: a later one than mine, or one where mine has
// none and no person took it away.
func (p *settling) usedLater(theirs string) bool {
	mine, set := p.want[lesson.KeyUsed]
	if !set {
		return !p.dated
	}
	later, ok := laterDate(mine, theirs)
	return ok && later == theirs
}

// count is member for counts. It is not ok if one of them is not an integer.
func (p *settling) count(mine, theirs string) (json string, s system.Relation, ok bool) {
	m, ok1 := parseCount(mine)
	t, ok2 := parseCount(theirs)
	if !ok1 || !ok2 {
		return "", 0, false
	}
	base := -1 // the highest count before lowering from which theirs may have counted on
	for _, n := range p.lowered {
		if n <= t {
			base = max(base, n)
		}
	}
	switch {
	case base >= 0:
		return strconv.Itoa(m + t - base), system.Reverted, true
	case t >= m:
		return theirs, system.Kept, true
	}
	return mine, system.Reverted, true
}
