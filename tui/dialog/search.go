package dialog

import (
	"context"
	"slices"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// batch is a part of what a search finds.
type batch struct {
	lines  []views.FoundLine
	more   int // found, and too many to be listed
	read   int // records that were looked at so far
	unread []memory.Unread
}

// seeking is one search. It holds values only and runs on its own.
type seeking struct {
	ctx    context.Context
	query  string
	now    time.Time
	stores []memory.StoreID
	out    chan<- batch

	pending batch
	found   int
	chunk   []memory.Record // of the store that is read
}

// chunkSize is how many records are filtered at once.
const chunkSize = 256

// run searches, and hands over what it finds as fast as it is taken.
func (s *seeking) run(library Library) {
	defer close(s.out)
	for _, id := range s.stores {
		unread, err := library.Each(s.ctx, []memory.StoreID{id}, func(_ memory.StoreID, r *memory.Record) error {
			s.chunk = append(s.chunk, *r)
			if len(s.chunk) == chunkSize {
				return s.look(id)
			}
			return nil
		})
		if err == nil {
			err = s.look(id)
		}
		if err != nil {
			return
		}
		s.pending.unread = append(slices.Clip(s.pending.unread), unread...)
		s.offer()
	}
	select {
	case s.out <- s.pending:
	case <-s.ctx.Done():
	}
}

// look filters the records that were gathered. A word that is nowhere among them would be
// looked for in a vague way: then nothing of them is found.
func (s *seeking) look(id memory.StoreID) error {
	res, err := filter.Apply(s.ctx, s.chunk, filter.Query{Text: s.query}, s.now)
	if err != nil {
		return err
	}
	s.pending.read += len(s.chunk)
	if !slices.ContainsFunc(res.Terms, func(t filter.Term) bool { return t.FuzzyFallback }) {
		for _, i := range res.Index {
			if s.found++; s.found > mostFound {
				s.pending.more++
				continue
			}
			s.pending.lines = append(s.pending.lines, foundLine(id, &s.chunk[i], res.Terms))
		}
	}
	s.chunk = s.chunk[:0]
	s.offer()
	return nil
}

// offer hands over what is there, unless the last has not been taken.
func (s *seeking) offer() {
	select {
	case s.out <- s.pending:
		s.pending.lines, s.pending.more = nil, 0
	default:
	}
}

// Bytes of a title, and of a text around what was found in it, that are kept.
const (
	keptTitle = 400
	keptText  = 240
	keptLead  = 40
)

// foundLine returns what is listed of a record, with the places of its secrets there.
func foundLine(id memory.StoreID, r *memory.Record, terms []filter.Term) views.FoundLine {
	l := views.FoundLine{Store: id, ID: r.ID, Kind: r.Kind, Scope: r.Scope, Flags: r.Flags}
	l.Title, l.TitleSecrets = part(r.Title, 0, keptTitle, memory.Places(r.Secrets, memory.InTitle, 0))
	if l.Title == "" && r.Problem != nil {
		l.Title = r.Problem.What
	}
	for i := range terms {
		if terms[i].Not || len(terms[i].Spans(l.Title, true, 1)) > 0 {
			continue
		}
		if at := terms[i].Spans(r.Body, false, 1); len(at) > 0 {
			l.Text, l.TextSecrets = part(r.Body, at[0][0]-keptLead, keptText, memory.Places(r.Secrets, memory.InBody, 0))
			break
		}
	}
	return l
}

// part returns at most n bytes of a text from at on, and the spans that reach into them.
func part(s string, at, n int, spans [][2]int) (string, [][2]int) {
	from := safe.RuneStart(s, at)
	to := safe.RuneStart(s, from+n)
	return s[from:to], safe.Within(spans, from, to)
}
