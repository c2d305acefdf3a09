package share

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/lesson"
)

// The most that is taken of a share. Others may have written it to hurt. Whoever reads the files asks
// for no more than MaxFile bytes of one, MaxFiles files, and MaxBytes of all.
const (
	MaxLesson  = 1 << 20 // bytes of a lesson's file; a lesson engine composes no longer line
	MaxFile    = 4 << 20 // of any file: of the counts of one machine
	MaxFiles   = 100_000
	MaxBytes   = 64 << 20
	maxRefused = 100 // sentences that are kept; the rest is counted
)

// Refusal is a file of a share that is not taken, and why.
type Refusal struct {
	Path string
	Why  string // a clause: "larger than 1048576 bytes"
}

// String says it in a sentence.
func (r Refusal) String() string { return fmt.Sprintf("%s is refused: %s.", r.Path, r.Why) }

// State is a share as it was read.
type State struct {
	Lessons    map[string]Lesson    // by id
	Tombstones map[string]Tombstone // by id
	// Own is what the reading machine has counted as far as the share knows, Others the sum of
	// all others.
	Own, Others Counts
	Settings    Settings
	// Refused are the files that were not taken, at most 100; More counts the rest.
	Refused []Refusal
	More    int
	// names are those of lessons of which a file was refused.
	names   map[string]bool
	objects map[string]string // of the lessons, by id
	partial bool              // somebody's counts were refused
}

// Reader reads the files of a share, in any order. A file that it refuses does not stop the rest.
type Reader struct {
	machine  string
	state    State
	settings error
}

// NewReader returns a reader for the machine of that name.
func NewReader(machine string) *Reader {
	return &Reader{machine: machine, settings: errors.New("read share.toml: the share has none"), state: State{
		Lessons: map[string]Lesson{}, Tombstones: map[string]Tombstone{}, Own: Counts{}, Others: Counts{}, names: map[string]bool{}, objects: map[string]string{},
	}}
}

// Known reports whether a path is one of a share's files. Others are harmless and left alone.
func Known(path string) bool {
	for _, folder := range []string{Lessons, Tombstones, CountFiles} {
		if name, ok := trimName(path, folder); ok && short(name, plain+"_") {
			return true
		}
	}
	return path == SettingsFile || path == ReadmeFile
}

// Refuse notes a file that is not taken. Callers refuse what they did not read: a link, a large file.
func (r *Reader) Refuse(path, why string) {
	for _, folder := range []string{Lessons, Tombstones} {
		if name, ok := trimName(path, folder); ok {
			r.state.names[name] = true
		}
	}
	if strings.HasPrefix(path, CountFiles) {
		r.state.partial = true
	}
	if path == SettingsFile {
		r.settings = fmt.Errorf("read %s: %s", path, why)
	}
	if len(r.state.Refused) == maxRefused {
		r.state.More++
		return
	}
	r.state.Refused = append(r.state.Refused, Refusal{Path: path, Why: why})
}

// Add takes the content of a file.
func (r *Reader) Add(path string, data []byte) {
	var err error
	switch {
	case path == ReadmeFile:
		return
	case !Known(path):
		err = errors.New("no file of a share")
	case len(data) > MaxFile:
		err = fmt.Errorf("larger than %d bytes", MaxFile)
	case path == SettingsFile:
		r.state.Settings, r.settings = ReadSettings(data)
		return
	case strings.HasPrefix(path, Lessons):
		var l Lesson
		if l, err = ReadLesson(path, data); err == nil {
			r.state.Lessons[l.ID], r.state.objects[l.ID] = l, objectOf(data)
		}
	case strings.HasPrefix(path, Tombstones):
		var t Tombstone
		if t, err = ReadTombstone(path, data); err == nil {
			r.state.Tombstones[t.ID] = t
		}
	case strings.HasPrefix(path, CountFiles):
		err = r.count(path, data)
	}
	if err != nil {
		r.Refuse(path, err.Error())
	}
}

// count takes a machine's counts.
func (r *Reader) count(path string, data []byte) error {
	name, ok := trimName(path, CountFiles)
	if !ok || !Machine(name) {
		return errors.New("no name of a machine")
	}
	c, err := ReadCounts(data)
	if name == r.machine {
		r.state.Own = c
		return err
	}
	for id, n := range c {
		r.state.Others[id] = r.state.Others[id].plus(n)
	}
	return err
}

// State returns what was read. The error says why nothing may be done with this share: its settings
// are missing, damaged, or of a newer version.
func (r *Reader) State() (*State, error) {
	slices.SortFunc(r.state.Refused, func(a, b Refusal) int { return cmp.Compare(a.Path, b.Path) })
	return &r.state, r.settings
}

// ReadLesson reads the file of a lesson.
func ReadLesson(path string, data []byte) (Lesson, error) {
	if !utf8.Valid(data) {
		return Lesson{}, errors.New("not UTF-8")
	}
	l, err := readLesson(string(data))
	return l, cmp.Or(err, tooLarge(data), named(path, Lessons, l.ID))
}

func readLesson(text string) (l Lesson, err error) {
	o, err := parse(text)
	if err != nil {
		return l, err
	}
	fields := o["fields"]
	delete(o, "fields")
	if err = o.take(map[string]*string{"id": &l.ID, "kind": &l.Kind, "system": &l.System}); err != nil {
		return l, err
	}
	all, err := parse(fields)
	if err != nil {
		return l, fmt.Errorf("fields: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if all[key], err = canonical(all[key], nil); err != nil {
			return l, fmt.Errorf("field %q: %w", key, err)
		}
	}
	l.Fields = all
	return l, l.check()
}

// ReadTombstone reads the file of a tombstone.
func ReadTombstone(path string, data []byte) (t Tombstone, err error) {
	o, err := opened(data)
	if err != nil {
		return t, err
	}
	var when string
	if err = o.take(map[string]*string{"id": &t.ID, "system": &t.System, "who": &t.Who, "when": &when, "digest": &t.Digest}); err != nil {
		return t, err
	}
	if isoDate(when) == "" {
		return t, errors.New("when: want a date")
	}
	t.When = lesson.Moment(when).Time
	return t, named(path, Tombstones, t.ID)
}

// ReadCounts reads the file of a machine's counts: all of it or nothing.
func ReadCounts(data []byte) (Counts, error) {
	o, err := opened(data)
	if err != nil {
		return nil, err
	}
	c := Counts{}
	for id, value := range o {
		if c[id], err = readCount(value); err != nil {
			return nil, fmt.Errorf("lesson %q: %w", id, err)
		}
	}
	return c, nil
}

// opened returns the object in a file.
func opened(data []byte) (object, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not UTF-8")
	}
	return parse(string(data))
}

// named returns an error when a file does not have the name of its id.
func named(path, folder, id string) error {
	if path != pathOf(folder, id) {
		return fmt.Errorf("the id %q belongs in %s", id, pathOf(folder, id))
	}
	return nil
}
