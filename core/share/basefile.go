package share

import (
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

// baseLine is what is known of a lesson, as the file of a base has it.
type baseLine struct{ object, inputs, from, text string }

// baseFormat begins the file of a base, before a hash of the lines that follow.
const baseFormat = "winnow base 2 "

// Bytes returns the base as a file: a lesson a line.
func (b *Base) Bytes() []byte { return b.Since(nil) }

// Since returns the lines of the base that differ from those of another, which may be nil, as a file for Update.
func (b *Base) Since(old *Base) []byte {
	var text strings.Builder
	was, is := old.all(), b.all()
	for _, id := range slices.Sorted(maps.Keys(is)) {
		if l := is[id]; was[id] != l {
			text.WriteString(strings.Join([]string{quoted(id), l.object, l.inputs, l.from, l.text}, "\t") + "\n")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(was)) {
		if _, there := is[id]; !there {
			text.WriteString(quoted(id) + "\t\t\t\t\n")
		}
	}
	return []byte(baseFormat + hashOf(text.String()) + "\n" + text.String())
}

// all returns the lines of all lessons.
func (b *Base) all() map[string]baseLine {
	if b == nil {
		return nil
	}
	all := maps.Collect(maps.All(b.lines))
	for id, e := range b.entries {
		all[id] = e.line()
	}
	return all
}

func (e *entry) line() baseLine {
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
	return baseLine{object: e.object, inputs: e.inputs, from: e.from, text: lines(o, "")}
}

// ReadBase reads the file of a base. The error says why it is as good as none.
func ReadBase(data []byte) (*Base, error) {
	rest, ok := strings.CutPrefix(string(data), baseFormat)
	if !ok {
		return readFormat1(data)
	}
	hash, rest, _ := strings.Cut(rest, "\n")
	if hash != hashOf(rest) {
		return nil, errors.New("damaged")
	}
	b := &Base{entries: map[string]entry{}, lines: map[string]baseLine{}}
	for text := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSuffix(text, "\n"), "\t")
		if len(f) != 5 {
			return nil, errors.New("damaged")
		}
		b.lines[jstext.Text(f[0])] = baseLine{object: f[1], inputs: f[2], from: f[3], text: f[4]}
	}
	return b, nil
}

// Update returns the base, which may be nil, as what Since returned says.
func (b *Base) Update(data []byte) (*Base, error) {
	changes, err := ReadBase(data)
	if err != nil {
		return nil, err
	}
	next := &Base{entries: map[string]entry{}, lines: b.all()}
	if next.lines == nil {
		next.lines = map[string]baseLine{}
	}
	for id, l := range changes.all() {
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
	b := &Base{entries: make(map[string]entry, len(all)), lines: map[string]baseLine{}}
	for id, value := range all {
		if b.entries[id], err = (&baseLine{text: value}).entry(id, nil); err != nil {
			return nil, fmt.Errorf("lesson %q: %w", id, err)
		}
	}
	return b, nil
}

// entry reads the line of a lesson; lessons are those of the share, by object.
func (l *baseLine) entry(id string, lessons map[string]Lesson) (e entry, err error) {
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

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
