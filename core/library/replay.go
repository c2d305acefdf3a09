package library

import (
	"context"
	"time"

	"slices"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
)

// replayWithin ends the reading of sessions for a replay. What was read is kept for the next time.
const replayWithin = 3 * time.Second

// Replay returns how often each moment would have come in the sessions of its project, in the order asked for. It
// changes nothing but what Winnow keeps of sessions that it read.
func (l *Library) Replay(ctx context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error) {
	out, known := make([]memory.Firing, len(orders)), map[string][]learn.Trace{}
	for i, o := range orders {
		w, err := memory.ParseWhen(o.When)
		if err != nil || w.Kind == memory.WhenTask || w.Kind == memory.WhenAlways {
			continue // it comes with no call
		}
		folder := o.Folder
		if folder == "" {
			folder = l.env.Dir
		}
		root := projectRoot(folder)
		if _, read := known[root]; !read {
			if known[root], err = l.projectTraces(ctx, root); err != nil {
				return nil, err
			}
		}
		out[i] = learn.Replay(known[root], w, root)
	}
	return out, nil
}

// projectTraces returns the traces of a project's sessions that can be read soon.
func (l *Library) projectTraces(ctx context.Context, root string) (traces []learn.Trace, err error) {
	heads, _ := l.heads(ctx, root, "") // a system that cannot be read has none
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent })
	all, err := l.traces(ctx, heads[:min(len(heads), mostSessions)], replayWithin, nil)
	for i := range all {
		if t := &all[i]; t.read && t.err == nil && !t.trace.Subagent && inside(root, t.trace.Folder) {
			traces = append(traces, t.trace)
		}
	}
	return traces, err
}
