// Package share defines the files of a share and merges its lessons. A share is a git repository
// through which several machines sync. The life of a share:
//
//  1. Init. Someone makes the repository: [Start] returns README.md and share.toml.
//  2. Form. Each lesson is a file lessons/<name>.json ([Lesson.Bytes]), named after its id ([fileName]).
//     The file does not say how often the lesson was recalled: counts stay on their machine. A
//     deletion by a person is a file tombstones/<name>.json.
//  3. Fetch. Git brings what others pushed. A [Reader] treats the files as hostile input: it limits
//     their size and says why it refuses one. A refused file is neither a lesson nor a deletion:
//     its lesson stays as it is on both sides.
//  4. Merge. [Merge] compares three states by lesson and field: the [Base], on which both sides last
//     agreed, the local store, and the share. It returns what to change here, what to change there,
//     and which fields both sides changed. Those stay different until a person decides.
//  5. Gate and push. The caller audits what would leave, commits and pushes. If somebody else pushed
//     first, it fetches and merges again from the same base and store, as nothing was changed yet.
//  6. Wait. The local changes, deletions too, wait in the inbox for a person. [Result.Base] returns
//     the next base. A field is in the base only if both sides have the same value for it, so a value
//     that was not taken or not sent is offered again.
//  7. Delete. A person's deletion becomes a tombstone. It is offered to machines that have a copy
//     that nobody edited, also to those that were offline. A later edit wins over a deletion, and so
//     does a person who rejects it. Tombstones expire, by default after 180 days ([Settings.Expiry]).
//  8. Evict. A lesson that an agent dropped by itself stays in the share and on other machines. It
//     does not come back to the machine that dropped it.
//  9. Lose the base. Without a base nothing is deleted on either side: equal lessons are joined, fields
//     that differ are conflicts, and a deleted lesson that is still here stays here only.
//
// The package is pure: no files, no clock, no git.
package share

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// Lesson is one record as a share holds it.
type Lesson struct {
	ID     string
	System string // the system that the record belongs to, such as "karnevil9"; others ignore it
	Kind   string // as in memory.Record; empty for lessons
	// Fields are the members as canonical JSON. Values are never empty: a missing field has no entry.
	// The id and the recall counts are not among them.
	Fields map[string]string
}

// Tombstone records that a person deleted a lesson.
type Tombstone struct {
	ID     string
	System string
	Who    string
	When   time.Time
	// Digest identifies the version that was deleted, see [Lesson.Digest].
	Digest string
}

// lineOrder is the order in which the agent writes the members of a lesson's line.
var lineOrder = []string{
	lesson.KeyID, lesson.KeyTitle, lesson.KeyOutcome, lesson.KeyBody, lesson.KeyTools,
	lesson.KeyCreated, lesson.KeySession, lesson.KeyCount,
}

// FromLine returns the lesson in a stored line. The error says why the line cannot be shared.
func FromLine(system, line string) (Lesson, error) {
	l := Lesson{System: system, Fields: map[string]string{}}
	if !utf8.ValidString(line) {
		return l, errors.New("not UTF-8")
	}
	kind, err := jstext.Scan(jstext.Trim(line), func(p jstext.Part) bool {
		l.Fields[p.Name()] = p.Value // like the agent, take the last of duplicate keys
		return true
	})
	if err == nil && kind != jstext.Object {
		err = errors.New("not a lesson")
	}
	for _, key := range slices.Sorted(maps.Keys(l.Fields)) {
		l.Fields[key], err = canonical(l.Fields[key], err)
	}
	if err != nil {
		return Lesson{}, err
	}
	l.ID = jstext.Text(l.Fields[lesson.KeyID])
	for _, key := range []string{lesson.KeyID, lesson.KeyCount, lesson.KeyUsed} {
		delete(l.Fields, key)
	}
	if err := l.check(); err != nil {
		return l, err
	}
	return l, tooLarge(l.Bytes())
}

// Line returns the lesson as the agent writes it when it was never recalled. Known members come first,
// in the agent's order, then the others by name. A line that the agent wrote with known members only
// comes back byte for byte.
func (l Lesson) Line() string {
	all := maps.Collect(maps.All(l.Fields)) // never nil, unlike Fields of an empty lesson
	all[lesson.KeyID], all[lesson.KeyCount] = jstext.Quoted(l.ID), "0"
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), lesson.IsKnown)
	return object(all).spelled(slices.Concat(lineOrder, rest), "")
}

// Title returns what a person knows the lesson by.
func (l Lesson) Title() string { return l.Text(lesson.KeyTitle) }

// Text returns the value of a string field, or "" if it is missing or not a string.
func (l Lesson) Text(field string) string { return jstext.Text(l.Fields[field]) }

// check returns an error if the lesson cannot be in a share.
func (l Lesson) check() error {
	switch {
	case l.ID == "":
		return errors.New("no id")
	case len(l.ID) > maxID:
		return fmt.Errorf("the id is longer than %d bytes", maxID)
	}
	return nil
}

func tooLarge(file []byte) error {
	if len(file) > maxLesson {
		return fmt.Errorf("larger than %d MiB", maxLesson>>20)
	}
	return nil
}

// Digest returns a hash of this version of the lesson. Recalls do not change it.
func (l Lesson) Digest() string {
	sum := sha256.Sum256(l.Bytes())
	return hex.EncodeToString(sum[:])
}

// equal reports whether two lessons are the same version.
func (l Lesson) equal(o Lesson) bool {
	return l.ID == o.ID && l.System == o.System && l.Kind == o.Kind && maps.Equal(l.Fields, o.Fields)
}

// Bytes returns the file of a lesson, with one field per line. Equal lessons have equal bytes.
func (l Lesson) Bytes() []byte { return l.object("  ").file() }

// object returns the members of a lesson's file. Each field is on its own line after indent.
func (l Lesson) object(indent string) object {
	return object{
		"fields": lines(l.Fields, indent),
		"id":     jstext.Quoted(l.ID),
		"kind":   jstext.Quoted(l.Kind),
		"system": jstext.Quoted(l.System),
	}
}

// Bytes returns the file of a tombstone.
func (t Tombstone) Bytes() []byte {
	return object{
		"digest": jstext.Quoted(t.Digest), "id": jstext.Quoted(t.ID), "system": jstext.Quoted(t.System),
		"when": jstext.Quoted(lesson.ISO(t.When)), "who": jstext.Quoted(t.Who),
	}.file()
}

// maxID is the maximum length of an id in bytes.
const maxID = 512

// plain are the characters of ids that serve as file names unchanged.
const plain = "abcdefghijklmnopqrstuvwxyz0123456789-"

// short reports whether a name has 1 to 64 characters, all of them from set.
func short(name, set string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, set) == ""
}

var (
	// device matches the device names of Windows, which cannot be file names.
	device = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`) },
	)
	odd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })
)

// fileName returns the file name, without .json, of a lesson with that id. It is the id itself if that has
// 1 to 64 of a-z, 0-9 and - and is no Windows device. Otherwise it is a readable part of the id, an
// underscore, and 32 hex digits of its hash. So names never differ only in case, and none leads out of
// its folder.
func fileName(id string) string {
	if Machine(id) {
		return id
	}
	slug := strings.Trim(odd().ReplaceAllString(strings.ToLower(id[:min(len(id), 24)]), "-"), "-")
	sum := sha256.Sum256([]byte(id))
	return slug + "_" + hex.EncodeToString(sum[:16])
}

// LessonPath returns the path of a lesson's file in a share.
func LessonPath(id string) string { return pathOf(Lessons, id) }

func pathOf(folder, id string) string { return folder + fileName(id) + ".json" }

// The folders of a share, and its other files.
const (
	Lessons      = "lessons/"
	Tombstones   = "tombstones/"
	readmeFile   = "README.md"
	SettingsFile = "share.toml"
)

// Machine reports whether name can be a machine's name in a share: 1 to 64 of a-z, 0-9 and -, and no
// Windows device.
func Machine(name string) bool { return short(name, plain) && !device().MatchString(name) }
