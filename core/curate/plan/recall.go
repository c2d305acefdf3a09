package plan

import (
	"fmt"
	"strconv"

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
	where := map[memory.ID]int{}
	for _, h := range recall.Hits {
		if h.Recalled {
			where[h.ID] = -1
		}
	}
	for i := range m.v.Records {
		if at, ok := where[m.v.Records[i].ID]; ok && at < 0 {
			where[m.v.Records[i].ID] = i
		}
	}
	for _, h := range recall.Hits {
		if !h.Recalled {
			continue
		}
		if err := m.recalled(h.ID, where[h.ID]); err != nil {
			return err
		}
	}
	if len(m.p.Changes) == 0 {
		m.note("Nothing would be recalled, so nothing is counted.")
		return m.nothing("Nothing changed")
	}
	m.p.What = "Counted the recall of " + m.records(len(m.p.Changes))
	m.note("A running agent counts its own recalls, and may write its own numbers over these.")
	return nil
}

func (m *maker) recalled(id memory.ID, at int) error {
	if at < 0 {
		return fmt.Errorf("commit %s: %w", strconv.Quote(string(id)), memory.ErrNotFound)
	}
	p := pick{at: at, nth: -1, why: "recalled"}
	after, err := m.v.Compose.Recalled(m.before(p))
	if err != nil {
		return err
	}
	m.change(memory.Editing, p, after)
	return nil
}
