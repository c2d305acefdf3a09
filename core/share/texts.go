package share

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// The fields of a text record, which is not a lesson: a note, or a file known by its name.
const (
	FieldName  = "name"
	fieldTitle = "title"
	FieldText  = "text"
)

// fileName matches file names that are valid on every machine.
var fileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$`) })

// FromTexts returns the shared form of a text record, given as the edit that makes it on another
// machine. The id is its name, or else a hash of its text, so that machines with the same text share
// one file. The error says why it cannot be shared.
func FromTexts(system string, e memory.Edit) (Lesson, error) {
	l := Lesson{System: system, Fields: map[string]string{}}
	for key, text := range map[string]*string{FieldName: e.Name, fieldTitle: e.Title, FieldText: e.Body} {
		if text == nil {
			continue
		}
		if !utf8.ValidString(*text) {
			return l, errors.New("not UTF-8")
		}
		l.Fields[key] = quoted(strings.ReplaceAll(*text, "\r\n", "\n"))
	}
	if e.Kind != nil {
		l.Kind = strings.ToValidUTF8(*e.Kind, "")
	}
	l.ID = cmp.Or(l.Text(FieldName), TextID(l.Text(FieldText)))
	_, err := l.Texts()
	return l, cmp.Or(err, l.check(), tooLarge(l.Bytes()))
}

// TextID returns the id of a text without a name.
func TextID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Texts returns the edit that makes a shared text record here. The record may be hostile; the error
// says why it is not taken.
func (l Lesson) Texts() (e memory.Edit, err error) {
	left := len(l.Fields)
	for key, to := range map[string]**string{FieldName: &e.Name, fieldTitle: &e.Title, FieldText: &e.Body} {
		value, there := l.Fields[key]
		if !there {
			continue
		}
		text := jstext.Text(value)
		if left--; value[0] != '"' || !utf8.ValidString(text) {
			return e, fmt.Errorf("%s: want a text", key)
		}
		*to = &text
	}
	switch {
	case left > 0:
		return e, errors.New("it has fields that no text has")
	case e.Body == nil:
		return e, errors.New("it has no text")
	case e.Name != nil && (*e.Name != l.ID || !fileName().MatchString(l.ID) || device().MatchString(strings.ToLower(l.ID))):
		return e, errors.New("a name in a share has letters, digits, - and _, at most 80, and is none of Windows")
	}
	if l.Kind != "" {
		e.Kind = &l.Kind
	}
	return e, nil
}

// AsLesson returns a text record with its words moved to the fields of a lesson, for code that reads
// only lessons.
func (l Lesson) AsLesson() Lesson {
	if _, err := l.Texts(); err != nil {
		return l
	}
	tools := "[" + cmp.Or(l.Fields[FieldName], quoted("")) + "," + quoted(l.Kind) + "]"
	l.Fields = map[string]string{
		lesson.KeyTitle: cmp.Or(l.Fields[fieldTitle], quoted("")), lesson.KeyBody: l.Fields[FieldText], lesson.KeyTools: tools,
	}
	return l
}

// Title returns what a person knows the record by: its title, or else the start of its text.
func (l Lesson) Title() string {
	first, _, _ := strings.Cut(l.Text(FieldText), "\n")
	return cmp.Or(l.Text(lesson.KeyTitle), l.Text(fieldTitle), jstext.WellFormed(jstext.Slice(first, 200)))
}
