package plan

import (
	"winnow/core/lesson"
	"winnow/core/memory"
)

// repair plans that lines which stop an agent, or which it loses, are mended, and
// dropped where that does not help: of the whole store, or the named ones.
func (m *maker) repair() error {
	scope, err := m.mostly(func(r *memory.Record) bool { return wrong(r) != "" })
	if err != nil {
		return err
	}
	mended, dropped := 0, 0
	for _, p := range scope {
		r := m.record(p)
		p.why = wrong(&r)
		after, helps := m.v.Compose.Mend(m.before(p))
		helps = helps && after != "" && after != m.before(p)
		switch {
		case p.why == "":
			m.keep(p, "nothing is wrong with it")
			continue
		case m.cut(p):
			m.keep(p, "too long to be changed here")
			continue
		case helps:
			mended++
			err = m.change(memory.Editing, p, after)
		case len(m.o.IDs) == 0 && m.spared(r.ID) != "":
			m.keep(p, m.spared(r.ID))
		default:
			dropped++
			err = m.change(memory.Deleting, p, "")
		}
		if err != nil {
			return err
		}
	}
	if mended+dropped == 0 {
		return m.nothing("Nothing to repair")
	}
	m.p.What = "Repaired " + count(mended+dropped, "line")
	m.noteRepaired(mended, dropped)
	return nil
}

func (m *maker) noteRepaired(mended, dropped int) {
	if mended > 0 {
		m.note("%s %s mended.", count(mended, "line"), verb(mended, "is", "are"))
	}
	if dropped > 0 {
		m.note("%s %s dropped, as nothing else helps.", count(dropped, "line"), verb(dropped, "is", "are"))
	}
	m.note("Agents that run now hold what they read before.")
}

// mostly returns the named records, and without names all that match.
func (m *maker) mostly(match func(*memory.Record) bool) ([]pick, error) {
	if len(m.o.IDs) > 0 {
		return m.picks()
	}
	var out []pick
	for i := range m.v.Records {
		if match(&m.v.Records[i]) {
			out = append(out, pick{at: i, nth: -1})
		}
	}
	return out, nil
}

// wrong says what is wrong with a line, and what comes of it, or nothing. Two of the
// kinds do no harm: the agent passes over them. So it does over a file that it never
// sees, which nobody but a person can judge.
func wrong(r *memory.Record) string {
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
