package audit

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/page"
	"winnow/views"
)

// findingList is the list made from one state of the store.
type findingList struct {
	snap   memory.Snapshot
	items  []views.AuditItem
	groups []views.Group
	sum    views.AuditSum
	at     map[names]int // the index of each item by its nameOf and kinOf
	before int           // how many redacted secrets the records contain
	long   int           // how many records are too long to be held, and audited, completely
	past   pastFindings
}

// names identifies a finding across states of the store, wherever it is listed.
type names struct {
	id          memory.ID
	field, rule string
	fingerprint string
}

func nameOf(f *memory.Finding) names {
	return names{id: f.ID, field: f.Field, rule: f.Rule, fingerprint: f.Fingerprint}
}

// kinOf returns names without the fingerprint, which still match after the text around a finding was
// edited. Findings of FamilyPrivate are counted over a whole file, so only their rule identifies them.
func kinOf(f *memory.Finding) names {
	if f.Family == memory.FamilyPrivate {
		return names{rule: f.Rule}
	}
	return names{id: f.ID, field: f.Field, rule: f.Rule}
}

// indexByName returns the index of each finding by nameOf and by kinOf. If several findings share a name,
// it prefers the first open one.
func indexByName(items []views.AuditItem) map[names]int {
	at := make(map[names]int, 2*len(items))
	for i := range items {
		for _, name := range []names{nameOf(items[i].Finding), kinOf(items[i].Finding)} {
			if had, ok := at[name]; !ok || !items[had].Open() && items[i].Open() {
				at[name] = i
			}
		}
	}
	return at
}

// tally starts to list the latest state in the background. It gives up a list that is still being
// made, because that would be out of date.
func (p *Page) tally() tea.Cmd {
	p.work.Begin(p.ctx)
	snap, was, before := p.pending, p.snap.Findings, p.past
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		m := list(ctx, snap, was, before)
		return func(p *Page) tea.Cmd { p.onTallied(m); return nil }
	})
}

// list makes the list of a state. Was are the findings listed before. It returns early if ctx ends.
func list(ctx context.Context, s memory.Snapshot, was []memory.Finding, before pastFindings) (m findingList) {
	m = findingList{snap: s, past: before.with(was, s.Findings)}
	records := recordsOf(&s, m.past.gone)
	for i := range s.Findings {
		f := &s.Findings[i]
		m.items = append(m.items, views.AuditItem{Finding: f, Record: records[f.ID]})
	}
	m.items = append(m.items, m.past.redacted(records)...)
	maskTitles(m.items)
	slices.SortStableFunc(m.items, worse)
	if ctx.Err() != nil {
		return m
	}
	m.at = indexByName(m.items)
	m.groups, m.sum = views.AuditGroups(m.items), views.SumOf(m.items)
	m.before, m.long = redactions(ctx, s.Records)
	return m
}

// maskTitles sets which positions in the title of each finding's record to mask: secrets of the
// record, and whatever any finding in the title masks.
func maskTitles(items []views.AuditItem) {
	masks := map[*memory.Record][][2]int{}
	for _, it := range items {
		r := it.Record
		if r == nil {
			continue
		}
		if masks[r] == nil {
			masks[r] = slices.Clip(memory.Places(r.Secrets, memory.InTitle, 0))
		}
		if it.Text == r.Title {
			masks[r] = append(masks[r], it.Masks...)
		}
	}
	for i := range items {
		items[i].TitleMasks = masks[items[i].Record]
	}
}

// recordsOf returns the records of all findings, current and gone, by the ID in the finding. That ID
// is "line N" for a record that has no ID of its own, or one that contains a secret.
func recordsOf(s *memory.Snapshot, gone []memory.Finding) map[memory.ID]*memory.Record {
	records := make(map[memory.ID]*memory.Record, len(s.Findings))
	for i := range gone {
		records[gone[i].ID] = nil
	}
	for i := range s.Findings {
		records[s.Findings[i].ID] = nil
	}
	delete(records, "")
	for i := range s.Records {
		r := &s.Records[i]
		for _, id := range []memory.ID{r.ID, memory.LineID(r.Line)} {
			if had, wanted := records[id]; wanted && had == nil {
				records[id] = r
			}
		}
	}
	return records
}

// worse is the order of the list: findings of records first and those of files last, and within each
// the worst first.
func worse(a, b views.AuditItem) int {
	switch ofFile := a.Family == memory.FamilyFile; {
	case ofFile == (b.Family == memory.FamilyFile):
	case ofFile:
		return +1
	default:
		return -1
	}
	if a.Path != b.Path && a.Store == b.Store { // the same store under two paths
		f := *a.Finding
		f.Path = b.Path
		return f.Worse(b.Finding)
	}
	return a.Worse(b.Finding)
}

// redactions counts the redacted secrets in records, and the records that are not held completely. It
// stops early if ctx ends.
func redactions(ctx context.Context, records []memory.Record) (n, long int) {
	const often = 1024
	for i := range records {
		if i%often == 0 && ctx.Err() != nil {
			return n, long
		}
		n += strings.Count(records[i].Raw, "[REDACTED]")
		if records[i].RawCut() {
			long++
		}
	}
	return n, long
}

// uncovered says what the audit did not cover: records not loaded, lines too long, and the entries of
// always.
func (m *findingList) uncovered(always []string) []string {
	var sentences []string
	noun := m.snap.Noun.OrRecord()
	for _, s := range []struct {
		n    int
		what memory.Noun
	}{
		{
			m.snap.Total - len(m.snap.Records),
			memory.Noun{One: noun.One + " that is not loaded", Many: noun.Many + " that are not loaded"},
		},
		{m.long, memory.Noun{
			One:  "line that is too long to be held whole",
			Many: "lines that are too long to be held whole",
		}},
	} {
		if s.n > 0 {
			sentences = append(sentences, s.what.Count(s.n))
		}
	}
	return append(sentences, always...)
}

// onTallied shows a new list. The cursor stays on its finding and in its line of the screen. If the
// finding was just settled here, the cursor goes to the next open one.
func (p *Page) onTallied(m findingList) {
	v := &p.view
	above := v.RowOf(v.Cursor) - v.Offset
	cursor, same := p.goTo(m)
	p.snap, p.past.gone = m.snap, m.past.gone
	if !v.Ready { // count only earlier redactions: later ones are listed
		v.Before = m.before
	}
	v.Items, v.Groups, v.Sum, v.Ready = m.items, m.groups, m.sum, true
	v.Slow = v.Slow && p.waiting()
	v.Total = max(m.snap.Total, len(m.snap.Records)) - m.snap.Aside
	v.Lessons = min(len(m.snap.Records), v.Total)
	v.Unread, v.Uncovered = m.snap.Unread, m.uncovered(append(slices.Clone(m.snap.Uncovered), p.cfg.Uncovered...))
	v.Cursor = cursor
	v.Offset = max(v.RowOf(cursor)-above, 0)
	if !same {
		v.Scroll = 0
	}
	p.Follow()
}

// goTo returns the cursor for a new list, and whether it is still on the same finding.
func (p *Page) goTo(m findingList) (cursor int, same bool) {
	was, had := p.view.Chosen()
	if !had {
		return 0, false
	}
	at, ok := m.find(was)
	if ok && (m.items[at].Open() || !was.Open() || p.asked != nameOf(was.Finding)) {
		return at, true
	}
	items := p.view.Items
	next, open := page.Near(len(items), p.view.Cursor+1, func(i int) (int, bool) {
		to, found := m.find(items[i])
		return to, found && items[i].Open() && m.items[to].Open()
	})
	if open {
		return next, false
	}
	if ok {
		return at, true
	}
	return max(min(p.view.Cursor, len(m.items)-1), 0), false
}

// find returns the index of a finding of an earlier list.
func (m *findingList) find(was views.AuditItem) (int, bool) {
	if at, ok := m.at[nameOf(was.Finding)]; ok {
		return at, true
	}
	at, ok := m.at[kinOf(was.Finding)]
	return at, ok && m.items[at].Open()
}
