package inbox

import (
	"cmp"
	"context"
	"slices"
	"time"

	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
)

// taintUnread is the taint of a proposal whose session cannot be read.
const taintUnread = "what it read is unknown, because its file cannot be read"

// lookTime is how long ProposeLesson waits for the session to be read.
const lookTime = 5 * time.Second

// ProposeLesson puts a lesson that an agent proposes into the inbox, with its origin. If it returns an id,
// the proposal is durable. Otherwise why says why it was not taken.
func (b *Reviewer) ProposeLesson(
	ctx context.Context,
	o memory.Origin,
	title, outcome, body, evidence string,
) (id, why string, err error) {
	o.Door, o.Rule, o.At = "mcp", "agent", b.now()
	b.addSession(ctx, &o)
	added, err := b.addProposals(
		ctx,
		learn.Proposal{Title: title, Outcome: outcome, Body: body, Evidence: evidence, Origin: o},
	)
	if err != nil {
		return "", "", err
	}
	return added[0].ID, added[0].Why, nil
}

// addSession adds to an origin what the session's file says: its folder, its model, and what it read that
// the person did not write.
func (b *Reviewer) addSession(ctx context.Context, o *memory.Origin) {
	if o.Agent == "" || o.Session == "" {
		return // an unknown origin counts as tainted
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	s, ok := b.sessionNamed(ctx, o)
	if !ok {
		o.Taint = []string{taintUnread}
		return
	}
	o.Folder, o.Model, o.Taint = cmp.Or(s.Folder, o.Folder), s.Model, s.Taint
}

// sessionNamed reads the agent's session with exactly this id.
func (b *Reviewer) sessionNamed(ctx context.Context, o *memory.Origin) (session.Session, bool) {
	heads, _ := b.sessions.Heads(ctx, o.Folder, o.Agent) // on an error, use what was found
	i := slices.IndexFunc(heads, func(h session.Head) bool { return h.ID == o.Session })
	if i < 0 {
		return session.Session{}, false
	}
	s, err := b.sessions.ReadSession(ctx, heads[i])
	return s, err == nil
}
