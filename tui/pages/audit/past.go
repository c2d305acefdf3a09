package audit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// past is what became of findings since the store was opened. Nobody changes what its
// maps hold after they were handed over.
type past struct {
	// gone are those that are no longer found, without their text.
	gone []memory.Finding
	// done are what was redacted here: records, and the rules or nil for all of them.
	done []redaction
}

type redaction struct {
	ids  map[memory.ID]bool
	only []string
}

// maxGone is how many findings are kept that are gone.
const maxGone = 1000

// with returns what became of findings when those that were found are now others.
func (p past) with(was, now []memory.Finding) past {
	here := make(map[names]bool, len(now))
	for i := range now {
		here[nameOf(&now[i])] = true
	}
	gone := slices.DeleteFunc(slices.Clone(p.gone), func(f memory.Finding) bool { return here[nameOf(&f)] })
	for i := range was {
		if f := &was[i]; f.ID != "" && !here[nameOf(f)] {
			here[nameOf(f)] = true
			gone = append(gone, textless(f))
		}
	}
	if n := len(gone) - maxGone; n > 0 {
		gone = gone[n:]
	}
	p.gone = gone
	return p
}

// textless returns a finding without what it says, which may be a secret that is to be
// nowhere any more.
func textless(f *memory.Finding) memory.Finding {
	t := *f
	t.Text, t.Shown, t.Masks, t.Start, t.End, t.Ignored = "", "", nil, 0, 0, nil
	return t
}

// redacted returns the findings that are gone since they were redacted here.
func (p past) redacted(records map[memory.ID]*memory.Record) []views.AuditItem {
	var items []views.AuditItem
	for i := range p.gone {
		f := &p.gone[i]
		if slices.ContainsFunc(p.done, func(r redaction) bool { return r.of(f) }) {
			items = append(items, views.AuditItem{Finding: f, Record: records[f.ID], Redacted: true})
		}
	}
	return items
}

// of reports whether a finding is one that was redacted.
func (r redaction) of(f *memory.Finding) bool {
	return f.Fixable && r.ids[f.ID] && (r.only == nil || slices.Contains(r.only, f.Rule))
}

// onChanged notes what was redacted. Its findings may be gone already.
func (p *Page) onChanged(m msg.Changed) tea.Cmd {
	if m.Do != memory.Redact {
		return nil
	}
	r := redaction{ids: make(map[memory.ID]bool, len(m.IDs)), only: m.Only}
	for _, id := range m.IDs {
		r.ids[id] = true
	}
	for _, item := range p.view.Items { // which may call a record by its line
		if item.Record != nil && r.ids[item.Record.ID] {
			r.ids[item.ID] = true
		}
	}
	p.past.done = append(slices.Clip(p.past.done), r)
	if !p.pending.Audited {
		return nil // the list that comes will have it
	}
	return p.tally()
}
