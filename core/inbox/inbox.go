// Package inbox is what waits for a person: proposals, and what changed in stores. A person decides, and agents are
// then given what was approved. It also makes proposals: of sessions, of failures, and with a program of the person's.
package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/compare"
	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/sessions"
	"winnow/core/statefile"
	"winnow/core/system"
)

// Reviewer has what waits for a person, and carries out what the person decides. It is safe for concurrent use.
type Reviewer struct {
	lib        *library.Library
	sessions   *sessions.Reader
	env        system.Env
	now        func() time.Time
	state      library.State
	quarantine *learn.Quarantine
	queue      *learn.Queue // of sessions to learn from
	// program returns the program of [learn] distil.
	program  func(words []string) distilProgram
	readOnly bool
}

// New returns the inbox of the stores of a library.
func New(lib *library.Library) *Reviewer {
	m := lib.Machine()
	b := &Reviewer{
		lib: lib, sessions: m.Sessions, env: m.Env, now: m.Now, state: m.State, readOnly: m.ReadOnly,
		quarantine: m.State.Quarantine(), queue: m.State.Queue(),
	}
	b.program = b.ownProgram
	return b
}

// Apply makes the changes of a plan, as [library.Library.Apply] does. A proposal whose approval is undone waits in the
// inbox again.
func (b *Reviewer) Apply(ctx context.Context, p memory.Plan) (memory.Result, error) {
	undoes := p.Undoes != "" || p.Redoes != ""
	if b.readOnly || !undoes {
		return b.lib.Apply(ctx, p)
	}
	return b.applyUndo(ctx, p)
}

// addProposals puts proposals into the inbox, where they wait for a person. It returns the outcome of each, in
// order. If there is no error, those with an ID are stored durably.
func (b *Reviewer) addProposals(ctx context.Context, ps ...learn.Proposal) ([]learn.Added, error) {
	if b.readOnly {
		return nil, fmt.Errorf("propose a lesson: %w", memory.ErrReadOnly)
	}
	known, beside := library.Destinations{}, make([][]memory.Record, len(ps))
	for i := range ps {
		g := b.lib.Destination(ctx, &ps[i].Origin, known)
		for _, p := range g.Places {
			records, err := g.RecordsIn(ctx, b.lib, p.Store)
			if err != nil {
				return nil, err
			}
			beside[i] = append(beside[i], records...)
		}
	}
	return b.quarantine.Add(ctx, b.now(), ps, beside)
}

// corroborated reports whether a proposal's sessions allow approval without a person: untainted sessions on
// different days made it, and nobody undid such an approval.
func corroborated(w *learn.Waiting) bool {
	byModel := w.Origin.Rule == learn.RuleDistilled
	return learn.Untainted(&w.Origin) && w.Corroborated() && !w.Asked && !byModel
}

// queueTime is how long Inbox learns from queued sessions before it returns.
const queueTime = 3 * time.Second

// Inbox returns what waits for a person: proposals, and the records of stores that are new, changed, back
// or missing since the person last saw them.
func (b *Reviewer) Inbox(ctx context.Context) (memory.Inbox, error) {
	var err error
	if b.queue.Len() > 0 && !b.readOnly { // this writes to the quarantine, never to a store
		soon, cancel := context.WithTimeout(ctx, queueTime)
		_, err = b.Learn(soon, memory.LearnOrder{Queue: true})
		cancel()
	}
	in, lookErr := b.lookInbox(ctx, true)
	if in.Queued = b.queue.Len(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		in.Notes = append(
			in.Notes,
			"Not all queued sessions could be learnt from: "+detect.Redact(strings.TrimSuffix(err.Error(), "."))+".",
		)
	}
	return in, lookErr
}

// lookInbox returns what waits. With visit, it records that the person saw the inbox.
func (b *Reviewer) lookInbox(ctx context.Context, visit bool) (memory.Inbox, error) {
	stores, notes, err := b.visitStores(ctx)
	if err != nil {
		return memory.Inbox{}, err
	}
	box, leave, err := b.openBox(ctx)
	if statefile.IsBusy(err) {
		in, err := New(b.lib.ReadOnly()).lookInbox(ctx, visit)
		in.Notes = append(in.Notes, "Another winnow is deciding at this moment; this is what waited before.")
		return in, err
	}
	if err != nil {
		return memory.Inbox{}, err
	}
	defer leave()
	in := memory.Inbox{Notes: append(notes, b.interruptedApprovals(ctx, box)...)}
	known := library.Destinations{}
	for i := range box.Waiting {
		in.Entries = append(in.Entries, b.proposalEntry(ctx, &box.Waiting[i], known))
	}
	relate(in.Entries, stores, b.lib.AgentNames(), box)
	approves := b.lib.Settings().Learn.Approve
	for i := range in.Entries {
		e := &in.Entries[i]
		e.Clean = isClean(e.Reasons)
		// Only a person has every session told something.
		everywhere := memory.SameWhen(e.Record.When) == string(memory.WhenAlways)
		if e.Alone = approves && !everywhere && e.Clean && e.Later.IsZero() && corroborated(box.Find(e.ID)); e.Alone {
			e.Reasons = append(e.Reasons, memory.Reason{Text: "config.toml lets winnow learn approve it without you."})
		}
	}
	for i := range stores {
		if err := b.compare(ctx, &stores[i]); err != nil {
			return in, err
		}
		for j := range stores[i].found {
			in.Entries = append(in.Entries, b.recordEntry(&stores[i], &stores[i].found[j], box))
		}
	}
	slices.SortStableFunc(in.Entries, func(e, o memory.InboxEntry) int {
		return cmp.Or(cmp.Compare(e.Kind, o.Kind), o.Arrived.Compare(e.Arrived))
	})
	if !visit {
		return in, nil
	}
	return in, b.recordLook(box, &in)
}

// Pending returns the waiting proposals without their texts, since no agent may see them before a person
// approves them. It reads no store and records no visit.
func (b *Reviewer) Pending() (in memory.Inbox, _ error) {
	box, err := b.quarantine.Look()
	if err != nil {
		return in, err
	}
	for i := range box.Waiting {
		w := &box.Waiting[i]
		in.Entries = append(
			in.Entries,
			memory.InboxEntry{ID: w.ID, Kind: memory.Proposal, Arrived: w.Arrived, Origin: w.Origin, Later: w.Later},
		)
	}
	return in, nil
}

// InboxChanges sends when the inbox may have changed: its proposals, the queue of sessions, or a store. The
// channel holds one event. When ctx ends, it closes the channel.
func (b *Reviewer) InboxChanges(ctx context.Context) <-chan struct{} {
	paths := b.quarantine.WatchPaths()
	for _, p := range b.lib.Find(ctx).Places {
		s, _ := b.lib.Store(p.Store)
		if w, ok := s.(system.Watched); ok {
			paths = append(paths, w.WatchPaths()...)
		}
	}
	return b.lib.FilesChanged(ctx, paths)
}

// newVisit is the pause after which the next look at the inbox counts as a new visit.
const newVisit = 30 * time.Minute

// recordLook records a look at the inbox, and adds to in what was done since the last visit.
func (b *Reviewer) recordLook(box *learn.Box, in *memory.Inbox) error {
	now := b.now()
	dropped, damaged := box.Desk.Dropped, len(box.Damaged)
	in.Notes = append(in.Notes, system.Notes(
		system.Say(
			dropped > 0,
			fmt.Sprintf(
				"Dropped for want of room or for age: %s. The inbox keeps %d, for 90 days.",
				memory.Counted(dropped, "proposal"),
				learn.MostWaiting,
			),
		),
		system.Say(
			damaged > 0,
			fmt.Sprintf(
				"Not all of the inbox can be read: %s of %s stay as they are.",
				memory.Counted(damaged, "line"),
				box.Path(),
			),
		),
	)...)
	if now.Sub(box.Desk.Last) > newVisit {
		box.Desk.Before, box.Desk.Dropped = box.Desk.Last, 0
	}
	in.Since = box.Desk.Before
	counts := map[memory.InboxAct]*int{
		memory.InboxReject: &in.Rejected,
		memory.InboxEdit:   &in.Edited,
		memory.InboxMerge:  &in.Edited,
	}
	for i := range box.Decisions {
		d := &box.Decisions[i]
		if d.At.Before(in.Since) || d.Do == memory.InboxLater {
			continue
		}
		*cmp.Or(counts[d.Do], &in.Approved) += len(d.Decided)
		in.Done += len(d.Decided)
	}
	if b.readOnly || now.Sub(box.Desk.Last) < time.Minute {
		return nil
	}
	box.Desk.Last = now
	return box.Save()
}

// openBox locks the quarantine to look at it, and waits only shortly for that. A read-only library just
// reads it.
func (b *Reviewer) openBox(ctx context.Context) (*learn.Box, func(), error) {
	if b.readOnly {
		box, err := b.quarantine.Look()
		return box, func() {}, err
	}
	return b.quarantine.Glance(ctx, b.now())
}

// Forget empties the inbox: proposals, decisions that could be undone, the queue of sessions, and what a
// person has seen of stores. Approvals and rejections stay.
func (b *Reviewer) Forget(ctx context.Context) error {
	if b.readOnly {
		return fmt.Errorf("empty the inbox: %w", memory.ErrReadOnly)
	}
	return errors.Join(b.quarantine.Forget(ctx, "queue", learn.TracesName), b.lib.Kept().Forget(ctx))
}

// proposalEntry returns the inbox entry of a proposal.
func (b *Reviewer) proposalEntry(ctx context.Context, w *learn.Waiting, known library.Destinations) memory.InboxEntry {
	g := b.lib.Destination(ctx, &w.Origin, known)
	e := memory.InboxEntry{
		ID: w.ID, Kind: memory.Proposal, Arrived: w.Arrived, Record: w.Record(), Origin: w.Origin,
		Later: w.Later, Again: w.Again, Target: g.Target, Targets: g.Places, Seen: w.Seen,
	}
	var composeErr error
	if e.Target != "" && !w.Deletes {
		e.Stored, composeErr = b.proposedForm(ctx, w, e.Target, memory.InboxOrder{})
		e.Block = b.blockWith(ctx, g, w, e.Stored)
	}
	e.Reasons = reasons(w, system.Say(composeErr != nil, fmt.Sprintf("It does not fit the store: %v.", composeErr)))
	e.Record.Raw, e.Record.RawLen = e.Stored, len(e.Stored)
	r, err := b.shared(ctx, w)
	switch {
	case err != nil || r == nil:
	case w.Deletes:
		e.Mine, e.Deletes = r, true
	default:
		e.Mine, e.Both, e.Before = r, w.Both, "was: "+detect.Redact(
			cmp.Or(system.Say(strings.HasPrefix(r.Body, r.Title), r.Body), r.Title+": "+r.Body),
		)
		if s := w.Was; s != nil {
			e.Was = &memory.Record{
				ID:      r.ID,
				Title:   s.Title,
				Body:    s.Body,
				Outcome: memory.Outcome(s.Outcome),
				When:    s.When,
				Tools:   s.Tools,
			}
		}
	}
	if slices.ContainsFunc(e.Reasons, func(r memory.Reason) bool { return r.Rule != "" }) {
		e.Record.Flags |= memory.FlagInjection
	}
	return e
}

func isClean(reasons []memory.Reason) bool {
	return !slices.ContainsFunc(reasons, func(r memory.Reason) bool { return r.Against })
}

// reasons returns what speaks for and against a proposal by itself, worst first. More are further reasons
// against it.
func reasons(w *learn.Waiting, more ...string) (all []memory.Reason) {
	o := &w.Origin
	if w.Deletes {
		text := o.Sender() + " deleted it: approve deletes it here too, reject keeps it and shares it again."
		return []memory.Reason{{Against: true, Text: text}}
	}
	sender, shared := o.Sender(), o.Door == memory.DoorShare
	all = findings(append([]string{w.Title, w.Body}, w.Tools...))
	against := system.Notes(
		system.Say(strings.Contains(w.Title+w.Body, detect.Redacted), "It held a secret, which was redacted."),
		system.Say(w.Again != "", "It was "+w.Again+"."),
		system.Say(
			w.Both,
			sender+" changed the lesson, and so did you: approve takes theirs, reject keeps yours, both keeps both.",
		),
		system.Say(w.Edits && !w.Both, sender+" changed the lesson."),
		system.Say(shared && !w.Edits && !w.Both, sender+" sent it through the share."),
		system.Say(!shared && len(o.Taint) == 0 && !learn.Untainted(o), "Nobody knows which session proposed it."),
	)
	for _, taint := range o.Taint {
		against = append(against, "Its session read what others wrote: "+taint+".")
	}
	shows, byRule := "The agent says what shows it: ", o.Rule != "" && o.Rule != "agent"
	if o.Rule == learn.RuleDistilled {
		shows, byRule = "What shows it: ", false
	}
	for _, text := range slices.Concat(against, w.Notes, system.Notes(more...)) {
		all = append(all, memory.Reason{Against: true, Text: text})
	}
	for _, text := range system.Notes(
		system.Say(w.Evidence != "", shows+w.Evidence),
		system.Say(w.Corroborated(), "Independent sessions of different days proposed the same."),
		system.Say(byRule, "A rule made it from the session ("+o.Rule+"), not the agent."),
	) {
		all = append(all, memory.Reason{Text: text})
	}
	return all
}

// findings returns the detectors' findings in texts as reasons, each rule once.
func findings(texts []string) (all []memory.Reason) {
	seen := map[string]bool{}
	for _, text := range texts {
		for _, t := range slices.Concat(detect.CheckInput(text), detect.Flags(text)) {
			if rule, _ := detect.Rule(t.Rule); !seen[t.Rule] {
				seen[t.Rule] = true
				all = append(
					all,
					memory.Reason{
						Against: true,
						Rule:    t.Rule,
						Text:    fmt.Sprintf("The check finds: %s.", cmp.Or(rule.Name, t.Rule)),
					},
				)
			}
		}
	}
	return all
}

// inInbox is the store id of proposals when they are compared with records. No real store has it.
const inInbox memory.StoreID = "inbox"

// isOfApproval reports whether an interrupted approval of a proposal wrote a record.
func isOfApproval(w *learn.Waiting, store memory.StoreID, id memory.ID) bool {
	return w != nil && w.Mark != nil && w.Mark.Store == store && w.Mark.Record == id
}

// relate adds to proposals the records of stores that are similar or contradict them.
func relate(entries []memory.InboxEntry, visits []visitedStore, agents []string, box *learn.Box) {
	if len(entries) == 0 { // comparing all stores is slow
		return
	}
	stores := map[memory.StoreID][]memory.Record{}
	for i := range entries {
		r := entries[i].Record
		r.ID = memory.ID(entries[i].ID)
		stores[inInbox] = append(stores[inInbox], r)
	}
	for i := range visits {
		stores[visits[i].place.Store] = visits[i].records
	}
	kin := compare.Across(agents, stores)[inInbox]
	for i := range entries {
		e := &entries[i]
		findings := 0
		for findings < len(e.Reasons) && e.Reasons[findings].Rule != "" {
			findings++
		}
		for _, k := range kin[memory.ID(e.ID)] {
			isMine := e.Mine != nil && k.Store == e.Target && k.ID == e.Mine.ID
			if k.Store == inInbox || isMine || isOfApproval(box.Find(e.ID), k.Store, k.ID) {
				continue
			}
			e.Similar = append(e.Similar, k)
			text := fmt.Sprintf("A record says nearly the same: %s.", detect.Redact(k.Title))
			if k.Contrary {
				text = fmt.Sprintf("A record contradicts it, %s: %s.", k.Why, detect.Redact(k.Title))
			}
			e.Reasons = slices.Insert(e.Reasons, findings, memory.Reason{Against: true, Text: text})
		}
	}
}

// blockWith returns what the task of a proposal would recall once the proposal is in its store. It returns
// "" for a store that does not hold lessons of the engine.
func (b *Reviewer) blockWith(ctx context.Context, g *library.Destination, w *learn.Waiting, stored string) string {
	if !b.lib.KeepsLessons(g.Target) || stored == "" {
		return ""
	}
	records, err := g.RecordsIn(ctx, b.lib, g.Target)
	if err != nil {
		return ""
	}
	var lines strings.Builder // the store's lines as an agent loads them
	for i := range records {
		if r := &records[i]; !r.RawCut() {
			lines.WriteString(r.Raw + "\n")
		}
	}
	return learn.Block(lines.String()+stored+"\n", w.Title, w.Tools, b.now())
}

// InboxForm returns the text of an entry for an editor, as [memory.InboxOrder.Form] takes it back.
func (b *Reviewer) InboxForm(ctx context.Context, id string) (string, error) {
	in, err := b.Inbox(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(in.Entries, func(e memory.InboxEntry) bool { return e.ID == id })
	if i < 0 {
		return "", fmt.Errorf("edit %s: %w", id, memory.ErrNotFound)
	}
	e := &in.Entries[i]
	if e.Kind != memory.Proposal {
		return b.lib.Form(ctx, e.Store, e.Record.ID)
	}
	c, err := b.lib.Composer(e.Target)
	if err != nil {
		return "", err
	}
	return c.Form(e.Stored), nil
}
