package curate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// Apply makes the changes of a plan. The error is memory.ErrFinding for a plan with findings that
// are not allowed, memory.ErrAsks for one that needs a decision, and memory.ErrConflict if another
// writer changed a record in a conflicting way; the result then says what is in the way. Any other
// error is a *memory.Problem.
//
// After an error nothing was changed, unless the result has an entry: then the disk failed in such
// a way that the change could not be rolled back, and the entry can be undone. A plan that changes
// nothing has a result without an entry.
func (c *Curator) Apply(ctx context.Context, p memory.Plan) (memory.Result, error) {
	return c.apply(ctx, p, memory.You)
}

func (c *Curator) apply(ctx context.Context, p memory.Plan, who memory.Who) (result memory.Result, _ error) {
	// 1. Refuse what a person has to decide first.
	if err := c.refused(ctx, &p, who); err != nil {
		return memory.Result{}, err
	}
	if len(p.Changes) == 0 && len(p.Decided) == 0 {
		return memory.Result{}, nil
	}
	// 2. Lock the history, and finish a change that a crash interrupted.
	leave, err := c.writing(ctx)
	if err != nil {
		return memory.Result{}, err
	}
	defer leave()
	// 3. Leave out what a person decided after the guard planned it.
	if who == memory.Guard {
		if slices.ContainsFunc(p.Order.IDs, func(id memory.ID) bool { return !c.file.state.watches(id) }) {
			return memory.Result{}, errAccepted
		}
		if p.Changes = c.stillWanted(&p); len(p.Changes) == 0 {
			return memory.Result{}, nil
		}
	}
	// 4. Record the change in the history; a change of stored records is also made in the store.
	e := event{
		ID: c.file.state.next(), At: c.c.Now(), Who: who, Do: p.Order.Do, What: p.What,
		Final: p.Final, Undoes: p.Undoes, Redoes: p.Redoes, From: p.Order.From,
	}
	switch stored, pins := splitPins(p.Changes); {
	case len(p.Decided) > 0:
		e.Kind, e.Decided = kindDecided, p.Decided
		result, err = c.note(e)
	case len(stored) == 0:
		e.Kind, e.Changes = kindDid, withoutRecords(pins)
		result, err = c.note(e)
	default:
		e.Kind = kindBegin
		result, err = c.write(ctx, &p, e, stored, pins)
	}
	// 5. Drop history beyond the age and size limits.
	if err == nil {
		c.dropOldHistory()
	}
	if c.moved != "" && err == nil {
		result.Notes = append(result.Notes, c.moved)
		c.moved = ""
	}
	return result, err
}

// Count counts one recall of records for an agent, in the current store, so what others count at
// the same moment is not lost. Like counts that an agent makes itself, it is not in the history.
// The history is not even read, unless a change is unfinished.
func (c *Curator) Count(ctx context.Context, served []system.Served) error {
	w, ok := c.c.System.(system.Writer)
	find, finds := c.c.System.(system.Picker)
	if !ok || !finds || c.c.ReadOnly || c.c.Dir == "" {
		return memory.ErrReadOnly
	}
	leave, err := c.lockFinished(ctx)
	if err != nil {
		return err
	}
	defer leave()
	records, err := find.Pick(ctx, served)
	if err != nil || len(records) == 0 {
		return err
	}
	changes := make([]memory.Change, len(records))
	for i, r := range records {
		after, err := c.compose.Recalled(r.Raw)
		if err != nil {
			return err
		}
		changes[i] = memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after, Line: r.Line}
	}
	_, err = w.Write(ctx, system.Write{Changes: changes})
	return err
}

// lockFinished waits until this curator is free, locks the state folder, and makes sure that no change is
// unfinished. It reads the history only if its end does not show that.
func (c *Curator) lockFinished(ctx context.Context) (leave func(), err error) {
	free, err := c.waitTurn(ctx)
	if err != nil {
		return nil, err
	}
	unlock, err := c.file.exclude(ctx)
	if err != nil {
		free()
		return nil, err
	}
	if _, ok, err := c.file.pins(); ok && err == nil {
		return func() { unlock(); free() }, nil
	}
	unlock()
	free()
	return c.writing(ctx)
}

// refused returns why a plan is not applied, or nil.
func (c *Curator) refused(ctx context.Context, p *memory.Plan, who memory.Who) error {
	for _, f := range p.Findings {
		if !slices.Contains(p.Order.Allow, f.Rule) {
			return fmt.Errorf("%s of %s: %w", f.Field, f.ID, memory.ErrFinding)
		}
	}
	if len(p.Changes) == 0 && len(p.Decided) == 0 {
		return nil
	}
	if why := c.whyConfirm(ctx, p); why != "" && who != memory.Guard {
		return fmt.Errorf("%s: %w", strings.TrimSuffix(why, "."), memory.ErrAsks)
	}
	if c.c.ReadOnly {
		return memory.ErrReadOnly
	}
	return nil
}

// errAccepted stops a reapply by the guard because, in the meantime, a person accepted some of the
// other writer's changes.
var errAccepted = errors.New("accepted meanwhile")

// stillWanted returns the changes of a reapply that are still wanted: a person may have changed the same
// records since it was planned.
func (c *Curator) stillWanted(plan *memory.Plan) []memory.Change {
	return slices.DeleteFunc(slices.Clone(plan.Changes), func(ch memory.Change) bool {
		p := c.file.state.Promises[ch.ID]
		switch {
		case p == nil,
			ch.Do == memory.Editing && plan.Final: // nothing was promised, or a secret is removed whatever was decided
			return false
		case p.Gone != (ch.Do == memory.Deleting):
			return true
		case ch.Do == memory.Editing:
			mine, _ := c.compose.Reconcile(p.Forms, ch.Before)
			return mine != ch.After
		}
		return ch.Do == memory.Adding && p.Mine != ch.After
	})
}

// note adds an event that changes no store.
func (c *Curator) note(e event) (memory.Result, error) {
	if err := c.append(e, true); err != nil {
		return memory.Result{}, c.noHistory("write", err)
	}
	return memory.Result{Entry: e.ID, Changes: allFates(e.Changes, nil)}, nil
}

// write makes changes in the store.
func (c *Curator) write(
	ctx context.Context,
	p *memory.Plan,
	e event,
	stored, pins []memory.Change,
) (memory.Result, error) {
	w, ok := c.c.System.(system.Writer)
	if !ok {
		return memory.Result{}, fmt.Errorf("change a store of %s: %w", c.info.Name, memory.ErrReadOnly)
	}
	// 1. If the change keeps no copy, hash what it removes.
	if p.Final {
		if err := c.hash(ctx, p, &e); err != nil {
			return memory.Result{}, err
		}
	}
	// 2. The store locks itself, reads again and merges. Right before it replaces anything, it
	// calls Stage, which makes what is replaced durable in the history.
	var staged system.Staged
	var notes []string
	begun := false
	written, err := w.Write(
		ctx,
		system.Write{Changes: stored, Exact: p.Exact, Verified: p.Order.Verified, Stage: func(s system.Staged) error {
			staged, begun = s, true
			notes = c.cleanDrafts(ctx, p, s.Changes)
			return c.stage(p, e, s, slices.Concat(c.alreadyStored(p, stored, s), pins, c.pinsFollow(stored, s.Changes)))
		}},
	)
	result := memory.Result{
		Changes: allFates(p.Changes, written.Fates),
		Adopted: written.Adopted,
		Notes:   append(written.Notes, notes...),
	}
	// 3. Record how it ended. If that fails, the next start finds out.
	if begun {
		end := event{Kind: kindDone, ID: e.ID}
		if err != nil {
			end.Kind, end.Temp = c.endAfter(ctx, w, staged, written.Left)
		} else if written.Temp == "" {
			end.Kind = kindAborted
		}
		if end.Kind == kindDone {
			result.Entry = e.ID
		}
		_ = c.file.append(end, false)
	}
	// 4. Record what the store already had as the person's decision.
	if rest := append(c.alreadyStored(p, stored, system.Staged{Standing: written.Standing}), pins...); err == nil &&
		result.Entry == "" &&
		len(rest) > 0 {
		e.Kind, e.Changes = kindDid, withoutRecords(rest)
		noted, err := c.note(e)
		result.Entry = noted.Entry
		return result, err
	}
	return result, err
}

// endAfter returns how a change ended after an error. If it cannot be rolled back, the next start
// completes it, or it stays in the history.
func (c *Curator) endAfter(
	ctx context.Context,
	w system.Writer,
	s system.Staged,
	left bool,
) (end eventKind, temp string) {
	applied, err := recoverStore(context.WithoutCancel(ctx), w, s, left)
	switch {
	case err != nil:
		return kindAborted, s.Temp
	case applied:
		return kindDone, ""
	}
	return kindAborted, ""
}

// alreadyStored returns the planned changes that are already in the store but that the history records
// anyway, because the person asked for them: all changes of an undo or a redo, and those that the
// guard would otherwise revert. Additions get the counts that the records have in the store.
func (c *Curator) alreadyStored(p *memory.Plan, planned []memory.Change, s system.Staged) (changes []memory.Change) {
	if p.Final {
		return nil
	}
	for _, ch := range planned {
		same := func(m memory.Change) bool { return m.ID == ch.ID }
		if !slices.ContainsFunc(s.Changes, same) && (p.Undoes != "" || p.Redoes != "" || c.contradictsPerson(p, &ch)) {
			if at := slices.IndexFunc(s.Standing, same); at >= 0 {
				ch.After = s.Standing[at].After
			}
			changes = append(changes, ch)
		}
	}
	return changes
}

// contradictsPerson reports whether a person asked for something other than this change before.
func (c *Curator) contradictsPerson(p *memory.Plan, ch *memory.Change) bool {
	asked := c.file.state.Promises[ch.ID]
	switch {
	case asked == nil:
		return false
	case ch.Do == memory.Deleting:
		return !asked.Gone
	}
	return p.Order.Do != memory.Reapply && (asked.Gone || asked.Mine != ch.After)
}

// stage writes what is about to be replaced to the history, together with the rest: the changes
// that touch no bytes.
func (c *Curator) stage(p *memory.Plan, e event, s system.Staged, rest []memory.Change) error {
	if stored, _ := splitPins(rest); len(stored) > 0 {
		s.Splices.Parts = nil // the parts of this entry are not everything to undo
	}
	made := withoutRecords(s.Changes)
	if (p.Undoes != "" || p.Redoes != "") && asAdditions(p, made) {
		s.Splices.Parts = nil
	}
	e.Temp, e.Changes, e.Splices = s.Temp, append(made, withoutRecords(rest)...), &s.Splices
	if p.Final {
		return c.noHistory("write", c.stageFinal(e, p))
	}
	return c.noHistory("write", c.append(e, true))
}

// asAdditions turns an edit into an addition if the store already had the added record and only its
// counts were raised, so that undoing it deletes the record. It reports whether there are any.
func asAdditions(p *memory.Plan, made []memory.Change) (any bool) {
	for i := range made {
		ch := &made[i]
		asked := func(o memory.Change) bool { return o.ID == ch.ID && o.Do == memory.Adding }
		if ch.Do == memory.Editing && slices.ContainsFunc(p.Changes, asked) {
			ch.Do, ch.Before, any = memory.Adding, "", true
		}
	}
	return any
}

// pinsFollow returns the changes that move pins along when an edit gives a record a new ID. Such an
// edit is made as a deletion and an addition.
func (c *Curator) pinsFollow(planned, made []memory.Change) (pins []memory.Change) {
	for i := range planned {
		ch := &planned[i]
		if ch.Do != memory.Editing || !c.file.state.Pins[ch.ID] {
			continue
		}
		deleted := slices.ContainsFunc(
			made,
			func(m memory.Change) bool { return m.Do == memory.Deleting && m.ID == ch.ID },
		)
		at := slices.IndexFunc(made, func(m memory.Change) bool { return m.Do == memory.Adding && m.After == ch.After })
		if deleted && at >= 0 && made[at].ID != ch.ID {
			pins = append(pins, memory.Change{Do: memory.Unpinning, ID: ch.ID, Before: ch.Before},
				memory.Change{Do: memory.Pinning, ID: made[at].ID, Before: ch.After})
		}
	}
	return pins
}

// stageFinal is stage for a change that keeps no copy: it also removes the secrets from the whole
// history, in the same step, and deletes an older history.
func (c *Curator) stageFinal(e event, p *memory.Plan) error {
	s, err := c.redactedTexts()
	if err != nil {
		return err
	}
	out := c.cleaner(append(slices.Clone(p.Changes), e.Changes...), p.Order)
	clean := func(text string) string { return s.clean(out(text)) }
	e.Splices.Parts = nil
	cleanEvent(&e, clean)
	if err := c.file.scrub(clean, e); err != nil {
		return err
	}
	_, err = c.file.removeOlder()
	return err
}

// hash adds to the event of a change that keeps no copy the hashes of what the change removes.
func (c *Curator) hash(ctx context.Context, p *memory.Plan, e *event) error {
	key, err := c.file.newestKey(c.c.Rand)
	if err != nil {
		return c.noHistory("write the key of", err)
	}
	e.Key, e.Scrubs = key.Name, c.scrubs(key, p.Changes, p.Order)
	if p.Order.Do == memory.Reapply { // what is not new is watched already
		s, err := c.redactedTexts()
		if err != nil {
			return err
		}
		e.Scrubs = s.newScrubs(e.Scrubs)
	}
	e.Kept, err = c.stillHolding(ctx, key, e.Scrubs, p)
	return err
}

// dropOldHistory drops history beyond the age and size limits. After an error the history is unchanged, and
// the next change tries again.
func (c *Curator) dropOldHistory() {
	now := c.c.Now()
	since := now.Add(-c.c.KeepFor)
	if c.c.KeepFor <= 0 {
		since = since.AddDate(-10000, 0, 0)
	}
	_ = c.file.keep(now, since, c.c.KeepBytes)
}

// splitPins separates the changes of stored records from those of pins.
func splitPins(changes []memory.Change) (stored, pins []memory.Change) {
	for _, ch := range changes {
		if ch.Do >= memory.Pinning {
			pins = append(pins, ch)
		} else {
			stored = append(stored, ch)
		}
	}
	return stored, pins
}

// withoutRecords returns the changes without their decoded records.
func withoutRecords(changes []memory.Change) []memory.Change {
	all := slices.Clone(changes)
	for i := range all {
		all[i].Record, all[i].Edited = memory.Record{}, memory.Record{}
	}
	return all
}

// allFates returns the fates of all changes: those given for the stored records, and done for pins.
func allFates(changes []memory.Change, stored []memory.Applied) []memory.Applied {
	all := make([]memory.Applied, 0, len(changes))
	for i := range changes {
		f := memory.Applied{ID: changes[i].ID}
		if changes[i].Do < memory.Pinning && len(stored) > 0 {
			f, stored = stored[0], stored[1:]
		}
		all = append(all, f)
	}
	return all
}
