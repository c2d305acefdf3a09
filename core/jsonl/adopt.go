package jsonl

import (
	"slices"
	"strings"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// Adopt returns the file with everything that other has in addition to base. These are three states
// of one store: file was made from base, and other is what another writer made from base at the
// same time.
//
// Lessons that are new in other are appended. They are recognised by their own ids, or without an
// id by their content. In lessons that other changed, the changed members are merged in, except
// those that file changed too. A count that other raised is at least as high afterwards; if base
// lacks the lesson, the higher count wins. Nothing is removed or duplicated, and a lesson of base
// that is missing in file stays away.
//
// Adopt also returns the number of lessons added or changed.
func Adopt(file, base, other string) (out string, n int) {
	now, was := groupLines(file), groupLines(base)
	var changes []memory.Change
	doubled := map[string]bool{}
	for i, l := range split(other) {
		if l.blank() {
			continue
		}
		key := identityOf(l.Text)
		before, inBase := was.remove(key, l.Text)
		current, inFile := now.remove(key, l.Text)
		switch {
		case inFile:
			if !inBase {
				before = current
			}
			text := adopted(before, l.Text, current)
			if !inBase { // it is unknown which of the two counted on
				text, _ = withHigherCounts(text, current)
			}
			if text != current {
				changes = append(changes, memory.Change{Do: memory.Editing, Before: current, After: text, Line: i + 1})
			}
		case !inBase && !was.has(key) && !now.has(key) && !doubled[l.Text]:
			doubled[l.Text] = strings.HasPrefix(key, "i")
			changes = append(changes, memory.Change{Do: memory.Adding, After: l.Text})
		}
	}
	return amended(file, changes)
}

// amended returns the file with edits and additions that are known to fit.
func amended(file string, changes []memory.Change) (_ string, n int) {
	r := newRewriter(file, changes)
	r.findBytes()
	for i := range changes {
		ch := &changes[i]
		switch {
		case ch.Do == memory.Adding:
			gap := r.gap(ch)
			r.gaps[gap] = append(r.gaps[gap], i)
			n++
		case r.at[i] >= 0:
			r.set(i, r.at[i], ch.After)
			n++
		}
	}
	out, _ := Splice(file, r.parts()) // the parts come from the file itself
	return out, n
}

// adopted returns the line in the file, current, with another writer's changes from base to theirs.
func adopted(base, theirs, current string) string {
	if theirs == current || theirs == base {
		return current
	}
	m, ok := merge(base, unlowered(base, theirs, current), current)
	if !ok {
		return current
	}
	return m.text
}

// unlowered returns theirs, but with base's count and a date no earlier than base's if its count is lower
// and the file has a third one. Otherwise each adoption would lower the count again.
func unlowered(base, theirs, current string) string {
	all, ok := openObjects(base, theirs, current)
	if !ok {
		return theirs
	}
	count := func(i int) (int, string, bool) {
		spelled, _ := all[i].spelled(lesson.KeyCount)
		n, ok := parseCount(spelled)
		return n, spelled, ok
	}
	was, spelled, _ := count(0)
	n, _, counted := count(1)
	now, _, hasNow := count(2)
	if !counted || n >= was || hasNow && now == was {
		return theirs
	}
	settings := []setting{{key: lesson.KeyCount, json: spelled}}
	before, _ := all[0].spelled(lesson.KeyUsed)
	after, _ := all[1].spelled(lesson.KeyUsed)
	if later, dated := laterDate(after, before); dated && later != after {
		settings = append(settings, setting{key: lesson.KeyUsed, json: before})
	}
	return all[1].with(settings)
}

// linesByRecord holds the lines of a file by the record that they belong to (see identityOf).
type linesByRecord map[string][]string

func groupLines(file string) linesByRecord {
	s := linesByRecord{}
	for _, l := range split(file) {
		if !l.blank() {
			key := identityOf(l.Text)
			s[key] = append(s[key], l.Text)
		}
	}
	return s
}

// has reports whether a record with its own id was ever among the lines.
func (s linesByRecord) has(key string) bool {
	_, ok := s[key]
	return ok && strings.HasPrefix(key, "i")
}

// remove takes out a line of the key: the one with the same bytes, or else the first.
func (s linesByRecord) remove(key, text string) (string, bool) {
	lines := s[key]
	if len(lines) == 0 {
		return "", false
	}
	k := max(0, slices.Index(lines, text))
	found := lines[k]
	lines[k] = lines[len(lines)-1]
	s[key] = lines[:len(lines)-1]
	return found, true
}
