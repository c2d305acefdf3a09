package curate

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"winnow/core/curate/history"
	"winnow/core/memory"
)

// maxNoted is how many bytes of what others changed are kept of one entry.
const maxNoted = 1 << 20

// Watched notes in the history what others changed between two states of the whole
// store. What was changed here, by any Winnow, is told apart and noted already, and
// so is what another Winnow saw too.
func (c *Curator) Watched(ctx context.Context, before, after []memory.Record) error {
	changes := differ(before, after)
	if len(changes) == 0 {
		return c.passed(ctx)
	}
	if c.c.ReadOnly {
		return nil
	}
	leave, err := c.writing(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.recover(ctx); err != nil {
		return err
	}
	ours, err := c.ours()
	if err != nil {
		return err
	}
	st := c.file.State
	changes = slices.DeleteFunc(changes, func(ch memory.Change) bool {
		return st.Stands(ch.ID, ch.After) || ours[left{ch.ID, ch.After}]
	})
	c.pass()
	if len(changes) == 0 {
		return nil
	}
	e := history.Event{Kind: history.Others, ID: st.Next(), At: c.c.Now(), Who: memory.Others, What: others(changes)}
	e.Changes, e.Omitted = capped(changes)
	if err := c.file.Append(e, false); err != nil {
		return c.noHistory("write", err)
	}
	c.keep()
	return nil
}

// passed notes that two states were the same.
func (c *Curator) passed(ctx context.Context) error {
	leave, err := c.reading(ctx)
	if err != nil {
		return err
	}
	defer leave()
	c.pass()
	return nil
}

func (c *Curator) pass() {
	c.seen[0], c.seen[1] = c.seen[1], newest(c.file.State)
}

func newest(st *history.State) memory.EntryID {
	if n := len(st.Items); n > 0 {
		return st.Items[n-1].ID
	}
	return ""
}

// left is a record and the form in which a change left it.
type left struct {
	id   memory.ID
	form string
}

// ours returns how our own changes left their records since the call before the
// last: a state may have been read in the midst of them.
func (c *Curator) ours() (map[left]bool, error) {
	st := c.file.State
	from := st.Item(c.seen[0])
	if from == nil && len(st.Items) > 0 {
		from = &st.Items[max(0, len(st.Items)-recent)]
	}
	forms := map[left]bool{}
	if from == nil {
		return forms, nil
	}
	events, err := c.file.Events(from)
	if err != nil {
		return nil, c.noHistory("read", err)
	}
	for _, e := range settled(events, st) {
		for i := range e.Changes {
			if e.Kind != history.Others {
				forms[left{e.Changes[i].ID, e.Changes[i].After}] = true
			}
		}
	}
	return forms, nil
}

// recent is how many entries count as new when nothing was watched yet.
const recent = 8

// differ returns the changes that lead from one state to the other, without records.
func differ(before, after []memory.Record) []memory.Change {
	n := 0
	for n < len(before) && n < len(after) && same(&before[n], &after[n]) {
		n++
	}
	before, after = before[n:], after[n:]
	was := make(map[memory.ID]*memory.Record, len(before))
	for i := range before {
		was[before[i].ID] = &before[i]
	}
	var changes []memory.Change
	behind := map[memory.ID]memory.ID{}
	for i := range before[:max(0, len(before)-1)] {
		behind[before[i+1].ID] = before[i].ID
	}
	for i := range after {
		r := &after[i]
		old := was[r.ID]
		delete(was, r.ID)
		switch {
		case old == nil:
			ch := memory.Change{Do: memory.Adding, ID: r.ID, After: r.Raw, Line: r.Line}
			if i > 0 {
				ch.Behind = after[i-1].ID
			}
			changes = append(changes, ch)
		case old.Rev != r.Rev:
			changes = append(changes, memory.Change{Do: memory.Editing, ID: r.ID, Before: old.Raw, After: r.Raw, Line: r.Line})
		}
	}
	for i := range before {
		if r := &before[i]; was[r.ID] == r {
			changes = append(changes, memory.Change{Do: memory.Deleting, ID: r.ID, Before: r.Raw, Line: r.Line, Behind: behind[r.ID]})
		}
	}
	return renamed(changes)
}

func same(a, b *memory.Record) bool { return a.ID == b.ID && a.Rev == b.Rev }

// renamed drops the pairs of a removed and an added record with the same bytes: a
// record without an id of its own is named after its line, and lines move.
func renamed(changes []memory.Change) []memory.Change {
	added := map[string]int{}
	for i := range changes {
		if changes[i].Do == memory.Adding {
			added[changes[i].After]++
		}
	}
	paired := map[string]int{}
	changes = slices.DeleteFunc(changes, func(ch memory.Change) bool {
		if ch.Do != memory.Deleting || added[ch.Before] == 0 {
			return false
		}
		added[ch.Before]--
		paired[ch.Before]++
		return true
	})
	return slices.DeleteFunc(changes, func(ch memory.Change) bool {
		if ch.Do != memory.Adding || paired[ch.After] == 0 {
			return false
		}
		paired[ch.After]--
		return true
	})
}

// capped returns as many of the changes as are kept, and how many are not.
func capped(changes []memory.Change) ([]memory.Change, int) {
	size, kept := 0, changes[:0:0]
	for _, ch := range changes {
		n := len(ch.Before) + len(ch.After)
		if size+n > maxNoted {
			continue
		}
		size += n
		kept = append(kept, ch)
	}
	return kept, len(changes) - len(kept)
}

// others says what others did.
func others(changes []memory.Change) string {
	var n [memory.Adding + 1]int
	for i := range changes {
		n[changes[i].Do]++
	}
	part := func(word string, n int) string {
		if n == 0 {
			return ""
		}
		return word + " " + strconv.Itoa(n)
	}
	return fmt.Sprintf("Another writer %s", listed(part("added", n[memory.Adding]), part("changed", n[memory.Editing]), part("removed", n[memory.Deleting])))
}
