package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/core/approvals"
	"winnow/core/curate/plan"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
)

// review carries out one order about entries of the inbox. It holds the lock of the quarantine.
type review struct {
	in      *Reviewer
	box     *learn.Box
	o       memory.InboxOrder
	stores  []visitedStore
	targets library.Destinations
	out     memory.InboxResult
	done    learn.Decision
	redo    bool
	again   []memory.EntryID // history entries of the undo that a redo reverses
	result  memory.Result    // of the last change of a store
	// finished are the proposals whose interrupted approval this order finished first.
	finished []string
}

// Review carries out a person's decision about entries of the inbox. A refused entry does not stop the
// others.
func (b *Reviewer) Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error) {
	if b.readOnly {
		return memory.InboxResult{}, fmt.Errorf("%s: %w", o.Do, memory.ErrReadOnly)
	}
	var err error
	v := review{
		in:      b,
		o:       o,
		targets: library.Destinations{},
		done:    learn.Decision{At: b.now(), Do: o.Do, Auto: o.Alone, Allow: o.Allow, Why: o.Why},
	}
	v.out.Refused = map[string]error{}
	if o.Alone && len(o.IDs) == 0 {
		if v.o.IDs, err = b.idsWithoutPerson(ctx); err != nil || len(v.o.IDs) == 0 {
			return v.out, err
		}
	}
	if v.stores, v.out.Aside, err = b.visitStores(ctx); err != nil {
		return memory.InboxResult{}, err
	}
	var leave func()
	if v.box, leave, err = b.quarantine.Enter(ctx, b.now()); err != nil {
		return memory.InboxResult{}, err
	}
	defer leave()
	v.finished, v.out.Notes = b.finishApprovals(ctx, v.box)
	if o.Do == memory.InboxUndo {
		return v.undo(ctx)
	}
	for i := range v.stores {
		if err := b.compare(ctx, &v.stores[i]); err != nil {
			return v.out, err
		}
	}
	if o.Do == memory.InboxRedo {
		return v.redoLast(ctx)
	}
	return v.reviewAll(ctx)
}

// idsWithoutPerson returns the ids of entries that may be approved without a person.
func (b *Reviewer) idsWithoutPerson(ctx context.Context) (ids []string, err error) {
	in, err := b.lookInbox(ctx, false)
	for i := range in.Entries {
		if in.Entries[i].Alone {
			ids = append(ids, in.Entries[i].ID)
		}
	}
	return ids, err
}

// reviewAll carries out the order for each of its entries.
func (v *review) reviewAll(ctx context.Context) (memory.InboxResult, error) {
	for _, id := range v.o.IDs {
		err := ctx.Err()
		if err == nil {
			err = v.reviewEntry(ctx, id)
		}
		if err != nil {
			v.out.Refused[id] = err
		}
	}
	v.out.What = v.summary()
	for i := range v.done.Decided {
		if d := &v.done.Decided[i]; d.Waiting != nil && d.Store != "" {
			v.out.Into = memory.AppendNew(v.out.Into, d.Store)
		}
	}
	return v.out, nil
}

// reviewEntry carries out the order for one entry.
func (v *review) reviewEntry(ctx context.Context, id string) error {
	if w := v.box.Find(id); w != nil {
		return v.proposal(ctx, w)
	}
	for i := range v.stores {
		st := &v.stores[i]
		for j := range st.found {
			if st.found[j].ID == id {
				return v.record(ctx, st, &st.found[j])
			}
		}
	}
	switch {
	case !slices.Contains(v.finished, id):
		return fmt.Errorf("nothing waits as %s: %w", id, memory.ErrNotFound)
	case v.o.Do == memory.InboxApprove:
		return nil
	}
	return &memory.Problem{
		Code: "approved", What: "it is approved: its approval was interrupted, and is finished now",
		Hint: "take it back first: winnow inbox undo",
	}
}

// saveDecided saves the outcome of an entry at once, so that a crash loses only the entry under way.
func (v *review) saveDecided(d learn.Decided) error {
	if v.redo {
		v.box.Undone = withoutLast(v.box.Undone)
	} else {
		v.box.Undone = nil
	}
	v.done.Decided = append(v.done.Decided, d)
	v.box.Decide(&v.done)
	return v.box.Save()
}

// withEntry returns the undone decisions with an entry added to the last one, which is this order's.
func (v *review) withEntry(all []learn.Decision, d learn.Decided) []learn.Decision {
	if len(v.done.Decided) > 0 {
		all = all[:len(all)-1]
	}
	v.done.Decided = append(v.done.Decided, d)
	return append(all, v.done)
}

// withoutLast returns the decisions without the last entry of the last decision.
func withoutLast(all []learn.Decision) []learn.Decision {
	last := &all[len(all)-1]
	if last.Decided = last.Decided[:len(last.Decided)-1]; len(last.Decided) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// summary says what was decided, and for which store; "" if nothing was.
func (v *review) summary() string {
	all := v.done.Decided
	if len(all) == 0 {
		return ""
	}
	word := map[memory.InboxAct]string{
		memory.InboxApprove: "Approved",
		memory.InboxReject:  "Rejected",
		memory.InboxEdit:    "Edited and approved",
		memory.InboxMerge:   "Merged",
		memory.InboxBoth:    "Kept both of",
		memory.InboxLater:   "Put off until tomorrow:",
		memory.InboxPin:     "Approved and pinned",
		memory.InboxRestore: "Restored",
	}[v.o.Do]
	first := &all[0]
	deletions := 0
	for i := range all {
		if w := all[i].Waiting; w != nil && w.Deletes {
			deletions++
		}
	}
	noun, to := memory.Noun{One: "proposal", Many: "proposals"}, first.Store
	mixed := slices.ContainsFunc(
		all,
		func(d learn.Decided) bool { return (d.Waiting == nil) != (first.Waiting == nil) },
	)
	switch {
	case deletions == len(all):
		noun = memory.Noun{One: "deletion", Many: "deletions"}
	case mixed || deletions > 0:
		noun = memory.Noun{One: "entry", Many: "entries"}
	case first.Waiting == nil:
		noun = v.in.lib.Info(to).Noun
	case to != "":
		noun = memory.Noun{One: "lesson", Many: "lessons"}
	}
	several := slices.ContainsFunc(all, func(d learn.Decided) bool { return d.Store != to })
	in := " into "
	if first.Waiting == nil || deletions > 0 {
		in = " in "
	}
	return word + " " + noun.Count(len(all)) + system.Say(to != "" && !several, in+v.in.lib.Short(to.Path())) +
		system.Say(v.redo, " again") + system.Say(v.o.Alone, ", as config.toml says")
}

var errWaits = errors.New("it waits for a person")

// tomorrow is how long an entry is put off.
const tomorrow = 24 * time.Hour

// deletionActs are the decisions about a deletion by others.
var deletionActs = []memory.InboxAct{memory.InboxApprove, memory.InboxReject, memory.InboxLater}

// proposal carries out the order for a proposal.
func (v *review) proposal(ctx context.Context, w *learn.Waiting) error {
	was := *w
	if v.o.Alone && (!corroborated(w) || !isClean(reasons(w))) {
		return errWaits // it changed since alone chose it
	}
	if w.Deletes && !slices.Contains(deletionActs, v.o.Do) {
		return &memory.Problem{
			Code: "deletion", What: fmt.Sprintf("others deleted it, and a deletion cannot be decided so: %s", v.o.Do),
			Hint: "approve it to delete the " + v.in.lib.Info(
				w.Origin.Store,
			).Noun.OrRecord().One + " here too, or reject it to keep it",
		}
	}
	switch v.o.Do {
	case memory.InboxLater:
		w.Later = v.in.now().Add(tomorrow)
		return v.saveDecided(learn.Decided{ID: w.ID, Waiting: &was})
	case memory.InboxReject:
		if err := v.in.quarantine.Book.Note(ctx, approvals.Reject, v.in.now(), "", w.Words()); err != nil {
			return err
		}
		v.box.Remove(was.ID)
		return v.saveDecided(learn.Decided{ID: was.ID, Waiting: &was})
	case memory.InboxRestore:
		return &memory.Problem{
			Code: "not-gone",
			What: "it is a proposal: there is nothing to restore",
			Hint: "approve it, or reject it",
		}
	case memory.InboxBoth:
		if !w.Both {
			return &memory.Problem{
				Code: "not-both",
				What: "nobody changed the same lesson here: there are not two texts to keep",
				Hint: "approve it, or reject it",
			}
		}
	}
	return v.approve(ctx, w)
}

// target returns the store that an approval of a proposal writes into.
func (v *review) target(ctx context.Context, w *learn.Waiting) (memory.StoreID, error) {
	if v.o.Store != "" {
		return v.o.Store, nil
	}
	store := v.in.lib.Destination(ctx, &w.Origin, v.targets).Target
	if store == "" {
		return "", library.ErrNoTarget
	}
	return store, nil
}

// approve writes a proposal into a store. It marks the proposal, applies the plan, and then removes the
// proposal from the quarantine. After a crash in between the mark stays, and finishApproval checks the store.
func (v *review) approve(ctx context.Context, w *learn.Waiting) error {
	if w.Mark != nil {
		return &memory.Problem{
			Code: "unsettled",
			What: "its approval was interrupted, and its store cannot be read",
			Hint: "see that you may read it: winnow doctor",
		}
	}
	was := *w
	store, err := v.target(ctx, w)
	if err != nil {
		return err
	}
	// 1. Make the plan. It refuses what a person must decide first.
	order, redo := v.redoOrder()
	if !redo {
		if order, err = v.in.orderOf(ctx, w, store, v.o); err != nil {
			return err
		}
	}
	p, err := v.plan(ctx, store, order)
	if err != nil {
		return err
	}
	// 2. Mark the proposal.
	ch := &p.Changes[0]
	words := ch.Record
	if ch.Do == memory.Editing {
		words = ch.Edited
	}
	w.Mark = &learn.Mark{
		Store:  store,
		Record: ch.ID,
		Digest: v.digest(ch.After),
		Words:  v.digest(wordsText(&words)),
		Do:     v.o.Do,
	}
	if err := v.box.Save(); err != nil {
		return err
	}
	// 3. Change the store, then approve the words. Until they are approved, no agent is given them.
	result, err := v.in.lib.Apply(ctx, p)
	if v.result = result; err != nil {
		if w := v.box.Find(was.ID); result.Entry == "" && w != nil {
			w.Mark = nil
			err = errors.Join(err, v.box.Save())
		}
		return err
	}
	if err := v.noteApproval(ctx, &was, store, &words); err != nil { // finishApproval completes it later
		return err
	}
	d := learn.Decided{
		ID:      was.ID,
		Waiting: &was,
		Store:   store,
		Entries: []memory.EntryID{cmp.Or(p.Redoes, result.Entry)},
	}
	v.out.Notes = append(v.out.Notes, result.Notes...)
	if v.o.Do == memory.InboxPin {
		v.pin(ctx, &d, ch.ID)
	}
	// 4. Remove it from the quarantine.
	v.box.Remove(was.ID)
	return v.saveDecided(d)
}

// replaces reports whether a decision puts other words in place of those that a share sent.
func replaces(do memory.InboxAct, w *learn.Waiting) bool {
	return do == memory.InboxEdit && w.Edits || do == memory.InboxMerge && w.Form != ""
}

// plan makes the plan for an order. It refuses a plan that changes nothing, and reports findings that nobody
// allowed.
func (v *review) plan(ctx context.Context, store memory.StoreID, order memory.Order) (memory.Plan, error) {
	p, err := v.in.lib.Plan(ctx, store, order)
	if err != nil {
		return p, err
	}
	switch {
	case v.refused(p.Findings, order.Allow):
		return p, memory.ErrFinding
	case len(p.Changes) == 0:
		return p, fmt.Errorf("change %s: %w", v.in.lib.Short(store.Path()), memory.ErrNothing)
	}
	v.out.Aside = append(v.out.Aside, p.Notes...)
	return p, nil
}

// refused adds the findings that nobody allowed to the result, and reports whether there are any.
func (v *review) refused(found []memory.Finding, allow []string) bool {
	left := slices.DeleteFunc(
		slices.Clone(found),
		func(f memory.Finding) bool { return slices.Contains(allow, f.Rule) },
	)
	v.out.Findings = append(v.out.Findings, left...)
	return len(left) > 0
}

// pin pins a record. If that fails, its approval still stands.
func (v *review) pin(ctx context.Context, d *learn.Decided, id memory.ID) {
	p, err := v.in.lib.Plan(ctx, d.Store, memory.Order{Do: memory.Pin, IDs: []memory.ID{id}})
	var result memory.Result
	if err == nil {
		result, err = v.in.lib.Apply(ctx, p)
	}
	if err != nil {
		v.out.Notes = append(v.out.Notes, "It is approved, but could not be pinned: "+err.Error()+".")
	}
	if result.Entry != "" {
		d.Entries = append(d.Entries, result.Entry)
	}
}

// digest returns a keyed digest, or "" if there is no key yet.
func (v *review) digest(text string) string {
	verdicts, _ := v.in.quarantine.Book.Read() // an unreadable book has no key
	return verdicts.Digest(text)
}

// recordAct is what a decision about a record does.
type recordAct struct {
	do      memory.Act        // the change to its store, if any
	verdict approvals.Verdict // about its words
	seen    bool              // the record then counts as seen
}

// recordActs gives what each decision about a record does.
var recordActs = map[memory.InboxAct]recordAct{
	memory.InboxApprove: {verdict: approvals.Approve, seen: true},
	memory.InboxPin:     {verdict: approvals.Approve, seen: true},
	memory.InboxEdit:    {memory.EditOne, approvals.Approve, true},
	memory.InboxReject:  {do: memory.Delete, verdict: approvals.Reject},
	memory.InboxMerge:   {do: memory.Merge},
	memory.InboxRestore: {do: memory.Restore},
}

// noteApproval notes that the words of a record that a proposal made are approved. Rejecting the share's words, if
// others replace them, keeps the next sync from asking again.
func (v *review) noteApproval(ctx context.Context, w *learn.Waiting, store memory.StoreID, r *memory.Record) error {
	if replaces(v.o.Do, w) {
		err := v.in.quarantine.Book.Note(ctx, approvals.Reject, v.in.now(), "", w.Words())
		if err != nil {
			return err
		}
	}
	if w.Deletes {
		return nil
	}
	return v.in.noteRecord(ctx, approvals.Approve, store, r)
}

// recordAct returns what the order does with a record of a store. The error says that it is none for that record.
func (v *review) recordAct(d *learn.Difference) (recordAct, error) {
	act, gone := recordActs[v.o.Do], d.Kind == memory.GoneRecord
	switch {
	case gone && v.o.Do == memory.InboxApprove:
		act.verdict, act.seen = "", false
	case gone != (v.o.Do == memory.InboxRestore):
		return act, &memory.Problem{
			Code: "not-that",
			What: fmt.Sprintf("a record that is %s cannot be decided so: %s", d.Kind, v.o.Do),
			Hint: "see what waits: winnow inbox",
		}
	}
	return act, nil
}

// planFor returns the plan of what an order does with the store of a record: an empty one if it does nothing.
func (v *review) planFor(
	ctx context.Context,
	store memory.StoreID,
	d *learn.Difference,
	do memory.Act,
) (memory.Plan, error) {
	if do == "" {
		return memory.Plan{}, nil
	}
	order, err := v.orderFor(ctx, store, d, do)
	if err != nil {
		return memory.Plan{}, err
	}
	return v.plan(ctx, store, order)
}

// noteVerdict notes what was decided about the words of a record, or that a person knows that it is gone.
func (v *review) noteVerdict(
	ctx context.Context,
	st *visitedStore,
	d *learn.Difference,
	verdict approvals.Verdict,
	r *memory.Record,
) error {
	switch {
	case verdict != "":
		return v.in.noteRecord(ctx, verdict, st.place.Store, r)
	case d.Kind == memory.GoneRecord && v.o.Do == memory.InboxApprove:
		return v.in.noteGone(ctx, st, d.Key, false)
	}
	return nil
}

// record carries out the order for a record of a store.
func (v *review) record(ctx context.Context, st *visitedStore, d *learn.Difference) error {
	done := learn.Decided{ID: d.ID, Store: st.place.Store, Key: d.Key, Seen: d.Before, Rejected: !d.Rejected.IsZero()}
	if v.o.Do == memory.InboxLater {
		v.box.Desk.Later[d.ID] = v.in.now().Add(tomorrow)
		return v.saveDecided(done)
	}
	act, err := v.recordAct(d)
	if err != nil {
		return err
	}
	p, err := v.planFor(ctx, st.place.Store, d, act.do)
	if err != nil {
		return err
	}
	r := &d.Record
	if v.o.Do == memory.InboxEdit {
		r = &p.Changes[0].Edited
	}
	if act.verdict == approvals.Approve && d.Unapproved && v.refused(plan.Check(r), v.o.Allow) {
		return memory.ErrFinding
	}
	if act.do != "" {
		result, err := v.in.lib.Apply(ctx, p)
		if v.result = result; err != nil {
			return err
		}
		done.Entries = append(done.Entries, cmp.Or(p.Redoes, result.Entry))
	}
	if delete(st.seen.Records, d.Key); act.seen {
		st.seen.Records[d.Key] = st.look.Sight(r)
	}
	if v.o.Do == memory.InboxPin {
		v.pin(ctx, &done, r.ID)
	}
	if err := v.noteVerdict(ctx, st, d, act.verdict, r); err != nil {
		return err
	}
	if err := st.seen.Save(); err != nil {
		return err
	}
	return v.saveDecided(done)
}

// orderFor returns the order that carries out a decision about a record in its store.
func (v *review) orderFor(
	ctx context.Context,
	store memory.StoreID,
	d *learn.Difference,
	do memory.Act,
) (memory.Order, error) {
	if order, redo := v.redoOrder(); redo {
		return order, nil
	}
	order := memory.Order{
		Do:     do,
		IDs:    []memory.ID{d.Record.ID},
		Base:   []string{d.Record.Raw},
		Allow:  v.o.Allow,
		Anyway: v.o.Anyway,
		Edit:   v.o.Edit,
		Form:   v.o.Form,
	}
	switch do {
	case memory.Restore:
		order.Base = nil
	case memory.Merge:
		if v.o.Into == "" {
			return order, &memory.Problem{
				Code: "no-record",
				What: "which record shall it be merged into?",
				Hint: "name one",
			}
		}
		into, err := v.in.lib.RecordNamed(ctx, store, v.o.Into)
		if err == nil {
			err = seenToMerge(&into)
		}
		order.IDs, order.Base = []memory.ID{into.ID, d.Record.ID}, nil
		return order, err
	}
	return order, nil
}
