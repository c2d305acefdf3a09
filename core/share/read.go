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
	MaxLesson  = 1 << 20 // bytes of a lesson's file; lesson engines never compose a longer line
	MaxFile    = 4 << 20 // bytes of any file; the largest are the counts of one machine
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
	// Own is what the share has of this machine's counts, Others the sum of all other machines.
	Own, Others Counts
	Settings    Settings
	// Refused are the files that were not taken, at most 100; More counts the rest.
	Refused []Refusal
	More    int
	// names are the file names, without .json, of lessons whose lesson or tombstone was refused.
	names   map[string]bool
	objects map[string]string // git objects of the lessons, by id
	tombs   map[string]string // git objects of the tombstones, by id
	partial bool              // a machine's counts were refused
	since   *Base             // supplies the counts missing from Own and Others; nil if none are
}

// counts returns the own count of a lesson and the sum of all others.
func (s *State) counts(id string) (own, others Count) {
	own, here := s.Own[id]
	others, there := s.Others[id]
	if s.since != nil && !here && !there {
		return readTally(s.since.line(id).counts)
	}
	return own, others
}

// Reader parses the files of a share, in any order. A refused file does not stop the others.
type Reader struct {
	machine  string
	state    State
	settings error
}

// NewReader returns a reader for the machine with that name.
func NewReader(machine string) *Reader {
	return &Reader{machine: machine, settings: errors.New("read share.toml: the share has none"), state: State{
		Lessons: map[string]Lesson{}, Tombstones: map[string]Tombstone{}, Own: Counts{}, Others: Counts{}, names: map[string]bool{}, objects: map[string]string{}, tombs: map[string]string{},
	}}
}

// Known reports whether a path can be a file of a share. Others are harmless and left alone.
func Known(path string) bool {
	for _, folder := range []string{Lessons, Tombstones, CountFiles} {
		if name, ok := trimName(path, folder); ok && short(name, plain+"_") {
			return true
		}
	}
	return path == SettingsFile || path == ReadmeFile
}

// Refuse records a file that is not taken. Callers refuse files that they did not read, such as links
// and large files.
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

// Add parses a file, and refuses it if it is invalid.
func (r *Reader) Add(path string, data []byte) {
	var err error
	switch {
	case path == ReadmeFile:
		return
	case !Known(path):
		err = errors.New("no file of a share")
	case len(data) > MaxFile:
		err = fmt.Errorf("larger than %d MiB", MaxFile>>20)
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
			r.state.Tombstones[t.ID], r.state.tombs[t.ID] = t, objectOf(data)
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

// ReadTombstone parses the file of a tombstone.
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

// ReadCounts parses a machine's counts: all of them or none.
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
