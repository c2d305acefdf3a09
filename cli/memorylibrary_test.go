package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/memory"
)

// curating is the part of a memoryLibrary that changes. It plans what the order says of the
// records it names, and applies plans by writing them down.
type curating struct {
	orders  []memory.Order
	applied []memory.Plan
	purged  bool

	findings []memory.Finding
	kept     []memory.Kept
	notes    []string
	final    bool
	what     string
	planErr  error
	applyErr error
	result   memory.Result
	past     memory.History
	undone   []memory.Undone
	snaps    []memory.Snapshot
	form     string
	asks     string
	along    []memory.Change

	unread  []memory.Unread
	tally   memory.Tally
	systems []memory.SystemInfo
	kin     map[memory.ID][]memory.Kin
}

func (s *memoryLibrary) Plan(ctx context.Context, id memory.StoreID, o memory.Order) (memory.Plan, error) {
	s.orders = append(s.orders, o)
	p := memory.Plan{
		Store:    id,
		Order:    o,
		What:     s.what,
		Findings: s.findings,
		Kept:     s.kept,
		Notes:    s.notes,
		Final:    s.final,
	}
	if !o.Anyway {
		p.Asks = s.asks
	}
	if o.Do == memory.AddOne {
		r := memory.Record{ID: "new", Title: o.Form, Raw: "{new}"}
		if o.Edit.Title != nil {
			r.Title = *o.Edit.Title
		}
		p.Changes = append(p.Changes, memory.Change{Do: memory.Adding, ID: "new", Record: r, After: r.Raw})
	}
	for _, r := range s.snap.Records {
		if slices.Contains(o.IDs, r.ID) || len(o.IDs) == 0 && o.Do == memory.Commit {
			p.Changes = append(p.Changes, changeOf(o, r))
		}
	}
	p.Changes = append(p.Changes, s.along...)
	if p.What == "" {
		p.What = fmt.Sprintf("%s of %d done", o.Do, len(p.Changes))
	}
	return p, s.planErr
}

func changeOf(o memory.Order, r memory.Record) memory.Change {
	c := memory.Change{ID: r.ID, Record: r, Before: r.Raw, Line: r.Line}
	switch o.Do {
	case memory.EditOne, memory.Redact, memory.Commit:
		c.Do, c.Edited = memory.Editing, r
		c.Edited.Body, c.Edited.Raw = "changed", r.Raw+"changed"
		c.Edited.Count.N++
		c.After = c.Edited.Raw
	case memory.Pin:
		c.Do, c.After = memory.Pinning, r.Raw
	}
	return c
}

func (s *memoryLibrary) Apply(ctx context.Context, p memory.Plan) (memory.Result, error) {
	if s.applyErr != nil {
		return s.result, s.applyErr
	}
	s.applied = append(s.applied, p)
	res := s.result
	if res.Entry == "" {
		res.Entry = memory.EntryID(fmt.Sprint(len(s.applied)))
	}
	if res.Changes == nil {
		for _, c := range p.Changes {
			res.Changes = append(res.Changes, memory.Applied{ID: c.ID})
		}
	}
	return res, ctx.Err()
}

func (s *memoryLibrary) History(context.Context, memory.StoreID) (memory.History, error) {
	return s.past, nil
}

// Each hands out the records of the only snapshot for each store.
func (s *memoryLibrary) Each(
	ctx context.Context,
	stores []memory.StoreID,
	fn func(memory.StoreID, *memory.Record) error,
) ([]memory.Unread, error) {
	for _, id := range stores {
		for i := range s.snap.Records {
			if err := fn(id, &s.snap.Records[i]); err != nil {
				return s.unread, err
			}
		}
	}
	return s.unread, ctx.Err()
}

// Search hands out the records of the only snapshot that match for each store.
func (s *memoryLibrary) Search(
	ctx context.Context,
	stores []memory.StoreID,
	terms []filter.Term,
	fn func(memory.SearchPart) error,
) ([]memory.Unread, error) {
	for _, id := range stores {
		part := memory.SearchPart{Store: id, Read: len(s.snap.Records), Has: make([]int, len(terms)), Last: true}
		for i := range s.snap.Records {
			if r := s.snap.Records[i]; filter.Matches(terms, &r, noon) {
				r.Raw = ""
				part.Records = append(part.Records, r)
			}
		}
		if err := fn(part); err != nil {
			return s.unread, err
		}
	}
	return s.unread, ctx.Err()
}

func (s *memoryLibrary) Tally(context.Context, memory.StoreID) (memory.Tally, error) {
	return s.tally, nil
}

func (s *memoryLibrary) Kin(context.Context, memory.StoreID) (map[memory.ID][]memory.Kin, error) {
	return s.kin, nil
}

func (s *memoryLibrary) Back(ctx context.Context, id memory.StoreID, o memory.Order) ([]memory.Plan, error) {
	p, err := s.Plan(ctx, id, o)
	return []memory.Plan{p}, err
}

func (s *memoryLibrary) Moved(context.Context, memory.StoreID, string) ([]memory.Plan, error) {
	return nil, memory.ErrNothing
}

func (s *memoryLibrary) Home(context.Context, memory.HomeOrder, func(memory.Home)) (memory.Home, error) {
	return memory.Home{}, nil
}
func (s *memoryLibrary) PlanMend(context.Context, memory.Mend) (memory.Plan, error) {
	return memory.Plan{}, memory.ErrNotFound
}
func (s *memoryLibrary) Sources(context.Context, string, bool) []memory.AgentSources { return nil }

func (s *memoryLibrary) SettingsProblem() *memory.Problem { return nil }

func (s *memoryLibrary) Systems() []memory.SystemInfo {
	return append(
		[]memory.SystemInfo{
			{
				ID:        "karnevil9",
				Name:      "KarnEvil9",
				Variables: []memory.Fact{{Name: "KARNEVIL9_MEMORY_PATH", Text: "where its lessons are"}},
			},
		},
		s.systems...)
}

func (s *memoryLibrary) Finish(context.Context, memory.StoreID) error { return nil }

func (s *memoryLibrary) Purge(context.Context, memory.StoreID) error { s.purged = true; return nil }

func (s *memoryLibrary) Form(context.Context, memory.StoreID, memory.ID) (string, error) {
	return s.form, nil
}

func (s *memoryLibrary) Guard(context.Context, memory.StoreID) ([]memory.Undone, error) {
	return s.undone, nil
}

func (s *memoryLibrary) Follow(context.Context, memory.StoreID) <-chan memory.Snapshot {
	out := make(chan memory.Snapshot, len(s.snaps))
	for _, snap := range s.snaps {
		out <- snap
	}
	close(out)
	return out
}

// readOnlyLibrary is a memoryLibrary opened with --readonly.
type readOnlyLibrary struct{ Library }

func (readOnlyLibrary) Apply(context.Context, memory.Plan) (memory.Result, error) {
	return memory.Result{}, memory.ErrReadOnly
}

func (readOnlyLibrary) Purge(context.Context, memory.StoreID) error { return memory.ErrReadOnly }

// makeHostile puts hostile text wherever the library can have some that changes tell of.
func (s *memoryLibrary) makeHostile() {
	r := memory.Record{ID: hostile, Title: hostile, Body: hostile, Raw: hostile}
	edited := r
	edited.Body, edited.Raw = hostile+"x", hostile+"x"
	s.kept = []memory.Kept{{Record: r, Why: hostile}}
	s.notes, s.what = []string{hostile}, hostile
	s.result = memory.Result{
		Entry:   "1",
		Changes: []memory.Applied{{ID: hostile, Fate: memory.Merged, Why: hostile, Theirs: hostile, TheirRecord: r}},
		Notes:   []string{hostile},
	}
	s.past = memory.History{Path: hostile, Entries: []memory.Entry{{
		ID: "1", At: noon, Who: memory.You, Do: memory.EditOne, What: hostile,
		Changes: []memory.Change{
			{
				Do:     memory.Editing,
				ID:     hostile,
				Record: r,
				Edited: edited,
				Before: hostile,
				After:  hostile + "x",
				Why:    hostile,
			},
		},
	}}}
	s.undone = []memory.Undone{
		{Kind: memory.PrunedAway, ID: hostile, Mine: hostile, Record: r, Entry: "1", Times: 1, At: noon},
	}
}

// said returns the orders that were given, as "delete aa11 aa22".
func (s *memoryLibrary) said() string {
	var out []string
	for _, o := range s.orders {
		words := []string{string(o.Do)}
		for _, id := range o.IDs {
			words = append(words, string(id))
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, ", ")
}

// makeHostileSystem puts hostile text wherever a system of its own can have some.
func (s *memoryLibrary) makeHostileSystem() {
	s.snap.Usage = []memory.Usage{{Name: hostile, Text: hostile}}
	s.snap.Scopes = []memory.Scope{{Name: hostile, Note: hostile}}
	s.snap.Running = []memory.Running{{PID: 1, Session: hostile, Folder: hostile, State: hostile}}
	s.snap.Facts = []memory.Fact{{Name: hostile, Text: hostile}}
	s.snap.ReadOnly = hostile
	s.snap.Noun = memory.Noun{One: hostile, Many: hostile}
	r := &s.snap.Records[2]
	r.Kind, r.Scope, r.File, r.Fixed = hostile, hostile, hostile, hostile
	r.Facts, r.Notes = []memory.Fact{{Name: hostile, Text: hostile}}, []string{hostile}
	s.kin = map[memory.ID][]memory.Kin{
		r.ID: {{Store: hostile, ID: hostile, Title: hostile, Contrary: true, Why: hostile}},
	}
	s.unread = []memory.Unread{{Path: hostile, Problem: &memory.Problem{What: hostile}}}
	s.places[0].Name, s.places[0].Project = hostile, "/p/"+hostile
	s.systems = []memory.SystemInfo{{ID: "odd", Name: hostile}}
	odd := s.places[0]
	odd.ByPath = false
	odd.System, odd.Store, odd.Project = "odd", memory.At("odd", "/s/"+hostile), ""
	s.places = append(s.places, odd)
}
