package sessions

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

// ReadSoon ends the reading of sessions while a person waits. What was read is kept for the next time.
const ReadSoon = 3 * time.Second

// stillWriting is how long an agent may still write to a session after saying that it was over.
const stillWriting = time.Minute

// mostReaders is how many sessions are read at a time, and keepEvery after how many what was read is kept.
const mostReaders, keepEvery = 4, 200

// Traced is a session of which the trace is known, or why it is not.
type Traced struct {
	Head  session.Head
	Trace learn.Trace
	Err   error
	Read  bool // false if there was no time
}

// Traces returns the traces of sessions, in their order. Those that are kept are not read again. With within, reading
// ends after that time. Tell is called for each session that is read; it may be nil. The error is that of ctx.
func (r *Reader) Traces(
	ctx context.Context,
	heads []session.Head,
	within time.Duration,
	tell func(n, of int),
) ([]Traced, error) {
	out := make([]Traced, len(heads))
	kept := r.kept.Load()
	var missing []int
	for i := range heads {
		out[i].Head = heads[i]
		if t, ok := kept[learn.TraceKey(&heads[i])].Trace(); ok {
			out[i].Trace, out[i].Read = t, true
			continue
		}
		missing = append(missing, i)
	}
	until := r.Now().Add(within)
	for begin := 0; begin < len(missing); begin += keepEvery {
		if within > 0 && !r.Now().Before(until) {
			break
		}
		if err := r.readTraces(ctx, out, missing[begin:min(begin+keepEvery, len(missing))], func(n int) bool {
			if tell != nil {
				tell(begin+n, len(missing))
			}
			return within == 0 || r.Now().Before(until)
		}); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// readTraces reads the sessions with those indexes, several at a time, and keeps what it read. Before each it asks
// more.
func (r *Reader) readTraces(ctx context.Context, out []Traced, indexes []int, more func(n int) bool) error {
	var mu sync.Mutex
	var wait sync.WaitGroup
	next := 0
	for range min(runtime.GOMAXPROCS(0), mostReaders, len(indexes)) {
		wait.Add(1)
		r.Start(func() {
			defer wait.Done()
			for {
				mu.Lock()
				if next == len(indexes) || ctx.Err() != nil || !more(next+1) {
					mu.Unlock()
					return
				}
				t := &out[indexes[next]]
				next++
				mu.Unlock()
				r.ReadTrace(ctx, t)
			}
		})
	}
	wait.Wait()
	fresh := map[string]*learn.Trace{}
	for _, i := range indexes {
		t := &out[i]
		ended := t.Trace.State != session.Running &&
			(t.Trace.State != session.Unknown || r.Now().Sub(t.Head.Changed) > settled)
		if t.Read && t.Err == nil && ended {
			fresh[learn.TraceKey(&t.Head)] = &t.Trace
		}
	}
	if !r.ReadOnly && ctx.Err() == nil {
		_ = r.kept.Keep(ctx, fresh) // else they are read again
	}
	return ctx.Err()
}

// ReadTrace reads one session. If its agent said that it was over, it does not count as running, unless it went on
// later.
func (r *Reader) ReadTrace(ctx context.Context, t *Traced) {
	s, err := r.ReadSession(ctx, t.Head)
	t.Read, t.Err = true, err
	if err != nil {
		t.Trace = learn.Trace{Agent: t.Head.System, ID: t.Head.ID, Folder: t.Head.Folder, Subagent: t.Head.Subagent}
		return
	}
	EndByHook(&s, t.Head.Over)
	t.Trace = learn.TraceOf(&s)
}

// EndByHook judges a session whose agent said that it was over.
func EndByHook(s *session.Session, over time.Time) {
	open := s.State == session.Running || s.State == session.Unknown
	if !over.IsZero() && open && !s.Ended.After(over.Add(stillWriting)) {
		s.State = session.Judge(s.Steps)
	}
}

// KnownFailures says in one line what failed again and again in a project, from the sessions that were read before;
// empty for nothing.
func (r *Reader) KnownFailures(ctx context.Context, root string) string {
	const days = 90
	o := memory.FailureOrder{Since: r.Now().AddDate(0, 0, -days), Within: time.Nanosecond}
	fs, err := r.FailuresIn(ctx, root, o)
	if err != nil || len(fs.List) == 0 {
		return ""
	}
	worst := &fs.List[0]
	line := fmt.Sprintf("%s in %d of %d sessions: %s", worst.Called, worst.Sessions, worst.Of, worst.Error)
	if more := len(fs.List) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more)", more)
	}
	return line
}

// FailuresIn returns what failed in the sessions of a project, also what its sources say already.
func (r *Reader) FailuresIn(ctx context.Context, root string, o memory.FailureOrder) (memory.Failures, error) {
	read, err := r.TracesIn(ctx, root, o)
	out := memory.Failures{Since: o.Since, Notes: read.notes, Unread: read.unread, Sessions: len(read.Traces)}
	if err != nil {
		return out, err
	}
	out.List = slices.DeleteFunc(learn.FailuresOf(read.Traces), func(f memory.Failure) bool {
		return !o.All && !f.Recurs()
	})
	return out, ctx.Err()
}

// ProjectTraces are the traces of a project's sessions.
type ProjectTraces struct {
	Traces []learn.Trace
	unread int      // sessions for which there was no time
	notes  []string // why others were not read
}

// TracesIn returns the traces of the sessions of a project that an order for failures names. Sessions that another
// session started are left out. The error is that of ctx.
func (r *Reader) TracesIn(ctx context.Context, root string, o memory.FailureOrder) (out ProjectTraces, err error) {
	heads, failed := r.Heads(ctx, root, "")
	if failed != nil {
		out.notes = append(out.notes, detect.Redact(failed.Error()))
	}
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent || h.Changed.Before(o.Since) })
	all, err := r.Traces(ctx, heads[:min(len(heads), MostSessions)], o.Within, o.Tell)
	if err != nil {
		return out, err
	}
	for i := range all {
		t := &all[i]
		switch {
		case !t.Read:
			out.unread++
		case t.Err != nil:
			out.notes = append(out.notes, fmt.Sprintf("Not read: %s: %s", t.Head.ID, detect.Redact(t.Err.Error())))
		case !t.Trace.Subagent && system.Inside(root, t.Trace.Folder):
			out.Traces = append(out.Traces, t.Trace)
		}
	}
	return out, ctx.Err()
}

// ProjectRoot returns the repository around a folder, or the folder.
func ProjectRoot(folder string) string {
	return cmp.Or(git.Root(folder), filepath.Clean(folder))
}
