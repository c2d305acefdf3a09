package lesson

import (
	"math"
	"sync"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// List is what an agent holds in memory. Reading it is safe for concurrent use as
// long as nobody calls Add or Commit.
type List struct {
	lessons []Lesson
	problem *memory.Problem // the load threw
	stats   Stats
	fate    map[int]fate // by line, of the values that were read
	last    int          // line of the last value when LoadCap was reached, else 0
	now     time.Time
	zone    *time.Location

	index     sync.Once
	haystacks []haystack // of the lessons, once a search was made

	forecast sync.Once
	outlook  []memory.Forecast // of the lessons, once one was asked for
	lines    map[int]int       // index by line
}

// fate is what a load did with a value.
type fate uint8

const (
	fateNone fate = iota
	fateHeld
	fatePruned
	fateStops
)

// Len returns the number of lessons that are held.
func (l *List) Len() int { return len(l.lessons) }

// At returns lesson i in the order of the list. It must not be changed.
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

// Stats returns what the load met.
func (l *List) Stats() Stats { return l.stats }

// Problem returns why the agent stops while it loads, or nil. The list then holds
// all values that were read, and nothing is pruned.
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

// Commit counts a recall of the hits at now, as the original does with each
// search. Previews never call it.
func (l *List) Commit(hits []Found, now time.Time) {
	stamp := jstext.StringValue(ISO(now))
	for _, h := range hits {
		v := &l.lessons[h.Index].Value
		*v = v.With(KeyCount, jstext.NumberValue(increment(*v))).With(KeyUsed, stamp)
	}
}

// increment returns the count of a lesson after one more recall. A count that is
// no number becomes one as ++ makes it; a missing one is not a number.
func increment(v jstext.Value) float64 {
	count, ok := v.Field(KeyCount)
	if !ok {
		return math.NaN()
	}
	return count.ToNumber() + 1
}
