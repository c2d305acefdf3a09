package plan

import (
	"fmt"

	"winnow/core/lesson"
	"winnow/core/memory"
)

func (m *maker) note(format string, args ...any) {
	m.p.Notes = append(m.p.Notes, fmt.Sprintf(format, args...))
}

// noteRemoved says what is different once records have left.
func (m *maker) noteRemoved() {
	m.noteRoom()
	if n := m.pinned(); n > 0 {
		m.note("Pinned among those that leave: %d.", n)
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

// noteRoom says how many lessons an agent then holds, and which lines it then reads
// that it did not.
func (m *maker) noteRoom() {
	if m.stopped() {
		return
	}
	held, read := m.v.Held, 0 // read: values that an agent reads no more
	for i := range m.p.Changes {
		switch c := &m.p.Changes[i]; {
		case c.Do == memory.Adding:
			held++
			read--
		case m.at[i] < 0:
		case c.Do == memory.Deleting:
			r := &m.v.Records[m.at[i]]
			if r.Forecast.Rank > 0 {
				held--
			}
			if r.Flags&(memory.FlagDamaged|memory.FlagBeyond) == 0 {
				read++
			}
		}
	}
	come := max(0, min(read, m.beyond()))
	m.noteHeld(held + come)
	if come > 0 {
		m.note("%s that an agent does not reach now %s into reach.", memory.Counted(come, "line"), verb(come, "comes", "come"))
	}
}

// stopped reports whether an agent dies at a line when it loads the store, so that
// nobody can say what it would hold.
func (m *maker) stopped() bool {
	for i := range m.v.Records {
		if r := &m.v.Records[i]; r.Flags&memory.FlagStops != 0 && r.Forecast.Rank == 0 {
			return true
		}
	}
	return false
}

func (m *maker) noteHeld(held int) {
	switch room := m.v.Cap - held; {
	case m.v.Cap <= 0 || held < 0:
	case room < 0:
		m.note("An agent then holds %s, %d more than the %d that it keeps.", m.records(held), -room, m.v.Cap)
	default:
		m.note("An agent then holds %d of at most %s: %s free.", held, m.records(m.v.Cap), places(room))
	}
}

// beyond counts the records that an agent does not reach and that stay. They are
// the last of the store.
func (m *maker) beyond() (n int) {
	for i := len(m.v.Records) - 1; i >= 0 && m.v.Records[i].Flags&memory.FlagBeyond != 0; i-- {
		n++
	}
	for i, at := range m.at {
		if at >= 0 && m.p.Changes[i].Do == memory.Deleting && m.v.Records[at].Flags&memory.FlagBeyond != 0 {
			n--
		}
	}
	return n
}

// aged reports whether an agent that loads now drops a lesson for its age once its
// count is 0: neither of its dates is after the cutoff, as texts.
func (m *maker) aged(r *memory.Record) bool {
	cutoff := lesson.ISO(lesson.Cutoff(m.v.Now, m.v.Now.Location()))
	return r.Created.Text <= cutoff && r.Used.Text <= cutoff
}

// records returns a number of records in words.
func (m *maker) records(n int) string { return m.v.Info.Noun.Count(n) }

// noteCopy says what a running agent may do, where it holds its own copy.
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
