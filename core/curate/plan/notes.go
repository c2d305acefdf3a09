package plan

import (
	"fmt"

	"winnow/core/lesson"
	"winnow/core/memory"
)

func (m *maker) note(format string, args ...any) {
	m.p.Notes = append(m.p.Notes, fmt.Sprintf(format, args...))
}

// noteRemoved says what is different after records were removed.
func (m *maker) noteRemoved() {
	m.noteRoom()
	if n := m.pinned(); n > 0 {
		m.note("Pinned records among them: %d.", n)
	}
	m.noteCopy("bring this back")
}

// pinned counts the pinned records that the plan deletes.
func (m *maker) pinned() (n int) {
	for i := range m.p.Changes {
		if m.p.Changes[i].Do == memory.Deleting && m.v.Pinned(m.p.Changes[i].ID) {
			n++
		}
	}
	return n
}

// noteRoom says how many lessons an agent will then hold.
func (m *maker) noteRoom() {
	list := m.loaded()
	if m.v.Cap <= 0 || list.Problem() != nil {
		return // an agent that stops while loading holds nothing that can be predicted
	}
	held := list.Len()
	if room := m.v.Cap - held; room < 0 {
		m.note("An agent then holds %s, %d more than the %d that it keeps.", m.records(held), -room, m.v.Cap)
	} else {
		m.note("An agent then holds %d of at most %s: %s free.", held, m.records(m.v.Cap), places(room))
	}
}

// loaded returns what an agent holds when it loads the store after the plan. Additions come after
// the last line.
func (m *maker) loaded() *lesson.List {
	changed := make(map[int]*memory.Change, len(m.at))
	var added []string
	for i, at := range m.at {
		ch := &m.p.Changes[i]
		changed[at] = ch
		if ch.Do == memory.Adding {
			added = append(added, ch.After)
		}
	}
	l := lesson.NewLoader(m.v.Now, m.v.Now.Location())
	more := true
	for i := 0; more && i < len(m.v.Records); i++ {
		r, raw := &m.v.Records[i], m.v.Records[i].Raw
		if ch := changed[i]; ch != nil {
			raw = ch.After
		}
		switch {
		case raw == "":
			continue // deleted
		case r.RawCut():
			more = l.Skip(r.Line)
		default:
			_, more = l.Add(raw, r.Line)
		}
	}
	for i := 0; more && i < len(added); i++ {
		_, more = l.Add(added[i], m.lastLine()+1+i)
	}
	return l.List()
}

// lastLine returns the line of the last record.
func (m *maker) lastLine() int {
	if n := len(m.v.Records); n > 0 {
		return m.v.Records[n-1].Line
	}
	return 0
}

// records returns a number of records in words.
func (m *maker) records(n int) string { return m.v.Info.Noun.Count(n) }

// noteCopy says what a running agent may do, if it holds its own copy.
func (m *maker) noteCopy(what string) {
	if m.v.Info.Copies {
		m.note("A running agent holds its own copy and may %s.", what)
	}
}

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

func places(n int) string {
	if n == 0 {
		return "no place is"
	}
	return memory.Counted(n, "place") + " " + verb(n, "is", "are")
}
