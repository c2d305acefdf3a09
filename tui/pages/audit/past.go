package audit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// pastFindings is what happened to findings since the store was opened. Its maps are shared with commands
// and must not be changed.
type pastFindings struct {
	// gone are findings that no longer exist, without their text.
	gone []memory.Finding
	// done are the redactions made here.
	done []redaction
}

// redaction is a redaction of secrets in records.
type redaction struct {
	ids  map[memory.ID]bool // of the records
	only []string           // the rules; nil for all
}

// maxGone is how many gone findings are kept. The oldest are dropped.
const maxGone = 1000

// with returns p updated for a new list of findings: those in was that are not in now are gone.
func (p pastFindings) with(was, now []memory.Finding) pastFindings {
	here := make(map[names]bool, len(now))
	for i := range now {
		here[nameOf(&now[i])] = true
	}
	gone := slices.DeleteFunc(slices.Clone(p.gone), func(f memory.Finding) bool { return here[nameOf(&f)] })
	for i := range was {
		if f := &was[i]; f.ID != "" && !here[nameOf(f)] {
			here[nameOf(f)] = true
			gone = append(gone, withoutText(f))
		}
	}
	if n := len(gone) - maxGone; n > 0 {
		gone = gone[n:]
	}
	p.gone = gone
	return p
}

// withoutText returns a finding without its text, which may be a secret that must not be kept anywhere.
func withoutText(f *memory.Finding) memory.Finding {
	t := *f
	t.Text, t.Shown, t.Masks, t.Start, t.End, t.Ignored = "", "", nil, 0, 0, nil
	return t
}

// redacted returns the gone findings that were redacted here, as items of the list.
func (p pastFindings) redacted(records map[memory.ID]*memory.Record) []views.AuditItem {
	var items []views.AuditItem
	for i := range p.gone {
		f := &p.gone[i]
		if slices.ContainsFunc(p.done, func(r redaction) bool { return r.covers(f) }) {
			items = append(items, views.AuditItem{Finding: f, Record: records[f.ID], Redacted: true})
		}
	}
	return items
}

// covers reports whether the redaction covered a finding.
func (r redaction) covers(f *memory.Finding) bool {
	return f.Fixable && r.ids[f.ID] && (r.only == nil || slices.Contains(r.only, f.Rule))
}

// onChanged notes a redaction. The state without its findings may have arrived already; then the list
// is made again.
func (p *Page) onChanged(m msg.Changed) tea.Cmd {
	if m.Do != memory.Redact {
		return nil
	}
	r := redaction{ids: make(map[memory.ID]bool, len(m.IDs)), only: m.Only}
	for _, id := range m.IDs {
		r.ids[id] = true
	}
	for _, item := range p.view.Items { // an item may identify its record by its line
		if item.Record != nil && r.ids[item.Record.ID] {
			r.ids[item.ID] = true
		}
	}
	p.past.done = append(slices.Clip(p.past.done), r)
	if !p.pending.Audited {
		return nil // the next list will include it
	}
	return p.tally()
}
