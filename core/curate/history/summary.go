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

func (w *writer) summary(s *Summary) {
	w.b = append(w.b, '{')
	w.number("number", s.Number)
	if len(s.Pins) > 0 {
		w.key("pins")
		texts(w, s.Pins)
	}
	if len(s.Promises) > 0 {
		w.key("promises")
		w.b = append(w.b, '[')
		for i := range s.Promises {
			w.item()
			w.promise(&s.Promises[i])
		}
		w.b = append(w.b, ']')
	}
	w.steps("undo", s.Undo)
	w.steps("redo", s.Redo)
	w.decisions(s.Decided)
	w.redactions(s.Redactions)
	w.b = append(w.b, '}')
}

func texts[T ~string](w *writer, all []T) {
	w.b = append(w.b, '[')
	for _, s := range all {
		w.item()
		w.str(string(s))
	}
	w.b = append(w.b, ']')
}

func (w *writer) promise(p *Promise) {
	w.b = append(w.b, '{')
	w.text("id", string(p.ID))
	w.yes("gone", p.Gone)
	w.forms(p)
	w.text("mine", p.Mine)
	w.text("entry", string(p.Entry))
	w.time("at", p.At)
	w.number("line", int64(p.Line))
	w.text("behind", string(p.Behind))
	w.number("twins", int64(p.Twins))
	w.yes("pinned", p.Pinned)
	w.yes("unsaved", p.Unsaved)
	w.noted(&p.Noted)
	w.text("ruled", p.Ruled)
	w.b = append(w.b, '}')
}

// forms writes what each change began from, and what it made of that unless it is what
// the next one began from.
func (w *writer) forms(p *Promise) {
	if len(p.Forms) == 0 {
		return
	}
	var was, made []string
	for _, c := range p.Forms {
		was, made = append(was, c.Before), append(made, c.After)
	}
	w.key("was")
	texts(w, was)
	if !slices.Equal(p.Forms, chained(was, p.Mine)) {
		w.key("made")
		texts(w, made)
	}
}

// chained returns the changes of which each made what the next one began from.
func chained(was []string, mine string) memory.Forms {
	var all memory.Forms
	for i, before := range was {
		c := memory.FormChange{Before: before, After: mine}
		if i+1 < len(was) {
			c.After = was[i+1]
		}
		all = append(all, c)
	}
	return all
}

func (w *writer) steps(k string, all []Step) {
	if len(all) == 0 {
		return
	}
	w.key(k)
	w.b = append(w.b, '[')
	for _, s := range all {
		w.item()
		w.b = append(w.b, '{')
		w.text("name", string(s.Name))
		w.text("by", string(s.By))
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, ']')
}

func (r *reader) summary() *Summary {
	s := &Summary{Decided: map[memory.ID]memory.Decision{}}
	r.object(func(k string) {
		switch k {
		case "number":
			s.Number = r.number()
		case "pins":
			s.Pins = readTexts[memory.ID](r)
		case "promises":
			r.array(func() { s.Promises = append(s.Promises, r.promise()) })
		case "undo":
			s.Undo = r.steps()
		case "redo":
			s.Redo = r.steps()
		case "decided":
			s.Decided = r.decisions()
		case "redactions":
			s.Redactions = []Redaction{}
			r.array(func() { s.Redactions = append(s.Redactions, r.redaction()) })
		default:
			r.skip()
		}
	})
	return s
}

func readTexts[T ~string](r *reader) (all []T) {
	r.array(func() { all = append(all, T(r.str())) })
	return all
}

func (r *reader) promise() (p Promise) {
	var was, made []string
	r.object(func(k string) {
		switch k {
		case "id":
			p.ID = memory.ID(r.str())
		case "gone":
			p.Gone = r.yes()
		case "was":
			was = readTexts[string](r)
		case "made":
			made = readTexts[string](r)
		case "mine":
			p.Mine = r.str()
		case "entry":
			p.Entry = memory.EntryID(r.str())
		case "at":
			p.At = r.time()
		case "line":
			p.Line = int(r.number())
		case "behind":
			p.Behind = memory.ID(r.str())
		case "twins":
			p.Twins = int(r.number())
		case "pinned":
			p.Pinned = r.yes()
		case "unsaved":
			p.Unsaved = r.yes()
		case "times":
			p.Times = int(r.number())
		case "states":
			p.States = readTexts[string](r)
		case "ruled":
			p.Ruled = r.str()
		case "last":
			p.Last = r.time()
		default:
			r.skip()
		}
	})
	p.Forms = chained(was, p.Mine)
	for i := range min(len(made), len(was)) {
		p.Forms[i].After = made[i]
	}
	return p
}

func (r *reader) steps() (all []Step) {
	r.array(func() {
		var s Step
		r.object(func(k string) {
			switch k {
			case "name":
				s.Name = memory.EntryID(r.str())
			case "by":
				s.By = memory.EntryID(r.str())
			default:
				r.skip()
			}
		})
		all = append(all, s)
	})
	return all
}
