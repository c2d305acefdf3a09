package share

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
)

// Quiet returns the lessons that a merge would find as a merge before left them with nothing to do: the same object in the share,
// the same line in the store, the same counts. They need not be read, and no merge with this base looks at them. Objects are
// those of the share by path, lines name what the store holds by id, and s has the counts.
func (b *Base) Quiet(objects, lines map[string]string, s *State) map[string]bool {
	b.quiet = map[string]bool{}
	for id, l := range b.lines {
		name := Name(id) + ".json"
		if l.inputs != "" && objects[Lessons+name] == l.object && objects[Tombstones+name] == "" && l.inputs == inputs(lines[id], s.Own[id], s.Others[id]) {
			b.quiet[id] = true
		}
	}
	return b.quiet
}

// inputs names what a merge of a lesson comes from besides the base and what the share has.
func inputs(line string, own, others Count) string {
	return hashOf(fmt.Appendf(nil, "%s %d %s %d %s", line, own.N, own.Used, others.N, others.Used))
}

// Objects returns the objects that the base refers to by path, but those of quiet lessons.
func (b *Base) Objects() map[string]string {
	all := map[string]string{}
	if b == nil {
		return all
	}
	for id, l := range b.lines {
		if l.object != "" && !b.quiet[id] {
			all[LessonPath(id)] = l.object
		}
	}
	return all
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
