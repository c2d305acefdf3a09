package learn

import (
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
)

func TestUseSaysInWhichSessionsARecordWasReadOrGiven(t *testing.T) {
	const agent = memory.SystemID("one")
	day := func(n int) time.Time { return time.Date(2026, 5, n, 12, 0, 0, 0, time.UTC) }
	on := func(n int, system memory.SystemID, given ...session.Given) session.Session {
		head := session.Head{System: system}
		return session.Session{Head: head, Began: day(n), Ended: day(n), State: session.Unknown, Given: given}
	}
	topic := memory.Record{ID: "topic", File: "/m/topic.md", Body: "Deploy from main, never by hand."}
	rule := memory.Record{ID: "rule", File: "/p/AGENTS.md", Body: "Use pnpm for all packages."}
	late := memory.Record{ID: "late", File: "/m/late.md", Body: "Written after them.", Created: memory.Moment{Time: day(20)}}
	opened, running := on(8, agent), on(10, agent)
	opened.Opened, running.State = []string{topic.File}, session.Running
	told := on(7, agent, session.Given{Path: rule.File, Text: rule.Body}, session.Given{Path: topic.File, Text: "as it was"})
	sessions := []session.Session{running, on(9, agent), opened, told, on(6, "two"), on(5, agent)}
	var facts []SessionFacts
	for i := range sessions {
		facts = append(facts, Facts(&sessions[i]))
	}
	chosen := func(r *memory.Record) bool { return r.ID != "rule" }
	got := UseOf([]memory.Record{topic, rule, late}, false, agent, chosen, facts)
	for i, want := range []memory.Use{
		{Sessions: 2, Of: 4, Idle: 1, Last: day(8), Since: day(5), Chosen: true},
		{Sessions: 1, Of: 1, Last: day(7), Since: day(7)},
		{Of: 4, Since: day(5), Chosen: true},
	} {
		if got[i] != want {
			t.Errorf("%d: got %+v, want %+v", i, got[i], want)
		}
	}
	if want := "read in 2 of 4 known sessions, last on 2026-05-08; not known before 2026-05-05"; got[0].String() != want {
		t.Errorf("got %q, want %q", got[0], want)
	}
}
