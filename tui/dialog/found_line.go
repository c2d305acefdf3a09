package dialog

import (
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

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
