package audit

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// talliedMsg is the list of a generation.
type talliedMsg struct {
	gen    int
	snap   memory.Snapshot
	items  []views.AuditItem
	groups []views.AuditGroup
	sum    views.AuditSum
	before int // places that were redacted
	past   past
}

// names tells a finding from others wherever it stands: by what it says, its record
// and the field.
type names struct {
	id          memory.ID
	field, rule string
	fingerprint string
}

func nameOf(f *memory.Finding) names {
	return names{id: f.ID, field: f.Field, rule: f.Rule, fingerprint: f.Fingerprint}
}

// tally starts to list the latest state. A list that is being made is given up: it
// would be late.
func (p *Page) tally() tea.Cmd {
	p.supersede()
	ctx, cancel := context.WithCancel(p.ctx)
	p.cancel = cancel
	gen, snap, was, before := p.gen, p.pending, p.snap.Findings, p.past
	return func() tea.Msg { return list(ctx, gen, snap, was, before) }
}

// list makes the list of a state; was are the findings that were listed before. It
// returns nil when nobody waits for it any more.
func list(ctx context.Context, gen int, s memory.Snapshot, was []memory.Finding, before past) tea.Msg {
	m := talliedMsg{gen: gen, snap: s, past: before.with(was, s.Findings)}
	records := recordsOf(&s)
	for i := range s.Findings {
		f := &s.Findings[i]
		m.items = append(m.items, views.AuditItem{Finding: f, Record: records[f.ID]})
	}
	m.items = append(m.items, m.past.redacted(records)...)
	slices.SortStableFunc(m.items, worse)
	if ctx.Err() != nil {
		return nil
	}
	m.groups, m.sum, m.before = views.AuditGroups(m.items), views.SumOf(m.items), redactions(ctx, s.Records)
	return m
}

// recordsOf returns the records that findings are in, by the ids that these have. A
// record whose id is not told to everybody is called after its line there.
func recordsOf(s *memory.Snapshot) map[memory.ID]*memory.Record {
	records, lines := make(map[memory.ID]*memory.Record, len(s.Findings)), map[int]memory.ID{}
	for i := range s.Findings {
		f := &s.Findings[i]
		if f.ID == "" {
			continue
		}
		records[f.ID] = nil
		if f.ID == memory.ID("line "+strconv.Itoa(f.Line)) {
			lines[f.Line] = f.ID
		}
	}
	for i := range s.Records {
		r := &s.Records[i]
		if had, wanted := records[r.ID]; wanted && had == nil {
			records[r.ID] = r
		}
		if id, ok := lines[r.Line]; ok && records[id] == nil {
			records[id] = r
		}
	}
	return records
}

// worse puts the findings of files last and the worst first.
func worse(a, b views.AuditItem) int {
	if af, bf := a.Family == memory.FamilyFile, b.Family == memory.FamilyFile; af != bf {
		if af {
			return +1
		}
		return -1
	}
	if a.Path != b.Path && a.Store == b.Store { // one store, called in two ways
		f := *a.Finding
		f.Path = b.Path
		return f.Worse(b.Finding)
	}
	return a.Worse(b.Finding)
}

// redactions counts the secrets in records that were replaced.
func redactions(ctx context.Context, records []memory.Record) (n int) {
	const often = 1024
	for i := range records {
		if i%often == 0 && ctx.Err() != nil {
			return n
		}
		n += strings.Count(records[i].Raw, "[REDACTED]")
	}
	return n
}

// onTallied shows a list. The cursor stays on its finding, or goes to the next that
// counts when that was settled here.
func (p *Page) onTallied(m talliedMsg) {
	if m.gen != p.gen {
		return
	}
	v := &p.view
	was, had := v.Chosen()
	p.snap, p.past.gone = m.snap, m.past.gone
	if !v.Ready { // what is redacted from now on is listed
		v.Before = m.before
	}
	v.Items, v.Groups, v.Sum, v.Ready = m.items, m.groups, m.sum, true
	v.Slow = v.Slow && p.waiting()
	v.Lessons, v.Total = len(m.snap.Records), max(m.snap.Total, len(m.snap.Records))
	at := indexOf(m.items, was)
	if at < 0 {
		at, v.Scroll = v.Cursor, 0 // it went away: stay where it was
	}
	v.Cursor = max(min(at, len(v.Items)-1), 0)
	if now, ok := v.Chosen(); ok && had && was.Open() && !now.Open() && !p.next(+1) {
		p.next(-1)
	}
	p.follow()
}

// indexOf returns where a finding is listed, or -1.
func indexOf(items []views.AuditItem, was views.AuditItem) int {
	if was.Finding == nil {
		return -1
	}
	name := nameOf(was.Finding)
	return slices.IndexFunc(items, func(i views.AuditItem) bool { return nameOf(i.Finding) == name })
}

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
