package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"winnow/core/memory"
)

// pick is a record that a plan concerns.
type pick struct {
	at  int    // index in the view, or -1 if it is gone
	nth int    // index in the order's IDs, or -1 if the order does not name it
	why string // the reason given by a rule
	// copy is set when only copies of secrets found in other records are redacted in this one.
	copy bool
}

// picks returns the records that the order names, each once and in the order of the store. Records
// that are gone but have a Base come last.
func (m *maker) picks() ([]pick, error) {
	picks, err := m.named()
	if err != nil {
		return nil, err
	}
	return inOrder(picks), nil
}

// named returns the records that the order names, each once and in the order's sequence.
func (m *maker) named() ([]pick, error) {
	if len(m.o.IDs) == 0 {
		return nil, memory.ErrNothing
	}
	picks := make([]pick, 0, len(m.o.IDs))
	where := make(map[memory.ID]int, len(m.o.IDs)) // in picks
	for i, id := range m.o.IDs {
		if _, twice := where[id]; !twice {
			where[id] = len(picks)
			picks = append(picks, pick{at: -1, nth: i})
		}
	}
	for i := range m.v.Records {
		if n, ok := where[m.v.Records[i].ID]; ok && picks[n].at < 0 {
			picks[n].at = i
		}
	}
	m.followMoved(picks)
	for _, p := range picks {
		pinned := m.o.Do == memory.Unpin && m.v.Pinned(m.o.IDs[p.nth]) // a pin outlives its record
		if p.at < 0 && m.base(p) == "" && !pinned {
			return nil, fmt.Errorf("%s %s: %w", m.o.Do, strconv.Quote(string(m.o.IDs[p.nth])), memory.ErrNotFound)
		}
	}
	return picks, nil
}

// followMoved finds records by their bytes if they are named after their place and have moved since the
// person saw them.
func (m *maker) followMoved(picks []pick) {
	taken := map[int]bool{}
	var moved []*pick
	for i := range picks {
		p := &picks[i]
		base := m.base(*p)
		if base != "" && m.namedByPlace(*p) && (p.at < 0 || m.v.Records[p.at].Raw != base) {
			moved = append(moved, p)
		} else {
			taken[p.at] = true
		}
	}
	if len(moved) == 0 {
		return
	}
	lines := make(map[string][]int, len(m.v.Records))
	for at := range m.v.Records {
		lines[m.v.Records[at].Raw] = append(lines[m.v.Records[at].Raw], at)
	}
	for _, p := range moved {
		if p.at >= 0 && (taken[p.at] || byLine(&m.v.Records[p.at])) {
			p.at = -1 // another record is there now
		}
		same := lines[m.base(*p)]
		if i := slices.IndexFunc(same, func(at int) bool { return !taken[at] }); i >= 0 {
			p.at, lines[m.base(*p)] = same[i], same[i+1:]
		}
		taken[p.at] = true
	}
}

// namedByPlace reports whether the id of a record depends on its place.
func (m *maker) namedByPlace(p pick) bool {
	return m.o.IDs[p.nth].IsLine() ||
		p.at >= 0 && m.v.Records[p.at].Flags&memory.FlagDuplicate != 0
}

// byLine reports whether a record is named after its line.
func byLine(r *memory.Record) bool {
	return r.ID == memory.LineID(r.Line)
}

// base returns the stored form that the person saw, or "" if that is unknown.
func (m *maker) base(p pick) string {
	if p.nth >= 0 && p.nth < len(m.o.Base) {
		return m.o.Base[p.nth]
	}
	return ""
}

// startForm returns the stored form that a change starts from. A redaction always starts from the
// current form, whoever wrote it.
func (m *maker) startForm(p pick) string {
	base := m.base(p)
	if p.at < 0 || base != "" && m.o.Do != memory.Redact {
		return base
	}
	return m.v.Records[p.at].Raw
}

func (m *maker) id(p pick) memory.ID {
	if p.at < 0 {
		return m.o.IDs[p.nth]
	}
	return m.v.Records[p.at].ID
}

// record returns the record decoded from the stored form that a change starts from.
func (m *maker) record(p pick) memory.Record {
	before := m.startForm(p)
	if p.at >= 0 && m.v.Records[p.at].Raw == before {
		return m.v.Records[p.at]
	}
	r := memory.Record{}
	if before != "" {
		r = m.v.Compose.Decode(before)
	}
	r.ID, r.Line = m.id(p), 0
	if p.at >= 0 {
		r.Line = m.v.Records[p.at].Line
	}
	return r
}

// change adds a change of a picked record. If the stored form is not known in full, the record can
// only be deleted.
func (m *maker) change(kind memory.ChangeKind, p pick, after string) {
	switch {
	case kind != memory.Deleting && m.cut(p):
		m.err = cmp.Or(m.err, error(&memory.Problem{
			Code: "too-long",
			What: fmt.Sprintf("line %d is too long to be changed here", m.v.Records[p.at].Line),
			Hint: "change it with another program, while no agent runs",
		}))
	case p.at >= 0 && m.v.Records[p.at].Fixed != "":
		m.fixed = m.v.Records[p.at].Fixed
		m.spare(p, m.fixed)
	default:
		m.append(kind, p, m.startForm(p), after)
	}
}

// cut reports whether only the beginning of a record's stored form is known.
func (m *maker) cut(p pick) bool {
	return p.at >= 0 && m.v.Records[p.at].RawCut() && m.startForm(p) == m.v.Records[p.at].Raw
}

// append adds a change, with the record and the place of the pick.
func (m *maker) append(kind memory.ChangeKind, p pick, before, after string) {
	m.p.Changes = append(m.p.Changes, memory.Change{})
	m.at = append(m.at, p.at)
	c := &m.p.Changes[len(m.p.Changes)-1] // in place, because it is large
	c.Do, c.ID, c.Before, c.After, c.Why = kind, m.id(p), before, after, p.why
	c.Record = m.record(p)
	if p.at >= 0 {
		c.Line = m.v.Records[p.at].Line
	}
	if p.at > 0 {
		c.Behind = m.v.Records[p.at-1].ID
	}
	switch {
	case before == after:
		c.Edited = c.Record
	case kind == memory.Editing:
		c.Edited = m.v.Compose.Decode(after)
		c.Edited.ID, c.Edited.Line = c.ID, c.Line
	}
}

// remove adds deletions of records.
func (m *maker) remove(picks []pick) {
	m.p.Changes = slices.Grow(m.p.Changes, len(picks)) // each is large
	for _, p := range picks {
		m.change(memory.Deleting, p, "")
	}
}

// spare adds a record that was spared.
func (m *maker) spare(p pick, why string) {
	m.p.Kept = append(m.p.Kept, memory.Kept{Record: m.record(p), Why: why})
}

// inOrder sorts picks by the order of the store, with those that are gone last.
func inOrder(picks []pick) []pick {
	last := func(p pick) int {
		if p.at < 0 {
			return math.MaxInt
		}
		return p.at
	}
	slices.SortStableFunc(picks, func(a, b pick) int { return cmp.Compare(last(a), last(b)) })
	return picks
}

// whySpared returns why a rule must not touch a record, or "".
func (m *maker) whySpared(id memory.ID) string {
	if m.v.Pinned(id) {
		return "pinned"
	}
	why, ok := m.o.Spare[id]
	if ok && why == "" {
		return "spared"
	}
	return why
}
