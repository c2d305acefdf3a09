package plan

import (
	"cmp"
	"slices"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// repair plans to mend lines that stop an agent or that it loses, and to drop those that cannot be
// mended: in the whole store, or among the named ones. If no line of the whole store is wrong, it makes room in
// a store that can learn nothing new.
func (m *maker) repair() error {
	scope, err := m.namedOrMatching(func(r *memory.Record) bool { return whatIsWrong(r) != "" })
	if err != nil {
		return err
	}
	mended, dropped := 0, 0
	for _, p := range scope {
		r := m.record(p)
		p.why = whatIsWrong(&r)
		after, helps := m.v.Compose.Mend(m.startForm(p))
		helps = helps && after != "" && after != m.startForm(p)
		switch {
		case p.why == "":
			m.spare(p, "nothing is wrong with it")
		case m.cut(p):
			m.spare(p, "too long to be changed here")
		case helps:
			mended++
			m.change(memory.Editing, p, after)
		case len(m.o.IDs) == 0 && m.whySpared(r.ID) != "":
			m.spare(p, m.whySpared(r.ID))
		default:
			dropped++
			m.change(memory.Deleting, p, "")
		}
	}
	if mended+dropped == 0 && len(m.o.IDs) == 0 && len(m.p.Kept) == 0 {
		return m.unfreeze()
	}
	if mended+dropped == 0 {
		return m.changeNothing("Nothing to repair")
	}
	m.p.What = "Repaired " + memory.Counted(mended+dropped, "line")
	m.noteRepaired(mended, dropped)
	return nil
}

func (m *maker) noteRepaired(mended, dropped int) {
	if mended > 0 {
		m.note("%s %s mended.", memory.Counted(mended, "line"), verb(mended, "is", "are"))
	}
	if dropped > 0 {
		m.note(
			"%s %s dropped, because nothing else helps.",
			memory.Counted(dropped, "line"),
			verb(dropped, "is", "are"),
		)
	}
	m.note("Running agents still hold what they read before.")
}

// namedOrMatching returns the named records, or all that match if none is named.
func (m *maker) namedOrMatching(match func(*memory.Record) bool) ([]pick, error) {
	if len(m.o.IDs) > 0 {
		return m.picks()
	}
	return m.matching(func(at int) bool { return match(&m.v.Records[at]) }), nil
}

// matching returns the records whose indexes match.
func (m *maker) matching(match func(at int) bool) (out []pick) {
	for i := range m.v.Records {
		if match(i) {
			out = append(out, pick{at: i, nth: -1})
		}
	}
	return out
}

// whatIsWrong says what is wrong with a line and what that causes, or returns "". Two kinds of faults are
// harmless because the agent skips the line. It also never sees some files; only a person can judge
// those.
func whatIsWrong(r *memory.Record) string {
	const harmful = memory.FlagDamaged | memory.FlagStops
	switch {
	case r.Flags&memory.FlagUnseen != 0 && r.Flags&harmful == 0:
		return ""
	case r.Problem == nil && r.Flags&memory.FlagStops != 0:
		return "an agent stops at this line"
	case r.Problem == nil:
		return ""
	case r.Problem.Code == lesson.CodeDamaged:
		return r.Problem.What + "; it does no harm, and is lost at the agent's next save"
	case r.Problem.Code == lesson.CodeNotLesson:
		return r.Problem.What + "; it does no harm, and an agent drops it"
	}
	return r.Problem.What
}

// unfreeze plans to make room in a store that can learn nothing new. A full store sorts by count
// and then by date, and keeps what sorts last. A new lesson, with count 0, therefore stays only if
// enough others have count 0 and an older date. So the plan sets the count of the least useful
// lessons to 0, as many as there should be room for; it deletes nothing.
func (m *maker) unfreeze() error {
	want := m.o.Rule.Keep
	if want <= 0 {
		want = max(1, m.v.Cap/10)
	}
	zero, leave, over := 0, 0, m.v.Held-m.v.Cap
	for i := range m.v.Records {
		r := &m.v.Records[i]
		if r.Forecast.LeavesAfter > 0 {
			leave++
		}
		if r.Forecast.Rank > 0 && r.Count.N == 0 && sureCount(r) {
			zero++
		}
	}
	// The next lesson pushes out one more than the number over the cap; that is the lesson itself,
	// unless another makes room.
	if m.v.Cap <= 0 || over < 0 || leave > over {
		return m.changeNothing("Nothing to repair")
	}
	if err := m.lower(want + over - zero); err != nil {
		return err
	}
	if len(m.p.Changes) == 0 {
		m.note("No lesson can make room: all of them are spared.")
		return m.changeNothing("Nothing to repair")
	}
	m.p.What = "Lowered " + memory.Counted(len(m.p.Changes), "count") + " to 0"
	m.noteThawed(zero + len(m.p.Changes) - over)
	if aged := m.agedOut(); aged > 0 {
		m.note("An agent drops %d of them because of their age the next time it loads the store.", aged)
	}
	m.note("A running agent holds its own copy and may undo this.")
	return nil
}

func (m *maker) noteThawed(fit int) {
	if fit > 0 {
		m.note("Then %s %s before one of them leaves.", memory.Counted(fit, "new lesson"), verb(fit, "fits", "fit"))
		return
	}
	m.note("That is not enough: a new lesson still leaves at once. Delete %s more.", memory.Counted(1-fit, "lesson"))
}

// lower plans count 0 for the n least useful records that are not spared.
func (m *maker) lower(n int) error {
	zero := 0
	for _, i := range m.leastUseful() {
		r := &m.v.Records[i]
		if len(m.p.Changes) == n {
			break
		}
		if why := m.whySpared(r.ID); why != "" {
			m.spare(pick{at: i, nth: -1}, why)
			continue
		}
		after, err := m.v.Compose.Compose(r.Raw, memory.Edit{Count: &zero})
		if err != nil {
			return err
		}
		p := pick{at: i, nth: -1, why: "recalled " + memory.Counted(r.Count.N, "time") + m.lastUse(r)}
		m.change(memory.Editing, p, after)
	}
	return nil
}

// agedOut returns the number of lowered records that an agent drops because of their age when it
// loads.
func (m *maker) agedOut() (n int) {
	list := m.loaded()
	for i := range m.p.Changes {
		r := m.p.Changes[i].Edited
		if list.Mark(&r); r.Flags&memory.FlagPruned != 0 {
			n++
		}
	}
	return n
}

// lastUse says how long ago a record was last recalled, if that is known.
func (m *maker) lastUse(r *memory.Record) string {
	age := m.v.Now.Sub(r.Used.Time)
	if r.Used.Time.IsZero() || age < 0 {
		return ""
	}
	return ", last " + memory.Counted(int(age/day), "day") + " ago"
}

// leastUseful returns the indices of the records that an agent holds and that were recalled: lowest
// count first, and among equals the longest unused first. A lesson with a future date makes no
// room, whatever its count.
func (m *maker) leastUseful() (order []int) {
	today := lesson.ISO(m.v.Now)
	for i := range m.v.Records {
		if r := &m.v.Records[i]; r.Forecast.Rank > 0 && r.Problem == nil && r.Count.N > 0 && r.Created.Text < today {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &m.v.Records[a], &m.v.Records[b]
		return cmp.Or(
			cmp.Compare(x.Count.N, y.Count.N),
			x.Used.Time.Compare(y.Used.Time),
			x.Created.Time.Compare(y.Created.Time),
		)
	})
	return order
}
