package tui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/activity"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/audit"
	"winnow/tui/pages/home"
	"winnow/tui/pages/inbox"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// fakes is all that the screens need, in memory: a store that can be changed, stores beside it, an
// inbox, sessions and what happened.
type fakes struct {
	*tuitest.Bench
	machine *tuitest.Machine
	editor  *tuitest.Editor
}

func (d *fakes) Search(
	ctx context.Context, ids []memory.StoreID, terms []filter.Term, fn func(memory.SearchPart) error,
) ([]memory.Unread, error) {
	return d.machine.Search(ctx, ids, terms, fn)
}

func (d *fakes) Complete(context.Context, string) []string { return []string{"~/shop"} }

func (d *fakes) FindAt(context.Context, string) (memory.Survey, error) { return d.machine.Survey, nil }

func (d *fakes) Find(context.Context) (memory.Survey, memory.StoreID) {
	return d.machine.Survey, d.machine.Survey.Places[0].Store
}

func (d *fakes) SessionsOf(context.Context, memory.StoreID) ([]memory.SessionSummary, error) {
	return []memory.SessionSummary{
		{Agent: "kimchi", ID: "s1", State: "succeeded", Task: "deploy", Given: []string{"MEMORY.md"}},
	}, nil
}

func (d *fakes) SessionSummary(context.Context, string) (memory.SessionSummary, error) {
	return memory.SessionSummary{}, errors.New("not found")
}

func weekly(name string) activity.Row {
	return activity.Row{Name: name, Counts: make([]int, activity.Weeks)}
}

func (d *fakes) Timeline(context.Context, memory.StoreID, memory.ID) (activity.Timeline, error) {
	return activity.Timeline{Title: "fetch", Weeks: weekly("recalled")}, nil
}

func (d *fakes) Activity(context.Context, memory.StoreID) (activity.Store, error) {
	return activity.Store{Rows: []activity.Row{weekly("learnt")}}, nil
}

func (d *fakes) Recall(_ context.Context, _ memory.StoreID, task memory.Task) (memory.Recall, error) {
	match := memory.Match{Word: "fetch"}
	r := memory.Recall{
		Task:  task,
		Words: []memory.Word{{Text: "fetch"}, {Text: "notes"}},
		Block: memory.Block{Name: "planner", Text: "## Past\nfetch notes\n"},
	}
	if task.Text == "" {
		return memory.Recall{Task: task, Empty: "no word"}, nil
	}
	r.Hits = []memory.Hit{
		{ID: "id1", Line: 1, Rank: 1, Score: 2, Recalled: true, Title: "Fetch notes", Matches: []memory.Match{match}},
		{ID: "id2", Line: 2, Rank: 2, Score: 1, Title: "Docs"},
	}
	return r, nil
}

func (d *fakes) Inbox(context.Context) (memory.Inbox, error) {
	e := memory.InboxEntry{
		ID:      "p1",
		Kind:    memory.Proposal,
		Clean:   true,
		Record:  memory.Record{ID: "rp1", Title: "Run the tests", Body: "first build"},
		Stored:  "{}",
		Target:  d.machine.Survey.Places[0].Store,
		Targets: d.machine.Survey.Places,
		Similar: []memory.Kin{{Store: "/s", ID: "id2", Title: "Docs", Why: "same words"}},
		Reasons: []memory.Reason{{Against: true, Text: "Its session read the web."}},
	}
	gone := memory.InboxEntry{
		ID:         "g1",
		Kind:       memory.GoneRecord,
		Record:     memory.Record{ID: "rg1", Title: "Fix the upload"},
		Store:      "/s",
		Restorable: true,
	}
	return memory.Inbox{Entries: []memory.InboxEntry{e, gone}}, nil
}

func (d *fakes) Pending() (memory.Inbox, error) {
	return memory.Inbox{Entries: []memory.InboxEntry{{Kind: memory.Proposal}}}, nil
}

func (d *fakes) InboxChanges(context.Context) <-chan struct{} { return nil }

func (d *fakes) Review(_ context.Context, o memory.InboxOrder) (memory.InboxResult, error) {
	return memory.InboxResult{What: "Decided " + string(o.Do)}, nil
}

func (*fakes) Replay(_ context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error) {
	return make([]memory.Firing, len(orders)), nil
}

func (d *fakes) Failures(context.Context, memory.FailureOrder) (memory.Failures, error) {
	return memory.Failures{}, nil
}

func (d *fakes) LearnFailure(context.Context, string, time.Time) (memory.InboxEntry, error) {
	return memory.InboxEntry{}, nil
}

func (d *fakes) PlanDistil(context.Context, memory.LearnOrder) (memory.Distilling, error) {
	s := memory.DistilSession{Agent: "planner", ID: "s1", Title: "Run the tests", Input: []byte("{}")}
	return memory.Distilling{Program: []string{"teacher"}, Sessions: []memory.DistilSession{s}}, nil
}

func (d *fakes) Distil(context.Context, memory.Distilling, func(n, of int)) ([]memory.Learnt, error) {
	return nil, nil
}

func (d *fakes) InboxForm(context.Context, string) (string, error) { return "lesson: x\n", nil }

// wholeRecords are records with all that has keys: similar ones, secrets and long texts.
func wholeRecords() (list []memory.Record) {
	for i := range 14 {
		r := memory.Record{
			ID:      memory.ID(fmt.Sprint("id", i+1)),
			Line:    i + 1,
			Title:   fmt.Sprint("Fetch notes ", i),
			Body:    strings.Repeat("learnt to wait before asking again. ", 20),
			Outcome: memory.Failed,
			Raw:     `{"lesson":"x"}`,
			RawLen:  14,
			Session: "s1",
			Flags:   memory.FlagSimilar,
		}
		list = append(list, r)
	}
	list[0].Similar = []memory.ID{"id2"}
	list[0].Elsewhere = []memory.Kin{{Store: "kimchi:/home/u/mem", ID: "1", Title: "Use npm", Why: "same words"}}
	list[1].Title += " " + token
	list[1].Secrets = []memory.Secret{
		{Field: memory.InTitle, Start: len(list[1].Title) - len(token), End: len(list[1].Title)},
	}
	return list
}

// wholeFindings is the audit of the fakes.
func wholeFindings([]memory.Record) []memory.Finding {
	return []memory.Finding{
		{
			ID:          "id2",
			Rule:        "github-pat",
			Name:        "GitHub token",
			Family:      memory.FamilySecret,
			Severity:    memory.High,
			Fixable:     true,
			Field:       "task_summary",
			Line:        2,
			Text:        wholeRecords()[1].Title,
			Start:       14,
			End:         14 + len(token),
			Masks:       [][2]int{{14, 14 + len(token)}},
			Fingerprint: "f1",
			Count:       1,
			Next:        []string{"revoke it"},
		},
		{
			Rule:        "readable-by-others",
			Family:      memory.FamilyFile,
			Severity:    memory.Medium,
			Path:        "/s",
			What:        "Every user can read it.",
			Next:        []string{"chmod 600 /s"},
			Count:       1,
			Fingerprint: "f2",
		},
		{
			ID:          "id3",
			Rule:        "prompt-override",
			Family:      memory.FamilyInjection,
			Severity:    memory.High,
			Text:        "Fetch notes 2",
			End:         5,
			Line:        3,
			Count:       1,
			Fingerprint: "f3",
		},
	}
}

// wholeProgram returns the program with all its pages in their order, and what they work on.
func wholeProgram(t *testing.T, km keymap.Map, change func(*tui.Config)) (*tui.App, *fakes) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	d := &fakes{Bench: tuitest.NewBench(wholeRecords()...), machine: machine(), editor: &tuitest.Editor{}}
	d.machine.Survey.Places = append([]memory.Place{
		{Store: "/s", System: "planner", Path: "~/s", Name: "lessons", Exists: true},
	},
		d.machine.Survey.Places...)
	d.machine.Stores["/s"] = &tuitest.MachineStore{
		Snapshot: tuitest.OfLessons(memory.Snapshot{Place: d.machine.Survey.Places[0], Total: 14, Cap: 100, Seq: 1}),
	}
	d.Bench.Find = wholeFindings
	names := map[memory.SystemID]string{"claudecode": "Claude Code", "kimchi": "Kimchi", "planner": "Planner"}
	c := tui.Config{
		Keys:      km,
		Theme:     theme.Options{Name: theme.Mono},
		Follower:  d,
		Searcher:  d,
		Survey:    d.machine.Survey,
		Now:       time.Now,
		Recall:    1,
		Home:      4,
		HasHome:   true,
		Store:     "/s",
		Names:     names,
		Mask:      hideToken,
		Curator:   d,
		Auditor:   d,
		Editor:    d.editor,
		Report:    d.Report,
		Finder:    d,
		Sessions:  d,
		Plots:     d,
		Uncovered: []string{"backups"},
	}
	change(&c)
	c.Pages = []page.Page{
		lessons.New(ctx, lessons.Config{Keys: km, Survey: c.Survey, Names: names}),
		recall.New(ctx, recall.Config{Keys: km, Recaller: d, Editor: d.editor, Survey: c.Survey, Task: "fetch notes",
			JSON: func(memory.Recall, bool) (string, error) { return "{}", nil }}),
		audit.New(ctx, audit.Config{Keys: km, Rules: 7, Uncovered: []string{"backups"}}),
		inbox.New(ctx, inbox.Config{Keys: km, Library: d, Editor: d.editor, Names: names}),
		home.New(ctx, home.Config{
			Keys:       km,
			Surveyor:   d.machine,
			Summarizer: d.machine,
			Tallier:    d.machine,
			Survey:     c.Survey,
			Names:      names,
		}),
	}
	return tui.New(ctx, c), d
}
