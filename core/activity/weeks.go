package activity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"winnow/core/memory"
)

// Unknown is the count of a week about which nothing is known.
const Unknown = -1

// Row is a count for each week, the current one last.
type Row struct {
	Name   string
	Counts []int // Unknown if nothing was seen and it is not certain that nothing happened
	Total  int
}

// Timeline is what happened to one record.
type Timeline struct {
	Record memory.ID
	Title  string
	From   time.Time // the Monday of the first week
	Weeks  Row       // of recalls
	Events []Event   // oldest first
	// Recalled is the number of recalls, or Unknown. Sessions is the number of known sessions that
	// were given the record.
	Recalled, Sessions int
	Notes              []string // what is unknown
}

// Fill says how full a store is, and when it will be full at the recent rate.
type Fill struct {
	Held, Cap int       // Cap is 0 for a store without one
	Rated     bool      // PerWeek is known
	PerWeek   float64   // growth in records a week
	Full      time.Time // zero if unknown or never
	Text      string    // all of it in a sentence
}

// Store is what happened in a store.
type Store struct {
	From time.Time // the Monday of the first week
	// Rows are learnt, recalled, removed and changed. Outcomes are succeeded and failed; OutcomesOf
	// says what they count.
	Rows, Outcomes []Row
	OutcomesOf     string
	Fill           Fill
	Noun           memory.Noun
	Notes          []string // what is unknown
}

// monday returns the beginning of the week of a time.
func monday(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d-(int(t.Weekday())+6)%7, 0, 0, 0, 0, t.Location())
}

// week returns the index of the week of a time: negative before the first week. The future counts
// as the current week.
func (f *Facts) week(t time.Time) int {
	ago := monday(f.Now).Sub(monday(t.In(f.Now.Location()))).Hours() / (7 * 24)
	return Weeks - 1 - max(int(math.Round(ago)), 0)
}

func (f *Facts) firstWeek() time.Time { return monday(f.Now).AddDate(0, 0, -7*(Weeks-1)) }

// row returns a row in which nothing is known yet.
func row(name string) Row {
	return Row{Name: name, Counts: slices.Repeat([]int{Unknown}, Weeks)}
}

// add counts something in a week.
func (r *Row) add(week, n int) {
	r.Total += n
	if week >= 0 && week < len(r.Counts) {
		r.Counts[week] = max(r.Counts[week], 0) + n
	}
}

// Sum returns the total, or Unknown if nothing is known.
func (r *Row) Sum() int {
	if r.Total == 0 && slices.Max(r.Counts) == Unknown {
		return Unknown
	}
	return r.Total
}

// fillZero sets unknown weeks to 0: nothing happened there except what was seen.
func (r *Row) fillZero(from, to int) { r.replace(from, to, Unknown, 0) }

// fillUnknown sets weeks without events to Unknown.
func (r *Row) fillUnknown(from, to int) { r.replace(from, to, 0, Unknown) }

func (r *Row) replace(from, to, old, with int) {
	for i := max(from, 0); i <= min(to, len(r.Counts)-1); i++ {
		if r.Counts[i] == old {
			r.Counts[i] = with
		}
	}
}

// recalls returns a record's recalls by week.
func (f *Facts) recalls(p *recordHistory) Row {
	r := row(string(Recalled))
	for _, e := range p.events {
		if e.Kind == Recalled {
			r.add(f.week(e.At), e.Times)
		}
	}
	last, learnt := len(r.Counts)-1, 0
	if !p.learnt.At.IsZero() {
		learnt = f.week(p.learnt.At)
	}
	switch {
	case !f.Counts:
		f.fillFromSessions(&r, learnt)
	case p.record != nil && !p.unreadable:
		r.fillZero(learnt, last)
		if p.undated > 0 { // they are before the last one
			end := last
			if used := p.record.Used.Time; !used.IsZero() {
				end = f.week(used)
			}
			r.fillUnknown(0, end)
		}
	}
	return r
}

// fillFromSessions sets unknown weeks to 0, starting at week from or at the first known session,
// whichever is later. Weeks with a session whose files do not show everything stay unknown.
func (f *Facts) fillFromSessions(r *Row, from int) {
	first := Weeks
	for _, s := range f.Sessions {
		first = min(first, f.week(s.At))
	}
	r.fillZero(max(first, from), Weeks-1)
	for _, s := range f.Sessions {
		if w := f.week(s.At); !s.Whole {
			r.fillUnknown(w, w)
		}
	}
}

// Timeline returns what happened to a record, or false if nothing is known about it.
func (f *Facts) Timeline(id memory.ID) (Timeline, bool) {
	p := f.histories()[id]
	if p == nil {
		return Timeline{}, false
	}
	t := Timeline{
		Record:   id,
		From:     f.firstWeek(),
		Events:   p.events,
		Weeks:    f.recalls(p),
		Recalled: p.dated + p.undated,
		Notes:    slices.Clone(f.Notes),
	}
	sessions := map[string]bool{}
	for _, e := range p.events {
		if e.Kind == Recalled && e.Session != "" {
			sessions[string(e.Agent)+"\x00"+e.Session] = true
		}
	}
	t.Sessions = len(sessions)
	if p.unreadable || !f.Counts && len(f.Sessions) == 0 {
		t.Recalled = Unknown
	}
	if p.record != nil {
		t.Title = p.record.Title
	}
	noBirth := p.learnt.At.IsZero() && p.record != nil
	t.Notes = append(t.Notes, applicable([]note{
		{p.undated > 0, "the day of " + memory.Counted(p.undated, "recall") + " is unknown"},
		{p.unreadable, "its count cannot be read: recalls that nobody saw are missing"},
		{f.Counts && p.record == nil, "it is gone: recalls that nobody saw are missing"},
		{!f.Counts, "records have no recall count: the recalls shown are from sessions whose files still exist"},
		{noBirth && !f.FileDates, "when it was learnt is unknown"},
		{noBirth && f.FileDates, "when it was learnt is unknown: its file has only the day of its last change"},
		{id.IsLine(), "it has no id of its own, so the history cannot be followed for it"},
	})...)
	return t, true
}

// note is a text, and whether it applies.
type note struct {
	applies bool
	text    string
}

// applicable returns the texts that apply.
func applicable(all []note) (notes []string) {
	for _, n := range all {
		if n.applies {
			notes = append(notes, n.text)
		}
	}
	return notes
}

// Store returns what happened in the store.
func (f *Facts) Store() Store {
	all := f.histories()
	learnt, recalled := row(string(Learnt)), row(string(Recalled))
	removed, changed := row(string(Removed)), row("changed")
	rows := map[Kind]*Row{Learnt: &learnt, Recalled: &recalled, Removed: &removed}
	undated, left, unborn, unreadable := 0, 0, 0, 0
	for _, p := range all {
		undated += p.undated
		if p.unreadable {
			unreadable++
		}
		if p.record != nil && p.learnt.At.IsZero() && !f.FileDates {
			unborn++
		}
		if p.record == nil && !p.gone {
			left++
		}
		for _, e := range p.events {
			cmp.Or(rows[e.Kind], &changed).add(f.week(e.At), max(e.Times, 1))
		}
	}
	removed.Total += left
	since := f.journalFrom()
	learnt.fillZero(since, Weeks-1)
	if left == 0 {
		removed.fillZero(since, Weeks-1)
	}
	switch {
	case !f.Counts:
		f.fillFromSessions(&recalled, 0)
	case undated+left+unreadable == 0:
		recalled.fillZero(since, Weeks-1)
	}
	s := Store{
		From: f.firstWeek(),
		Rows: []Row{learnt, recalled, removed, changed},
		Fill: f.fill(all, left),
		Noun: f.Noun,
	}
	s.Outcomes, s.OutcomesOf = f.outcomes(all)
	noun, entries := f.Noun.OrRecord(), memory.Noun{One: "entry", Many: "entries"}
	s.Notes = append(slices.Clone(f.Notes), applicable([]note{
		{undated > 0, "the day of " + memory.Counted(undated, "recall") + " is unknown: only the number is stored"},
		{unreadable > 0, "the count of " + noun.Count(unreadable) + " cannot be read"},
		{
			!f.Counts && len(f.Sessions) > 0,
			"records have no recall count: the recalls shown are from sessions whose files still exist",
		},
		{
			!f.Counts && len(f.Sessions) == 0,
			"recalls are unknown: records have no recall count, and no session of the project was found",
		},
		{unborn > 0, "when " + noun.Count(unborn) + " appeared is unknown"},
		{f.FileDates, "files have only the day of their last change: when they were first written is unknown"},
		{left > 0, "when " + noun.Count(left) + " left the store is unknown"},
		{
			!f.Journaled && !f.FileDates,
			"no journal says what was learnt: " + noun.Many + " that left unseen are missing",
		},
		{true, "what others removed or changed is known only while Winnow was running"},
		{f.History.Damaged > 0, entries.Count(f.History.Damaged) + " of the history cannot be read"},
		{len(f.History.Entries) == 0, "the history is empty: nothing was changed while Winnow was watching"},
	})...)
	return s
}

// journalFrom returns the first week for which the journal says what was learnt, or Weeks if there
// is no journal.
func (f *Facts) journalFrom() int {
	if !f.Journaled || len(f.Journal) == 0 {
		return Weeks
	}
	return f.week(f.Journal[0].Created.Time)
}

// outcomes returns how the sessions behind lessons ended, or those of the project if records do not
// say.
func (f *Facts) outcomes(all map[memory.ID]*recordHistory) ([]Row, string) {
	succeeded, failed := row("succeeded"), row("failed")
	rows := map[memory.Outcome]*Row{memory.Succeeded: &succeeded, memory.Failed: &failed}
	count := func(outcome memory.Outcome, at time.Time) {
		if r := rows[outcome]; r != nil {
			r.add(f.week(at), 1)
		}
	}
	of := f.Noun.OrRecord().Many + " by when they were learnt"
	for _, p := range all {
		if !p.learnt.At.IsZero() {
			count(p.outcome, p.learnt.At)
		}
	}
	if succeeded.Total+failed.Total == 0 {
		of = "sessions of the project"
		for _, s := range f.Sessions {
			count(memory.Outcome(s.State), s.At)
		}
	}
	if succeeded.Total+failed.Total == 0 {
		return nil, ""
	}
	for i := range succeeded.Counts { // if one outcome is known in a week, so is the other
		if max(succeeded.Counts[i], failed.Counts[i]) > 0 {
			succeeded.fillZero(i, i)
			failed.fillZero(i, i)
		}
	}
	return []Row{succeeded, failed}, of
}

const (
	rateDays  = 8 * 7 // days over which a rate is calculated
	leastDays = 2 * 7 // minimum number of days for a rate
	farYears  = 2     // a longer forecast is useless
)

// growth returns when the first record was learnt, and how many more records the store has than at a moment.
func growth(all map[memory.ID]*recordHistory, now, since time.Time) (first time.Time, more int) {
	first = now
	for _, p := range all {
		at := p.learnt.At
		if at.IsZero() {
			continue
		}
		if at.Before(first) {
			first = at
		}
		leaves := slices.ContainsFunc(p.events, func(e Event) bool { return e.Kind == Removed || e.Kind == Deleted })
		switch {
		case p.record != nil && at.After(since):
			more++
		case p.record == nil && at.Before(since) && leaves && p.events[len(p.events)-1].At.After(since):
			more--
		}
	}
	return first, more
}

// fill returns how full the store is. The rate is the growth over the latest weeks: records learnt
// since then that are still there, minus records from before that were removed since. left is the
// number of records that disappeared unseen.
func (f *Facts) fill(all map[memory.ID]*recordHistory, left int) Fill {
	v := Fill{Held: f.Held, Cap: f.Cap}
	if f.Cap == 0 {
		v.Text = fmt.Sprintf("%s; the store has no cap", f.Noun.OrRecord().Count(f.Held))
		return v
	}
	known := " as far as known"
	if f.Journaled && left == 0 {
		known = ""
	}
	first, more := growth(all, f.Now, f.Now.AddDate(0, 0, -rateDays))
	days := min(f.Now.Sub(first).Hours()/24, rateDays)
	rate := float64(more) / days * 7
	full := f.Now.AddDate(0, 0, int(math.Ceil(float64(f.Cap-f.Held)/cmp.Or(rate, 1)*7)))
	v.Text = fmt.Sprintf("%d of %d", f.Held, f.Cap)
	switch {
	case f.Held >= f.Cap:
		v.Text += ": full"
		return v
	case days < leastDays:
		v.Text += fmt.Sprintf("; fewer than %d days are known, too few for a rate", leastDays)
		return v
	}
	v.Rated, v.PerWeek = true, rate
	when := "not full within two years"
	if rate > 0 && !full.After(f.Now.AddDate(farYears, 0, 0)) {
		v.Full, when = full, "full about "+full.Format(time.DateOnly)
	}
	v.Text += fmt.Sprintf("; %+.1f a week over the last %.0f days%s: %s at this rate", rate, days, known, when)
	return v
}
