package curate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// Guard compares records, all records of the store in order, with the changes made here. It returns
// what another writer undid and nobody decided about yet, and what it cannot decide. It records in
// the history what it sees for the first time, and changes no store.
//
// Removals by the agent's own rules are returned as long as the store stays in the state in which
// they were first seen; for a pinned record, until somebody decides.
func (c *Curator) Guard(ctx context.Context, records []memory.Record) ([]memory.Undone, error) {
	leave, err := c.recovered(ctx)
	if err != nil {
		return nil, err
	}
	pending := c.file.state.Pending != nil
	undone, events, err := c.compare(records)
	leave()
	if err != nil {
		return nil, err
	}
	if len(undone) == 0 || !pending && len(events) == 0 || c.c.ReadOnly {
		return undone, nil
	}
	return c.confirm(ctx)
}

// confirm compares the current store while no other Winnow can change it, and records what is new.
// The records passed to Guard may be older than the history.
func (c *Curator) confirm(ctx context.Context) ([]memory.Undone, error) {
	leave, err := c.writing(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	snap, err := c.readStore(ctx)
	if err != nil {
		return nil, err
	}
	undone, events, err := c.compare(snap.Records)
	for _, e := range events {
		if err := c.append(e, false); err != nil {
			return undone, c.noHistory("write", err)
		}
	}
	if len(events) > 0 {
		undone, _, err = c.compare(snap.Records)
	}
	return undone, err
}

// GuardReapply is Guard, but also redoes what a person decided to always redo. It returns the
// result of that, and what still needs a decision.
func (c *Curator) GuardReapply(ctx context.Context, records []memory.Record) (memory.Result, []memory.Undone, error) {
	for {
		result, undone, err := c.guardReapply(ctx, records)
		if !errors.Is(err, errAccepted) {
			return result, undone, err
		}
	}
}

func (c *Curator) guardReapply(ctx context.Context, records []memory.Record) (memory.Result, []memory.Undone, error) {
	undone, err := c.Guard(ctx, records)
	if err != nil || c.c.ReadOnly {
		return memory.Result{}, undone, err
	}
	var ids []memory.ID
	for _, u := range undone {
		if u.Always {
			ids = append(ids, u.ID)
		}
	}
	if len(ids) == 0 {
		return memory.Result{}, undone, nil
	}
	p, err := c.Plan(ctx, memory.Order{Do: memory.Reapply, IDs: ids})
	if err != nil {
		return memory.Result{}, undone, err
	}
	result, err := c.apply(ctx, p, memory.Guard)
	if errors.Is(err, memory.ErrConflict) {
		return result, undone, nil // another writer is active; the next state will show the result
	}
	if err == nil {
		undone = slices.DeleteFunc(undone, func(u memory.Undone) bool { return u.Always })
	}
	return result, undone, err
}

// compare returns what is undone in the records, and events for what is seen for the first time.
// For a record with a redacted secret it reports only that; see mergeUndone.
func (c *Curator) compare(records []memory.Record) (undone []memory.Undone, events []event, err error) {
	st := c.file.state
	if len(st.Promises) == 0 && len(st.Redactions) == 0 {
		return nil, nil, nil
	}
	s, err := c.redactedTexts()
	if err != nil {
		return nil, nil, err
	}
	state := sync.OnceValue(func() string { return digest(records) })
	hits, cleaned := s.hits(records)
	pc := promiseCheck{curator: c, records: cleaned}
	pc.find(st)
	back := pc.secretsBack(hits)
	for _, p := range st.Promises {
		u, is := pc.undone(p)
		if !is {
			continue
		}
		if b := back[u.Record.ID]; b != nil && u.Theirs != "" {
			b.mergeUndone(&u)
			continue
		}
		state := state()
		ruledBefore := u.Kind.ByRule() && p.Ruled != "" && p.Ruled != state
		if ruledBefore && !st.Pins[p.ID] {
			continue
		}
		u.Times, u.At = p.Times, p.Last
		if !p.in(state) {
			e := c.seenUndone(p.Entry, p.ID, u.Kind, state)
			events = append(events, e)
			u.Times, u.At = u.Times+1, e.At
		}
		undone = append(undone, u)
	}
	for _, b := range back {
		events = append(events, c.sightings(b, state())...)
		undone = append(undone, b.undone)
	}
	undone = append(undone, unknowable(s.lost)...)
	for i := range undone {
		undone[i].Always = isDecided(st, &undone[i])
	}
	slices.SortFunc(undone, byEntry)
	return undone, events, nil
}

// isDecided reports whether a person decided what becomes of a change that is undone, for the record or for all.
func isDecided(st *historyState, u *memory.Undone) bool {
	return isDecidable(u.Kind) && (st.Decided[u.ID] != "" || st.Decided[""] != "")
}

// byEntry orders undone changes as they were made.
func byEntry(a, b memory.Undone) int {
	return cmp.Or(
		cmp.Compare(len(a.Entry), len(b.Entry)),
		cmp.Compare(a.Entry, b.Entry),
		cmp.Compare(a.Record.Line, b.Record.Line),
		cmp.Compare(a.ID, b.ID),
	)
}

// isDecidable reports whether a person can decide once how undone changes of that kind are treated.
func isDecidable(kind memory.UndoneKind) bool {
	return !kind.ByRule() && kind != memory.Conflict && kind != memory.CannotTell
}

// seenUndone returns the event that a change of an entry to a record was seen undone in a state of the store.
func (c *Curator) seenUndone(
	entry memory.EntryID, record memory.ID, how memory.UndoneKind, state string,
) event {
	return event{Kind: kindUndone, ID: entry, Record: record, How: how, State: state, At: c.c.Now()}
}

// recordKey returns the same key for records that may be the same one: the id without the number
// that tells equal ids apart, or the bytes if there is no id.
func recordKey(id memory.ID, stored string) string {
	if id.IsLine() {
		return "b" + stored
	}
	if i := strings.LastIndexByte(string(id), '~'); i > 0 {
		if n, err := strconv.Atoi(string(id[i+1:])); err == nil && n > 1 {
			id = id[:i]
		}
	}
	return "i" + string(id)
}

// promiseKeys returns the keys of the records that a promise may concern.
func promiseKeys(p *promise) (all []string) {
	if k := recordKey(p.ID, ""); k != "b" {
		return []string{k}
	}
	for _, form := range append(p.Forms.Earlier(), p.Mine) {
		all = memory.AppendNew(all, recordKey(p.ID, form))
	}
	return all
}

// digest identifies a state of the store.
func digest(records []memory.Record) string {
	h := sha256.New()
	for i := range records {
		io.WriteString(h, string(records[i].ID)+"\x00"+string(records[i].Rev)+"\x00")
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// promiseCheck compares promises with the records of a store.
type promiseCheck struct {
	curator *Curator
	records []memory.Record
	found   map[string][]*memory.Record // by the keys of promises
}

// find finds the records that promises may concern.
func (pc *promiseCheck) find(st *historyState) {
	pc.found = map[string][]*memory.Record{}
	for _, p := range st.Promises {
		for _, k := range promiseKeys(p) {
			pc.found[k] = nil
		}
	}
	for i := range pc.records {
		r := &pc.records[i]
		k := recordKey(r.ID, r.Raw)
		if of, asked := pc.found[k]; asked {
			pc.found[k] = append(of, r)
		}
	}
}

// undone returns how a promise was undone, or false.
func (pc *promiseCheck) undone(p *promise) (memory.Undone, bool) {
	u := memory.Undone{ID: p.ID, Entry: p.Entry, Mine: p.Mine}
	if p.Gone {
		u.Mine = ""
		r := pc.cameBack(p)
		if r == nil {
			return u, false
		}
		u.Kind, u.Theirs, u.Record = memory.CameBack, r.Raw, *r
		return u, true
	}
	r := pc.named(p)
	if r == nil && pc.seemsPromised(p) {
		return u, false
	}
	if r == nil {
		return pc.whyMissing(p, u)
	}
	_, relation := pc.reconcile(p, r)
	switch relation {
	case system.Reverted:
		u.Kind = memory.Reverted
	case system.Diverged:
		u.Kind = memory.Conflict
	case unknown:
		u.Kind = memory.CannotTell
	default:
		return u, false
	}
	u.Theirs, u.Record, u.MyRecord = r.Raw, *r, pc.decode(p.Mine, p)
	return u, true
}

// named returns the record that a promise names, or nil.
func (pc *promiseCheck) named(p *promise) *memory.Record {
	all := pc.found[recordKey(p.ID, p.Mine)]
	i := slices.IndexFunc(all, func(r *memory.Record) bool { return r.ID == p.ID })
	if i < 0 {
		return nil
	}
	return all[i]
}

// seemsPromised reports whether a record that is too long to be held in full seems to be the promised one,
// from what can be seen of it.
func (pc *promiseCheck) seemsPromised(p *promise) bool {
	return slices.ContainsFunc(pc.records, func(r memory.Record) bool { return r.RawCut() && mayHold(&r, p.Mine) })
}

// whyMissing says why a record is gone. If no other writer was seen to save the record, it cannot have
// been evicted: an agent that never loaded it dropped it.
func (pc *promiseCheck) whyMissing(p *promise, u memory.Undone) (memory.Undone, bool) {
	u.Kind, u.Record = memory.Dropped, pc.decode(p.Mine, p)
	if kind, ruled := pc.curator.compose.DroppedByRule(pc.records, &u.Record); ruled &&
		(kind != memory.Evicted || !p.Unsaved) {
		u.Kind = kind
	}
	return u, true
}

// reconcile compares a record with the form that the person asked for.
func (pc *promiseCheck) reconcile(p *promise, r *memory.Record) (merged string, s system.Relation) {
	whole := !r.RawCut()
	switch {
	case len(p.Forms.Earlier()) == 0 || whole && r.Raw == p.Mine || !whole && pc.seemsPromised(p):
		return r.Raw, system.Kept
	case !whole:
		return r.Raw, unknown
	}
	return pc.curator.compose.Reconcile(p.Forms, r.Raw)
}

// unknown is the relation of a record that cannot be compared, because not all of it was read.
const unknown = system.Diverged + 1

// cameBack returns the record that was deleted and is there again, or nil. Records that share its
// id are told apart by content, and as many as the deletion left as twins do not count.
func (pc *promiseCheck) cameBack(p *promise) (back *memory.Record) {
	if !slices.ContainsFunc(promiseKeys(p), func(k string) bool { return len(pc.found[k]) > 0 }) {
		return nil // true for nearly all deletions: nothing needs decoding
	}
	var was []memory.Record
	for _, form := range p.Forms.Earlier() {
		was = append(was, pc.decode(form, p))
	}
	left := p.Twins
	for _, k := range promiseKeys(p) {
		for _, r := range pc.found[k] {
			if !slices.ContainsFunc(was, func(w memory.Record) bool { return sameButCounts(&w, r) }) {
				continue
			}
			if left--; back == nil || r.ID == p.ID {
				back = r
			}
		}
	}
	if left >= 0 {
		return nil
	}
	return back
}

// sameButCounts reports whether two records are the same except for what an agent counts. Records without
// an id are compared by their stored form.
func sameButCounts(a, b *memory.Record) bool {
	if a.Raw == b.Raw {
		return true
	}
	return !b.ID.IsLine() &&
		matchesRedacted(a.Title, b.Title) && matchesRedacted(a.Body, b.Body) && a.Outcome == b.Outcome &&
		a.Session == b.Session && a.Created.Text == b.Created.Text
}

// matchesRedacted reports whether text equals redacted, or could have been its original.
func matchesRedacted(redacted, text string) bool {
	parts := strings.Split(redacted, detect.Redacted)
	if len(parts) == 1 {
		return redacted == text
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

func (pc *promiseCheck) decode(stored string, p *promise) memory.Record {
	r := pc.curator.compose.Decode(stored)
	r.ID, r.Line = p.ID, p.Line
	return r
}

// reapply plans to redo what another writer undid: for the records of an order, or for all. All
// leaves out what a person has to decide, and what the agent's own rules did to records that are
// not pinned.
func (c *Curator) reapply(ctx context.Context, o memory.Order) (p memory.Plan, _ error) {
	undone, records, err := c.chosen(ctx, o)
	if err != nil {
		return memory.Plan{}, err
	}
	st := c.file.state
	pc := promiseCheck{curator: c, records: records}
	s, err := c.redactedTexts()
	if err != nil {
		return memory.Plan{}, err
	}
	for _, u := range undone {
		promise := st.Promises[u.ID]
		switch u.Kind {
		case memory.CannotTell:
		case memory.SecretBack:
			p.Changes, p.Final = append(p.Changes, pc.redactedAgain(s, promise, &u)), true
		case memory.CameBack:
			p.Changes = append(
				p.Changes,
				memory.Change{
					Do:     memory.Deleting,
					ID:     u.Record.ID,
					Before: u.Theirs,
					Line:   u.Record.Line,
					Record: u.Record,
				},
			)
		case memory.Reverted, memory.Conflict:
			merged, _ := pc.reconcile(promise, &u.Record)
			p.Changes = append(
				p.Changes,
				memory.Change{
					Do:     memory.Editing,
					ID:     u.ID,
					Before: u.Theirs,
					After:  merged,
					Line:   u.Record.Line,
					Record: u.Record,
				},
			)
		default:
			p.Changes = append(
				p.Changes,
				memory.Change{Do: memory.Adding, ID: u.ID, After: u.Mine, Line: promise.Line, Behind: promise.Behind},
			)
		}
	}
	p.Changes = slices.DeleteFunc(p.Changes, func(ch memory.Change) bool { return ch.Before == ch.After })
	p.What = "Nothing to reapply"
	if n := len(p.Changes); n > 0 && p.Final {
		p.What = "Redacted again what another writer brought back: " + c.records(n)
	} else if n == 1 {
		p.What = "Reapplied: " + p.Changes[0].Do.String() + " " + c.records(1)
	} else if n > 1 {
		p.What = fmt.Sprintf("Reapplied %d changes that another writer undid", n)
	}
	return p, nil
}

// affirm returns changes that make another writer's changes to records the person's own, so that
// the guard leaves them alone. They change no byte of the store.
func (c *Curator) affirm(records []memory.Record, ids []memory.ID) (changes []memory.Change, err error) {
	undone, _, err := c.compare(records)
	for _, u := range undone {
		if !slices.Contains(ids, u.ID) {
			continue
		}
		switch u.Kind {
		case memory.CameBack:
			changes = append(changes, memory.Change{Do: memory.Adding, ID: u.ID, After: u.Theirs, Line: u.Record.Line})
		case memory.Reverted, memory.Conflict:
			changes = append(
				changes,
				memory.Change{Do: memory.Editing, ID: u.ID, Before: u.Mine, After: u.Theirs, Line: u.Record.Line},
			)
		}
	}
	return changes, err
}

// chosen returns what is undone among what an order names, and all records of the store.
func (c *Curator) chosen(ctx context.Context, o memory.Order) ([]memory.Undone, []memory.Record, error) {
	snap, err := c.readStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, _, err := c.compare(snap.Records)
	if err != nil {
		return nil, nil, err
	}
	undone := slices.DeleteFunc(all, func(u memory.Undone) bool {
		if slices.Contains(o.IDs, u.ID) {
			return false
		}
		own := u.Kind.ByRule() && !c.file.state.Pins[u.ID] || u.Kind == memory.CannotTell
		return !o.All || o.Do == memory.Reapply && (own || u.Kind == memory.Conflict)
	})
	return undone, snap.Records, nil
}

// decide plans a lasting decision: to accept what the other writer made, or to always redo the
// person's changes without asking.
func (c *Curator) decide(ctx context.Context, o memory.Order) (memory.Plan, error) {
	p := memory.Plan{Decided: map[memory.ID]memory.Decision{}}
	if o.Do == memory.Trust {
		for _, id := range o.IDs {
			p.Decided[id] = memory.TrustLesson
		}
		p.What = "Will reapply from now on: changes to " + c.records(len(o.IDs))
		if o.All {
			p.Decided[""] = memory.TrustStore
			p.What = "Will reapply from now on what another writer undoes in this store"
		}
		return p, nil
	}
	undone, _, err := c.chosen(ctx, o)
	if err != nil {
		return memory.Plan{}, err
	}
	for _, u := range undone {
		p.Decided[u.ID] = memory.Accepted
	}
	for _, id := range o.IDs {
		p.Decided[id] = memory.Accepted
	}
	p.What = "Accepted the other writer's version of " + c.records(len(p.Decided))
	if o.All {
		p.Decided[""] = memory.Accepted
	}
	return p, nil
}
