package share

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
)

// Quiet returns the lessons that a merge would find as a merge before left them with nothing to do: the same object in the share,
// the same line in the store, the same counts. They need not be read, and no merge with this base looks at them. Objects are
// those of the share by path, lines name what the store holds by id, and s has the counts.
func (b *Base) Quiet(objects, lines map[string]string, s *State) map[string]bool {
	b.quiet = map[string]bool{}
	for id, l := range b.lines {
		name := Name(id) + ".json"
		if l.tomb == "" && l.holds(lines[id]) && objects[Lessons+name] == l.object && objects[Tombstones+name] == "" && l.counts == tally(s.Own[id], s.Others[id]) {
			b.quiet[id] = true
		}
	}
	return b.quiet
}

// holds reports whether the store has the line, or none, as when a merge had nothing to do.
func (l *line) holds(name string) bool { return l.held == cmp.Or(name, "-") }

// Lines returns the lessons whose lines in the store a merge had nothing to do for, by what names the line.
func (b *Base) Lines() map[string]string {
	if b == nil {
		return nil
	}
	all := make(map[string]string, len(b.lines))
	for id, l := range b.lines {
		if l.held != "" && l.held != "-" {
			all[l.held] = id
		}
	}
	return all
}

// Objects returns the objects that entries refer to by path, but those of quiet lessons.
func (b *Base) Objects() map[string]string {
	all := map[string]string{}
	if b == nil {
		return all
	}
	for id, l := range b.lines {
		if !b.quiet[id] && l.text != "" && !strings.HasPrefix(l.text, inline) {
			all[LessonPath(id)] = l.object
		}
	}
	return all
}

// Foreign returns how many of the quiet lessons are of another system.
func (b *Base) Foreign() (n int) {
	if b == nil {
		return 0
	}
	for id := range b.quiet {
		if l := b.lines[id]; l.object != "" && l.text == "" {
			n++
		}
	}
	return n
}

// Open gives the base the lessons that it refers to, which the share has or had before. The error says that one is missing: the
// base is as good as none.
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

// objectOf returns the object that git makes of a file.
func objectOf(data []byte) string {
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...))
	return hex.EncodeToString(sum[:])
}
