package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// rule says why the record at an index is removed, or why it matches but is kept. It returns
// nothing for a record that it does not match.
type rule func(at int) (why, keep string)

// oddCount is why a record stays when it is unknown how often it was recalled.
const oddCount = "its relevance count is not a whole number"

// prune plans the removal of the records that a rule matches. A rule never removes lines that are
// not lessons.
func (m *maker) prune() error {
	matches, err := m.rule()
	if err != nil {
		return err
	}
	scope, err := m.scope()
	if err != nil {
		return err
	}
	leaving := scope[:0]
	for _, p := range scope {
		why, keep := "", m.noLesson(p)
		if keep == "" {
			why, keep = m.applyRule(p, matches)
		}
		switch {
		case keep != "":
			m.spare(p, keep)
		case why != "":
			p.why = why
			leaving = append(leaving, p)
		}
	}
	if len(leaving) == 0 {
		return m.changeNothing("Nothing to prune")
	}
	m.remove(leaving)
	m.p.What = "Pruned " + m.records(len(m.p.Changes))
	m.noteRemoved()
	return nil
}

// scope returns the records that the rule is applied to.
func (m *maker) scope() ([]pick, error) {
	r := m.o.Rule
	if listed := r.Listed && !r.Unused && !r.Failed && r.Keep == 0; !listed {
		return m.matching(func(int) bool { return true }), nil
	}
	if len(m.o.IDs) == 0 {
		return nil, nil
	}
	return m.picks()
}

// applyRule applies the rule, and keeps a matching record if it is spared.
func (m *maker) applyRule(p pick, matches rule) (why, keep string) {
	why, keep = matches(p.at)
	protected := ""
	if !m.o.Rule.Listed { // of those listed, one may be gone
		protected = m.protected(&m.v.Records[p.at])
	}
	switch {
	case protected != "" && why == "":
		return "", ""
	case protected != "":
		return why, protected
	}
	if spared := m.whySpared(m.id(p)); spared != "" && (why != "" || keep != "") {
		keep = spared
	}
	return why, keep
}

// protected returns why no rule deletes a record, or "".
func (m *maker) protected(r *memory.Record) string {
	if r.Fixed == "" && m.v.Info.Instruction != nil && m.v.Info.Instruction(r) {
		return "an instruction or an index, which no rule deletes"
	}
	return r.Fixed
}

// rule returns the first rule that the order sets.
func (m *maker) rule() (rule, error) {
	r := m.o.Rule
	needsSessions := r.Counts() && (!m.v.Info.Counts || r.Idle > 0)
	switch {
	case min(r.Days, r.Keep, r.Idle) < 0:
		return nil, &memory.Problem{
			Code: "bad-rule", What: "a rule with a negative number of days, sessions or " + m.v.Info.Noun.Many,
			Hint: "give a number of 0 or more",
		}
	case needsSessions && !m.sessionsKnown():
		return nil, &memory.Problem{
			Code: "no-counts",
			What: "no session is known that shows whether its " + m.v.Info.Noun.Many + " were used",
			Hint: "prune by another rule, such as age",
		}
	case r.Unused:
		return m.unused, nil
	case r.Failed:
		return m.failed, nil
	case r.Keep > 0:
		return m.exceptBest(r.Keep), nil
	case r.Listed:
		return func(int) (string, string) { return "shown by the filter", "" }, nil
	case r.Idle > 0:
		return m.idle, nil
	case r.Again:
		return m.firedInVain()
	case r.Flag == memory.FlagSimilar:
		return m.twice(), nil
	case r.Flag != 0:
		return m.flagged, nil
	case r.Days > 0:
		return m.old, nil
	}
	return nil, fmt.Errorf("prune without a rule: %w", memory.ErrNothing)
}

// unused matches records that were never recalled and are older than the rule's days.
func (m *maker) unused(at int) (why, keep string) {
	r := &m.v.Records[at]
	if r.Count.N > 0 || r.Used.Text != "" {
		return "", ""
	}
	if !m.v.Info.Counts {
		return m.unread(r)
	}
	days, known := m.age(r)
	switch {
	case m.o.Rule.Days > 0 && !known:
		return "", "its date cannot be read"
	case m.o.Rule.Days > 0 && !m.older(r, m.o.Rule.Days):
		return "", ""
	case !sureCount(r):
		return "", oddCount
	case !known:
		return "never recalled", ""
	}
	return "never recalled, " + memory.Counted(days, "day") + " old", ""
}

// unread is unused for a store that keeps no counts: it goes by the sessions that are known.
func (m *maker) unread(r *memory.Record) (why, keep string) {
	age, _ := m.age(r)
	switch use := useOf(r); {
	case m.o.Rule.Days > 0 && !m.older(r, m.o.Rule.Days):
		return "", ""
	case use.Idle == 0:
		return "", "no session is known since it was written"
	default:
		return fmt.Sprintf("%s in none of %s, %s old",
			use.Verb(), memory.Counted(use.Idle, "session"), memory.Counted(age, "day")), ""
	}
}

// idle matches records that none of the last sessions used.
func (m *maker) idle(at int) (why, keep string) {
	r, least := &m.v.Records[at], m.o.Rule.Idle
	switch use := useOf(r); {
	case use.Idle >= least && use.Sessions == 0:
		return fmt.Sprintf("%s in none of the last %s", use.Verb(), memory.Counted(use.Idle, "session")), ""
	case use.Idle >= least:
		return fmt.Sprintf("last %s on %s, %s ago", use.Verb(),
			use.Last.UTC().Format(time.DateOnly), memory.Counted(use.Idle, "session")), ""
	case use.Sessions == 0 && use.Idle == 0:
		return "", "no session is known since it was written"
	case use.Sessions == 0:
		return "", "only " + memory.Counted(use.Idle, "session") + " known since it was written"
	}
	return "", ""
}

// old matches records that are older than the rule's days, and keeps those that were used since.
func (m *maker) old(at int) (why, keep string) {
	r, least := &m.v.Records[at], m.o.Rule.Days
	age, known := m.age(r)
	switch used := m.v.Now.Sub(r.Used.Time); {
	case !known:
		return "", "its date cannot be read"
	case !m.older(r, least):
		return "", ""
	case !r.Used.Time.IsZero() && used < time.Duration(least)*day:
		return "", "used since, on " + r.Used.Time.UTC().Format(time.DateOnly)
	}
	return memory.Counted(age, "day") + " old", ""
}

// firedInVain returns the rule that matches lessons that were told and whose failure came all the same, and keeps those
// that were told too few sessions.
func (m *maker) firedInVain() (rule, error) {
	recurrence := func(r *memory.Record) *memory.Recurrence {
		if r.Evidence == nil {
			return nil
		}
		return r.Evidence.Recurs
	}
	told := func(r memory.Record) bool { c := recurrence(&r); return c != nil && c.Fired > 0 }
	if !slices.ContainsFunc(m.v.Records, told) {
		return nil, &memory.Problem{
			Code: "no-sessions",
			What: "no session is known that was told a " + m.v.Info.Noun.One + " at a command, a file or an error",
			Hint: "prune by another rule, such as age",
		}
	}
	return func(at int) (why, keep string) {
		switch c := recurrence(&m.v.Records[at]); {
		case c == nil || c.Again == 0:
			return "", ""
		case c.FiredInVain():
			return fmt.Sprintf("fired in %s, failed again in %d", memory.Counted(c.Fired, "session"), c.Again), ""
		case c.Fired < memory.EnoughFired:
			return "", fmt.Sprintf("fired in only %s", memory.Counted(c.Fired, "session"))
		default:
			return "", fmt.Sprintf("failed again in only %d of %d sessions", c.Again, c.Fired)
		}
	}, nil
}

// flagged matches records with one of the rule's flags.
func (m *maker) flagged(at int) (why, keep string) {
	for _, f := range (m.v.Records[at].Flags & m.o.Rule.Flag).WorstFirst() {
		return cmp.Or(flagReasons[f], f.Word()), ""
	}
	return "", ""
}

var flagReasons = map[memory.Flags]string{
	memory.FlagSecret:    "holds a secret; the history keeps it, redact it first",
	memory.FlagInjection: "reads like an order to the model",
	memory.FlagNamesGone: "names what the project no longer has",
	memory.FlagUnseen:    "no agent reads it there",
}

// twice matches records that say nearly the same as one that stays: one that no rule deletes, the most used or
// else the newest.
func (m *maker) twice() rule {
	ranked := make([]int, len(m.v.Records))
	stays := map[memory.ID]bool{}
	rank := func(at int) int {
		r := &m.v.Records[at]
		if m.whySpared(r.ID) != "" || m.protected(r) != "" {
			return 0
		}
		return 1
	}
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int {
		x, y := &m.v.Records[a], &m.v.Records[b]
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			cmp.Compare(y.Count.N, x.Count.N),
			y.Created.Time.Compare(x.Created.Time),
		)
	})
	for _, at := range ranked {
		r := &m.v.Records[at]
		stays[r.ID] = !slices.ContainsFunc(r.Similar, func(id memory.ID) bool { return stays[id] })
	}
	return func(at int) (string, string) {
		if stays[m.v.Records[at].ID] {
			return "", ""
		}
		return "says nearly the same as one that stays", ""
	}
}

// sessionsKnown reports whether a session is known that shows which records it was given.
func (m *maker) sessionsKnown() bool {
	return slices.ContainsFunc(m.v.Records, func(r memory.Record) bool { return useOf(&r).Of > 0 })
}

// useOf returns what sessions say about the use of a record.
func useOf(r *memory.Record) memory.Use {
	if r.Evidence == nil {
		return memory.Use{}
	}
	return r.Evidence.Use
}

func (m *maker) failed(at int) (why, keep string) {
	if m.v.Records[at].Outcome != memory.Failed {
		return "", ""
	}
	return "failed", ""
}

// exceptBest matches all except the n lessons with the highest count; among equals, the newest stay.
func (m *maker) exceptBest(n int) rule {
	var ranked []int
	for i := range m.v.Records {
		if r := &m.v.Records[i]; r.Problem == nil && sureCount(r) && m.protected(r) == "" {
			ranked = append(ranked, i)
		}
	}
	slices.SortFunc(ranked, func(a, b int) int {
		x, y := &m.v.Records[a], &m.v.Records[b]
		return cmp.Or(cmp.Compare(y.Count.N, x.Count.N), y.Created.Time.Compare(x.Created.Time), cmp.Compare(b, a))
	})
	stays := make([]bool, len(m.v.Records))
	for _, at := range ranked[:min(n, len(ranked))] {
		stays[at] = true
	}
	why := fmt.Sprintf("not among the best %d by relevance", n)
	uncounted := func(r *memory.Record) bool { return !m.v.Info.Counts && r.Count.N == 0 && useOf(r).Idle == 0 }
	return func(at int) (string, string) {
		switch {
		case stays[at]:
			return "", ""
		case uncounted(&m.v.Records[at]):
			return "", "no session is known since it was written"
		case !sureCount(&m.v.Records[at]):
			return "", oddCount
		}
		return why, ""
	}
}

// sureCount reports whether it is known how often a record was recalled. An agent treats a missing
// count as 0.
func sureCount(r *memory.Record) bool { return r.Count.Odd == "" || r.Count.Odd == "missing" }

const day = 24 * time.Hour

// age returns the age of a record in full days, and whether it is known.
func (m *maker) age(r *memory.Record) (days int, known bool) {
	age := m.v.Now.Sub(r.Created.Time)
	if r.Created.Time.IsZero() || age < 0 {
		return 0, !r.Created.Time.IsZero()
	}
	return int(age / day), true
}

// older reports whether a record was created more than the given number of days ago.
func (m *maker) older(r *memory.Record, days int) bool {
	age := m.v.Now.Sub(r.Created.Time)
	whole := int(age / day)
	return whole > days || whole == days && age%day > 0
}

// noLesson returns why a rule does not apply to a line, or "" for a lesson.
func (m *maker) noLesson(p pick) string {
	problem := (*memory.Problem)(nil)
	if p.at >= 0 && m.base(p) == "" {
		problem = m.v.Records[p.at].Problem
	} else {
		problem = m.record(p).Problem
	}
	switch {
	case problem == nil:
		return ""
	case problem.Code == lesson.CodeDamaged:
		return "damaged: repair it"
	case problem.Code == lesson.CodeTooLong:
		return "too long to be read here"
	case problem.Code == lesson.CodeNotLesson, problem.Code == lesson.CodeNullLine:
		return "not a " + m.v.Info.Noun.One + ": repair it"
	}
	return "an agent cannot use it: repair it"
}
