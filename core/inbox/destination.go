package inbox

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/trigger"
)

// proposedForm returns the stored form of a proposal in a store, with the changes that the person made.
func (b *Reviewer) proposedForm(
	ctx context.Context,
	w *learn.Waiting,
	store memory.StoreID,
	o memory.InboxOrder,
) (stored string, err error) {
	c, err := b.lib.Composer(store)
	if err != nil {
		return "", err
	}
	files := w.Form == "" && b.keepsFiles(store)
	switch {
	case w.Form != "" && store == w.Origin.Store:
		r, err := b.shared(ctx, w)
		if err != nil {
			return "", err
		}
		stored, err = b.sharedForm(&w.Proposal, r)
		if err != nil {
			return "", err
		}
	case files:
		stored = bullet(w.Body)
	case b.lib.KeepsLessons(store):
		stored = w.Line(b.now(), b.lib.Info(store).Described.When)
	default:
		stored, err = c.Compose("", memory.Edit{Title: &w.Title, Body: &w.Body, Outcome: &w.Outcome, Tools: &w.Tools})
	}
	set := o.Edit
	if err == nil && o.Form != "" {
		set, err = c.ParseForm(stored, o.Form)
	}
	if err == nil && set != (memory.Edit{}) {
		stored, err = composed(c, stored, set)
	}
	if files {
		stored = bullet(stored)
	}
	return stored, err
}

// composed returns a stored form with what a person set. It refuses a moment at which nearly everything would be told.
func composed(c system.Composer, stored string, set memory.Edit) (string, error) {
	if set.When != nil {
		w, err := memory.ParseWhen(*set.When)
		if err == nil {
			err = trigger.Check(w)
		}
		if err != nil {
			return "", err
		}
	}
	return c.Compose(stored, set)
}

// keepsFiles reports whether the records of a store are whole files of prose. A proposal adds a line to one.
func (b *Reviewer) keepsFiles(id memory.StoreID) bool {
	return b.lib.Info(id).Noun.One == "file"
}

// bullet returns the line that a text adds to a file of prose.
func bullet(text string) string {
	return "- " + strings.Join(strings.Fields(strings.TrimPrefix(text, "- ")), " ")
}

// orderOf returns the order that writes a proposal into a store.
func (b *Reviewer) orderOf(
	ctx context.Context,
	w *learn.Waiting,
	store memory.StoreID,
	o memory.InboxOrder,
) (memory.Order, error) {
	order := memory.Order{Do: memory.AddOne, Allow: o.Allow, Anyway: o.Anyway}
	if o.Do == memory.InboxBoth {
		order.Edit = memory.Edit{Title: &w.Title, Body: &w.Body, Outcome: &w.Outcome, Tools: &w.Tools}
		if b.lib.Info(store).Described.When {
			order.Edit.When = &w.When
		}
		return order, nil
	}
	if w.Deletes {
		r, err := b.shared(ctx, w)
		if err == nil && r == nil {
			err = fmt.Errorf("delete %s: %w", w.LessonID, memory.ErrNotFound)
		}
		if err == nil {
			order.Do, order.IDs, order.Base = memory.Delete, []memory.ID{r.ID}, []string{r.Raw}
		}
		return order, err
	}
	stored, err := b.proposedForm(ctx, w, store, o)
	if r, _ := b.shared(ctx, w); r != nil && store == w.Origin.Store && o.Do != memory.InboxMerge {
		stored += "\n"
		order.Do, order.IDs, order.Base, order.Edit.Raw = memory.EditOne, []memory.ID{r.ID}, []string{r.Raw}, &stored
		return order, err
	}
	if err == nil && (o.Do == memory.InboxMerge || b.keepsFiles(store)) {
		return b.orderInto(ctx, order, w, stored, store, o)
	}
	stored += "\n" // the plan removes one newline, as from an editor
	order.Edit.Raw = &stored
	return order, err
}

// shared returns the record that a proposal from a share changes or deletes. It returns nil if it changes none, or if
// the record is gone.
func (b *Reviewer) shared(ctx context.Context, w *learn.Waiting) (*memory.Record, error) {
	if !w.Edits && !w.Deletes {
		return nil, nil
	}
	r, err := b.lib.FindRecord(ctx, w.Origin.Store, func(r *memory.Record) bool { return string(r.ID) == w.LessonID })
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	return &r, err
}

// sharedForm returns the stored form that a share's proposal gives its record: that of the record here changed, or
// a new one if here is nil.
func (b *Reviewer) sharedForm(p *learn.Proposal, here *memory.Record) (string, error) {
	c, err := b.lib.Composer(p.Origin.Store)
	if err != nil {
		return "", err
	}
	stored := p.Form
	if here != nil {
		stored = here.Raw
	}
	e := memory.Edit{Title: &p.Title, Body: &p.Body, Outcome: &p.Outcome, Tools: &p.Tools}
	if _, err := memory.ParseWhen(p.When); err == nil {
		e.When = &p.When
	}
	return c.Compose(stored, e)
}

// orderInto returns the order that merges a stored form into an existing record.
func (b *Reviewer) orderInto(
	ctx context.Context,
	order memory.Order,
	w *learn.Waiting,
	stored string,
	store memory.StoreID,
	o memory.InboxOrder,
) (memory.Order, error) {
	id := o.Into
	if id == "" && o.Do == memory.InboxMerge {
		var err error
		if id, err = b.nearestRecord(ctx, w, store); err != nil {
			return order, err
		}
	}
	into, err := b.lib.RecordNamed(ctx, store, id)
	if id == "" {
		into, err = b.lib.FindRecord(ctx, store, func(r *memory.Record) bool {
			return r.Fixed == "" && r.Problem == nil
		})
	}
	if err == nil {
		err = seenToMerge(&into)
	}
	if err != nil {
		return order, err
	}
	c, err := b.lib.Composer(store)
	if err != nil {
		return order, err
	}
	// the plan removes the last newline, as from an editor
	after := strings.TrimRight(into.Raw, "\n") + "\n" + stored + "\n\n"
	if !b.keepsFiles(store) {
		if after, err = c.Unite([]string{into.Raw, stored}, o.Edit); err != nil {
			return order, err
		}
	}
	order.Do, order.IDs, order.Base, order.Edit.Raw = memory.EditOne, []memory.ID{into.ID}, []string{into.Raw}, &after
	return order, nil
}

// seenToMerge returns an error for a record that nobody approved. A merge would approve the record's own
// words too, although the person was not shown them.
func seenToMerge(into *memory.Record) error {
	if into.Flags&memory.FlagUnseen == 0 {
		return nil
	}
	return &memory.Problem{
		Code: "not-approved",
		What: "nobody approved " + string(into.ID) + " on this machine, and a merge would approve its words",
		Hint: "decide about that one first: winnow inbox",
	}
}

// nearestRecord returns the record of a store that is similar to a proposal.
func (b *Reviewer) nearestRecord(ctx context.Context, w *learn.Waiting, store memory.StoreID) (memory.ID, error) {
	own := w.Record()
	kin, err := b.lib.KinAmong(ctx, inInbox, []memory.StoreID{inInbox, store}, []memory.Record{own})
	if err != nil {
		return "", err
	}
	for _, k := range kin[own.ID] {
		if !k.Contrary {
			return k.ID, nil
		}
	}
	return "", &memory.Problem{
		Code: "nothing-similar",
		What: "no record of the store says nearly the same",
		Hint: "name the record to merge into",
	}
}
