package tuitest

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
)

// Bench is a store in memory that stands for the core: it can be followed,
// changed, and taken back and forth. Fields are set between steps of a test.
type Bench struct {
	mu      sync.Mutex // guards what follows: commands run beside the test
	snap    memory.Snapshot
	states  chan memory.Snapshot
	undo    []state
	redo    []state
	orders  []memory.Order
	applied []memory.Plan

	// Gate holds each Apply until it can be received from; nil holds none.
	Gate chan struct{}
	// PlanGate holds each Plan likewise.
	PlanGate chan struct{}
	// PlanErr and ApplyErr are what Plan and Apply fail with, unless nil, and Findings
	// what every plan has.
	PlanErr, ApplyErr error
	Findings          []memory.Finding
	// Asks is what a plan wants a decision on, and Along the changes that come with each.
	Asks  string
	Along []memory.Change
	// Refused is the result that comes with ApplyErr.
	Refused memory.Result

	// Find is the audit of the records; nil for none. Unaudited holds its findings back,
	// and IgnoreErr is what keeping a decision fails with, unless nil.
	Find      func([]memory.Record) []memory.Finding
	Unaudited bool
	IgnoreErr error
	ignored   map[string]memory.Ignore
	reports   []Report
}

// Report is a report that was written. Name is its file.
type Report struct {
	Form, Name string
	Audit      memory.Audit
	Replaced   bool
}

// state is a content of the store, and what was done to leave it.
type state struct {
	records []memory.Record
	what    string
}

// NewBench returns a store that holds records and was read once.
func NewBench(records ...memory.Record) *Bench {
	return &Bench{
		states: make(chan memory.Snapshot, 1),
		snap: OfLessons(memory.Snapshot{
			Place: memory.Place{Store: "/s", Path: "/s", Exists: true}, Seq: 1, Records: records, Total: len(records),
			Held: len(records), Cap: 100, LoadCap: 200, Watch: memory.WatchLive,
		}),
	}
}

// Follow implements tui.Follower.
func (b *Bench) Follow(ctx context.Context, _ memory.StoreID) <-chan memory.Snapshot {
	out := make(chan memory.Snapshot)
	b.Change(func(*memory.Snapshot) {})
	go func() {
		defer close(out)
		for {
			select {
			case s := <-b.states:
				select {
				case out <- s:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Change changes the store as another writer would.
func (b *Bench) Change(change func(*memory.Snapshot)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.snap)
	b.publish()
}

// publish makes the state the next that a follower gets. An older one that nobody
// took is dropped.
func (b *Bench) publish() {
	b.snap.Seq++
	b.snap.Total, b.snap.Held = len(b.snap.Records), len(b.snap.Records)
	b.audit()
	select {
	case <-b.states:
	default:
	}
	b.states <- b.snap
}

// audit sets the findings of the state.
func (b *Bench) audit() {
	b.snap.Findings, b.snap.Audited = nil, b.Find != nil && !b.Unaudited
	if !b.snap.Audited {
		return
	}
	b.snap.Findings = b.Find(b.snap.Records)
	for i := range b.snap.Findings {
		if ignore, ok := b.ignored[b.snap.Findings[i].Fingerprint]; ok {
			b.snap.Findings[i].Ignored = &ignore
		}
	}
}

// Ignore implements tui.auditor.
func (b *Bench) Ignore(_ context.Context, add []memory.Ignore, remove []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.IgnoreErr != nil {
		return b.IgnoreErr
	}
	kept := make(map[string]memory.Ignore, len(b.ignored)+len(add))
	maps.Copy(kept, b.ignored)
	for _, i := range add {
		kept[i.Fingerprint] = i
	}
	for _, fingerprint := range remove {
		delete(kept, fingerprint)
	}
	b.ignored = kept
	b.publish()
	return nil
}

// Ignored returns the decisions that are kept, by fingerprint.
func (b *Bench) Ignored() map[string]memory.Ignore {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ignored
}

// Report is a tui.reporter that writes into the Bench.
func (b *Bench) Report(_ context.Context, form string, a memory.Audit, path string, replace bool) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	there := slices.ContainsFunc(b.reports, func(r Report) bool { return r.Name == path })
	if there && !replace {
		return "", fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	b.reports = append(b.reports, Report{Form: form, Name: path, Audit: a, Replaced: there})
	return path, nil
}

// Reports returns the reports that were written, the earliest first.
func (b *Bench) Reports() []Report {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.reports)
}

// Orders returns the orders that a plan was asked of, the earliest first.
func (b *Bench) Orders() []memory.Order {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.orders)
}

// Applied returns the plans that were applied, or tried to be.
func (b *Bench) Applied() []memory.Plan {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.applied)
}

// Plan implements tui.curator.
func (b *Bench) Plan(ctx context.Context, id memory.StoreID, o memory.Order) (memory.Plan, error) {
	if err := waitAtGate(ctx, b.PlanGate); err != nil {
		return memory.Plan{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.orders = append(b.orders, o)
	p := memory.Plan{Store: id, Order: o, Final: o.Do == memory.Redact}
	if len(o.Allow) == 0 {
		p.Findings = b.Findings
	}
	switch {
	case b.PlanErr != nil:
		return p, b.PlanErr
	case o.Do == memory.Undo:
		p.Undoes = "1"
		return retraced(p, b.undo, "Undid: ")
	case o.Do == memory.Redo:
		p.Redoes = "1"
		return retraced(p, b.redo, "Did again: ")
	case o.Do == memory.AddOne:
		p.Changes = []memory.Change{{Do: memory.Adding, ID: "new", After: o.Form}}
	}
	for i := range b.snap.Records {
		if r := b.snap.Records[i]; slices.Contains(o.IDs, r.ID) {
			c := memory.Change{Do: kindOf(o.Do), ID: r.ID, Record: r, Before: r.Raw, After: o.Form}
			if o.Do == memory.Redact {
				c.After, c.Edited = "[REDACTED]", memory.Record{ID: r.ID, Title: "[REDACTED]"}
			}
			p.Changes = append(p.Changes, c)
		}
	}
	p.Asks = b.Asks
	p.What = strings.ToUpper(string(o.Do[:1])) + string(o.Do[1:]) + ": " + b.snap.Noun.OrRecord().Count(len(p.Changes))
	p.Changes = append(p.Changes, b.Along...)
	return p, nil
}

// waitAtGate waits at a gate, if there is one.
func waitAtGate(ctx context.Context, gate chan struct{}) error {
	if gate == nil {
		return nil
	}
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func retraced(p memory.Plan, states []state, word string) (memory.Plan, error) {
	if len(states) == 0 {
		return p, fmt.Errorf("%s %s: %w", p.Order.Do, p.Store, memory.ErrNothing)
	}
	p.What = word + strings.ToLower(states[len(states)-1].what)
	return p, nil
}

func kindOf(do memory.Act) memory.ChangeKind {
	switch do {
	case memory.EditOne, memory.Redact:
		return memory.Editing
	case memory.Pin:
		return memory.Pinning
	case memory.Unpin:
		return memory.Unpinning
	}
	return memory.Deleting
}

// Apply implements tui.curator.
func (b *Bench) Apply(ctx context.Context, p memory.Plan) (memory.Result, error) {
	if err := waitAtGate(ctx, b.Gate); err != nil {
		return memory.Result{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.applied = append(b.applied, p)
	if b.Asks != "" && !p.Order.Anyway {
		return memory.Result{}, fmt.Errorf("%s: %w", b.Asks, memory.ErrAsks)
	}
	if b.ApplyErr != nil {
		return b.Refused, b.ApplyErr
	}
	before := state{b.snap.Records, p.What}
	switch p.Order.Do {
	case memory.Undo:
		b.undo, b.redo = b.move(b.undo, b.redo)
	case memory.Redo:
		b.redo, b.undo = b.move(b.redo, b.undo)
	default:
		b.snap.Records = changed(b.snap.Records, p.Changes)
		b.undo, b.redo = append(b.undo, before), nil
	}
	b.publish()
	return memory.Result{Entry: "1", Changes: make([]memory.Applied, len(p.Changes))}, nil
}

// move takes the store back to the last state of from, and puts the present one on
// to.
func (b *Bench) move(from, to []state) ([]state, []state) {
	last := from[len(from)-1]
	to = append(to, state{b.snap.Records, last.what})
	b.snap.Records = last.records
	return from[:len(from)-1], to
}

// changed returns records with the changes made.
func changed(records []memory.Record, changes []memory.Change) []memory.Record {
	var after []memory.Record
	for _, r := range records {
		i := slices.IndexFunc(changes, func(c memory.Change) bool { return c.ID == r.ID })
		switch {
		case i < 0:
		case changes[i].Do == memory.Deleting:
			continue
		case changes[i].Do == memory.Editing:
			r.Title = strings.TrimSpace(changes[i].After)
		case changes[i].Do == memory.Pinning:
			r.Flags |= memory.FlagPinned
		case changes[i].Do == memory.Unpinning:
			r.Flags &^= memory.FlagPinned
		}
		after = append(after, r)
	}
	return after
}

// History implements tui.curator.
func (b *Bench) History(context.Context, memory.StoreID) (memory.History, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var h memory.History
	for i, s := range b.undo {
		h.Entries = append(
			h.Entries,
			memory.Entry{ID: memory.EntryID(fmt.Sprint(i + 1)), Who: memory.You, What: s.what},
		)
	}
	slices.Reverse(h.Entries)
	return h, nil
}

// Form implements tui.curator: the title is all there is.
func (b *Bench) Form(_ context.Context, _ memory.StoreID, id memory.ID) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.snap.Records {
		if r.ID == id {
			return r.Title + "\n", nil
		}
	}
	if id == "" {
		return "(title)\n", nil
	}
	return "", fmt.Errorf("edit %s: %w", id, memory.ErrNotFound)
}

// Editor stands for the user's editor.
type Editor struct {
	// Opened are the texts that it was opened on.
	Opened []string
	// Write makes of a text what is saved; nil saves the text as it is.
	Write func(text string) string
	// Err is what the editor ends with.
	Err error
	// Keeps is whether a text is kept.
	Keeps bool
}

// Kept implements tui.editor.
func (e *Editor) Kept() string {
	if e.Keeps {
		return "drafts/lesson.txt"
	}
	return ""
}

// RemoveKept implements tui.editor.
func (e *Editor) RemoveKept() tea.Cmd {
	return func() tea.Msg { e.Keeps = false; return nil }
}

// Edit implements tui.editor.
func (e *Editor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	e.Opened = append(e.Opened, text)
	return func() tea.Msg {
		if e.Write != nil {
			text = e.Write(text)
		}
		e.Keeps = true
		return done(text, e.Err)
	}
}
