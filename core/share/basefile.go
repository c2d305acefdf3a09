package share

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/jstext"
)

// baseFormat begins a base file, before a hash of the rest. Then comes a line for each lesson. The forms of
// earlier numbers referred to git objects and are not read.
const baseFormat = "winnow base 5 "

// Bytes returns the base as a file with one lesson per line.
func (b *Base) Bytes() []byte {
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(b.entries)) {
		e := b.entries[id]
		text.WriteString(jstext.Quoted(id) + "\t" + e.text() + "\n")
	}
	return []byte(baseFormat + hashOf(text.String()) + "\n" + text.String())
}

// text returns the entry as JSON.
func (e *entry) text() string {
	o := object{"where": jstext.Quoted(string(e.where))}
	if e.lesson.ID != "" {
		o["lesson"] = lines(e.lesson.object(""), "")
	}
	if e.version != "" {
		o["version"] = jstext.Quoted(e.version)
	}
	if e.whole != "" {
		o["whole"] = jstext.Quoted(e.whole)
	}
	return lines(o, "")
}

// ReadBase parses the file of a base. On an error, sync as if there were no base.
func ReadBase(data []byte) (*Base, error) {
	head, text, _ := strings.Cut(string(data), "\n")
	hash, known := strings.CutPrefix(head, baseFormat)
	switch {
	case !known:
		return nil, errors.New("its file has an unknown format")
	case hash != hashOf(text):
		return nil, errors.New("damaged")
	}
	b := &Base{entries: make(map[string]entry, strings.Count(text, "\n"))}
	for each := range strings.Lines(text) {
		name, form, _ := strings.Cut(strings.TrimSuffix(each, "\n"), "\t")
		id := jstext.Text(name)
		e, err := readEntry(id, form)
		if err != nil {
			return nil, err
		}
		b.entries[id] = e
	}
	return b, nil
}

// readEntry parses the entry of a lesson.
func readEntry(id, text string) (e entry, err error) {
	o, err := parse(text)
	if err != nil {
		return e, err
	}
	e.where, e.version, e.whole = where(jstext.Text(o["where"])), jstext.Text(o["version"]), jstext.Text(o["whole"])
	if !slices.Contains([]where{both, away, offered, alone}, e.where) {
		return e, errors.New("damaged")
	}
	form, whole := o["lesson"]
	if !whole {
		if e.version == "" {
			return e, errors.New("damaged")
		}
		return e, nil
	}
	if e.lesson, err = readLesson(form); err != nil {
		return e, err
	}
	if e.lesson.ID != id {
		return e, fmt.Errorf("the id in it is %q", e.lesson.ID)
	}
	return e, nil
}

// hashSize is the length of a hash in bytes.
const hashSize = 16

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:hashSize])
}
