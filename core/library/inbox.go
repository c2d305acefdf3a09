package library

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"

	"winnow/core/learn"
	"winnow/core/memory"
)

// quarantine returns where proposals wait. The error says that nothing can be kept here.
func (l *Library) quarantine() (*learn.Quarantine, error) {
	if l.state.Dir == "" {
		return nil, &memory.Problem{
			Code: "no-state", What: "there is no home folder to keep the inbox in",
			Hint: "set HOME, or set XDG_STATE_HOME to a folder where Winnow can keep it",
		}
	}
	random := l.state.Rand
	if random == nil {
		random = rand.Reader
	}
	return learn.Open(filepath.Join(l.state.Dir, "learn"), random), nil
}

// Propose puts proposals into the inbox, where they wait for a person. It returns what became of
// each, in their order. Without an error, those with an ID are kept whatever happens.
func (l *Library) Propose(ctx context.Context, ps ...learn.Proposal) ([]learn.Added, error) {
	if l.readOnly {
		return nil, fmt.Errorf("propose a lesson: %w", memory.ErrReadOnly)
	}
	q, err := l.quarantine()
	if err != nil {
		return nil, err
	}
	return q.Add(ctx, l.now(), func(*learn.Proposal) []memory.Record { return nil }, ps...)
}

// Inbox returns what waits for a person.
func (l *Library) Inbox(ctx context.Context) (memory.Inbox, error) {
	q, err := l.quarantine()
	if err != nil {
		return memory.Inbox{}, err
	}
	box, err := q.Look()
	if err != nil {
		return memory.Inbox{}, err
	}
	var in memory.Inbox
	for i := range box.Waiting {
		w := &box.Waiting[i]
		in.Entries = append(in.Entries, memory.InboxEntry{ID: w.ID, Arrived: w.Arrived, Origin: w.Origin, Later: w.Later, Again: w.Again})
	}
	return in, cmp.Or(err, ctx.Err())
}

// InboxForm returns the text of an entry for an editor, as [memory.InboxOrder.Form] takes it back.
func (l *Library) InboxForm(context.Context, string) (string, error) {
	return "", memory.ErrNotFound
}

// Review carries out what a person decided about entries of the inbox, each on its own: one that is
// refused does not stop the others.
func (l *Library) Review(context.Context, memory.InboxOrder) (memory.InboxResult, error) {
	return memory.InboxResult{}, memory.ErrReadOnly
}

// Forget empties the inbox: proposals, decisions that could be undone, the queue of sessions, and what
// was seen of stores. What was approved and rejected stays.
func (l *Library) Forget(ctx context.Context) error {
	if l.readOnly {
		return fmt.Errorf("empty the inbox: %w", memory.ErrReadOnly)
	}
	q, err := l.quarantine()
	if err != nil {
		return err
	}
	return q.Forget(ctx, "queue")
}
