package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"winnow/core/memory"
)

// Summary is a state as one event holds it.
type Summary struct {
	Number     int64 // of the newest entry
	Pins       []memory.ID
	Promises   []Promise
	Undo, Redo []Step
	Decided    map[memory.ID]memory.Decision
	Redactions []Redaction // nil in a summary of format 1
}

// summary returns the state, with the entries from the index first on. Promises made
// before since are dropped, but not those of pins and of entries that stay. Redactions are watched over for good.
func (s *State) summary(first int, since time.Time) *Summary {
	sum := &Summary{Number: s.number, Pins: sorted(s.Pins), Decided: maps.Clone(s.Decided), Redactions: append([]Redaction{}, s.Redactions...)}
	oldest := s.number + 1
	if first < len(s.Items) {
		oldest = number(s.Items[first].ID)
	}
	for _, id := range sorted(s.Promises) {
		if p := s.Promises[id]; p.Pinned || !p.At.Before(since) || number(p.Entry) >= oldest {
			sum.Promises = append(sum.Promises, *p)
		}
	}
	dropped := func(st Step) bool { return number(st.Name) < oldest || number(st.By) < oldest }
	sum.Undo = slices.DeleteFunc(slices.Clone(s.Undo), dropped)
	sum.Redo = slices.DeleteFunc(slices.Clone(s.Redo), dropped)
	return sum
}

// sorted returns the keys of m in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func (s *Summary) members(c *codec) {
	c.object(0, func(int) {
		integer(c, "number", &s.Number)
		texts(c, "pins", &s.Pins)
		s.promiseMembers(c)
		steps(c, "undo", &s.Undo)
		steps(c, "redo", &s.Redo)
		c.decisions(&s.Decided)
		if c.member("redactions", s.Redactions != nil) {
			if c.reading {
				s.Redactions = []Redaction{}
			}
			objects(c, &s.Redactions, func(i int) { s.Redactions[i].members(c) })
		}
	})
}

// promiseMembers handles the promises. Of their forms a line has what each change began
// from, and what each made unless that is what the next one began from.
func (s *Summary) promiseMembers(c *codec) {
	if c.reading && c.key != "promises" {
		return
	}
	was, made := make([][]string, len(s.Promises)), make([][]string, len(s.Promises))
	for i := range s.Promises {
		was[i], made[i] = split(s.Promises[i].Forms)
	}
	grow := func(n int) { // one that is read without members is there too
		for len(was) < n {
			was, made = append(was, nil), append(made, nil)
		}
	}
	list(c, "promises", &s.Promises, func(i int) {
		p := &s.Promises[i]
		grow(i + 1)
		text(c, "id", &p.ID)
		c.yes("gone", &p.Gone)
		texts(c, "was", &was[i])
		if c.reading || c.clean != nil || !slices.Equal(p.Forms, chained(was[i], p.Mine)) {
			texts(c, "made", &made[i])
		}
		text(c, "mine", &p.Mine)
		word(c, "entry", &p.Entry)
		c.time("at", &p.At)
		integer(c, "line", &p.Line)
		text(c, "behind", &p.Behind)
		integer(c, "twins", &p.Twins)
		c.yes("pinned", &p.Pinned)
		c.yes("unsaved", &p.Unsaved)
		p.Noted.members(c)
		word(c, "ruled", &p.Ruled)
	})
	grow(len(s.Promises))
	for i := range s.Promises {
		if p := &s.Promises[i]; c.reading || c.clean != nil {
			p.Forms = chained(was[i], p.Mine)
			for j := range min(len(p.Forms), len(made[i])) {
				p.Forms[j].After = made[i][j]
			}
		}
	}
}

func (n *Noted) members(c *codec) {
	integer(c, "times", &n.Times)
	if c.clean == nil {
		texts(c, "states", &n.States)
	}
	c.time("last", &n.Last)
}

// split returns what each change began from, and what it made of that.
func split(forms memory.Forms) (was, made []string) {
	for _, f := range forms {
		was, made = append(was, f.Before), append(made, f.After)
	}
	return was, made
}

// chained returns the changes of which each made what the next one began from.
func chained(was []string, mine string) memory.Forms {
	var all memory.Forms
	for i, before := range was {
		f := memory.FormChange{Before: before, After: mine}
		if i+1 < len(was) {
			f.After = was[i+1]
		}
		all = append(all, f)
	}
	return all
}

func steps(c *codec, k string, all *[]Step) {
	list(c, k, all, func(i int) {
		word(c, "name", &(*all)[i].Name)
		word(c, "by", &(*all)[i].By)
	})
}
