package inbox

import (
	"context"

	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/sessions"
)

// Replay returns how often each moment would have come in the sessions of its project, in the order asked for. It
// changes nothing but what Winnow keeps of sessions that it read.
func (b *Reviewer) Replay(ctx context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error) {
	out, known := make([]memory.Firing, len(orders)), map[string][]learn.Trace{}
	for i, o := range orders {
		w, err := memory.ParseWhen(o.When)
		if err != nil || w.Kind == memory.WhenTask || w.Kind == memory.WhenAlways {
			continue // it comes with no call
		}
		folder := o.Folder
		if folder == "" {
			folder = b.env.Dir
		}
		root := sessions.ProjectRoot(folder)
		if _, read := known[root]; !read {
			read, err := b.sessions.TracesIn(ctx, root, memory.FailureOrder{Within: sessions.ReadSoon})
			if err != nil {
				return nil, err
			}
			known[root] = read.Traces
		}
		out[i] = learn.Replay(known[root], w, root)
	}
	return out, nil
}
