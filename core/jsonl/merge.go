package jsonl

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// isCount reports whether an agent changes the member by itself when it recalls a lesson.
func isCount(key string) bool { return key == lesson.KeyCount || key == lesson.KeyUsed }

// sameValues reports whether two lines have the same members with the same values, in any spelling
// and order. Lines that are not objects are the same if they parse to the same value, or if their
// bytes are equal without surrounding white space. With loose, what an agent counts may differ.
func sameValues(a, b string, loose bool) bool {
	return a == b || meaning(a, loose) == meaning(b, loose)
}

// looseMeaning returns what a line says, except for what an agent counts.
func looseMeaning(line string) string { return meaning(line, true) }

// meaning returns the same text for all spellings of a line that sameValues considers the same.
func meaning(line string, loose bool) string {
	o, ok := openObject(line)
	if !ok {
		bare := jstext.Trim(line)
		if text, ok := lesson.Resave(bare); ok {
			return text
		}
		return bare
	}
	vals := o.values()
	out := make([]byte, 0, len(line)+1)
	out = append(out, '{')
	for _, key := range slices.Sorted(maps.Keys(vals)) {
		if !loose || !isCount(key) {
			out = append(jstext.AppendQuoted(out, key), ':')
			out = append(append(out, vals[key]...), ',')
		}
	}
	return string(append(out, '}'))
}

// merging is the result of a three-way merge of a line.
type merging struct {
	text string
	own  bool // before the merge, the line was unchanged except for its spelling
	// already is set if the line already had everything that after says.
	already bool
	// clash names a member with a third value; theirs is kept for it.
	clash string
}

// merge makes the changes from before to after in theirs. A raised count becomes the higher of the
// two, a lowered count is lowered by the same amount, and the later of two dates of use wins. It
// returns false if one of the lines is not an object.
func merge(before, after, theirs string) (merging, bool) {
	all, ok := openObjects(before, after, theirs)
	if !ok {
		return merging{}, false
	}
	b, a, t := &all[0], &all[1], &all[2]
	was, want, now := b.values(), a.values(), t.values()
	m := merging{own: maps.Equal(was, now), already: true}
	var settings []setting
	set := func(key string) {
		s, change, ok := mergeMember(key, was, want, now)
		m.already = m.already && !change && (was[key] == want[key] || now[key] == want[key])
		switch {
		case !ok:
			m.clash = key
		case change:
			if spelled, there := a.spelled(key); there && s.json == want[key] {
				s.json = spelled
			}
			settings = append(settings, s)
		}
	}
	for i := range a.members {
		if key := a.members[i].key; a.last[key] == i {
			set(key)
		}
	}
	for i := range b.members {
		if key := b.members[i].key; b.last[key] == i {
			if _, there := want[key]; !there {
				set(key)
			}
		}
	}
	m.text = t.with(settings)
	return m, true
}

// mergeMember returns what to do with a member whose value was in was, should become the one in
// want, and is currently the one in now. It is not ok if all three differ and cannot be merged.
func mergeMember(key string, was, want, now map[string]string) (s setting, change, ok bool) {
	b, bok := was[key]
	a, aok := want[key]
	t, tok := now[key]
	s = setting{key: key, json: a, drop: !aok}
	switch {
	case a == b && aok == bok, a == t && aok == tok:
		return s, false, true
	case t == b && tok == bok:
		return s, true, true
	case key == lesson.KeyCount && aok && tok:
		s.json, ok = mergeCount(b, a, t)
		return s, ok && s.json != t, ok
	case key == lesson.KeyUsed && aok && tok:
		s.json, ok = laterDate(a, t)
		return s, ok && s.json != t, ok
	}
	return s, false, false
}

// mergeCount returns the merged count, as JSON.
func mergeCount(before, mine, theirs string) (string, bool) {
	a, ok := parseCount(mine)
	t, also := parseCount(theirs)
	if !ok || !also {
		return "", false
	}
	if b, ok := parseCount(before); ok && a < b {
		return strconv.Itoa(max(0, a+t-b)), true
	}
	return strconv.Itoa(max(a, t)), true
}

// parseCount reads the JSON of a count. It returns false for anything but an integer from 0 to 2^53.
func parseCount(json string) (int, bool) {
	v, err := jstext.Parse(json)
	if err != nil || v.Kind() != jstext.Number {
		return 0, false
	}
	n := v.Number()
	return int(n), n >= 0 && n <= 1<<53 && n == math.Trunc(n)
}

// laterDate returns the later of two dates, as JSON. It returns false if one of them is not in the
// agent's date format.
func laterDate(a, b string) (string, bool) {
	x, y := lesson.Moment(valueOf(a).Str()), lesson.Moment(valueOf(b).Str())
	if !lesson.Regular(x) || !lesson.Regular(y) {
		return "", false
	}
	if y.Time.After(x.Time) {
		return b, true
	}
	return a, true
}

// withHigherCounts returns the line with the count and the date of use of other, as far as those are higher
// or later, and whether that changed it.
func withHigherCounts(line, other string) (string, bool) { return heightenOf(line, other, true, true) }

// heightenOf is withHigherCounts for the count, the dates or both.
func heightenOf(line, other string, count, date bool) (string, bool) {
	all, ok := openObjects(line, other)
	if !ok {
		return line, false
	}
	t, o := &all[0], &all[1]
	now, more := t.values(), o.values()
	var settings []setting
	n, counted := parseCount(more[lesson.KeyCount])
	if old, _ := t.value(lesson.KeyCount); count && counted && n > 0 && !(old.ToNumber() >= float64(n)) {
		settings = append(settings, setting{key: lesson.KeyCount, json: strconv.Itoa(n)})
	}
	if used, there := more[lesson.KeyUsed]; date && there {
		old, had := now[lesson.KeyUsed]
		later, ok := laterDate(used, old)
		if !had && lesson.Regular(lesson.Moment(valueOf(used).Str())) || ok && later != old {
			settings = append(settings, setting{key: lesson.KeyUsed, json: used})
		}
	}
	return t.with(settings), len(settings) > 0
}
