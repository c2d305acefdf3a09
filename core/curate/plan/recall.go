package plan

import (
	"fmt"

	"winnow/core/memory"
)

// commit plans that a recall is counted, as an agent does: for exactly the records
// that are recalled.
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
		// An agent that cannot read its store starts with none; a count would be of that.
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
		after, err := m.v.Compose.Recalled(m.before(p))
		if err != nil {
			return err
		}
		m.change(memory.Editing, p, after)
	}
	if len(m.p.Changes) == 0 {
		m.note("Nothing would be recalled, so nothing is counted.")
		return m.nothing("Nothing changed")
	}
	m.p.What = "Counted the recall of " + m.records(len(m.p.Changes))
	m.note("A running agent counts its own recalls, and may write its own numbers over these.")
	return nil
}
