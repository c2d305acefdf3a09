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
			why, keep = m.judge(p, matches)
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
	if listed := r.Listed && !r.Unused && !r.Failed && !r.Unhelpful && r.Keep == 0; !listed {
		return m.matching(func(int) bool { return true }), nil
	}
	if len(m.o.IDs) == 0 {
		return nil, nil
	}
	return m.picks()
}

// judge applies the rule, and keeps a matching record if it is spared.
func (m *maker) judge(p pick, matches rule) (why, keep string) {
	why, keep = matches(p.at)
	if spared := m.whySpared(m.id(p)); spared != "" && (why != "" || keep != "") {
		keep = spared
	}
	return why, keep
}

// rule returns the first rule that the order sets.
func (m *maker) rule() (rule, error) {
	switch r := m.o.Rule; {
	case r.Days < 0 || r.Keep < 0:
		return nil, &memory.Problem{
			Code: "bad-rule", What: "a rule with a negative number of days or " + m.v.Info.Noun.Many,
			Hint: "give a number of 0 or more",
		}
	case !m.v.Info.Counts && (r.Unused || r.Keep > 0):
		return nil, &memory.Problem{
			Code: "no-counts", What: "this store does not count how often its " + m.v.Info.Noun.Many + " are recalled",
			Hint: "select them with a filter and delete them",
		}
	case r.Unused:
		return m.unused, nil
	case r.Failed:
		return m.failed, nil
	case r.Keep > 0:
		return m.exceptBest(r.Keep), nil
	case r.Unhelpful:
		return m.unhelpful, nil
	case r.Listed:
		return func(int) (string, string) { return "shown by the filter", "" }, nil
	}
	return nil, fmt.Errorf("prune without a rule: %w", memory.ErrNothing)
}

// unused matches records that were never recalled and are older than the rule's days.
func (m *maker) unused(at int) (why, keep string) {
	r := &m.v.Records[at]
	if r.Count.N > 0 || r.Used.Text != "" {
		return "", ""
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

func (m *maker) failed(at int) (why, keep string) {
	if m.v.Records[at].Outcome != memory.Failed {
		return "", ""
	}
	return "failed", ""
}

// unhelpful matches records that were recalled in enough sessions but succeeded clearly less often
// than the other sessions.
func (m *maker) unhelpful(at int) (why, keep string) {
	e := m.o.Evidence[m.v.Records[at].ID]
	if !e.Unhelpful() {
		return "", ""
	}
	return e.Brief(), ""
}

// exceptBest matches all except the n lessons with the highest count; among equals, the newest stay.
func (m *maker) exceptBest(n int) rule {
	var ranked []int
	for i := range m.v.Records {
		if r := &m.v.Records[i]; r.Problem == nil && sureCount(r) {
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
	return func(at int) (string, string) {
		switch {
		case stays[at]:
			return "", ""
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
