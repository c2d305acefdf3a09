// Package plan turns a person's order into a plan: which records change and how, which ones a rule
// would change but spares, and what will be different afterwards.
//
// It is pure. The state of the store, the time and the composer of stored forms are passed in, and
// the same order with the same view gives the same plan. Nothing from a store gets into Plan.What
// or Plan.Notes.
package plan

import (
	"fmt"
	"slices"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

// CodeFixed is the code of the problem that a record cannot be changed.
const CodeFixed = "fixed"

// View is one state of a store, from which a plan is made.
type View struct {
	// Records are all records of the store, in its order.
	Records []memory.Record
	// Held is the number of records that an agent would hold after loading now, and Cap the number
	// that it keeps; 0 if the system has no such limit.
	Held, Cap int
	// Pinned reports whether a record is pinned. Nil means that none is.
	Pinned func(memory.ID) bool
	// Recall computes what the agent would recall. Nil if that is impossible.
	Recall  func(memory.Task) (memory.Recall, error)
	Compose system.Composer
	// Info describes the store.
	Info system.Info
	// Now is in the time zone in whose calendar the agent counts days.
	Now time.Time
}

// Make returns the plan of an order, for the acts from [memory.Delete] to [memory.TakeOver]. A plan
// without changes says in What that there is nothing to do. Text that the person typed is redacted;
// if the check refuses text, the plan has Findings.
//
// The error wraps [memory.ErrNotFound] for a record that is not in the store, unless the order has
// its Base. It is [memory.ErrNothing] for an order that names no record, and a [*memory.Problem]
// for invalid input of the person.
func Make(o memory.Order, v View) (memory.Plan, error) {
	if v.Pinned == nil {
		v.Pinned = func(memory.ID) bool { return false }
	}
	m := maker{o: o, v: v, p: memory.Plan{Order: o}}
	if err := m.make(); err != nil {
		return memory.Plan{}, err
	}
	if m.err != nil {
		return memory.Plan{}, m.err
	}
	if len(m.p.Changes) == 0 && m.fixed != "" {
		return memory.Plan{}, &memory.Problem{
			Code: CodeFixed,
			What: m.fixed,
			Hint: "show it to see where it comes from",
		}
	}
	m.addCompanions()
	return m.p, nil
}

// addCompanions adds the changes that the plan's changes bring along.
func (m *maker) addCompanions() {
	if m.v.Info.Companions == nil || len(m.p.Changes) == 0 || m.p.Changes[0].Do >= memory.Pinning {
		return
	}
	more, notes := m.v.Info.Companions(m.v.Records, m.p.Changes)
	for _, c := range more {
		if i := slices.IndexFunc(m.p.Changes, func(own memory.Change) bool { return own.ID == c.ID }); i >= 0 {
			continue // the person changes it already
		}
		if c.Do == memory.Deleting && m.v.Pinned(c.ID) {
			continue
		}
		c.Companion = true
		m.p.Changes = append(m.p.Changes, c)
		m.at = append(m.at, slices.IndexFunc(m.v.Records, func(r memory.Record) bool { return r.ID == c.ID }))
	}
	m.p.Notes = append(m.p.Notes, notes...)
}

// maker makes one plan.
type maker struct {
	o memory.Order
	v View
	p memory.Plan
	// at holds, for each change of the plan, the index of its record in the view, or -1 if the
	// record is new or gone.
	at  []int
	err error // the first reason why a change cannot be made
	// fixed says why a record that the order names cannot be changed.
	fixed string
}

func (m *maker) make() error {
	plan := map[memory.Act]func(*maker) error{
		memory.Delete:  (*maker).delete,
		memory.EditOne: (*maker).edit,
		memory.AddOne:  (*maker).add,
		memory.Merge:   (*maker).merge,
		memory.Pin:     (*maker).pin, memory.Unpin: (*maker).pin, memory.Prune: (*maker).prune,
		memory.Repair: (*maker).repair, memory.Commit: (*maker).commit, memory.Redact: (*maker).redact,
		memory.TakeOver: (*maker).takeOver,
	}[m.o.Do]
	if plan != nil {
		return plan(m)
	}
	return fmt.Errorf("plan %s: no plan of this kind is made from a store alone", m.o.Do)
}

// delete plans the removal of the named records.
func (m *maker) delete() error {
	picks, err := m.picks()
	if err != nil {
		return err
	}
	m.remove(picks)
	m.p.What = "Deleted " + m.records(len(m.p.Changes))
	m.noteRemoved()
	return nil
}

// takeOver plans to add records of another store as they are, under their ids there. One that is here
// already stays as it is here.
func (m *maker) takeOver() error {
	for i, id := range m.o.IDs {
		at := slices.IndexFunc(m.v.Records, func(r memory.Record) bool { return r.ID == id })
		switch {
		case at < 0:
			r := m.v.Compose.Decode(m.o.Base[i])
			r.ID = id
			m.p.Changes = append(m.p.Changes, memory.Change{Do: memory.Adding, ID: id, Record: r, After: m.o.Base[i]})
			m.at = append(m.at, -1)
		case m.v.Records[at].Raw != m.o.Base[i]:
			m.p.Kept = append(m.p.Kept, memory.Kept{Record: m.v.Records[at], Why: "says something else here"})
		}
	}
	m.p.What = "Took over " + m.records(len(m.p.Changes))
	return nil
}

// pin plans to pin or unpin the named records.
func (m *maker) pin() error {
	picks, err := m.picks()
	if err != nil {
		return err
	}
	on, kind, what := true, memory.Pinning, "Pinned "
	if m.o.Do == memory.Unpin {
		on, kind, what = false, memory.Unpinning, "Unpinned "
	}
	for _, p := range picks {
		id := m.id(p)
		switch {
		case m.v.Pinned(id) == on:
		case on && p.at >= 0 && byLine(&m.v.Records[p.at]):
			m.spare(p, "it has no id of its own, so a pin could not follow it")
		default:
			m.append(kind, p, m.startForm(p), m.startForm(p))
		}
	}
	if len(m.p.Changes) == 0 {
		return m.changeNothing("Nothing changed")
	}
	m.p.What = what + m.records(len(m.p.Changes))
	m.note("Pins exist only in Winnow; agents do not know about them.")
	return nil
}

// changeNothing ends a plan that changes nothing.
func (m *maker) changeNothing(what string) error {
	m.p.What = what
	return nil
}
