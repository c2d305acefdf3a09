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

// Limits on what is read from a share, which may be hostile. The caller that reads the files enforces
// MaxFile, MaxFiles and MaxBytes.
const (
	maxLesson  = 1 << 20 // bytes of a lesson's file; lesson engines never compose a longer line
	MaxFile    = 4 << 20 // bytes of any file
	MaxFiles   = 100_000
	MaxBytes   = 64 << 20 // bytes of all files
	maxRefused = 100      // refusals to keep; the rest are only counted
)

// Refusal is a file of a share that was not taken, and why.
type Refusal struct {
	Path string
	Why  string // a clause: "larger than 1 MiB"
}

// String returns the refusal as a sentence.
func (r Refusal) String() string { return fmt.Sprintf("%s is refused: %s.", r.Path, r.Why) }

// State is a share as it was read.
type State struct {
	Lessons    map[string]Lesson    // by id
	Tombstones map[string]Tombstone // by id
	Settings   Settings
	// Refused are the files that were not taken, at most 100; More counts the rest.
	Refused []Refusal
	More    int
	// names are the file names, without .json, of lessons whose lesson or tombstone was refused.
	names map[string]bool
}

// Reader parses the files of a share, in any order. A refused file does not stop the others.
type Reader struct {
	state    State
	settings error
}

// NewReader returns a reader that has read nothing yet.
func NewReader() *Reader {
	return &Reader{settings: errors.New("read share.toml: the share has none"), state: State{
		Lessons: map[string]Lesson{}, Tombstones: map[string]Tombstone{},
		names: map[string]bool{},
	}}
}

// Known reports whether a path can be a file of a share. Others are harmless and left alone.
func Known(path string) bool {
	for _, folder := range []string{Lessons, Tombstones} {
		if name, ok := trimName(path, folder); ok && short(name, plain+"_") {
			return true
		}
	}
	return path == SettingsFile || path == readmeFile
}

// Refuse records a file that is not taken. Callers refuse files that they did not read, such as links
// and large files.
func (r *Reader) Refuse(path, why string) {
	for _, folder := range []string{Lessons, Tombstones} {
		if name, ok := trimName(path, folder); ok {
			r.state.names[name] = true
		}
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

// Add parses a file, and refuses it if it is invalid.
func (r *Reader) Add(path string, data []byte) {
	var err error
	switch {
	case path == readmeFile:
		return
	case !Known(path):
		err = errors.New("no file of a share")
	case len(data) > MaxFile:
		err = fmt.Errorf("larger than %d MiB", MaxFile>>20)
	case path == SettingsFile:
		r.state.Settings, r.settings = readSettings(data)
		return
	case strings.HasPrefix(path, Lessons):
		var l Lesson
		if l, err = ReadLesson(path, data); err == nil {
			r.state.Lessons[l.ID] = l
		}
	case strings.HasPrefix(path, Tombstones):
		var t Tombstone
		if t, err = readTombstone(path, data); err == nil {
			r.state.Tombstones[t.ID] = t
		}
	}
	if err != nil {
		r.Refuse(path, err.Error())
	}
}

// RefuseIf refuses the lessons and tombstones that were read and whose id fits.
func (r *Reader) RefuseIf(fits func(id string) bool, why string) {
	for id := range r.state.Lessons {
		if fits(id) {
			delete(r.state.Lessons, id)
			r.Refuse(pathOf(Lessons, id), why)
		}
	}
	for id := range r.state.Tombstones {
		if fits(id) {
			delete(r.state.Tombstones, id)
			r.Refuse(pathOf(Tombstones, id), why)
		}
	}
}

// State returns what was read. It returns an error if the share must not be used because its settings
// are missing, damaged or of a newer version.
func (r *Reader) State() (*State, error) {
	slices.SortFunc(r.state.Refused, func(a, b Refusal) int { return cmp.Compare(a.Path, b.Path) })
	return &r.state, r.settings
}

// ReadLesson parses the file of a lesson.
func ReadLesson(path string, data []byte) (Lesson, error) {
	if !utf8.Valid(data) {
		return Lesson{}, errors.New("not UTF-8")
	}
	l, err := readLesson(string(data))
	if err == nil {
		err = tooLarge(data)
	}
	if err == nil {
		err = named(path, Lessons, l.ID)
	}
	return l, err
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

// readTombstone parses the file of a tombstone.
func readTombstone(path string, data []byte) (t Tombstone, err error) {
	o, err := opened(data)
	if err != nil {
		return t, err
	}
	var when string
	err = o.take(map[string]*string{
		"id":     &t.ID,
		"system": &t.System,
		"who":    &t.Who,
		"when":   &when,
		"digest": &t.Digest,
	})
	if err != nil {
		return t, err
	}
	if isoDate(when) == "" {
		return t, errors.New("when: want a date")
	}
	t.When = lesson.Moment(when).Time
	return t, named(path, Tombstones, t.ID)
}

// opened parses the JSON object in a file.
func opened(data []byte) (object, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not UTF-8")
	}
	return parse(string(data))
}

// named returns an error if the path is not the one that the id requires.
func named(path, folder, id string) error {
	if path != pathOf(folder, id) {
		return fmt.Errorf("the id %q belongs in %s", id, pathOf(folder, id))
	}
	return nil
}
