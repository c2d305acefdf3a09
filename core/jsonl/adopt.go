package jsonl

import (
	"slices"
	"strings"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// Adopt returns the file with what other has more than base, for three states of one
// store: base is what the file was made from, and other what another writer made of
// base at the same time. Lessons that are new in other are appended, with their own
// ids, and without an id by their bytes. Of lessons that other changed, the members
// are merged in, save those that the file changed as well; a count that other raised
// is at least as high afterwards, and where base does not have the lesson the higher
// one stays. Nothing is removed and nothing doubled: a lesson of
// base that is missing in the file stays away. It also returns how many lessons were
// added or changed.
func Adopt(file, base, other string) (out string, n int) {
	now, was := groupLines(file), groupLines(base)
	var changes []memory.Change
	doubled := map[string]bool{}
	for i, l := range Split(other) {
		if l.Blank() {
			continue
		}
		key := sameness(l.Text)
		before, knew := was.remove(key, l.Text)
		stands, there := now.remove(key, l.Text)
		switch {
		case there:
			if !knew {
				before = stands
			}
			text := adopted(before, l.Text, stands)
			if !knew { // nobody knows which of the two counted on
				text, _ = heighten(text, stands)
			}
			if text != stands {
				changes = append(changes, memory.Change{Do: memory.Editing, Before: stands, After: text, Line: i + 1})
			}
		case !knew && !was.has(key) && !now.has(key) && !doubled[l.Text]:
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
	out, _ := Splice(file, r.parts()) // they are of the file itself
	return out, n
}

// adopted returns the line as it stands with what another writer made of base.
func adopted(base, theirs, stands string) string {
	if theirs == stands || theirs == base {
		return stands
	}
	m, ok := merge(base, unlowered(base, theirs, stands), stands)
	if !ok {
		return stands
	}
	return m.text
}

// unlowered returns theirs with the count of base where theirs is lower and the file
// has another one, as it would be lowered by as much each time it is adopted.
func unlowered(base, theirs, stands string) string {
	all, ok := openObjects(base, theirs, stands)
	if !ok {
		return theirs
	}
	count := func(i int) (int, string, bool) {
		spelled, _ := all[i].spelled(lesson.KeyCount)
		n, ok := whole(spelled)
		return n, spelled, ok
	}
	was, spelled, _ := count(0)
	n, _, counted := count(1)
	now, _, stood := count(2)
	if !counted || n >= was || stood && now == was {
		return theirs
	}
	return all[1].with([]setting{{key: lesson.KeyCount, json: spelled}})
}

// linesByRecord holds the lines of a file by what they share with others of one record.
type linesByRecord map[string][]string

func groupLines(file string) linesByRecord {
	s := linesByRecord{}
	for _, l := range Split(file) {
		if !l.Blank() {
			key := sameness(l.Text)
			s[key] = append(s[key], l.Text)
		}
	}
	return s
}

// has reports whether a record with an id of its own was ever among the lines.
func (s linesByRecord) has(key string) bool {
	_, ok := s[key]
	return ok && strings.HasPrefix(key, "i")
}

// remove takes out a line of the key: the one with the same bytes, else the first.
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
