package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
)

const (
	// latestOf is how many sessions are read to find the newest finished one.
	latestOf = 20
	// stillWriting is how long an agent may still write to a session after saying that it was over.
	stillWriting = time.Minute
)

// enqueue queues a session for a later call of Learn.
func (l *Library) enqueue(ctx context.Context, h session.Head) error {
	if l.readOnly {
		return fmt.Errorf("queue session %s: %w", h.ID, memory.ErrReadOnly)
	}
	return l.queue.Put(ctx, h, l.now())
}

// Learn makes proposals from the sessions that an order names, and puts them into the inbox. It learns from
// a session only once. It returns the outcome of each session; with an error, of those before it.
func (l *Library) Learn(ctx context.Context, o memory.LearnOrder) ([]memory.Learnt, error) {
	if l.readOnly && !o.DryRun {
		return nil, fmt.Errorf("learn: %w", memory.ErrReadOnly)
	}
	var err error
	t := learning{Library: l, order: o}
	if t.known, err = l.queue.Learnt(); err != nil {
		return nil, err
	}
	if t.off, err = l.rulesOff(); err != nil {
		return nil, err
	}
	switch {
	case o.Session != "":
		err = t.named(ctx)
	case o.Queue:
		err = t.queued(ctx)
	default:
		err = t.listed(ctx)
	}
	return t.out, err
}

// learning is one call of Learn.
type learning struct {
	*Library
	order memory.LearnOrder
	known func(memory.SystemID, string) (learn.Done, bool)
	off   map[string]string // why a rule proposes no more, by rule
	out   []memory.Learnt
	// fresh are the sessions to learn from, and at is where out has what became of each.
	fresh []*learn.Trace
	at    map[*learn.Trace]int
	// heads are those of the fresh sessions.
	heads map[*learn.Trace]session.Head
}

// named learns from the session that the person named.
func (t *learning) named(ctx context.Context) error {
	id := t.order.Session
	if only, _ := t.splitSystem(id); only == "" && t.order.From != "" {
		id = string(t.order.From) + ":" + id
	}
	s, err := t.Session(ctx, id)
	if err != nil {
		return err
	}
	trace := learn.TraceOf(&s)
	t.take(&trace, s.Head, true)
	return t.learn(ctx, nil)
}

// queued learns from sessions that hooks put into the queue. A session that still runs stays there. Sessions
// are read from where their agent keeps them. The path that a hook named is ignored, since it could lead
// anywhere.
func (t *learning) queued(ctx context.Context) error {
	entries, err := t.queue.List(ctx, t.now(), !t.order.DryRun)
	if err != nil || len(entries) == 0 {
		return err
	}
	heads, _ := t.Library.heads(ctx, "", t.order.From) // on an error, use what was found
	var done []*learn.Queued
	for i := range entries {
		e := &entries[i]
		if t.order.From != "" && e.Head.System != t.order.From {
			continue
		}
		if _, before := t.known(e.Head.System, e.Head.ID); before {
			done = append(done, e)
			continue
		}
		at := slices.IndexFunc(heads, func(h session.Head) bool {
			return h.System == e.Head.System && h.ID == e.Head.ID
		})
		if at < 0 {
			t.add(e.Head, "it cannot be read: it is not among the sessions of its agent")
			continue
		}
		heads[at].Over = e.Head.Over
		read := traced{head: heads[at]}
		if t.readTrace(ctx, &read); read.err != nil {
			t.unread(ctx, &read)
			continue
		}
		if t.take(&read.trace, read.head, false) {
			done = append(done, e)
		}
	}
	if err := t.learn(ctx, nil); err != nil || t.order.DryRun {
		return errors.Join(err, ctx.Err())
	}
	for _, e := range done {
		if err := t.queue.Drop(ctx, e); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// unread reports a session that cannot be read, unless ctx ended.
func (t *learning) unread(ctx context.Context, read *traced) {
	if ctx.Err() == nil {
		t.add(read.head, "it cannot be read: "+detect.Redact(read.err.Error()))
	}
}

// listed learns from the sessions since a time, or, with Latest, from the newest finished one of the folder.
func (t *learning) listed(ctx context.Context) error {
	if t.order.Latest {
		return t.newest(ctx)
	}
	heads, failed := t.Library.heads(ctx, "", "")
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent })
	all, err := t.traces(ctx, heads[:min(len(heads), mostSessions)], 0, t.tell)
	if err != nil {
		return errors.Join(failed, err)
	}
	for i := range all {
		read := &all[i]
		h := read.head
		if h.Changed.Before(t.order.Since) || t.order.From != "" && h.System != t.order.From {
			continue
		}
		d, before := t.known(h.System, h.ID)
		switch {
		case before:
			t.add(h, t.learntBefore(d))
		case read.err != nil:
			t.unread(ctx, read)
		case read.trace.Ended.IsZero() || !read.trace.Ended.Before(t.order.Since):
			t.take(&read.trace, h, false)
		}
	}
	return errors.Join(failed, t.learn(ctx, all))
}

// newest learns from the newest finished session of the folder.
func (t *learning) newest(ctx context.Context) error {
	heads, failed := t.Sessions(ctx, t.env.Dir)
	read := 0
	for _, h := range heads {
		if h.Subagent || t.order.From != "" && h.System != t.order.From || read == latestOf {
			continue
		}
		read++
		one := traced{head: h}
		if t.readTrace(ctx, &one); one.err != nil {
			t.unread(ctx, &one)
			continue
		}
		if why := learn.Refused(&one.trace, false); why != "" {
			t.add(h, why)
			continue
		}
		t.take(&one.trace, h, false)
		return errors.Join(failed, t.learn(ctx, nil))
	}
	return errors.Join(failed, ctx.Err())
}

// tell reports that a session is read.
func (t *learning) tell(n, of int) {
	if t.order.Tell != nil {
		t.order.Tell(n, of)
	}
}

// add reports that a session gave nothing, and why.
func (t *learning) add(h session.Head, why string) {
	t.out = append(t.out, memory.Learnt{Agent: h.System, Session: h.ID, Skipped: []string{why}})
}

func (t *learning) learntBefore(d learn.Done) string {
	return "it was learnt from on " + d.At.In(t.now().Location()).Format("2 January 2006")
}

// take takes a session to learn from, or reports why not. Done means that there will be no more to learn from it.
func (t *learning) take(trace *learn.Trace, h session.Head, named bool) (done bool) {
	if d, before := t.known(h.System, h.ID); before {
		why := t.learntBefore(d)
		if more := trace.Steps - d.Steps; more > 0 {
			why += fmt.Sprintf("; the %d steps since are not, since a session is learnt from once", more)
		}
		t.add(h, why)
		return true
	}
	trace.Agent = h.System
	if why := learn.Refused(trace, named); why != "" {
		t.add(h, why)
		finished := trace.State == session.Succeeded || trace.State == session.Failed
		return trace.State == session.Aborted || trace.Subagent || trace.MemoryOff && finished
	}
	if t.at == nil {
		t.at, t.heads = map[*learn.Trace]int{}, map[*learn.Trace]session.Head{}
	}
	t.at[trace], t.heads[trace] = len(t.out), h
	t.fresh = append(t.fresh, trace)
	t.out = append(t.out, memory.Learnt{Agent: h.System, Session: h.ID})
	return true
}

// learn makes proposals from the sessions that were taken, and from what they have in common with other sessions of
// their projects. All are the sessions of this machine; nil if they were not read.
func (t *learning) learn(ctx context.Context, all []traced) error {
	var drafts []learn.Proposal
	for _, trace := range t.fresh {
		if !trace.Engine {
			continue
		}
		s, err := t.ReadSession(ctx, t.heads[trace])
		if err != nil {
			return err
		}
		made, skipped := learn.Propose(&s, t.now())
		drafts = append(drafts, made...)
		t.skip(trace, skipped...)
	}
	made, err := t.fromFailures(ctx, all)
	if err != nil {
		return err
	}
	if drafts, err = t.judged(ctx, append(drafts, made...)); err != nil {
		return err
	}
	added := make([]learn.Added, len(drafts))
	if !t.order.DryRun && len(drafts) > 0 {
		added, err = t.addProposals(ctx, drafts...)
	}
	if err == nil && !t.order.DryRun && len(t.fresh) > 0 {
		err = t.queue.NoteLearnt(ctx, t.now(), t.fresh...)
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	for i := range drafts {
		trace := t.traceOf(drafts[i].Origin.Agent, drafts[i].Origin.Session)
		if a := &added[i]; a.Why != "" {
			why := drafts[i].Origin.Rule + ": " + a.Why
			if a.Beside != "" {
				why += ": " + a.Beside
			}
			t.skip(trace, why)
			continue
		}
		out := &t.out[t.at[trace]]
		out.Proposals = append(out.Proposals, entryOf(&drafts[i], added[i].ID))
	}
	return nil
}

// skip says why a session, or something in it, left no proposal.
func (t *learning) skip(trace *learn.Trace, why ...string) {
	out := &t.out[t.at[trace]]
	out.Skipped = append(out.Skipped, why...)
}

// traceOf returns the trace of a session to learn from, or nil.
func (t *learning) traceOf(agent memory.SystemID, id string) *learn.Trace {
	for _, trace := range t.fresh {
		if trace.ID == id && trace.Agent == agent {
			return trace
		}
	}
	return nil
}

// fromFailures makes proposals of the failures of the projects in which the sessions worked.
func (t *learning) fromFailures(ctx context.Context, all []traced) (drafts []learn.Proposal, err error) {
	roots := map[string]string{} // of folders
	rootOf := func(folder string) string {
		if _, known := roots[folder]; !known {
			roots[folder] = projectRoot(folder)
		}
		return roots[folder]
	}
	var projects []string
	for _, trace := range t.fresh {
		if len(trace.Failed)+len(trace.Denied) > 0 && trace.Folder != "" {
			projects = memory.AppendNew(projects, rootOf(trace.Folder))
		}
	}
	for _, root := range projects {
		list := all
		if list == nil {
			heads, _ := t.Library.heads(ctx, root, "") // on an error, use what was found
			if list, err = t.traces(ctx, heads[:min(len(heads), mostSessions)], 0, t.tell); err != nil {
				return nil, err
			}
		}
		var traces []learn.Trace
		for i := range list {
			trace := &list[i].trace
			mine := t.traceOf(list[i].head.System, trace.ID)
			switch {
			case mine != nil: // as its agent said that it ended
				traces = append(traces, *mine)
			case list[i].read && list[i].err == nil && !trace.Subagent && !trace.MemoryOff &&
				trace.State != session.Running && trace.Folder != "" && rootOf(trace.Folder) == root:
				traces = append(traces, *trace)
			}
		}
		fs := slices.DeleteFunc(learn.FailuresOf(traces), func(f memory.Failure) bool { return f.Rule == "" })
		drafts = append(
			drafts,
			learn.Lessons(t.toldBySources(ctx, root, fs), func(p *memory.FailurePlace) *learn.Trace {
				return t.traceOf(p.Agent, p.Session)
			}, t.now())...,
		)
	}
	return drafts, nil
}

// judged leaves out proposals of rules that propose no more, and those that repeat what their session was given. It
// passes the others through the filter of config.toml, if it has one.
func (t *learning) judged(ctx context.Context, drafts []learn.Proposal) (kept []learn.Proposal, err error) {
	words := strings.Fields(t.Settings().Learn.Filter)
	for i := range drafts {
		trace := t.traceOf(drafts[i].Origin.Agent, drafts[i].Origin.Session)
		if why := t.off[drafts[i].Origin.Rule]; why != "" {
			t.skip(trace, why)
			continue
		}
		s, err := t.ReadSession(ctx, t.heads[trace])
		if err != nil {
			return nil, err
		}
		if learn.Repeats(&s, &drafts[i]) {
			t.skip(trace, drafts[i].Origin.Rule+": it only repeats what the session was given")
			continue
		}
		if len(words) == 0 {
			kept = append(kept, drafts[i])
			continue
		}
		judged, skipped := learn.Filtered(&s, drafts[i:i+1], func(proposal []byte) ([]byte, error) {
			return t.runFilter(ctx, words, proposal)
		})
		kept = append(kept, judged...)
		t.skip(trace, skipped...)
	}
	return kept, nil
}

// entryOf returns the inbox entry of a proposal, as far as it is known without reading the inbox.
func entryOf(p *learn.Proposal, id string) memory.InboxEntry {
	e := memory.InboxEntry{
		ID: id, Kind: memory.Proposal, Arrived: p.Arrived, Origin: p.Origin, Seen: p.Seen,
		Record: p.Record(),
	}
	for _, note := range p.Notes {
		e.Reasons = append(e.Reasons, memory.Reason{Text: note})
	}
	return e
}

const (
	filterTime = 2 * time.Second
	filterSays = 64 << 10 // maximum bytes of an answer
)
