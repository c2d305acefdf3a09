package activity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// now is a Wednesday.
var now = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

func ago(days int) time.Time { return now.AddDate(0, 0, -days) }

func at(t time.Time) memory.Moment { return memory.Moment{Text: t.Format(time.RFC3339), Time: t} }

// lesson returns a record that was learnt some days ago, with a count.
func lesson(id string, days, count int) memory.Record {
	return memory.Record{
		ID:      memory.ID(id),
		Title:   "Title of " + id,
		Outcome: memory.Succeeded,
		Created: at(ago(days)),
		Count:   memory.Count{N: count},
		Session: "s-" + id,
	}
}

func factsOf(records ...memory.Record) *Facts {
	return &Facts{
		Now:     now,
		System:  "agent",
		Noun:    memory.Noun{One: "lesson", Many: "lessons"},
		Counts:  true,
		Records: records,
		Redact: func(s string) string {
			return strings.ReplaceAll(s, "hunter2", "[REDACTED]")
		},
	}
}

// entry returns an entry of the history; entries are given newest first.
func entry(id string, days int, who memory.Who, do memory.Act, changes ...memory.Change) memory.Entry {
	return memory.Entry{ID: memory.EntryID(id), At: ago(days), Who: who, Do: do, Changes: changes}
}

func edited(was, is memory.Record) memory.Change {
	return memory.Change{Do: memory.Editing, ID: was.ID, Record: was, Edited: is}
}

func counted(r memory.Record, n int) memory.Record {
	r.Count.N = n
	return r
}

// eventsText returns events in words, one a line.
func eventsText(events []Event) string {
	var lines []string
	for _, e := range events {
		line := fmt.Sprintf(
			"%s %s %d %s %s %s %s",
			e.At.Format("01-02"),
			e.Kind,
			e.Times,
			e.Who,
			e.Session,
			e.State,
			e.Detail,
		)
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

func timeline(t *testing.T, f *Facts, id memory.ID) Timeline {
	t.Helper()
	l, ok := f.Timeline(id)
	if !ok {
		t.Fatalf("nothing is known of %s", id)
	}
	return l
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEventsOfALesson(t *testing.T) {
	a := lesson("a", 60, 7)
	a.Used = at(ago(1))
	typed := a
	typed.Title = "Title of the a"
	f := factsOf(typed)
	f.History.Entries = []memory.Entry{
		entry("6", 1, memory.Others, "", edited(counted(typed, 4), counted(typed, 7))),
		entry("5", 5, memory.Guard, memory.Reapply, memory.Change{Do: memory.Adding, ID: "a", Record: typed}),
		entry("4", 6, memory.Others, "", memory.Change{Do: memory.Deleting, ID: "a", Record: typed}),
		entry("3", 20, memory.You, memory.Pin, memory.Change{Do: memory.Pinning, ID: "a", Record: typed}),
		entry("2", 30, memory.You, memory.EditOne, edited(counted(a, 4), counted(typed, 4))),
		entry("1", 40, memory.Others, "", edited(counted(a, 2), counted(a, 4))),
	}
	f.Sessions = []Session{
		{
			Agent: "agent",
			ID:    "s9",
			State: "succeeded",
			At:    ago(1).Add(time.Minute),
			Whole: true,
			Given: []memory.ID{"a"},
		},
	}
	l := timeline(t, f, "a")
	same(t, eventsText(l.Events), strings.Join([]string{
		"09-19 learnt 0 s-a succeeded",
		"10-09 recalled 2 another writer",
		`10-19 edited 0 you "" -> "the"`,
		"10-29 pinned 0 you",
		"11-12 removed 0 another writer",
		"11-13 came back 0 guard reapply",
		"11-17 recalled 2 another writer",
		"11-17 recalled 1 s9 succeeded",
	}, "\n"))
	if l.Recalled != 7 || l.Sessions != 1 || l.Weeks.Total != 5 {
		t.Errorf("recalled %d in %d sessions, %d in weeks", l.Recalled, l.Sessions, l.Weeks.Total)
	}
	same(t, strings.Join(l.Notes, "\n"), "the day of 2 recalls is unknown")
}

// TestWeekWithoutARecallIsBlankWhereARecallMayLie: a zero would claim more than is known.
func TestWeekWithoutARecallIsBlankWhereARecallMayLie(t *testing.T) {
	a := lesson("a", 70, 2)
	a.Used = at(ago(14))
	f := factsOf(a)
	row := timeline(t, f, "a").Weeks.Counts
	same(t, fmt.Sprint(row[Weeks-12:]), "[-1 -1 -1 -1 -1 -1 -1 -1 -1 1 0 0]")
	f.Records[0].Count.N = 1
	row = timeline(t, f, "a").Weeks.Counts
	same(t, fmt.Sprint(row[Weeks-12:]), "[-1 0 0 0 0 0 0 0 0 1 0 0]")
	f.Records[0].Count.N, f.Records[0].Used = 0, memory.Moment{}
	same(t, fmt.Sprint(timeline(t, f, "a").Weeks.Counts[Weeks-12:]), "[-1 0 0 0 0 0 0 0 0 0 0 0]")
}

func TestCountThatCannotBeReadIsNoZero(t *testing.T) {
	a := lesson("a", 10, 0)
	a.Count.Odd = `"many"`
	if l := timeline(t, factsOf(a), "a"); !slices.Contains(
		l.Notes,
		"its count cannot be read: recalls that nobody saw are missing",
	) ||
		slices.Max(l.Weeks.Counts) >= 0 ||
		l.Recalled != Unknown {
		t.Errorf("got %v %v %d", l.Notes, l.Weeks.Counts, l.Recalled)
	}
}

func TestSystemWithoutCountsShowsRecallsOfSessions(t *testing.T) {
	a := lesson("a", 300, 0)
	f := factsOf(a)
	f.Counts = false
	l := timeline(t, f, "a")
	if l.Recalled != Unknown || slices.Max(l.Weeks.Counts) != Unknown {
		t.Errorf("no session is known, and it says %d recalls in %v", l.Recalled, l.Weeks.Counts)
	}
	f.Sessions = []Session{
		{Agent: "agent", ID: "s3", State: "failed", At: ago(0), Given: []memory.ID{"a"}, Whole: true},
		{Agent: "agent", ID: "s2", At: ago(7), Whole: false},
		{Agent: "agent", ID: "s1", At: ago(14), Whole: true},
	}
	l = timeline(t, f, "a")
	same(t, fmt.Sprint(l.Weeks.Counts[Weeks-4:]), "[-1 0 -1 1]")
	if s := f.Store(); s.Rows[1].Total != 1 {
		t.Errorf("got %+v", s.Rows[1])
	}
}

func TestSecretsOfAnEditAreHiddenBeforeTheWordsAreCut(t *testing.T) {
	was, is := lesson("a", 9, 0), lesson("a", 9, 0)
	was.Body, is.Body = "log in with password hunter2 now", "log in with password xyz now"
	f := factsOf(is)
	f.History.Entries = []memory.Entry{entry("1", 3, memory.You, memory.EditOne, edited(was, is))}
	if got := eventsText(timeline(t, f, "a").Events); strings.Contains(got, "hunter2") ||
		!strings.Contains(got, `"[REDACTED]" -> "xyz"`) {
		t.Error(got)
	}
	f.History.Entries[0].Final = true
	if got := eventsText(timeline(t, f, "a").Events); !strings.Contains(got, "redacted 0 you") ||
		strings.Contains(got, "xyz") {
		t.Error(got)
	}
}

func TestLessonThatIsGoneHasATimeline(t *testing.T) {
	f := factsOf()
	f.Journal, f.Journaled = []memory.Record{lesson("a", 30, 0)}, true
	f.History.Entries = []memory.Entry{
		entry("1", 3, memory.Others, "", memory.Change{Do: memory.Deleting, ID: "a", Record: lesson("a", 30, 0)}),
	}
	same(t, eventsText(timeline(t, f, "a").Events), "10-19 learnt 0 s-a succeeded\n11-15 removed 0 another writer")
	if _, ok := f.Timeline("b"); ok {
		t.Error("b was never there")
	}
}

// TestRecordNamedAfterItsLineHasNoHistory: after a line above is removed, the name belongs to
// another record.
func TestRecordNamedAfterItsLineHasNoHistory(t *testing.T) {
	a := lesson("line 3", 9, 0)
	f := factsOf(a)
	f.History.Entries = []memory.Entry{
		entry("1", 3, memory.You, memory.EditOne, edited(lesson("line 3", 80, 0), lesson("line 3", 80, 0))),
	}
	l := timeline(t, f, "line 3")
	same(t, eventsText(l.Events), "11-09 learnt 0 s-line 3 succeeded")
	same(t, strings.Join(l.Notes, "\n"), "it has no id of its own, so the history cannot be followed for it")
}

func TestDateOfAFileIsNotWhenItWasLearnt(t *testing.T) {
	a := lesson("a.md", 9, 0)
	f := factsOf(a)
	f.FileDates, f.Counts = true, false
	same(t, eventsText(timeline(t, f, "a.md").Events), "11-09 written 0")
	f.History.Entries = []memory.Entry{
		entry(
			"1",
			9,
			memory.You,
			memory.EditOne,
			edited(lesson("a.md", 80, 0), func() memory.Record { r := a; r.Body = "new"; return r }()),
		),
	}
	if got := eventsText(timeline(t, f, "a.md").Events); strings.Contains(got, "written") ||
		!strings.Contains(got, `11-09 edited 0 you "" -> "new"`) {
		t.Error(got)
	}
	if s := f.Store(); s.Rows[0].Total != 0 || slices.Max(s.Rows[0].Counts) != Unknown {
		t.Errorf("nobody knows when it was learnt: %v", s.Rows[0])
	}
}

func TestWeeksBeginOnMondayInTheZoneOfThePerson(t *testing.T) {
	zone := time.FixedZone("east", 10*3600)
	f := factsOf()
	f.Now = time.Date(2026, 11, 18, 12, 0, 0, 0, zone)
	for text, want := range map[string]int{
		"2026-11-15T14:00:00Z": Weeks - 1, // Monday in that zone
		"2026-11-15T13:00:00Z": Weeks - 2,
		"2026-11-30T00:00:00Z": Weeks - 1, // a clock that is ahead
		"2020-01-01T00:00:00Z": -308,
	} {
		day, _ := time.Parse(time.RFC3339, text)
		if got := f.week(day); got != want {
			t.Errorf("%s is in week %d, want %d", text, got, want)
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	f.Now = time.Date(2026, 10, 28, 1, 0, 0, 0, berlin) // the clocks were set back on Sunday
	if got := f.week(time.Date(2026, 10, 24, 23, 0, 0, 0, berlin)); got != Weeks-2 {
		t.Errorf("the week before is %d", got)
	}
	if got := f.firstWeek(); got.Weekday() != time.Monday || got.Hour() != 0 || f.week(got) != 0 {
		t.Errorf("weeks begin at %s", got)
	}
}

func TestJournalTellsWhatWasEverLearnt(t *testing.T) {
	f := factsOf(lesson("b", 10, 0))
	f.Journal, f.Journaled = []memory.Record{lesson("a", 30, 0), lesson("b", 10, 0)}, true
	s := f.Store()
	same(t, fmt.Sprint(s.Rows[0].Counts[Weeks-7:], s.Rows[0].Total), "[-1 -1 1 0 1 0 0] 2")
	if slices.Max(s.Rows[2].Counts) != Unknown || !slices.Contains(s.Notes, "when 1 lesson left the store is unknown") {
		t.Errorf("a left unseen: %v %q", s.Rows[2], s.Notes)
	}
	f.History.Entries = []memory.Entry{
		entry("1", 3, memory.Others, "", memory.Change{Do: memory.Deleting, ID: "a", Record: lesson("a", 30, 0)}),
	}
	s = f.Store()
	same(t, fmt.Sprint(s.Rows[2].Counts[Weeks-7:], s.Rows[2].Total), "[-1 -1 0 0 0 1 0] 1")
}

func TestWithoutAJournalNoWeekIsZero(t *testing.T) {
	s := factsOf(lesson("a", 30, 0), lesson("b", 10, 0)).Store()
	same(t, fmt.Sprint(s.Rows[0].Counts[Weeks-6:]), "[-1 1 -1 1 -1 -1]")
	for _, r := range s.Rows[1:] {
		if slices.Max(r.Counts) != Unknown {
			t.Errorf("%s is not known: %v", r.Name, r.Counts)
		}
	}
}

func TestDateAtWhichAStoreIsFull(t *testing.T) {
	fill := func(held int, days ...int) string {
		var records []memory.Record
		for i, d := range days {
			records = append(records, lesson(fmt.Sprint(i), d, 0))
		}
		f := factsOf(records...)
		f.Held, f.Cap = held, 10
		return f.Store().Fill.Text
	}
	same(
		t,
		fill(4, 60, 50, 30, 10),
		"4 of 10; +0.4 a week over the last 56 days as far as known: full about 2027-03-10 at this rate",
	)
	same(
		t,
		fill(2, 90, 80),
		"2 of 10; +0.0 a week over the last 56 days as far as known: not full within two years at this rate",
	)
	same(t, fill(2, 3, 2), "2 of 10; fewer than 14 days are known, too few for a rate")
	same(t, fill(0), "0 of 10; fewer than 14 days are known, too few for a rate")
	same(t, fill(10, 60, 50), "10 of 10: full")
	f := factsOf(lesson("a", 9, 0))
	f.Held = 1
	same(t, f.Store().Fill.Text, "1 lesson; the store has no cap")
	f = factsOf(lesson("a", 60, 0))
	f.Held, f.Cap, f.Journaled, f.Journal = 1, 10, true, f.Records
	same(t, f.Store().Fill.Text, "1 of 10; +0.0 a week over the last 56 days: not full within two years at this rate")
	// What left recently but was there before lowers the rate; what came and went does not change
	// it.
	f = factsOf(lesson("a", 90, 0), lesson("b", 20, 0))
	f.Held, f.Cap = 2, 10
	f.History.Entries = []memory.Entry{entry(
		"1",
		3,
		memory.Others,
		"",
		memory.Change{
			Do:     memory.Deleting,
			ID:     "c",
			Record: lesson("c", 90, 0),
		},
		memory.Change{Do: memory.Deleting, ID: "d", Record: lesson("d", 20, 0)},
	)}
	if rate := f.Store().Fill; rate.PerWeek != 0 || !rate.Rated || !rate.Full.IsZero() {
		t.Errorf("got %+v", rate)
	}
}

func TestOutcomesComeFromSessionsWhereRecordsHaveNone(t *testing.T) {
	a := lesson("a", 9, 0)
	s := factsOf(a).Store()
	same(t, s.OutcomesOf+fmt.Sprint(s.Outcomes[0].Total, s.Outcomes[1].Total), "lessons by when they were learnt1 0")
	a.Outcome = ""
	f := factsOf(a)
	if s = f.Store(); s.Outcomes != nil {
		t.Errorf("got %v", s.Outcomes)
	}
	f.Sessions = []Session{{State: "failed", At: ago(1)}, {State: "running", At: ago(1)}}
	s = f.Store()
	same(
		t,
		s.OutcomesOf+fmt.Sprint(s.Outcomes[0].Counts[Weeks-2:], s.Outcomes[1].Counts[Weeks-2:]),
		"sessions of the project[-1 0] [-1 1]",
	)
}

func TestManyRecords(t *testing.T) {
	var records []memory.Record
	for i := range 50_000 {
		r := lesson(fmt.Sprint(i), i%400, i%7)
		r.Used = at(ago(i % 90))
		records = append(records, r)
	}
	began := time.Now()
	s := factsOf(records...).Store()
	if s.Rows[0].Total != 50_000 {
		t.Errorf("got %+v", s.Rows[0])
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

// FuzzPast: whatever a history says, nothing breaks, no week has a negative count except unknown
// ones, and events are in order.
func FuzzPast(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Add([]byte("\x00\x81\x42\x13\x24\xf5\x06\xe7"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		facts := factsOf(lesson("a", 40, 3), lesson("b", 0, 0))
		facts.Counts = len(ops)%2 == 0
		facts.Held, facts.Cap = len(ops), 10
		acts := []memory.Act{memory.Delete, memory.EditOne, memory.Undo, memory.Redact, memory.Commit, ""}
		who := []memory.Who{memory.You, memory.Others, memory.Guard}
		for i := 0; i+1 < len(ops); i += 2 {
			a, b := int(ops[i]), int(ops[i+1])
			id := memory.ID("abcd"[a%4 : a%4+1])
			c := memory.Change{
				Do:     memory.ChangeKind(b % 5),
				ID:     id,
				Record: lesson(string(id), b, a%9),
				Edited: lesson(string(id), b%7, b%11),
			}
			facts.History.Entries = append(
				facts.History.Entries,
				entry(fmt.Sprint(len(ops)-i), a*b%500-3, who[a%3], acts[b%6], c),
			)
			facts.Sessions = append(
				facts.Sessions,
				Session{ID: string(id), At: ago(a), Given: []memory.ID{id}, Whole: b%2 == 0},
			)
		}
		l, _ := facts.Timeline("a")
		if !slices.IsSortedFunc(l.Events, func(a, b Event) int { return a.At.Compare(b.At) }) {
			t.Errorf("not in order: %v", l.Events)
		}
		s := facts.Store()
		for _, r := range append(append(s.Rows, s.Outcomes...), l.Weeks) {
			if len(r.Counts) != Weeks || slices.Min(r.Counts) < Unknown {
				t.Errorf("%+v", r)
			}
		}
	})
}
