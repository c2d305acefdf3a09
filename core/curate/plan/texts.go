package plan

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/trigger"
)

// edit plans to give one record the texts that the person typed.
func (m *maker) edit() error {
	picks, err := m.picks()
	if err != nil {
		return err
	}
	if len(picks) > 1 {
		return &memory.Problem{
			Code: "one-record",
			What: "only one " + m.v.Info.Noun.One + " can be edited at a time",
			Hint: "name one",
		}
	}
	p := picks[0]
	before, old := m.startForm(p), m.record(p)
	e, err := m.typed(before)
	if err != nil {
		return err
	}
	if e = withoutUnchanged(e, &old, true); e == (memory.Edit{}) {
		return m.changeNothing("Nothing changed")
	}
	c := m.newCheck(old.ID, []string{before}, []memory.Record{old})
	after, err := c.stored(e, func(e memory.Edit) (string, error) {
		return m.v.Compose.Compose(before, e)
	})
	if err != nil {
		return err
	}
	m.checked(c)
	if after == before {
		return m.changeNothing("Nothing changed")
	}
	if err := m.sameID(after, before); err != nil {
		return err
	}
	m.change(memory.Editing, p, after)
	m.p.What = "Edited " + m.records(1)
	m.noteEdited(p, after)
	return nil
}

// noteEdited says what is different after a record was edited.
func (m *maker) noteEdited(p pick, after string) {
	old, r := m.record(p), m.v.Compose.Decode(after)
	if r.Problem == nil && old.Problem == nil && r.ID != m.v.Compose.Decode(m.startForm(p)).ID {
		m.note("The id of the %s changes: pins and history know it by the old one.", m.v.Info.Noun.One)
	}
	if r.Problem != nil {
		m.note("An agent still cannot use the line.")
	}
	if held := p.at >= 0 && m.v.Records[p.at].Forecast.Rank > 0; held && r.Count != old.Count && r.Problem == nil {
		list := m.loaded()
		r.Line = m.v.Records[p.at].Line
		list.Mark(&r)
		if r.Flags&memory.FlagPruned != 0 {
			m.note("An agent drops the lesson because of its age the next time it loads the store.")
		} else if r.Forecast.Rank > 0 {
			m.note("It is then number %d of %d to be evicted.", r.Forecast.Rank, list.Len())
		}
	}
	m.noteCopy("undo this")
}

// add plans a new record with the texts that the person typed.
func (m *maker) add() error {
	e, err := m.typed("")
	if err != nil {
		return err
	}
	if e == (memory.Edit{}) {
		return m.changeNothing("Nothing changed")
	}
	c := m.newCheck("", nil, nil)
	after, err := c.stored(e, func(e memory.Edit) (string, error) { return m.v.Compose.Compose("", e) })
	if err != nil {
		return err
	}
	r := m.v.Compose.Decode(after)
	if r.Problem == nil && strings.TrimSpace(r.Title) == "" && m.v.Info.Counts {
		return &memory.Problem{
			Code: "no-task", What: "a new lesson needs a task: task_summary is empty",
			Hint: "say in task_summary what the agent was asked to do; an agent finds a lesson by its words",
		}
	}
	if m.v.Info.NewID != nil {
		if r.ID, err = m.v.Info.NewID(m.v.Records, after, e); err != nil {
			return err
		}
	} else if err := m.sameID(after, ""); err != nil {
		return err
	}
	for i := range c.findings {
		c.findings[i].ID = r.ID
	}
	m.checked(c)
	m.p.Changes = []memory.Change{{Do: memory.Adding, ID: r.ID, Record: r, After: after}}
	m.at = []int{-1}
	m.p.What = "Added " + m.records(1)
	m.noteAdded(r)
	return nil
}

// noteAdded says what happens to a new record, which comes last.
func (m *maker) noteAdded(r memory.Record) {
	list := m.loaded()
	r.Line = m.lastLine() + 1
	list.Mark(&r)
	switch {
	case m.v.Cap > 0 && r.Flags&memory.FlagBeyond != 0:
		m.note("An agent does not reach the new lesson: it reads only %d lines of the store.", lesson.LoadCap)
	case m.v.Cap > 0 && list.Len() > m.v.Cap && r.Forecast.Rank == 1:
		m.note("The store is full, and every other lesson was recalled: the new lesson is evicted first.")
	default:
		m.noteRoom()
	}
	m.noteCopy("drop this")
}

// merge plans to merge the other named records into the first one, and to remove them.
func (m *maker) merge() error {
	picks, err := m.named()
	if err != nil {
		return err
	}
	if len(picks) < 2 {
		return &memory.Problem{
			Code: "two-records",
			What: "a merge needs two " + m.v.Info.Noun.Many + " or more",
			Hint: "mark the others too",
		}
	}
	var stored []string
	var records []memory.Record
	for _, p := range picks {
		stored, records = append(stored, m.startForm(p)), append(records, m.record(p))
	}
	e, err := m.typed(stored[0])
	if err != nil {
		return err
	}
	c := m.newCheck(records[0].ID, stored, records)
	after, err := c.stored(withoutUnchanged(e, &records[0], false), func(e memory.Edit) (string, error) {
		return m.v.Compose.Unite(stored, e)
	})
	if err != nil {
		return err
	}
	if err := m.sameID(after, stored[0]); err != nil {
		return err
	}
	m.checked(c)
	if after != stored[0] {
		m.change(memory.Editing, picks[0], after)
	}
	leaving := inOrder(picks[1:])
	for i := range leaving {
		leaving[i].why = "merged into another"
	}
	m.remove(leaving)
	m.p.What = fmt.Sprintf("Merged %s into one", m.records(len(picks)))
	m.noteRemoved()
	return nil
}

// typed returns what the person set, in an editor or field by field.
func (m *maker) typed(stored string) (memory.Edit, error) {
	if m.o.Form != "" {
		return m.v.Compose.ParseForm(stored, m.o.Form)
	}
	if m.o.Edit.When != nil && !m.v.Info.Described.When {
		return memory.Edit{}, &memory.Problem{
			Code: "no-when",
			What: "this store keeps no moment: " + m.v.Info.Name + " decides when its records are told",
			Hint: "leave out when",
		}
	}
	if m.o.Edit.When != nil {
		w, err := memory.ParseWhen(*m.o.Edit.When)
		if err == nil {
			err = trigger.Check(w)
		}
		if err != nil {
			return memory.Edit{}, &memory.Problem{Code: "bad-when", What: err.Error(), Hint: memory.WhenForms}
		}
	}
	return m.o.Edit, nil
}

// withoutUnchanged removes from e the texts that r already has, so that their spelling does not change. If
// the record has a Problem, its texts may only look the same and stay in e.
func withoutUnchanged(e memory.Edit, r *memory.Record, tools bool) memory.Edit {
	if r.Problem != nil {
		return e
	}
	drop := func(field **string, is string) {
		if *field != nil && **field == is {
			*field = nil
		}
	}
	drop(&e.Title, r.Title)
	drop(&e.Body, r.Body)
	drop(&e.Outcome, string(r.Outcome))
	drop(&e.Kind, r.Kind)
	drop(&e.Scope, r.Scope)
	drop(&e.When, r.When)
	if tools && e.Tools != nil && slices.Equal(*e.Tools, r.Tools) {
		e.Tools = nil
	}
	if e.Count != nil && r.Count == (memory.Count{N: *e.Count}) {
		e.Count = nil
	}
	return e
}

// sameID refuses a stored form with the id of another record, because nobody could tell the two
// apart.
func (m *maker) sameID(after, before string) error {
	id := m.v.Compose.Decode(after).ID
	if id == "" {
		return nil // the name is not in the stored form
	}
	if before != "" && id == m.v.Compose.Decode(before).ID {
		return nil
	}
	for i := range m.v.Records {
		if r := &m.v.Records[i]; r.ID == id && !byLine(r) {
			return &memory.Problem{
				Code: "same-id",
				What: "another " + m.v.Info.Noun.One + " in the store already has this id",
				Hint: "keep the old id, or leave it out of a new " + m.v.Info.Noun.One,
			}
		}
	}
	return nil
}

// commit plans to count a recall, as an agent does, for exactly the records that are recalled.
func (m *maker) commit() error {
	if m.v.Recall == nil {
		return &memory.Problem{Code: "no-recall", What: "what this store would recall cannot be computed"}
	}
	recall, err := m.v.Recall(m.o.Task)
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if recall.Stop != nil {
		return recall.Stop
	}
	if recall.Searched == 0 && len(recall.Hits) == 0 && m.v.Held > 0 {
		// An agent that cannot read its store starts with no lessons; the count would be based on
		// that.
		return &memory.Problem{
			Code: "read-error", What: "count the recall: the store could be read only once",
			Hint: "see that you may read it, then try again",
		}
	}
	m.o.IDs, m.o.Base = nil, nil
	for _, h := range recall.Hits {
		if h.Recalled {
			m.o.IDs = append(m.o.IDs, h.ID)
		}
	}
	picks, err := m.named()
	if err != nil && len(m.o.IDs) > 0 {
		return err
	}
	for _, p := range picks {
		p.why = "recalled"
		after, err := m.v.Compose.Recalled(m.startForm(p))
		if err != nil {
			return err
		}
		m.change(memory.Editing, p, after)
	}
	if len(m.p.Changes) == 0 {
		m.note("Nothing would be recalled, so nothing is counted.")
		return m.changeNothing("Nothing changed")
	}
	m.p.What = "Counted the recall of " + m.records(len(m.p.Changes))
	m.note("A running agent counts its own recalls, and may write its own numbers over these.")
	return nil
}
