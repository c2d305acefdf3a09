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
	"time"

	"winnow/core/jstext"
)

// baseFormat begins a base file, before a hash of the rest. Then come a line about the share and a
// line for each lesson.
const baseFormat = "winnow base 3 "

// Bytes returns the base as a file with one lesson per line.
func (b *Base) Bytes() []byte { return b.Since(nil) }

// Since returns the lines that differ from those of old, which may be nil, as a file for Update.
func (b *Base) Since(old *Base) []byte {
	if old == nil {
		old = &Base{}
	}
	const head = len(baseFormat) + 2*hashSize + 1
	var until int64
	if !b.until.IsZero() {
		until = b.until.Unix()
	}
	text := fmt.Appendf(make([]byte, head), "%s\t%d\t%d\n", b.Commit, b.days, until)
	ids := map[string]bool{}
	for _, each := range []*Base{b, old} {
		if b.file == old.file {
			for id := range each.lines {
				ids[id] = true
			}
			continue
		}
		for id := range each.all() {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if l := b.line(id); l != old.line(id) {
			text = l.append(text, id)
		}
	}
	copy(text, baseFormat+hashOf(text[head:])+"\n")
	return text
}

// append appends the line of a lesson.
func (l *line) append(text []byte, id string) []byte {
	text = jstext.AppendQuoted(text, id)
	for _, part := range []string{l.object, l.tomb, l.counts, l.held, l.from, l.text} {
		text = append(append(text, '\t'), part...)
	}
	return append(text, '\n')
}

// inline begins the text of an entry that contains its lesson.
const inline = `{"lesson":`

// text returns the entry as JSON. The lesson is left out if it is the object that the line names.
func (e *entry) text(lesson bool) string {
	o := object{"own": strconv.Itoa(e.own)}
	if lesson {
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
	return lines(o, "")
}

// tally formats the own count of a lesson and the sum of all others; "" if both are zero.
func tally(own, others Count) string {
	if own == others && own == (Count{}) {
		return ""
	}
	return fmt.Sprintf("%d %s %d %s", own.N, own.Used, others.N, others.Used)
}

// readTally parses the text that tally returned.
func readTally(text string) (own, others Count) {
	if f := strings.Split(text, " "); len(f) == 4 {
		own.N, _ = wholeNumber(f[0])
		others.N, _ = wholeNumber(f[2])
		own.Used, others.Used = f[1], f[3]
	}
	return own, others
}

// ReadBase parses the file of a base. On an error, sync as if there were no base.
func ReadBase(data []byte) (*Base, error) {
	head, text, _ := strings.Cut(string(data), "\n")
	hash, known := strings.CutPrefix(head, baseFormat)
	switch {
	case !known:
		return nil, errors.New("its file has an unknown format")
	case hash != hashOf(data[len(data)-len(text):]):
		return nil, errors.New("damaged")
	}
	b := &Base{file: &file{hash: hash, lines: make(map[string]line, strings.Count(text, "\n"))}}
	about, text, _ := strings.Cut(text, "\n")
	if err := b.about(strings.Split(about, "\t")); err != nil {
		return nil, err
	}
	for each := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(each, "\n"), "\t")
		if len(f) != 7 {
			return nil, errors.New("damaged")
		}
		b.file.lines[jstext.Text(f[0])] = line{object: f[1], tomb: f[2], counts: f[3], held: f[4], from: f[5], text: f[6]}
	}
	return b, nil
}

// about parses the line about the share.
func (b *Base) about(f []string) error {
	if len(f) != 3 {
		return errors.New("damaged")
	}
	days, ok := wholeNumber(f[1])
	until, sound := wholeNumber(f[2])
	if !ok || !sound || days > mostDays {
		return errors.New("damaged")
	}
	if b.Commit, b.days = f[0], days; until > 0 {
		b.until = time.Unix(int64(until), 0).UTC()
	}
	return nil
}

// Update returns the base, which may be nil, with the changes that Since returned.
func (b *Base) Update(data []byte) (*Base, error) {
	changes, err := ReadBase(data)
	if err != nil {
		return nil, err
	}
	next := (&Base{}).copy()
	if b != nil {
		next = b.copy()
	}
	next.Commit, next.days, next.until = changes.Commit, changes.days, changes.until
	for id, l := range changes.file.lines {
		next.set(id, l)
	}
	return next, nil
}

// File returns the hash of the file that the base or its origin was read from; "" for none.
func (b *Base) File() string {
	if b == nil || b.file == nil {
		return ""
	}
	return b.file.hash
}

// entry parses the entry in a line. Lessons are those of the share, by object.
func (l *line) entry(id string, lessons map[string]Lesson) (e entry, err error) {
	o, err := parse(l.text)
	if err != nil {
		return e, err
	}
	e.lesson = lessons[l.object]
	if own, there := o["lesson"]; there {
		e.lesson, err = readLesson(own)
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
