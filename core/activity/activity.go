// Package activity turns what is known about a store into what happened: events of a record, and
// weeks of the store. It reads nothing. What is unknown is left blank and explained in words; it is
// never shown as zero.
package activity

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
)

// Weeks is the number of weeks counted, including the current one.
const Weeks = 52

// Kind says what happened. The words are printed and must not change.
type Kind string

// The kinds of events.
const (
	Learnt   Kind = "learnt"
	Recalled Kind = "recalled"
	Edited   Kind = "edited"
	Redacted Kind = "redacted"
	Deleted  Kind = "deleted" // by a person, or by the guard for one
	Removed  Kind = "removed" // by another writer: an agent's rule, or by hand
	Returned Kind = "came back"
	Pinned   Kind = "pinned"
	Unpinned Kind = "unpinned"
	Written  Kind = "written" // the last time, by any writer: all that the date of a file says
)

// Event is one thing that happened to a record.
type Event struct {
	At     time.Time
	Kind   Kind
	Record memory.ID
	Times  int // for Recalled, at least 1
	// Who did it; empty if a session of an agent did.
	Who     memory.Who
	Agent   memory.SystemID
	Session string
	State   string // how the session ended: "succeeded"
	Detail  string // what changed, with secrets redacted; may be empty
	Entry   memory.EntryID
}

// Session is what is known about a session of an agent.
type Session struct {
	Agent memory.SystemID
	ID    string
	State string
	At    time.Time // time of its last line
	// Whole is set when its files show everything that it was given.
	Whole bool
	Given []memory.ID // the records that it was given
}

// Facts are what is known about a store.
type Facts struct {
	Now    time.Time // in the time zone that decides when weeks begin
	System memory.SystemID
	Noun   memory.Noun
	Counts bool // records count their recalls
	// FileDates is set when a record's date is that of its file: when it was last written.
	FileDates bool
	Records   []memory.Record
	History   memory.History
	// Journaled is set when there is a journal. Journal is what it says was ever learnt, oldest
	// first: id, time, session and outcome.
	Journaled bool
	Journal   []memory.Record
	Sessions  []Session
	// Redact hides the secrets of a text.
	Redact    func(string) string
	Held, Cap int
	Notes     []string // what could not be read
}

// recordHistory is what is known about one record.
type recordHistory struct {
	record  *memory.Record // the record in the store; nil if it is gone
	events  []Event
	learnt  Event // without a time if unknown
	outcome memory.Outcome
	gone    bool // it was seen to be removed, and did not come back
	dated   int  // recalls whose day is known
	undated int  // recalls that are counted but whose day is unknown
	// unreadable is set when the stored count is not a number.
	unreadable bool
}

// histories returns what is known about each record that is or was in the store.
func (f *Facts) histories() map[memory.ID]*recordHistory {
	all := make(map[memory.ID]*recordHistory, len(f.Records))
	of := func(id memory.ID) *recordHistory {
		p := all[id]
		if p == nil {
			p = &recordHistory{}
			all[id] = p
		}
		return p
	}
	for _, e := range slices.Backward(f.History.Entries) {
		for i := range e.Changes {
			if c := &e.Changes[i]; !c.ID.IsLine() {
				f.change(of(c.ID), &e, c)
			}
		}
	}
	for i := range f.Records {
		r := &f.Records[i]
		p := of(r.ID)
		p.record, p.gone, p.outcome = r, false, r.Outcome
		if f.FileDates {
			p.events = append(p.events, Event{At: r.Created.Time, Kind: Written, Record: r.ID})
			continue
		}
		p.setLearnt(Event{At: r.Created.Time, Session: r.Session})
	}
	for i := range f.Journal {
		r := &f.Journal[i]
		p := of(r.ID)
		p.outcome = cmp.Or(p.outcome, r.Outcome)
		p.setLearnt(Event{At: r.Created.Time, Session: r.Session})
	}
	for _, s := range f.Sessions {
		for _, id := range s.Given {
			p := of(id)
			p.events = append(
				p.events,
				Event{At: s.At, Kind: Recalled, Record: id, Times: 1, Agent: s.Agent, Session: s.ID, State: s.State},
			)
		}
	}
	f.mergeEvents(all)
	return all
}

// setLearnt records when a record was learnt. What was recorded earlier takes precedence, except
// for a missing session.
func (p *recordHistory) setLearnt(e Event) {
	if p.learnt.At.IsZero() {
		e.Who, e.Entry = cmp.Or(e.Who, p.learnt.Who), cmp.Or(e.Entry, p.learnt.Entry)
		p.learnt = e
	}
	p.learnt.Session = cmp.Or(p.learnt.Session, e.Session)
}

// change adds what an entry of the history did to a record.
func (f *Facts) change(p *recordHistory, e *memory.Entry, c *memory.Change) {
	v := Event{At: e.At, Record: c.ID, Who: e.Who, Entry: e.ID}
	if e.Do != memory.Delete && e.Do != memory.EditOne {
		v.Detail = string(e.Do)
	}
	p.outcome = cmp.Or(p.outcome, c.Record.Outcome)
	born := Event{At: c.Record.Created.Time, Session: c.Record.Session}
	if f.FileDates {
		born.At = time.Time{}
	}
	switch c.Do {
	case memory.Adding:
		if !p.gone && len(p.events) == 0 && (e.Who == memory.Others || e.Do == memory.AddOne) {
			if born.At.IsZero() || e.Who != memory.Others {
				born.At = e.At
			}
			p.learnt, p.learnt.Who, p.learnt.Entry = born, e.Who, e.ID
			return
		}
		v.Kind, p.gone = Returned, false
	case memory.Deleting:
		p.setLearnt(born)
		v.Kind, p.gone = Deleted, true
		if e.Who == memory.Others {
			v.Kind = Removed
		}
	case memory.Editing:
		p.setLearnt(born)
		f.edit(p, e, c, v)
		return
	case memory.Pinning:
		v.Kind, v.Detail = Pinned, ""
	default:
		v.Kind, v.Detail = Unpinned, ""
	}
	p.events = append(p.events, v)
}

// edit adds an edit: recalls if the count rose, and what else changed.
func (f *Facts) edit(p *recordHistory, e *memory.Entry, c *memory.Change, v Event) {
	was, is := &c.Record, &c.Edited
	if n := is.Count.N - was.Count.N; n > 0 && was.Count.Odd == "" &&
		(e.Who == memory.Others || e.Do == memory.Commit) {
		r := v
		r.Kind, r.Times, r.Detail = Recalled, n, ""
		p.events = append(p.events, r)
	}
	changed := f.changed(was, is, e.Who)
	switch {
	case e.Final:
		v.Kind, v.Detail = Redacted, ""
	case changed == "":
		return
	default:
		v.Kind = Edited
		v.Detail = strings.TrimPrefix(v.Detail+": "+changed, ": ")
	}
	p.events = append(p.events, v)
}

// changed says what an edit changed, or returns "" if it only changed what a recall changes.
func (f *Facts) changed(was, is *memory.Record, who memory.Who) string {
	all := applicable([]note{
		{was.Title != is.Title, f.words(was.Title, is.Title)},
		{was.Body != is.Body, f.words(was.Body, is.Body)},
		{was.Outcome != is.Outcome, f.words(string(was.Outcome), string(is.Outcome))},
		{!slices.Equal(was.Tools, is.Tools), "tools"},
		{
			was.Count != is.Count && (who != memory.Others || is.Count.N < was.Count.N),
			"count " + strconv.Itoa(was.Count.N) + " -> " + strconv.Itoa(is.Count.N),
		},
	})
	if len(all) == 0 && was.Count == is.Count && was.Used == is.Used {
		return "other fields"
	}
	return strings.Join(all, ", ")
}

// mostQuoted is how many characters of a replaced text are quoted.
const mostQuoted = 40

// words quotes the words that differ between two texts. Secrets are redacted before the common part
// is removed, because what identifies them may be in that part.
func (f *Facts) words(was, is string) string {
	a, b := strings.Fields(f.Redact(was)), strings.Fields(f.Redact(is))
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	quoted := func(words []string) string {
		text := []rune(strings.Join(words, " "))
		if len(text) > mostQuoted {
			text = append(text[:mostQuoted-2], '.', '.')
		}
		return `"` + string(text) + `"`
	}
	return quoted(a) + " -> " + quoted(b)
}

// sameRecall is the maximum time between a session and the rise of a count that it caused: a count
// is saved when its session ends. A stored time of the last recall is from within the session,
// which may last up to longSession.
const (
	sameRecall  = time.Hour
	longSession = 24 * time.Hour
)

// mergeEvents sorts events, merges recalls that two sources report, and counts recalls without a day.
func (f *Facts) mergeEvents(all map[memory.ID]*recordHistory) {
	for id, p := range all {
		p.merge()
		if p.record != nil && f.Counts {
			p.count()
		}
		if !p.learnt.At.IsZero() {
			p.learnt.Kind, p.learnt.Record, p.learnt.State = Learnt, id, string(p.outcome)
			if p.learnt.Session != "" {
				p.learnt.Agent = f.System
			}
			p.events = append([]Event{p.learnt}, p.events...)
		}
		slices.SortStableFunc(p.events, func(a, b Event) int { return a.At.Compare(b.At) })
	}
}

// count compares the stored count of a record with the known recalls.
func (p *recordHistory) count() {
	r := p.record
	if p.unreadable = r.Count.Odd != "" || r.Problem != nil; p.unreadable {
		return
	}
	if used := r.Used.Time; !used.IsZero() && p.dated < r.Count.N && !p.recalledAt(used) {
		p.events = append(
			p.events,
			Event{At: used, Kind: Recalled, Record: r.ID, Times: 1, Detail: "the last recall, as stored"},
		)
		p.dated++
	}
	p.undated = max(r.Count.N-p.dated, 0)
}

// merge leaves each recall and each writing in the history once.
func (p *recordHistory) merge() {
	p.subtractSessions()
	p.events = slices.DeleteFunc(p.events, func(e Event) bool {
		known := func(o Event) bool {
			return o.Kind != Written && o.Kind != Recalled && o.At.Sub(e.At).Abs() <= sameRecall
		}
		return e.Kind == Recalled && e.Times == 0 ||
			e.Kind == Written && (e.At.IsZero() || slices.ContainsFunc(p.events, known))
	})
	for i := range p.events {
		p.dated += p.events[i].Times
	}
}

// subtractSessions subtracts the recalls of sessions from the rises of the count that they caused.
func (p *recordHistory) subtractSessions() {
	taken := make([]bool, len(p.events))
	for i := range p.events {
		rise := &p.events[i]
		for k := 0; k < len(p.events) && rise.Kind == Recalled && rise.Entry != "" && rise.Times > 0; k++ {
			if s := &p.events[k]; s.Kind == Recalled && s.Entry == "" && !taken[k] &&
				s.At.Sub(rise.At).Abs() <= sameRecall {
				rise.Times, taken[k] = rise.Times-1, true
			}
		}
	}
}

// recalledAt reports whether a known recall can be the one with the stored time of last use.
func (p *recordHistory) recalledAt(used time.Time) bool {
	return slices.ContainsFunc(p.events, func(e Event) bool {
		return e.Kind == Recalled && e.At.After(used.Add(-sameRecall)) && e.At.Before(used.Add(longSession))
	})
}
