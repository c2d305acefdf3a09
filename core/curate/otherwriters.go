package curate

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
)

// maxNoted is how many bytes of other writers' changes one entry keeps.
const maxNoted = 1 << 20

// Watched adds to the history what others changed between two states of the whole store. It leaves
// out what any Winnow changed, which is in the history already, and what another Winnow saw and
// recorded.
func (c *Curator) Watched(ctx context.Context, before, after []memory.Record) error {
	changes := changesBetween(before, after)
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
	known, err := c.recentForms()
	if err != nil {
		return err
	}
	st := c.file.state
	changes = slices.DeleteFunc(changes, func(ch memory.Change) bool { return known.alreadyRecorded(&ch) })
	c.pass()
	if len(changes) == 0 {
		return nil
	}
	e := event{Kind: kindOthers, ID: st.next(), At: c.c.Now(), Who: memory.Others, What: others(changes)}
	e.Changes, e.Omitted = capped(changes)
	if err := c.append(e, false); err != nil {
		return c.noHistory("write", err)
	}
	c.dropOldHistory()
	return nil
}

// passed records that two states were the same.
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
	c.seen[0], c.seen[1] = c.seen[1], newest(c.file.state)
}

func newest(st *historyState) memory.EntryID {
	if n := len(st.Items); n > 0 {
		return st.Items[n-1].ID
	}
	return ""
}

// recentForms is how the newest entries of the history left records.
type recentForms struct {
	newest  map[string]string // the form of each record that any entry changed; empty if removed
	forms   map[string]bool   // forms that our own changes left
	removed map[string]bool   // keys of what our own changes removed
}

// alreadyRecorded reports whether a change is already in the history: as the latest change of its record, or
// as an earlier one of our own.
func (f *recentForms) alreadyRecorded(ch *memory.Change) bool {
	form := ch.After
	if ch.Do == memory.Deleting {
		form = ch.Before
	}
	if newest, known := f.newest[recordKey(ch.ID, form)]; known && newest == ch.After {
		return true
	}
	if ch.Do == memory.Deleting {
		return f.removed[recordKey(ch.ID, ch.Before)] || f.removed["b"+ch.Before]
	}
	return f.forms[ch.After]
}

// recentForms returns how the entries since the last call but one left their records, because a
// state may have been read in the middle of them.
func (c *Curator) recentForms() (*recentForms, error) {
	st := c.file.state
	from := st.item(c.seen[0])
	if from == nil && len(st.Items) > 0 {
		from = &st.Items[max(0, len(st.Items)-recent)]
	}
	f := &recentForms{map[string]string{}, map[string]bool{}, map[string]bool{}}
	if from == nil {
		return f, nil
	}
	events, err := c.file.events(from)
	if err != nil {
		return nil, c.noHistory("read", err)
	}
	for _, e := range madeEntries(events, st) {
		for i := range e.Changes {
			if ch := &e.Changes[i]; ch.Do <= memory.Adding {
				f.note(ch, e.Kind == kindOthers)
			}
		}
	}
	return f, nil
}

func (f *recentForms) note(ch *memory.Change, others bool) {
	f.newest[recordKey(ch.ID, ch.Before)] = ""
	if ch.After != "" {
		f.newest[recordKey(ch.ID, ch.After)] = ch.After
	}
	switch {
	case others:
	case ch.Do == memory.Deleting:
		f.removed[recordKey(ch.ID, ch.Before)] = true
	default:
		f.forms[ch.After], f.removed["b"+ch.Before] = true, true
	}
}

// recent is the number of entries that count as new if nothing was watched yet.
const recent = 50

// capped returns the changes that fit within maxNoted, and the number of the rest.
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

// others returns a sentence about what others did.
func others(changes []memory.Change) string {
	var n [memory.Adding + 1]int
	for i := range changes {
		n[changes[i].Do]++
	}
	var parts []string
	for _, part := range []struct {
		did  string
		kind memory.ChangeKind
	}{{"added", memory.Adding}, {"changed", memory.Editing}, {"removed", memory.Deleting}} {
		if n[part.kind] > 0 {
			parts = append(parts, part.did+" "+strconv.Itoa(n[part.kind]))
		}
	}
	return "Another writer " + strings.Join(parts, ", ")
}

// changesBetween returns the changes from one state to the other, without decoded records. A record
// without an id is named after its line, and records that share an id are numbered, so such names
// shift when a line above is removed. Records are therefore matched by name and bytes, then by
// bytes, then by name, then in order among those with the same id.
func changesBetween(before, after []memory.Record) (changes []memory.Change) {
	n := 0
	for n < len(before) && n < len(after) && same(&before[n], &after[n]) {
		n++
	}
	before, after = before[n:], after[n:]
	was := compare.Pairs(before, after,
		func(r *memory.Record) string { return string(r.ID) + "\x00" + string(r.Rev) },
		func(r *memory.Record) string { return family(r.ID) + "\x00" + string(r.Rev) },
		func(r *memory.Record) string { return string(r.ID) },
		func(r *memory.Record) string { return family(r.ID) },
	)
	stays := make([]bool, len(before))
	for i := range after {
		r := &after[i]
		switch k := was[i]; {
		case k < 0:
			ch := memory.Change{Do: memory.Adding, ID: r.ID, After: r.Raw, Line: r.Line}
			if i > 0 {
				ch.Behind = after[i-1].ID
			}
			changes = append(changes, ch)
		default:
			stays[k] = true
			if before[k].Rev != r.Rev {
				changes = append(
					changes,
					memory.Change{Do: memory.Editing, ID: r.ID, Before: before[k].Raw, After: r.Raw, Line: r.Line},
				)
			}
		}
	}
	for i := range before {
		if stays[i] {
			continue
		}
		ch := memory.Change{Do: memory.Deleting, ID: before[i].ID, Before: before[i].Raw, Line: before[i].Line}
		if i > 0 {
			ch.Behind = before[i-1].ID
		}
		changes = append(changes, ch)
	}
	return changes
}

func same(a, b *memory.Record) bool { return a.ID == b.ID && a.Rev == b.Rev }

// family returns what the names of records with the same id share, because their numbers shift when
// one of them is removed. It is empty for records without an id.
func family(id memory.ID) string {
	if id.IsLine() {
		return ""
	}
	return recordKey(id, "")
}
