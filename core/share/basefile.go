package share

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"winnow/core/jstext"
)

// line is what is known of a lesson, as the file of a base has it.
type line struct{ object, inputs, from, text string }

// baseFormat begins the file of a base, before a hash of the lines that follow.
const baseFormat = "winnow base 2 "

// Bytes returns the base as a file: a lesson a line.
func (b *Base) Bytes() []byte { return b.Since(nil) }

// Since returns the lines of the base that differ from those of another, which may be nil, as a file for Update.
func (b *Base) Since(old *Base) []byte {
	if old == nil {
		old = &Base{}
	}
	text := make([]byte, len(baseFormat)+2*hashSize+1)
	for _, id := range slices.Sorted(maps.Keys(b.lines)) {
		if l := b.lines[id]; old.lines[id] != l {
			text = l.append(text, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(old.lines)) {
		if _, there := b.lines[id]; !there {
			text = (&line{}).append(text, id)
		}
	}
	copy(text, baseFormat+hashOf(text[len(baseFormat)+2*hashSize+1:])+"\n")
	return text
}

// append appends the line of a lesson.
func (l *line) append(text []byte, id string) []byte {
	text = jstext.AppendQuoted(text, id)
	for _, part := range []string{l.object, l.inputs, l.from, l.text} {
		text = append(append(text, '\t'), part...)
	}
	return append(text, '\n')
}

func (e *entry) line() line {
	o := object{"own": strconv.Itoa(e.own)}
	if e.object == "" {
		o["lesson"] = lines(e.lesson.object(""), "")
	}
	if e.where != both {
		o["where"] = quoted(string(e.where))
	}
	if e.offer != nil {
		o["offer"] = lines(e.offer.object(""), "")
	}
	shown := []byte(nil)
	for _, c := range e.shown {
		shown = append(append(shown, ','), c.json()...)
	}
	o["shown"] = string(closed(shown, 0, '[', ']'))
	return line{object: e.object, inputs: e.inputs, from: e.from, text: lines(o, "")}
}

// ReadBase reads the file of a base. The error says why it is as good as none.
func ReadBase(data []byte) (*Base, error) {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	hash, ok := strings.CutPrefix(string(head), baseFormat)
	if !ok {
		return readFormat1(data)
	}
	if hash != hashOf(rest) {
		return nil, errors.New("damaged")
	}
	b := &Base{lines: map[string]line{}}
	for text := range strings.Lines(string(rest)) {
		f := strings.Split(strings.TrimSuffix(text, "\n"), "\t")
		if len(f) != 5 {
			return nil, errors.New("damaged")
		}
		b.lines[jstext.Text(f[0])] = line{object: f[1], inputs: f[2], from: f[3], text: f[4]}
	}
	return b, nil
}

// Update returns the base, which may be nil, as what Since returned says.
func (b *Base) Update(data []byte) (*Base, error) {
	changes, err := ReadBase(data)
	if err != nil {
		return nil, err
	}
	next := &Base{lines: map[string]line{}}
	if b != nil {
		maps.Copy(next.lines, b.lines)
	}
	for id, l := range changes.lines {
		if next.lines[id] = l; l.text == "" {
			delete(next.lines, id)
		}
	}
	return next, nil
}

// readFormat1 reads the file as it was before lessons were told by their objects.
func readFormat1(data []byte) (*Base, error) {
	o, err := opened(data)
	if err != nil {
		return nil, err
	}
	if o["format"] != "1" {
		return nil, fmt.Errorf("format %q: want 1", o["format"])
	}
	all, err := parse(o["entries"])
	if err != nil {
		return nil, fmt.Errorf("entries: %w", err)
	}
	b := &Base{lines: make(map[string]line, len(all))}
	for id, value := range all {
		l := line{text: value}
		if _, err := l.entry(id, nil); err != nil {
			return nil, fmt.Errorf("lesson %q: %w", id, err)
		}
		b.lines[id] = l
	}
	return b, nil
}

// entry reads the line of a lesson; lessons are those of the share, by object.
func (l *line) entry(id string, lessons map[string]Lesson) (e entry, err error) {
	o, err := parse(l.text)
	if err != nil {
		return e, err
	}
	e = entry{object: l.object, inputs: l.inputs, from: l.from, lesson: lessons[l.object]}
	if l.object == "" {
		e.lesson, err = readLesson(o["lesson"])
	}
	if offer, there := o["offer"]; there {
		var l Lesson
		l, err2 := readLesson(offer)
		e.offer, err = &l, cmp.Or(err, err2)
	}
	if err == nil && e.lesson.ID != id {
		err = fmt.Errorf("the id in it is %q", e.lesson.ID)
	}
	if err != nil {
		return e, err
	}
	own, counted := wholeNumber(o["own"])
	e.own, e.where = own, where(jstext.Text(o["where"]))
	kind, err := jstext.Scan(o["shown"], func(p jstext.Part) bool {
		c, err := readCount(p.Value)
		e.shown, counted = append(e.shown, c), counted && err == nil
		return counted
	})
	if err != nil || !counted || kind != jstext.Array || len(e.shown) > mostShown || !slices.Contains([]where{both, away, offered, alone}, e.where) {
		return e, errors.New("damaged")
	}
	return e, nil
}

// hashSize is the length of a hash in bytes.
const hashSize = 16

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:hashSize])
}
