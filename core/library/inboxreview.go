package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/approvals"
	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/memory"
)

// review is one order about entries of the inbox, with the lock of the quarantine held.
type review struct {
	*Library
	q      *learn.Quarantine
	box    *learn.Box
	o      memory.InboxOrder
	stores []visited
	goals  goals
	out    memory.InboxResult
	done   learn.Decision
}

// Review carries out what a person decided about entries of the inbox, each on its own: one that is
// refused does not stop the others. IDs may be beginnings of which there is one.
func (l *Library) Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error) {
	return l.decide(ctx, o, false)
}

// decide is Review, also for what is approved without a person.
func (l *Library) decide(ctx context.Context, o memory.InboxOrder, alone bool) (memory.InboxResult, error) {
	if l.readOnly {
		return memory.InboxResult{}, fmt.Errorf("%s: %w", o.Do, memory.ErrReadOnly)
	}
	q, err := l.quarantine()
	if err != nil {
		return memory.InboxResult{}, err
	}
	v := review{Library: l, q: q, o: o, goals: goals{}, done: learn.Decision{At: l.now(), Do: o.Do, Auto: alone}}
	v.out.Refused = map[string]error{}
	if v.stores, v.out.Notes, err = l.visitStores(ctx, q); err != nil {
		return memory.InboxResult{}, err
	}
	var leave func()
	if v.box, leave, err = q.Enter(ctx, l.now()); err != nil {
		return memory.InboxResult{}, err
	}
	defer leave()
	v.out.Notes = append(v.out.Notes, l.settle(ctx, v.box)...)
	if o.Do == memory.InboxUndo {
		return v.undo(ctx)
	}
	for i := range v.stores {
		if err := l.compare(ctx, &v.stores[i]); err != nil {
			return v.out, err
		}
	}
	return v.all(ctx)
}

// all carries out the order for each of its entries.
func (v *review) all(ctx context.Context) (memory.InboxResult, error) {
	for _, name := range v.o.IDs {
		err := ctx.Err()
		id := ""
		if err == nil {
			id, err = v.resolve(name)
		}
		if err == nil {
			err = v.one(ctx, id)
		}
		if err != nil {
			v.out.Refused[name] = err
		}
	}
	v.out.What = v.what()
	return v.out, nil
}

// resolve returns the ID of the entry that a name is the beginning of.
func (v *review) resolve(name string) (string, error) {
	var found []string
	add := func(id string) {
		if strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	for i := range v.box.Waiting {
		add(v.box.Waiting[i].ID)
	}
	for i := range v.stores {
		for j := range v.stores[i].found {
			add(v.stores[i].found[j].ID)
		}
	}
	switch {
	case slices.Contains(found, name):
		return name, nil
	case name == "" || len(found) == 0:
		return "", fmt.Errorf("nothing waits as %s: %w", name, memory.ErrNotFound)
	case len(found) > 1:
		return "", fmt.Errorf("several entries begin with %s: %s", name, strings.Join(found, ", "))
	}
	return found[0], nil
}

// one carries out the order for one entry.
func (v *review) one(ctx context.Context, id string) error {
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
	return memory.ErrNotFound // another entry of the order took it along
}

// decided notes what became of an entry, so that a crash loses no more than what is under way.
func (v *review) decided(d learn.Decided) error {
	if len(v.done.Decided) > 0 {
		v.box.Decisions = v.box.Decisions[:len(v.box.Decisions)-1]
	}
	v.done.Decided = append(v.done.Decided, d)
	v.box.Decisions = append(v.box.Decisions, v.done)
	return v.box.Save()
}

// what says what was done.
func (v *review) what() string {
	word := map[memory.InboxAct]string{
		memory.InboxApprove: "Approved", memory.InboxReject: "Rejected", memory.InboxEdit: "Edited and approved", memory.InboxMerge: "Merged",
		memory.InboxLater: "Put off until tomorrow:", memory.InboxPin: "Approved and pinned", memory.InboxRestore: "Restored", memory.InboxUndo: "Undid",
	}[v.o.Do]
	return word + " " + memory.Noun{One: "entry", Many: "entries"}.Count(len(v.done.Decided))
}

var errWaits = errors.New("it waits for a person")

// tomorrow is how long an entry is put off.
const tomorrow = 24 * time.Hour

// proposal carries out the order for a proposal.
func (v *review) proposal(ctx context.Context, w *learn.Waiting) error {
	was := *w
	if v.done.Auto && (!corroborated(*w) || !clean(reasons(w))) {
		return errWaits // it changed since it was chosen
	}
	switch v.o.Do {
	case memory.InboxLater:
		w.Later = v.now().Add(tomorrow)
		return v.decided(learn.Decided{ID: w.ID, Waiting: &was})
	case memory.InboxReject:
		if err := v.q.Book.Note(ctx, approvals.Reject, v.now(), w.Words()); err != nil {
			return err
		}
		v.box.Remove(was.ID)
		return v.decided(learn.Decided{ID: was.ID, Waiting: &was})
	case memory.InboxRestore:
		return &memory.Problem{Code: "not-gone", What: "it is a proposal: there is nothing to restore", Hint: "approve it, or reject it"}
	}
	return v.approve(ctx, w)
}

// approve writes a proposal into a store: it is marked, the plan is applied, and then it leaves
// the quarantine. A crash in between leaves the mark, and settle looks at the store.
func (v *review) approve(ctx context.Context, w *learn.Waiting) error {
	if w.Mark != nil {
		return &memory.Problem{Code: "unsettled", What: "its approval was interrupted, and its store cannot be read", Hint: "see that you may read it: winnow doctor"}
	}
	was := *w
	store := v.o.Store
	if store == "" {
		store = v.goal(ctx, &w.Origin, v.goals).target
	}
	if store == "" {
		return errNoTarget
	}
	// 1. The plan, which refuses what a person has to decide first.
	order, err := v.orderOf(ctx, w, store, v.o)
	if err != nil {
		return err
	}
	p, err := v.plan(ctx, store, order)
	if err != nil {
		return err
	}
	// 2. The mark.
	ch := &p.Changes[0]
	words := ch.Record
	if ch.Do == memory.Editing {
		words = ch.Edited
	}
	w.Mark = &learn.Mark{Store: store, Record: ch.ID, Digest: v.digest(ch.After), Words: v.digest(wordsText(&words)), Do: v.o.Do}
	if err := v.box.Save(); err != nil {
		return err
	}
	// 3. The store, and then the words: until they are noted, no agent is told.
	result, err := v.Apply(ctx, p)
	if err != nil {
		if w := v.box.Find(was.ID); result.Entry == "" && w != nil {
			w.Mark = nil
			err = errors.Join(err, v.box.Save())
		}
		return err
	}
	if err := v.q.Book.Note(ctx, approvals.Approve, v.now(), learn.WordsOf(&words)); err != nil {
		return err // settle notes it
	}
	d := learn.Decided{ID: was.ID, Waiting: &was, Store: store, Entries: []memory.EntryID{result.Entry}}
	v.out.Notes = append(v.out.Notes, result.Notes...)
	if v.o.Do == memory.InboxPin {
		d.Entries = append(d.Entries, v.pin(ctx, store, ch.ID)...)
	}
	// 4. It leaves the quarantine.
	v.box.Remove(was.ID)
	return v.decided(d)
}

// plan makes the plan of an order. One that changes nothing is refused, and findings that nobody
// allowed are noted.
func (v *review) plan(ctx context.Context, store memory.StoreID, order memory.Order) (memory.Plan, error) {
	p, err := v.Plan(ctx, store, order)
	if err != nil {
		return p, err
	}
	switch {
	case v.refused(p.Findings, order.Allow):
		return p, memory.ErrFinding
	case len(p.Changes) == 0:
		return p, fmt.Errorf("change %s: %w", v.short(store.Path()), memory.ErrNothing)
	}
	v.out.Notes = append(v.out.Notes, p.Notes...)
	return p, nil
}

// refused notes the findings that nobody allowed, and reports whether there are any.
func (v *review) refused(found []memory.Finding, allow []string) bool {
	left := slices.DeleteFunc(slices.Clone(found), func(f memory.Finding) bool { return slices.Contains(allow, f.Rule) })
	v.out.Findings = append(v.out.Findings, left...)
	return len(left) > 0
}

// unapproved returns what the check finds in a record that agents are given once it is approved.
func unapproved(r *memory.Record) (found []memory.Finding) {
	r.EachText(func(in memory.Field, _ int, text string) {
		if in != memory.InTitle && in != memory.InBody && in != memory.InOutcome && in != memory.InTools {
			return
		}
		for _, s := range detect.Secrets(text) {
			found = append(found, memory.Finding{ID: r.ID, Field: in.String(), Rule: s.Rule, What: "It holds what looks like a secret, which agents would be given."})
		}
		text = detect.Redact(text)
		for _, t := range detect.Typed(text) {
			rule, _ := detect.Rule(t.Rule)
			found = append(found, memory.Finding{
				ID: r.ID, Field: in.String(), Rule: t.Rule, What: rule.Why, Text: text, Start: t.Start, End: t.End, Shown: t.Shown,
			})
		}
	})
	return found
}

// gone reports whether a record is not in its store any more.
func gone(d *learn.Difference) bool { return d.Kind == memory.GoneRecord }

// pin pins a record. That it cannot be pinned does not take its approval back.
func (v *review) pin(ctx context.Context, store memory.StoreID, id memory.ID) []memory.EntryID {
	p, err := v.Plan(ctx, store, memory.Order{Do: memory.Pin, IDs: []memory.ID{id}})
	var result memory.Result
	if err == nil {
		result, err = v.Apply(ctx, p)
	}
	if err != nil {
		v.out.Notes = append(v.out.Notes, "It is approved, but could not be pinned: "+err.Error()+".")
	}
	if result.Entry == "" {
		return nil
	}
	return []memory.EntryID{result.Entry}
}

// digest returns a keyed digest; that of nothing where there is no key yet.
func (v *review) digest(text string) string {
	verdicts, err := v.q.Book.Read()
	if err != nil {
		return ""
	}
	return verdicts.Digest(text)
}

// record carries out the order for a record of a store.
func (v *review) record(ctx context.Context, st *visited, d *learn.Difference) error {
	done := learn.Decided{ID: d.ID, Store: st.place.Store, Key: d.Key, Seen: d.Before, Rejected: !d.Rejected.IsZero()}
	order := memory.Order{IDs: []memory.ID{d.Record.ID}, Base: []string{d.Record.Raw}, Allow: v.o.Allow, Anyway: v.o.Anyway, Edit: v.o.Edit, Form: v.o.Form}
	switch gone := gone(d); {
	case v.o.Do == memory.InboxLater:
		if v.box.Desk.Later == nil {
			v.box.Desk.Later = map[string]time.Time{}
		}
		v.box.Desk.Later[d.ID] = v.now().Add(tomorrow)
		return v.decided(done)
	case gone != (v.o.Do == memory.InboxRestore) && (!gone || v.o.Do != memory.InboxApprove):
		return &memory.Problem{Code: "not-that", What: fmt.Sprintf("a record that is %s cannot be decided so: %s", d.Kind, v.o.Do), Hint: "see what waits: winnow inbox"}
	case gone && v.o.Do == memory.InboxApprove:
		delete(st.seen.Records, d.Key)
		return v.seen(st, done)
	case gone:
		order.Do, order.Base, order.Edit, order.Form = memory.Restore, nil, memory.Edit{}, ""
	case v.o.Do == memory.InboxReject:
		order.Do = memory.Delete
	case v.o.Do == memory.InboxMerge:
		if v.o.Into == "" {
			return &memory.Problem{Code: "no-record", What: "which record shall it be merged into?", Hint: "name one"}
		}
		into, err := v.recordOf(ctx, st.place.Store, func(r *memory.Record) bool { return r.ID == v.o.Into })
		if err == nil {
			err = seenToMerge(&into)
		}
		if err != nil {
			return err
		}
		order.Do, order.IDs, order.Base = memory.Merge, []memory.ID{v.o.Into, d.Record.ID}, nil
	case v.o.Do == memory.InboxEdit:
		order.Do = memory.EditOne
	}
	r := d.Record
	if approves := v.o.Do == memory.InboxApprove || v.o.Do == memory.InboxPin; approves && d.Unapproved && !gone(d) {
		if v.refused(unapproved(&r), v.o.Allow) {
			return memory.ErrFinding
		}
	}
	if order.Do != "" {
		p, err := v.plan(ctx, st.place.Store, order)
		if err != nil {
			return err
		}
		if order.Do == memory.EditOne {
			if r = p.Changes[0].Edited; d.Unapproved && v.refused(unapproved(&r), v.o.Allow) {
				return memory.ErrFinding
			}
		}
		result, err := v.Apply(ctx, p)
		if err != nil {
			return err
		}
		done.Entries = append(done.Entries, result.Entry)
	}
	return v.judged(ctx, st, d, &r, done)
}

// judged notes the verdict about a record.
func (v *review) judged(ctx context.Context, st *visited, d *learn.Difference, r *memory.Record, done learn.Decided) error {
	verdict := approvals.Approve
	switch v.o.Do {
	case memory.InboxReject:
		verdict = approvals.Reject
		delete(st.seen.Records, d.Key)
	case memory.InboxRestore, memory.InboxMerge:
		verdict = ""
		delete(st.seen.Records, d.Key)
	case memory.InboxPin:
		done.Entries = append(done.Entries, v.pin(ctx, st.place.Store, r.ID)...)
		fallthrough
	default:
		st.seen.Records[d.Key] = st.look.Sight(r)
	}
	if verdict != "" {
		if err := v.q.Book.Note(ctx, verdict, v.now(), learn.WordsOf(r)); err != nil {
			return err
		}
	}
	return v.seen(st, done)
}

// seen saves what was seen of a store, and what became of one of its entries.
func (v *review) seen(st *visited, done learn.Decided) error {
	if err := st.seen.Save(); err != nil {
		return err
	}
	return v.decided(done)
}
