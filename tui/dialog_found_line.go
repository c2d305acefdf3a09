package tui

import (
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// How many bytes a found line keeps: of the title, of the text around the match, and of the text
// before the match.
const (
	keptTitle = 400
	keptText  = 240
	keptLead  = 40
)

// foundLine returns the line that lists a record, with the positions of its secrets. It includes a
// piece of the body around the first term that the title does not contain.
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
			l.Text, l.TextSecrets = part(
				r.Body,
				at[0][0]-keptLead,
				keptText,
				memory.Places(r.Secrets, memory.InBody, 0),
			)
			break
		}
	}
	return l
}

// part returns at most n bytes of s from offset at, and the spans that overlap them.
func part(s string, at, n int, spans [][2]int) (string, [][2]int) {
	from := safe.RuneStart(s, at)
	to := safe.RuneStart(s, from+n)
	return s[from:to], safe.Within(spans, from, to)
}
