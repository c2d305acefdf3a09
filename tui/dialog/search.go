package dialog

import (
	"context"

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
	terms  []filter.Term
	stores []memory.StoreID
	out    chan<- batch

	pending batch
	found   int
}

// run searches, and hands over what it finds as fast as it is taken.
func (s *seeking) run(library Library) {
	defer close(s.out)
	unread, err := library.Search(s.ctx, s.stores, s.terms, func(p memory.SearchPart) error {
		s.pending.read += p.Read
		for i := range p.Records {
			s.add(p.Store, &p.Records[i])
		}
		s.offer()
		return s.ctx.Err()
	})
	if err != nil {
		return
	}
	s.pending.unread = unread
	select {
	case s.out <- s.pending:
	case <-s.ctx.Done():
	}
}

// add lists a record that matches. Of too many only the number is kept.
func (s *seeking) add(id memory.StoreID, r *memory.Record) {
	if s.found++; s.found > mostFound {
		s.pending.more++
		return
	}
	s.pending.lines = append(s.pending.lines, foundLine(id, r, s.terms))
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
