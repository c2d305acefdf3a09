package cli

import (
	"strings"

	"winnow/core/memory"
)

// changedJSON is the output of every command that changes a store.
type changedJSON struct {
	Schema int        `json:"schema"`
	Store  storeJSON  `json:"store"`
	DryRun bool       `json:"dry_run"`
	Plans  []planJSON `json:"plans"`
}

type planJSON struct {
	Do       string        `json:"do"`
	What     text          `json:"what"`
	Final    bool          `json:"final"`
	Changes  []changeJSON  `json:"changes"`
	Kept     []keptJSON    `json:"kept"`
	Notes    []text        `json:"notes"`
	Findings []findingJSON `json:"findings"`
	Result   *resultJSON   `json:"result"`
	Asks     text          `json:"asks,omitempty"`
}

type changeJSON struct {
	Do     string `json:"do"`
	ID     text   `json:"id"`
	Line   int    `json:"line"`
	Title  text   `json:"title"`
	Why    text   `json:"why"`
	Before text   `json:"before"`
	After  text   `json:"after"`
	Masked bool   `json:"masked"`
	Along  bool   `json:"along,omitempty"`
}

type keptJSON struct {
	ID    text `json:"id"`
	Title text `json:"title"`
	Why   text `json:"why"`
}

type findingJSON struct {
	ID    text   `json:"id"`
	Field string `json:"field"`
	Rule  string `json:"rule"`
	What  text   `json:"what"`
	Found text   `json:"found"`
}

type resultJSON struct {
	Entry   string        `json:"entry"`
	Changes []appliedJSON `json:"changes"`
	Adopted int           `json:"adopted"`
	Notes   []text        `json:"notes"`
}

type appliedJSON struct {
	ID     text   `json:"id"`
	Fate   string `json:"fate"`
	Why    text   `json:"why"`
	Theirs text   `json:"theirs"`
	Masked bool   `json:"masked"`
}

func (c *change) changedJSON(o *output, steps []step) changedJSON {
	j := changedJSON{Schema: schemaVersion, Store: o.placeJSON(c.place), DryRun: c.dryRun, Plans: make([]planJSON, 0, len(steps))}
	for i := range steps {
		j.Plans = append(j.Plans, c.planJSON(o, &steps[i]))
	}
	return j
}

func (c *change) planJSON(o *output, s *step) planJSON {
	p := &s.plan
	j := planJSON{
		Do: string(p.Order.Do), What: o.said(p.What), Final: p.Final, Changes: o.changesJSON(p.Changes),
		Kept: o.keptJSON(p.Kept), Notes: o.saids(p.Notes), Findings: make([]findingJSON, 0, len(p.Findings)),
		Result: o.resultJSON(s.result), Asks: o.said(p.Asks),
	}
	for _, f := range p.Findings {
		end := min(max(f.End, 0), len(f.Text))
		found := f.Text[min(max(f.Start, 0), end):end]
		j.Findings = append(j.Findings, findingJSON{
			o.said(string(f.ID)), f.Field, f.Rule, o.said(f.What), o.said(found),
		})
	}
	return j
}

func (o *output) keptJSON(list []memory.Kept) []keptJSON {
	out := make([]keptJSON, 0, len(list))
	for i := range list {
		r := &list[i].Record
		out = append(out, keptJSON{
			text(o.maskedID(r, r.ID)), o.text(r.Title, r.Secrets, memory.InTitle), o.said(list[i].Why),
		})
	}
	return out
}

func (o *output) changesJSON(changes []memory.Change) []changeJSON {
	out := make([]changeJSON, 0, len(changes))
	for i := range changes {
		ch := &changes[i]
		r, edited := &ch.Record, &ch.Edited
		if ch.Before == "" || ch.Before == ch.After {
			edited = r
		}
		before, masked := o.storedJSON(ch.Before, r)
		after, also := o.storedJSON(ch.After, edited)
		out = append(out, changeJSON{
			Do: ch.Do.String(), ID: text(o.maskedID(r, ch.ID)), Line: ch.Line, Title: o.text(r.Title, r.Secrets, memory.InTitle),
			Why: o.said(ch.Why), Before: before, After: after, Masked: masked || also, Along: ch.With,
		})
	}
	return out
}

// storedJSON returns a stored form for JSON, and whether secrets in it are masked.
// What r, the record in it, does not cover is left out: it may hold any secret.
func (o *output) storedJSON(stored string, r *memory.Record) (text, bool) {
	switch {
	case stored == "" || o.reveal:
		return text(stored), false
	case r.Raw == "" || !strings.HasPrefix(stored, r.Raw):
		return "", true
	}
	return o.text(r.Raw, r.Secrets, memory.InRaw), len(r.Secrets) > 0
}

func (o *output) resultJSON(r *memory.Result) *resultJSON {
	if r == nil {
		return nil
	}
	j := &resultJSON{
		Entry: string(r.Entry), Changes: make([]appliedJSON, 0, len(r.Changes)), Adopted: r.Adopted, Notes: o.saids(r.Notes),
	}
	for i := range r.Changes {
		a := &r.Changes[i]
		theirs, masked := o.storedJSON(a.Theirs, &a.TheirRecord)
		j.Changes = append(j.Changes, appliedJSON{
			ID: text(o.maskedID(&a.TheirRecord, a.ID)), Fate: a.Fate.String(), Why: o.said(a.Why),
			Theirs: theirs, Masked: masked,
		})
	}
	return j
}
