package lesson

import (
	"math"
	"strings"
	"sync"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Lines counts lines of a store and keeps the first line numbers.
type Lines struct {
	Count int
	First []int // at most 20, ascending
}

const linesShown = 20

// Add counts a line. Line numbers start at 1; 0 means that there is no number to keep.
func (l *Lines) Add(line int) {
	if l.Count++; line > 0 && len(l.First) < linesShown {
		l.First = append(l.First, line)
	}
}

// Stats is what a load encountered.
type Stats struct {
	Parsed  int   // values read, at most LoadCap
	Damaged Lines // cannot be parsed; lost at the next save
	Pruned  Lines // dropped because of their age, or because they are not lessons
	Beyond  Lines // not read, because LoadCap values come before; lost at the next save
	TooLong Lines // too long to be read here; an agent reads them
}

// Loader reads the lines of a store one by one, like a starting agent. It keeps only the first
// LoadCap values in memory.
type Loader struct {
	now     time.Time
	zone    *time.Location
	namer   Namer
	parsed  []Lesson
	pending *Lesson // valid only if it is the last line of the file
	begun   bool
	stats   Stats
}

// NewLoader returns a Loader for an agent that loads at now in the time zone.
func NewLoader(now time.Time, zone *time.Location) *Loader {
	return &Loader{now: now, zone: zone}
}

// Add reads the next non-blank line of the store, without its line end, and returns it. It reports
// whether the agent would read on; if not, Add must not be called again.
func (l *Loader) Add(raw string, no int) (line Line, more bool) {
	l.dropPending()
	line = parseLine(raw, no)
	lesson := Lesson{Line: no, Value: line.value, raw: raw}
	switch {
	case line.err != nil || line.oddBefore && l.begun: // odd white space is accepted at the beginning of the file
		l.damaged(&lesson)
	case line.oddAfter: // and at its end
		l.pending = &lesson
	default:
		l.keep(lesson)
	}
	l.begun = true
	return line, len(l.parsed) < LoadCap
}

// Skip counts a line that is too long to be read here, but that the agent reads.
func (l *Loader) Skip(line int) (more bool) {
	l.stats.TooLong.Add(line)
	l.dropPending()
	l.begun = true
	l.keep(Lesson{Line: line, Value: jstext.ObjectValue(
		jstext.Member{Key: KeyTitle, Value: jstext.StringValue("")},
		jstext.Member{Key: KeyBody, Value: jstext.StringValue("")},
		jstext.Member{Key: KeyCount, Value: jstext.NumberValue(1)},
	)})
	return len(l.parsed) < LoadCap
}

// List returns what the agent holds after the lines so far, which must be the whole store or all
// that the agent reads. The Loader must not be used afterwards.
func (l *Loader) List() *List {
	if l.pending != nil {
		l.keep(*l.pending)
	}
	l.stats.Parsed = len(l.parsed)
	list := &List{now: l.now, zone: l.zone, fate: make(map[int]fate, len(l.parsed))}
	list.lessons, list.problem = l.prune(list.fate)
	list.stats = l.stats
	if n := len(l.parsed); n >= LoadCap {
		list.last = l.parsed[n-1].Line
	}
	return list
}

// prune returns the lessons that are kept. If the original throws on one of them, that is all that
// were read.
func (l *Loader) prune(fates map[int]fate) ([]Lesson, *memory.Problem) {
	cutoff := ISO(cutoffAt(l.now, l.zone))
	held := make([]Lesson, 0, len(l.parsed))
	for i := range l.parsed {
		keep, p := keeps(l.parsed[i].Value, cutoff)
		if p != nil {
			fates[l.parsed[i].Line] = fateStops
			return l.parsed, p
		}
		if keep {
			fates[l.parsed[i].Line] = fateHeld
			held = append(held, l.parsed[i])
			continue
		}
		fates[l.parsed[i].Line] = fatePruned
		l.stats.Pruned.Add(l.parsed[i].Line)
	}
	return held, nil
}

func (l *Loader) dropPending() {
	if l.pending != nil {
		l.damaged(l.pending)
		l.pending = nil
	}
}

// damaged counts a line that the agent skips. Its record still takes the id.
func (l *Loader) damaged(lesson *Lesson) {
	l.stats.Damaged.Add(lesson.Line)
	id, _ := lesson.text(KeyID)
	l.namer.Name(id, lesson.Line)
}

func (l *Loader) keep(lesson Lesson) {
	id, _ := lesson.text(KeyID)
	lesson.ID, _ = l.namer.Name(id, lesson.Line)
	l.parsed = append(l.parsed, lesson)
}

// Load returns what an agent holds after loading the content of a store at now in the time zone.
func Load(file string, now time.Time, zone *time.Location) *List {
	l := NewLoader(now, zone)
	more, n := true, 0
	for line := range strings.Lines(file) {
		n++
		switch line = strings.TrimSuffix(line, "\n"); {
		case jstext.LeadingSpace(line) == len(line):
		case more:
			_, more = l.Add(line, n)
		default:
			l.stats.Beyond.Add(n)
		}
	}
	return l.List()
}

// List is what an agent holds in memory. Concurrent reads are safe as long as nobody calls Add or
// Commit.
type List struct {
	lessons []Lesson
	problem *memory.Problem // why the load threw
	stats   Stats
	fate    map[int]fate // by line, for the values that were read
	last    int          // line of the last value read if LoadCap was reached, otherwise 0
	now     time.Time
	zone    *time.Location

	lowered sync.Once
	texts   []string // task and lesson in lower case, separated by a space; filled by the first search

	forecast sync.Once
	outlook  []memory.Forecast // of the lessons, filled by the first forecast
	lines    map[int]int       // index of the lesson by line
}

// fate is how a load treated a value.
type fate uint8

const (
	fateNone fate = iota
	fateHeld
	fatePruned
	fateStops
)

// Len returns the number of held lessons.
func (l *List) Len() int { return len(l.lessons) }

// At returns lesson i in the order of the list. It must not be modified.
func (l *List) At(i int) *Lesson { return &l.lessons[i] }

// Lookup returns the held lesson with the id, or nil.
func (l *List) Lookup(id memory.ID) *Lesson {
	for i := range l.lessons {
		if l.lessons[i].ID == id {
			return &l.lessons[i]
		}
	}
	return nil
}

// Stats returns what the load encountered.
func (l *List) Stats() Stats { return l.stats }

// Problem returns why the agent stops while loading, or nil. In that case the list holds all values
// that were read, and nothing is pruned.
func (l *List) Problem() *memory.Problem { return l.problem }

// Unused returns the number of held lessons that were never recalled.
func (l *List) Unused() int {
	n := 0
	for i := range l.lessons {
		if c, ok := l.lessons[i].Value.Field(KeyCount); !ok || !(c.ToNumber() > 0) {
			n++
		}
	}
	return n
}

// Save returns the bytes of the file that the agent writes.
func (l *List) Save() []byte {
	var out []byte
	for i := range l.lessons {
		out = l.lessons[i].Value.AppendJSON(out)
		out = append(out, '\n')
	}
	return out
}

// Commit counts a recall of the hits at now, as the original does with each search. Previews never
// call it.
func (l *List) Commit(hits []Found, now time.Time) {
	stamp := jstext.StringValue(ISO(now))
	for _, h := range hits {
		v := &l.lessons[h.Index].Value
		*v = v.With(KeyCount, jstext.NumberValue(increment(*v))).With(KeyUsed, stamp)
	}
}

// increment returns the count of a lesson after one more recall. A count that is not a number is
// converted as ++ does; a missing one gives NaN.
func increment(v jstext.Value) float64 {
	count, ok := v.Field(KeyCount)
	if !ok {
		return math.NaN()
	}
	return count.ToNumber() + 1
}

// keeps reports whether a load keeps a value: because it was used or created after the cutoff, or
// because it was ever recalled. It returns a problem when the original throws.
func keeps(v jstext.Value, cutoff string) (bool, *memory.Problem) {
	if v.Kind() == jstext.Null {
		return false, nullLine()
	}
	for _, key := range [...]string{KeyUsed, KeyCreated} {
		date, _ := v.Field(key)
		if key == KeyUsed && !date.Truthy() {
			continue
		}
		if Unprintable(date) {
			return false, UnprintableField(key)
		}
		if isLater(date, cutoff) {
			return true, nil
		}
	}
	count, ok := v.Field(KeyCount)
	if Unprintable(count) {
		return false, UnprintableField(KeyCount)
	}
	return ok && count.ToNumber() > 0, nil
}

// isLater reports v > cutoff as JavaScript does. Texts compare by UTF-16 units. Since cutoff does not
// convert to a number, anything that compares as a number is never later.
func isLater(v jstext.Value, cutoff string) bool {
	s, ok := asText(v)
	return ok && jstext.Compare(s, cutoff) > 0
}

// asText returns the text that JavaScript uses when it compares v with a string, or false if it
// compares them as numbers.
func asText(v jstext.Value) (string, bool) {
	switch v.Kind() {
	case jstext.String, jstext.Array, jstext.Object:
		return v.ToString(), true
	}
	return "", false
}

// Unprintable reports whether converting v to text throws: an object in it has a member named
// toString, which hides the method of that name.
func Unprintable(v jstext.Value) bool {
	if v.Kind() == jstext.Object {
		_, hidden := v.Field("toString")
		return hidden
	}
	if v.Kind() != jstext.Array {
		return false
	}
	for i := range v.Len() {
		if Unprintable(v.At(i)) {
			return true
		}
	}
	return false
}
