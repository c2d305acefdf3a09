package views

import (
	"strconv"
	"time"

	"winnow/core/memory"
)

// FailingEntry returns a failure as an entry of the inbox.
func FailingEntry(f *memory.Failure) *memory.InboxEntry {
	return &memory.InboxEntry{
		ID: f.ID, Kind: memory.FailingCall, Arrived: f.Last, Failure: f,
		Record: memory.Record{Title: f.Called, Body: f.Error, Outcome: memory.Failed},
	}
}

// counted says how often sessions met something.
func counted(sessions, of, calls int, last, now time.Time) string {
	return "in " + strconv.Itoa(sessions) + " of " + memory.Counted(of, "session") + ", " +
		memory.Counted(calls, "call") + ", last " + weekday(last, now)
}

// weekday returns a day as one speaks of it: "Tuesday" within a week, else with its date.
func weekday(at, now time.Time) string {
	at = at.In(now.Location())
	const week = 6 * 24 * time.Hour
	switch {
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		return "today"
	case now.Sub(at) < week:
		return at.Format("Monday")
	}
	return at.Format("2 January 2006")
}

// seen adds to the detail of a proposal how often sessions met what it is about, and what shows it.
func (v Inbox) seen(p *paper, e *memory.InboxEntry) {
	s := &e.Seen
	if s.Sessions == 0 {
		return
	}
	p.section("Seen " + counted(s.Sessions, s.Of, s.Calls, s.Last, v.Now))
	v.happened(p, s.Failed, s.Lines, s.Worked)
}

// fires adds when a proposal would be told, and how often that would have been in past sessions.
func (v Inbox) fires(p *paper, e *memory.InboxEntry) {
	if e.Kind != memory.Proposal || e.Firing == nil || e.Firing.String() == "" {
		return
	}
	p.section("Told at " + v.Mask.line(e.Record.When, maxWhen))
	p.add(p.t.Text, "  ", Capital(e.Firing.String()))
}

// happened adds a command that failed, the lines that say so, and the command that worked later.
func (v Inbox) happened(p *paper, failed string, lines []string, worked string) {
	p.add(p.t.Text, "  ", textIf(failed != "", "$ %s", v.Mask.longText(failed)))
	for _, line := range lines {
		p.add(p.t.Danger, "    ", v.Mask.longText(line))
	}
	p.add(p.t.OK, "  ", textIf(worked != "", "$ %s   worked", v.Mask.longText(worked)))
}

// failing adds the detail of a failure: what failed, how often, what then worked, and where it was.
func (v Inbox) failing(p *paper, f *memory.Failure) {
	p.section("The error")
	p.add(p.t.Danger, "  ", v.Mask.longText(f.Error))
	p.section("Seen " + counted(f.Sessions, f.Of, f.Calls, f.Last, v.Now))
	p.add(p.t.OK, "  ", textIf(f.Worked != "", "then worked: %s", v.Mask.longText(f.Worked)))
	p.add(p.t.Dim, "  ", textIf(f.Worked == "", "nothing like it worked later in the same session"))
	if f.Told != nil {
		at := v.Mask.longText(f.Told.Path) + ":" + strconv.Itoa(f.Told.Line)
		p.add(p.t.Warn, "  ", "told, and fails all the same: "+at)
		p.add(p.t.Dim, "    ", v.Mask.longText(f.Told.Text))
	}
	p.add(p.t.Dim, "  ", textIf(f.When != "", "a lesson of it is told at %s", v.Mask.longText(f.When)))
	p.section("Where")
	for i := range f.Places {
		at := &f.Places[i]
		agent := v.Names[at.Agent]
		if agent == "" {
			agent = string(at.Agent)
		}
		session := v.Mask.line(agent, 60) + ", session " + v.Mask.line(at.Session, 60)
		p.add(p.t.Info, "  ", session+", step "+strconv.Itoa(at.Step)+", "+weekday(at.At, v.Now))
		v.happened(p, at.Command, at.Lines, at.Worked)
	}
}
