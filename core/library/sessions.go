package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
)

// MostSessions is how many sessions are listed, newest first.
const MostSessions = 5000

// Sessions returns the sessions that agents kept on this machine, newest first. If a folder is given, it
// returns those in the repository around it, and those whose folder is not known before they are read. If
// a system cannot list its sessions, they are missing; the error says why and comes with the others.
func (l *Library) Sessions(ctx context.Context, folder string) ([]session.Head, error) {
	heads, err := l.Heads(ctx, folder, "")
	return heads[:min(len(heads), MostSessions)], err
}

// Heads is like Sessions without a limit. If only is set, it returns all that this agent finds for the
// folder.
func (l *Library) Heads(ctx context.Context, folder string, only memory.SystemID) ([]session.Head, error) {
	var all []session.Head
	var failed error
	if folder != "" {
		folder = cmp.Or(git.Root(folder), folder)
	}
	for i := range l.systems {
		k := &l.systems[i]
		if k.Sessions == nil || only != "" && k.ID != only {
			continue
		}
		heads, err := k.Sessions(ctx, l.env, folder)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("list sessions of %s: %w", k.Name, err))
		}
		for _, h := range heads {
			in := folder == "" || h.Folder == "" || only != "" || Inside(folder, h.Folder)
			if in && !learn.IsOwn(h.Folder) {
				h.System = k.ID
				all = append(all, h)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b session.Head) int { return b.Changed.Compare(a.Changed) })
	return all, failed
}

// Session reads the session with that id, which may be shortened to a unique prefix. The prefix SYSTEM:
// limits the search to that system. The error wraps [memory.ErrNotFound] if there is no such session, and
// is a *memory.Problem that names them if there are several.
func (l *Library) Session(ctx context.Context, id string) (session.Session, error) {
	only, id := l.SplitSystem(id)
	heads, failed := l.Heads(ctx, "", only)
	var names []memory.Named
	for i, h := range heads { // agents can have sessions of the same id
		names = append(
			names,
			memory.Named{ID: "#" + strconv.Itoa(i), Also: []string{h.ID}, Shown: string(h.System) + ":" + h.ID},
		)
	}
	at, err := memory.Find(id, names)
	var unclear *memory.UnclearError
	switch {
	case ctx.Err() != nil:
		return session.Session{}, ctx.Err()
	case errors.As(err, &unclear):
		return session.Session{}, fmt.Errorf("find session %s: %w", id, severalSessions(unclear))
	case err != nil:
		return session.Session{}, errors.Join(fmt.Errorf("find session %w", err), failed)
	}
	return l.ReadSession(ctx, heads[at])
}

// ReadSession reads a session from a list.
func (l *Library) ReadSession(ctx context.Context, h session.Head) (session.Session, error) {
	for i := range l.systems {
		if k := &l.systems[i]; k.ID == h.System && k.Session != nil {
			s, err := k.Session(ctx, l.env, h)
			if err != nil {
				err = fmt.Errorf("read session %s: %w", h.ID, err)
			}
			return s, err
		}
	}
	return session.Session{}, fmt.Errorf("read session %s: %w", h.ID, memory.ErrNotFound)
}

// severalSessions returns the problem for an id that fits several.
func severalSessions(unclear *memory.UnclearError) *memory.Problem {
	names, more := unclear.Shown, unclear.Count-len(unclear.Shown)
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return &memory.Problem{
		Code: "several-sessions", What: "several sessions have an id that begins so: " + strings.Join(names, ", "),
		Hint: "give more of the id, with the system before it",
	}
}

// mostSummaries is how many sessions of a store's project, the newest, are summarized.
const mostSummaries = 50

// SessionsOf summarizes the newest sessions of a store's project. One that ended is read once, until it
// changes. The summary of one that cannot be read says so. With an error, the sessions of a system that
// cannot list them are missing.
func (l *Library) SessionsOf(ctx context.Context, id memory.StoreID) ([]memory.SessionSummary, error) {
	heads, failed := l.Heads(ctx, l.projectOf(id), "")
	heads = heads[:min(len(heads), mostSummaries)]
	l.mu.Lock()
	known := make([]memory.SessionSummary, len(heads))
	for i, h := range heads {
		known[i] = l.summaries[h]
	}
	l.mu.Unlock()
	ended := map[session.Head]memory.SessionSummary{}
	for i, h := range heads {
		if known[i].ID != "" {
			ended[h] = known[i]
			continue
		}
		s, err := l.ReadSession(ctx, h)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			s = session.Session{Head: h, State: session.Unknown, Why: err.Error()}
		}
		known[i] = summaryOf(&s)
		if s.Finished() {
			ended[h] = known[i]
		}
	}
	l.mu.Lock()
	l.summaries = ended
	l.mu.Unlock()
	return known, failed
}

// SessionSummary summarizes the session with an id, see [Library.Session].
func (l *Library) SessionSummary(ctx context.Context, id string) (memory.SessionSummary, error) {
	s, err := l.Session(ctx, id)
	return summaryOf(&s), err
}

func summaryOf(s *session.Session) memory.SessionSummary {
	const most = 50
	sum := memory.SessionSummary{
		Agent: s.System, ID: s.ID, State: string(s.State), Why: s.Why, Task: s.Task, Folder: s.Folder,
		Changed: s.Changed, Steps: len(s.Steps), Failed: s.Count(session.Error), Taint: s.Taint,
	}
	for i := range s.Steps {
		if t := &s.Steps[i]; t.Status == session.Error && len(sum.Failures) < most {
			sum.Failures = append(
				sum.Failures,
				fmt.Sprintf("step %d, %s: %s", i+1, t.Tool, strings.TrimPrefix(t.Kind+": "+t.Error, ": ")),
			)
		}
	}
	for i := range s.Given {
		if source := s.Given[i].Source; !slices.Contains(sum.Given, source) && len(sum.Given) < most {
			sum.Given = append(sum.Given, source)
		}
	}
	return sum
}
