package curate

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"winnow/core/memory"
)

// historyState is the result of a history's events. Callers must not modify it.
type historyState struct {
	// Items are the entries in the order in which they were made.
	Items []historyItem
	// Undo and Redo are what can be undone and redone, the next one last.
	Undo, Redo []undoStep
	Pins       map[memory.ID]bool
	Promises   map[memory.ID]*promise
	// Decided are the records whose changes are redone without asking; the empty id stands for the
	// whole store.
	Decided map[memory.ID]memory.Decision
	// Redactions are the changes that keep no copy, oldest first.
	Redactions []redaction
	// Pending is a change that has begun and whose end is not recorded.
	Pending *event
	// Left is set when Pending was given up and its temporary file holds what another writer saved.
	Left    bool
	Damaged int // lines that could not be read
	// Format is that of the header. If it is higher than the constant, nothing is appended; if it is lower,
	// only what the guard watches, pins and an unfinished change are read.
	Format int

	number  int64              // number of the newest entry
	unsaved map[memory.ID]bool // the promises that are Unsaved
	sumEnd  int64              // end of the newest summary in the file
	begun   place              // position of the line of Pending
}

// place is the position of a line in the file.
type place struct{ at, size int64 }

// historyItem is an entry without its changes.
type historyItem struct {
	ID       memory.EntryID
	At       time.Time
	Who      memory.Who
	Do       memory.Act
	What     string
	UndoneBy memory.EntryID
	place    place
}

// undoStep is one step of undo or redo.
type undoStep struct {
	Name memory.EntryID `json:"name"` // the entry that a person means
	By   memory.EntryID `json:"by"`   // the entry whose changes to invert: the last one that did Name
}

// newState returns the state of an empty history.
func newState() *historyState {
	return &historyState{
		Pins: map[memory.ID]bool{}, Promises: map[memory.ID]*promise{},
		Decided: map[memory.ID]memory.Decision{}, unsaved: map[memory.ID]bool{},
	}
}

// isOlder reports whether the history is in an older format. A damaged header says nothing.
func (s *historyState) isOlder() bool { return s.Format > 0 && s.Format < historyFormat }

// next returns the ID of the next entry.
func (s *historyState) next() memory.EntryID {
	return memory.EntryID(strconv.FormatInt(s.number+1, 10))
}

// item returns the entry with an ID, or nil.
func (s *historyState) item(id memory.EntryID) *historyItem {
	if i := s.index(id); i >= 0 {
		return &s.Items[i]
	}
	return nil
}

// index returns the index of an entry in Items, or -1.
func (s *historyState) index(id memory.EntryID) int {
	i, found := slices.BinarySearchFunc(s.Items, entryNumber(id), func(it historyItem, n int64) int {
		return cmp.Compare(entryNumber(it.ID), n)
	})
	if !found {
		return -1
	}
	return i
}

// entryNumber returns the number in an entry's ID, or 0 if it is not one.
func entryNumber(id memory.EntryID) int64 {
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// fold adds an event to the state.
func (s *historyState) fold(e *event, at place) {
	if e.Kind == kindHeader {
		s.Format = e.Format
		return
	}
	s.number = max(s.number, entryNumber(e.ID))
	switch e.Kind {
	case kindBegin:
		s.holdBack(e, at)
	case kindDone, kindAborted:
		if s.Pending != nil && s.Pending.ID == e.ID {
			s.end(e)
		}
	case kindDid:
		if entryNumber(e.ID) > 0 { // an older history has a notice with the number 0
			s.addApplied(e, at)
		}
	case kindOthers:
		s.list(e, at)
		s.saved(e.Changes)
	case kindUndone:
		if p := s.Promises[e.Record]; e.How == memory.SecretBack {
			s.recordSighting(e)
		} else if p != nil {
			p.undone(e)
		}
	case kindDecided:
		s.list(e, at)
		s.addDecisions(e.Decided)
	case kindSum:
		s.restart(e.Sum)
		s.sumEnd = at.at + at.size
	}
}

// holdBack holds a change back until its end is recorded. An earlier pending change with another
// number must have been made: nothing begins while a change is unfinished, so only its last line
// was lost.
func (s *historyState) holdBack(e *event, at place) {
	if s.Pending != nil && s.Pending.ID != e.ID && !s.Left {
		s.addApplied(s.Pending, s.begun)
	}
	s.Pending, s.begun, s.Left = e, at, false
}

// end records how the pending change ended.
func (s *historyState) end(e *event) {
	if e.Kind == kindDone {
		s.addApplied(s.Pending, s.begun)
		s.Pending, s.Left = nil, false
		return
	}
	if s.Left = e.Temp != ""; !s.Left {
		s.Pending = nil
	}
}

// addApplied adds a change that was made.
func (s *historyState) addApplied(e *event, at place) {
	s.list(e, at)
	s.step(e)
	s.redacted(e)
	for i := range e.Changes {
		s.addPromise(e, &e.Changes[i])
	}
}

// list adds an entry. Entries stay sorted by number, whatever the file says.
func (s *historyState) list(e *event, at place) {
	it := historyItem{ID: e.ID, At: e.At, Who: e.Who, Do: e.Do, What: e.What, place: at}
	if n := len(s.Items); n == 0 || entryNumber(s.Items[n-1].ID) < entryNumber(e.ID) {
		s.Items = append(s.Items, it)
	}
}

// step moves what an entry undoes or redoes between the stacks. A new change can be undone, and
// clears the redo stack. What the guard does affects neither stack.
func (s *historyState) step(e *event) {
	switch {
	case e.Undoes != "":
		moveStep(&s.Undo, &s.Redo, undoStep{e.Undoes, e.ID})
		s.undoneBy(e.Undoes, e.ID)
	case e.Redoes != "":
		moveStep(&s.Redo, &s.Undo, undoStep{e.Redoes, e.ID})
		s.undoneBy(e.Redoes, "")
	case e.Who == memory.You:
		s.Redo = nil
		if !e.Final {
			s.Undo = append(s.Undo, undoStep{e.ID, e.ID})
		}
	}
}

// moveStep moves the step with that name from one stack to the other.
func moveStep(from, to *[]undoStep, s undoStep) {
	*from = slices.DeleteFunc(*from, func(f undoStep) bool { return f.Name == s.Name })
	*to = append(*to, s)
}

func (s *historyState) undoneBy(id, by memory.EntryID) {
	if it := s.item(id); it != nil {
		it.UndoneBy = by
	}
}

// saved records that another writer saved the store, with everything it did not delete.
func (s *historyState) saved(changes []memory.Change) {
	for id := range s.unsaved {
		deleted := func(c memory.Change) bool { return c.ID == id && c.Do == memory.Deleting }
		if slices.ContainsFunc(changes, deleted) {
			continue
		}
		if p := s.Promises[id]; p != nil {
			p.Unsaved = false
		}
		delete(s.unsaved, id)
	}
}

// addDecisions adds a person's decisions. Accepting means that nothing is expected any more.
func (s *historyState) addDecisions(d map[memory.ID]memory.Decision) {
	for id, decision := range d {
		if decision == memory.Accepted {
			delete(s.Decided, id)
			delete(s.Promises, id)
			s.accept(id)
			continue
		}
		s.Decided[id] = decision
	}
}

// restart applies a summary. After it, earlier entries are only listed.
func (s *historyState) restart(sum *summary) {
	s.number = max(s.number, sum.Number)
	s.Undo, s.Redo = slices.Clone(sum.Undo), slices.Clone(sum.Redo)
	s.Decided = maps.Clone(sum.Decided)
	s.Redactions = slices.Clone(sum.Redactions)
	s.Pins = map[memory.ID]bool{}
	for _, id := range sum.Pins {
		s.Pins[id] = true
	}
	s.Promises, s.unsaved = map[memory.ID]*promise{}, map[memory.ID]bool{}
	for i := range sum.Promises {
		p := sum.Promises[i]
		for _, form := range p.Was {
			p.Forms = append(p.Forms, memory.FormChange{Before: form, After: p.Mine})
		}
		p.Was = nil
		s.Promises[p.ID] = &p
		if p.Unsaved {
			s.unsaved[p.ID] = true
		}
	}
	for i := range s.Items {
		s.Items[i].UndoneBy = ""
	}
	for _, r := range s.Redo {
		s.undoneBy(r.Name, r.By)
	}
}

// summary is a state as stored in one event.
type summary struct {
	Number     int64       `json:"number,omitempty"` // number of the newest entry
	Pins       []memory.ID `json:"pins,omitempty"`
	Promises   []promise   `json:"promises,omitempty"`
	Undo       []undoStep  `json:"undo,omitempty"`
	Redo       []undoStep  `json:"redo,omitempty"`
	Decided    decisions   `json:"decided,omitempty"`
	Redactions []redaction `json:"redactions,omitempty"`
}

// summary returns the state with the entries from index first on. It drops promises made before
// since, except those of pins and of entries that stay. Redactions are watched forever.
func (s *historyState) summary(first int, since time.Time) *summary {
	sum := &summary{
		Number: s.number, Pins: sorted(s.Pins), Decided: maps.Clone(s.Decided), Redactions: slices.Clone(s.Redactions),
	}
	oldest := s.number + 1
	if first < len(s.Items) {
		oldest = entryNumber(s.Items[first].ID)
	}
	for _, id := range sorted(s.Promises) {
		if p := s.Promises[id]; p.Pinned || !p.At.Before(since) || entryNumber(p.Entry) >= oldest {
			sum.Promises = append(sum.Promises, *p)
		}
	}
	dropped := func(st undoStep) bool { return entryNumber(st.Name) < oldest || entryNumber(st.By) < oldest }
	sum.Undo = slices.DeleteFunc(slices.Clone(s.Undo), dropped)
	sum.Redo = slices.DeleteFunc(slices.Clone(s.Redo), dropped)
	return sum
}

// sorted returns the keys of m, sorted.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
