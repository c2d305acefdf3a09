// Package sessions lists and reads the sessions that agents kept on this machine, of all systems. It keeps what it read
// of them, so that each is read once, and says of a project what failed in them and which records helped them.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"winnow/core/approvals"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

// Config is what a Reader works on.
type Config struct {
	Systems []system.System
	Env     system.Env
	Now     func() time.Time
	Start   func(func())    // runs background work
	Dir     string          // the state folder; if empty, nothing that was read is kept
	Learnt  string          // the folder of traces; if empty, none are kept
	Book    *approvals.Book // what a person approved on this machine
	// ReadOnly means that nothing that was read is kept.
	ReadOnly bool
}

// Reader reads the sessions of agents. It is safe for concurrent use.
type Reader struct {
	Config
	kept *learn.Traces // of sessions that were read

	mu sync.Mutex // guards summaries
	// summaries are those of sessions that ended and were read before; see [Reader.Summaries].
	summaries map[session.Head]memory.SessionSummary
}

// New returns a Reader.
func New(c Config) *Reader {
	return &Reader{Config: c, kept: learn.OpenTraces(c.Learnt), summaries: map[session.Head]memory.SessionSummary{}}
}

// MostSessions is how many sessions are listed, newest first.
const MostSessions = 5000

// Sessions returns the sessions that agents kept on this machine, newest first. If a folder is given, it
// returns those in the repository around it, and those whose folder is not known before they are read. If
// a system cannot list its sessions, they are missing; the error says why and comes with the others.
func (r *Reader) Sessions(ctx context.Context, folder string) ([]session.Head, error) {
	heads, err := r.Heads(ctx, folder, "")
	return heads[:min(len(heads), MostSessions)], err
}

// Heads is like Sessions without a limit. If only is set, it returns all that this agent finds for the
// folder.
func (r *Reader) Heads(ctx context.Context, folder string, only memory.SystemID) ([]session.Head, error) {
	var all []session.Head
	var failed error
	if folder != "" {
		folder = cmp.Or(git.Root(folder), folder)
	}
	for i := range r.Systems {
		k := &r.Systems[i]
		if k.Sessions == nil || only != "" && k.ID != only {
			continue
		}
		heads, err := k.Sessions(ctx, r.Env, folder)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("list sessions of %s: %w", k.Name, err))
		}
		for _, h := range heads {
			in := folder == "" || h.Folder == "" || only != "" || system.Inside(folder, h.Folder)
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
func (r *Reader) Session(ctx context.Context, id string) (session.Session, error) {
	only, id := system.SplitName(r.Systems, id)
	heads, failed := r.Heads(ctx, "", only)
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
	return r.ReadSession(ctx, heads[at])
}

// ReadSession reads a session from a list.
func (r *Reader) ReadSession(ctx context.Context, h session.Head) (session.Session, error) {
	for i := range r.Systems {
		if k := &r.Systems[i]; k.ID == h.System && k.Session != nil {
			s, err := k.Session(ctx, r.Env, h)
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

// mostSummaries is how many sessions of a project, the newest, are summarized.
const mostSummaries = 50

// Summaries summarizes the newest sessions of a project, or of all for "". One that ended is read once, until it
// changes. The summary of one that cannot be read says so. With an error, the sessions of a system that
// cannot list them are missing.
func (r *Reader) Summaries(ctx context.Context, project string) ([]memory.SessionSummary, error) {
	heads, failed := r.Heads(ctx, project, "")
	heads = heads[:min(len(heads), mostSummaries)]
	r.mu.Lock()
	known := make([]memory.SessionSummary, len(heads))
	for i, h := range heads {
		known[i] = r.summaries[h]
	}
	r.mu.Unlock()
	ended := map[session.Head]memory.SessionSummary{}
	for i, h := range heads {
		if known[i].ID != "" {
			ended[h] = known[i]
			continue
		}
		s, err := r.ReadSession(ctx, h)
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
	r.mu.Lock()
	r.summaries = ended
	r.mu.Unlock()
	return known, failed
}

// SessionSummary summarizes the session with an id, see [Reader.Session].
func (r *Reader) SessionSummary(ctx context.Context, id string) (memory.SessionSummary, error) {
	s, err := r.Session(ctx, id)
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
