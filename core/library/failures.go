package library

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"winnow/core/charset"
	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
)

const (
	// mostReaders is how many sessions are read at a time, and keepEvery after how many what was read is kept.
	mostReaders, keepEvery = 4, 200
	// mostSource is how many bytes of a source are searched for what a failure would teach.
	mostSource = 1 << 20
)

// traced is a session of which the trace is known, or why it is not.
type traced struct {
	head  session.Head
	trace learn.Trace
	err   error
	read  bool // false if there was no time
}

// traces returns the traces of sessions, in their order. Those that are kept are not read again. With within, reading
// ends after that time. Tell is called for each session that is read; it may be nil. The error is that of ctx.
func (l *Library) traces(
	ctx context.Context,
	heads []session.Head,
	within time.Duration,
	tell func(n, of int),
) ([]traced, error) {
	out := make([]traced, len(heads))
	kept := l.kept.Load()
	var missing []int
	for i := range heads {
		out[i].head = heads[i]
		if t, ok := kept[learn.TraceKey(&heads[i])].Trace(); ok {
			out[i].trace, out[i].read = t, true
			continue
		}
		missing = append(missing, i)
	}
	until := l.now().Add(within)
	for begin := 0; begin < len(missing); begin += keepEvery {
		if within > 0 && !l.now().Before(until) {
			break
		}
		if err := l.readTraces(ctx, out, missing[begin:min(begin+keepEvery, len(missing))], func(n int) bool {
			if tell != nil {
				tell(begin+n, len(missing))
			}
			return within == 0 || l.now().Before(until)
		}); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// readTraces reads the sessions with those indexes, several at a time, and keeps what it read. Before each it asks
// more.
func (l *Library) readTraces(ctx context.Context, out []traced, indexes []int, more func(n int) bool) error {
	var mu sync.Mutex
	var wait sync.WaitGroup
	next := 0
	for range min(runtime.GOMAXPROCS(0), mostReaders, len(indexes)) {
		wait.Add(1)
		l.start(func() {
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
				l.readTrace(ctx, t)
			}
		})
	}
	wait.Wait()
	fresh := map[string]*learn.Trace{}
	for _, i := range indexes {
		t := &out[i]
		ended := t.trace.State != session.Running &&
			(t.trace.State != session.Unknown || l.now().Sub(t.head.Changed) > settled)
		if t.read && t.err == nil && ended {
			fresh[learn.TraceKey(&t.head)] = &t.trace
		}
	}
	if !l.readOnly && ctx.Err() == nil {
		_ = l.kept.Keep(ctx, fresh) // else they are read again
	}
	return ctx.Err()
}

// readTrace reads one session. If its agent said that it was over, it does not count as running, unless it went on
// later.
func (l *Library) readTrace(ctx context.Context, t *traced) {
	s, err := l.ReadSession(ctx, t.head)
	t.read, t.err = true, err
	if err != nil {
		t.trace = learn.Trace{Agent: t.head.System, ID: t.head.ID, Folder: t.head.Folder, Subagent: t.head.Subagent}
		return
	}
	endByHook(&s, t.head.Over)
	t.trace = learn.TraceOf(&s)
}

// endByHook judges a session whose agent said that it was over.
func endByHook(s *session.Session, over time.Time) {
	open := s.State == session.Running || s.State == session.Unknown
	if !over.IsZero() && open && !s.Ended.After(over.Add(stillWriting)) {
		s.State = session.Judge(s.Steps)
	}
}

// Failures returns what failed in the sessions of the project around the working folder. Sessions that another session
// started are left out. It changes nothing but what Winnow keeps of sessions that it read.
func (l *Library) Failures(ctx context.Context, o memory.FailureOrder) (memory.Failures, error) {
	root := projectRoot(l.env.Dir)
	out, err := l.failuresIn(ctx, root, o)
	if err == nil {
		out.List = l.toldBySources(ctx, root, out.List)
		err = ctx.Err()
	}
	return out, err
}

// knownFailures says in one line what failed again and again in a project, from the sessions that were read before;
// empty for nothing.
func (l *Library) knownFailures(ctx context.Context, root string) string {
	const days = 90
	o := memory.FailureOrder{Since: l.now().AddDate(0, 0, -days), Within: time.Nanosecond}
	fs, err := l.failuresIn(ctx, root, o)
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

// failuresIn is Failures of a project, without what its sources say.
func (l *Library) failuresIn(ctx context.Context, root string, o memory.FailureOrder) (memory.Failures, error) {
	out := memory.Failures{Since: o.Since}
	heads, failed := l.heads(ctx, root, "")
	if failed != nil {
		out.Notes = append(out.Notes, detect.Redact(failed.Error()))
	}
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent || h.Changed.Before(o.Since) })
	all, err := l.traces(ctx, heads[:min(len(heads), mostSessions)], o.Within, o.Tell)
	if err != nil {
		return out, err
	}
	var traces []learn.Trace
	for i := range all {
		t := &all[i]
		switch {
		case !t.read:
			out.Unread++
		case t.err != nil:
			out.Notes = append(out.Notes, fmt.Sprintf("Not read: %s: %s", t.head.ID, detect.Redact(t.err.Error())))
		case !t.trace.Subagent && inside(root, t.trace.Folder):
			traces = append(traces, t.trace)
		}
	}
	out.Sessions = len(traces)
	out.List = slices.DeleteFunc(learn.FailuresOf(traces), func(f memory.Failure) bool {
		return !o.All && !f.Recurs()
	})
	return out, ctx.Err()
}

// projectRoot returns the repository around a folder, or the folder.
func projectRoot(folder string) string {
	return cmp.Or(git.Root(folder), filepath.Clean(folder))
}

// toldBySources marks the failures of which a source of the project says already what worked.
func (l *Library) toldBySources(ctx context.Context, root string, fs []memory.Failure) []memory.Failure {
	if !slices.ContainsFunc(fs, func(f memory.Failure) bool { return f.Worked != "" && f.Left == "" }) {
		return fs
	}
	l.eachSource(ctx, root, func(path, text string) {
		for j := range fs {
			if fs[j].Told == nil && fs[j].Left == "" {
				fs[j].Told = learn.ToldBy(&fs[j], l.Short(path), text)
			}
		}
	})
	return fs
}

// eachSource calls fn with the text of each source of a project.
func (l *Library) eachSource(ctx context.Context, root string, fn func(path, text string)) {
	seen := map[string]bool{}
	for _, a := range l.Sources(ctx, root, false) {
		for i := range a.List {
			s := &a.List[i]
			if seen[s.Path] || s.Problem != nil || s.Encoding == "binary" {
				continue
			}
			seen[s.Path] = true
			data, _, err := quietread.ReadFile(s.Path, mostSource)
			if err != nil {
				continue // the Home screen says so
			}
			fn(s.Path, charset.Decode(string(data)).String)
		}
	}
}

// LearnFailure makes a proposal of the failure with that id, or a prefix of it, and puts it into the inbox.
func (l *Library) LearnFailure(ctx context.Context, id string, since time.Time) (memory.InboxEntry, error) {
	fs, err := l.Failures(ctx, memory.FailureOrder{Since: since, All: true})
	if err != nil {
		return memory.InboxEntry{}, err
	}
	names := make([]memory.Named, len(fs.List))
	for i := range fs.List {
		names[i] = memory.Named{ID: fs.List[i].ID}
	}
	at, err := memory.Find(id, names)
	if err != nil {
		return memory.InboxEntry{}, fmt.Errorf("find failure %s: %w", id, err)
	}
	f := &fs.List[at]
	place := &f.Places[0]
	for i := range f.Places {
		if f.Places[i].How == f.How {
			place = &f.Places[i]
			break
		}
	}
	s, err := l.Session(ctx, string(place.Agent)+":"+place.Session)
	if err != nil {
		return memory.InboxEntry{}, err
	}
	t := learn.TraceOf(&s)
	p := learn.LessonOf(f, &t, place, l.now())
	p.Origin.Door = memory.DoorPerson
	added, err := l.addProposals(ctx, p)
	if err != nil {
		return memory.InboxEntry{}, err
	}
	if why := added[0].Why; why != "" {
		return memory.InboxEntry{}, &memory.Problem{
			Code: "not-proposed", What: "no lesson was made of failure " + f.ID + ": " + why,
			Hint: "see what waits: winnow inbox",
		}
	}
	return entryOf(&p, added[0].ID), nil
}
