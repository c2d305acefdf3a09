// Package share is the form of a share and the merge of its lessons. A share is a git repository
// that several machines sync through. The life of a share:
//
//  1. Init. Someone makes the repository: [Start] gives README.md and share.toml.
//  2. Form. Each lesson is a file lessons/<name>.json ([Lesson.Bytes]), where the name follows from
//     the id ([Name]). How often a lesson was recalled is not in it: each machine adds that up in its
//     own counts/<machine>.json, which no other machine writes, so that no recall is lost. A
//     lesson's count is the sum. A deletion by a person is a file tombstones/<name>.json.
//  3. Fetch. Git brings what others pushed. A [Reader] takes the files as hostile input: it bounds
//     them, and each file that it refuses gets a sentence. A refused file is neither a
//     lesson nor a deletion: what is known of its lesson stays as it is, here and there.
//  4. Merge. [Merge] compares three states by lesson and field: the [Base], which both sides last
//     agreed on, the lessons of the local store, and the share. It says what to change here, what to
//     change there, and which fields both changed: those stay different until a person decides.
//  5. Gate and push. The caller audits what would leave, commits and pushes. When somebody was
//     faster it fetches and merges again, from the same base and store: nothing was changed yet.
//  6. Apply. The local changes become a plan or wait in the inbox, and [Result.Base] gives the
//     next base from what was done. A field is in the base only when both sides have the same value
//     for it, so what was not taken or not sent is offered again.
//  7. Delete. A person's deletion becomes a tombstone and wins over copies that nobody touched,
//     also of machines that were offline. An edit made since wins over a deletion. After 180 days
//     ([Settings.Expiry]) the tombstone goes.
//  8. Evict. What an agent dropped by itself stays in the share and with the others, and does
//     not come back to the machine that dropped it.
//  9. Lose the base. Without one nothing is deleted on either side: equal lessons join, fields that
//     differ are conflicts, and a deleted lesson that is still here stays here alone.
//
// The package is pure: no files, no clock, no git.
package share

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// Lesson is one record as a share holds it: a lesson of an agent, or a note.
type Lesson struct {
	ID     string
	System string // the system whose record it is: "karnevil9"; others do not take it
	Kind   string // as in memory.Record; empty where all are alike
	// Fields are its members, each value as canonical JSON. A missing field has none, and no value
	// is empty. What machines count by themselves is not among them.
	Fields map[string]string
}

// Count is how often a lesson was recalled, and when last as lesson.ISO writes it; empty for never.
type Count struct {
	N    int
	Used string
}

// Tombstone says that a person deleted a lesson.
type Tombstone struct {
	ID     string
	System string
	Who    string
	When   time.Time
	// Digest is of the version that was deleted (see [Lesson.Digest]).
	Digest string
}

// MostCounted bounds a count, and the sum of all.
const MostCounted = 1 << 53

// plus returns the sum of two counts, and the later date.
func (c Count) plus(o Count) Count {
	return Count{N: min(c.N+o.N, MostCounted), Used: max(c.Used, o.Used)}
}

// The members of a lesson's line in the order in which the agent writes them.
var lineOrder = []string{
	lesson.KeyID, lesson.KeyTitle, lesson.KeyOutcome, lesson.KeyBody, lesson.KeyTools,
	lesson.KeyCreated, lesson.KeySession, lesson.KeyCount, lesson.KeyUsed,
}

// FromLine returns the lesson in a stored line, and what was counted here. Of a count or a date of use that
// the agent could not have written, nothing is counted. The error says why the line cannot be shared.
func FromLine(system, line string) (Lesson, Count, error) {
	l := Lesson{System: system, Fields: map[string]string{}}
	if !utf8.ValidString(line) {
		return l, Count{}, errors.New("not UTF-8")
	}
	kind, err := jstext.Scan(jstext.Trim(line), func(p jstext.Part) bool {
		l.Fields[p.Name()] = p.Value // of a key that comes twice, the agent reads the last
		return true
	})
	if err == nil && kind != jstext.Object {
		err = errors.New("not a lesson")
	}
	for _, key := range slices.Sorted(maps.Keys(l.Fields)) {
		l.Fields[key], err = canonical(l.Fields[key], err)
	}
	if err != nil {
		return Lesson{}, Count{}, err
	}
	c := Count{Used: isoDate(jstext.Text(l.Fields[lesson.KeyUsed]))}
	c.N, _ = wholeNumber(l.Fields[lesson.KeyCount])
	l.ID = jstext.Text(l.Fields[lesson.KeyID])
	for _, key := range []string{lesson.KeyID, lesson.KeyCount, lesson.KeyUsed} {
		delete(l.Fields, key)
	}
	return l, c, cmp.Or(l.check(), tooLarge(l.Bytes()))
}

// Line returns a lesson as the agent writes it, with a count: the members that it knows in its order, then
// the others by name. A line that the agent wrote without others comes back byte for byte.
func (l Lesson) Line(c Count) string {
	all := maps.Collect(maps.All(l.Fields)) // a lesson that nobody knows has none
	all[lesson.KeyID], all[lesson.KeyCount] = quoted(l.ID), strconv.Itoa(c.N)
	if c.Used != "" {
		all[lesson.KeyUsed] = quoted(c.Used)
	}
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), lesson.IsKnown)
	return object(all).spelled(slices.Concat(lineOrder, rest), "")
}

// Text returns a field that is a text, and "" for any other.
func (l Lesson) Text(field string) string { return jstext.Text(l.Fields[field]) }

// check returns why a lesson cannot be in a share.
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
	if len(file) > MaxLesson {
		return fmt.Errorf("larger than %d bytes", MaxLesson)
	}
	return nil
}

// Digest returns a hash of the lesson's version. Recalls do not change it.
func (l Lesson) Digest() string {
	sum := sha256.Sum256(l.Bytes())
	return hex.EncodeToString(sum[:])
}

// equal reports whether two lessons are the same version.
func (l Lesson) equal(o Lesson) bool {
	return l.ID == o.ID && l.System == o.System && l.Kind == o.Kind && maps.Equal(l.Fields, o.Fields)
}

// Bytes returns the file of a lesson: equal lessons have equal bytes, and each field has a line.
func (l Lesson) Bytes() []byte { return l.object("  ").file() }

// object returns the members of a lesson's file, the fields each on a line that begins with indent.
func (l Lesson) object(indent string) object {
	return object{"fields": lines(l.Fields, indent), "id": quoted(l.ID), "kind": quoted(l.Kind), "system": quoted(l.System)}
}

// Bytes returns the file of a tombstone.
func (t Tombstone) Bytes() []byte {
	return object{
		"digest": quoted(t.Digest), "id": quoted(t.ID), "system": quoted(t.System),
		"when": quoted(lesson.ISO(t.When)), "who": quoted(t.Who),
	}.file()
}

// Counts are what one machine counted, by the id of the lesson.
type Counts map[string]Count

// Bytes returns the file of a machine's counts.
func (c Counts) Bytes() []byte {
	all := make(object, len(c))
	for id, n := range c {
		all[id] = n.json()
	}
	return all.file()
}

func (c Count) json() string {
	o := object{"n": strconv.Itoa(c.N)}
	if c.Used != "" {
		o["used"] = quoted(c.Used)
	}
	return lines(o, "")
}

// maxID is the length of an id in bytes.
const maxID = 512

// plain are the characters of ids that are file names as they are.
const plain = "abcdefghijklmnopqrstuvwxyz0123456789-"

// short reports whether a name has 1 to 64 characters, all of them of a set.
func short(name, set string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, set) == ""
}

// device are the names of devices on Windows.
var (
	device = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`) })
	odd    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })
)

// Name returns the file name, without .json, of a lesson with that id: the id itself when it has
// only a-z, 0-9 and -, at most 64 of them, and is no device of Windows. For others it is the readable
// part of the id, an underscore, and 32 digits of its hash, so that no two ids have names that differ
// only in case, and none leads out of its folder.
func Name(id string) string {
	if Machine(id) {
		return id
	}
	slug := strings.Trim(odd().ReplaceAllString(strings.ToLower(id[:min(len(id), 24)]), "-"), "-")
	sum := sha256.Sum256([]byte(id))
	return slug + "_" + hex.EncodeToString(sum[:16])
}

// LessonPath returns the path of a lesson's file in a share.
func LessonPath(id string) string { return pathOf(Lessons, id) }

func pathOf(folder, id string) string { return folder + Name(id) + ".json" }

// The folders of a share, and its other files.
const (
	Lessons      = "lessons/"
	CountFiles   = "counts/"
	Tombstones   = "tombstones/"
	ReadmeFile   = "README.md"
	SettingsFile = "share.toml"
)

// Machine reports whether a name can name a machine in a share: a-z, 0-9 and -, at most 64.
func Machine(name string) bool { return short(name, plain) && !device().MatchString(name) }
