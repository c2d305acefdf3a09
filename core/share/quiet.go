package share

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"iter"
	"strings"
)

// Look finds the lessons that a merge must look at. All others are unchanged since a merge that had
// nothing to do: the share has the same object, the store the same line, and the counts are the same.
// These need not be read. Objects are the share's by path, lines name the store's lines by id, and s
// has the counts.
func (b *Base) Look(objects, lines map[string]string, s *State) {
	b.open = map[string]bool{}
	for id, l := range b.all() {
		name := Name(id) + ".json"
		if l.tomb != "" || !l.holds(lines[id]) || objects[Lessons+name] != l.object || objects[Tombstones+name] != "" || l.counts != tally(s.Own[id], s.Others[id]) {
			b.open[id] = true
		}
	}
}

// holds reports whether the store's line, "" for none, is the one of a merge that had nothing to do.
func (l *line) holds(name string) bool { return l.held == cmp.Or(name, "-") }

// Lines returns the ids of lessons for which a merge had nothing to do, by the name of the store's line.
func (b *Base) Lines() map[string]string {
	if b == nil {
		return nil
	}
	all := map[string]string{}
	if b.file != nil {
		all = make(map[string]string, len(b.file.lines))
	}
	for id, l := range b.all() {
		if l.held != "" && l.held != "-" {
			all[l.held] = id
		}
	}
	return all
}

// looked returns the lines of the lessons that a merge looks at.
func (b *Base) looked() iter.Seq2[string, line] {
	if b.open == nil {
		return b.all()
	}
	return func(yield func(string, line) bool) {
		for id := range b.open {
			if l := b.line(id); l != (line{}) && !yield(id, l) {
				return
			}
		}
	}
}

// Objects returns the objects that entries refer to, by path, without those of quiet lessons.
func (b *Base) Objects() map[string]string {
	all := map[string]string{}
	if b == nil {
		return all
	}
	for id, l := range b.looked() {
		if l.text != "" && !strings.HasPrefix(l.text, inline) {
			all[LessonPath(id)] = l.object
		}
	}
	return all
}

// QuietPaths returns the paths of the lessons that need not be read.
func (b *Base) QuietPaths() map[string]bool {
	all := map[string]bool{}
	for id := range b.all() {
		if b.Quiet(id) {
			all[LessonPath(id)] = true
		}
	}
	return all
}

// Foreign returns how many quiet lessons belong to another system.
func (b *Base) Foreign() (n int) {
	if b == nil {
		return 0
	}
	for id, l := range b.all() {
		if l.object != "" && l.text == "" && b.Quiet(id) {
			n++
		}
	}
	return n
}

// Open gives the base the lessons that it refers to, from the share as it is or was. It returns an
// error if one is missing; then sync as if there were no base.
func (b *Base) Open(states ...*State) error {
	if b == nil {
		return nil
	}
	b.lessons = map[string]Lesson{}
	for _, s := range states {
		for id, l := range s.Lessons {
			b.lessons[s.objects[id]] = l
		}
	}
	for path, object := range b.Objects() {
		if _, there := b.lessons[object]; !there {
			return fmt.Errorf("%s of the last sync is not there any more", path)
		}
	}
	return nil
}

// objectOf returns the id of the object that git makes of a file.
func objectOf(data []byte) string {
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...))
	return hex.EncodeToString(sum[:])
}
