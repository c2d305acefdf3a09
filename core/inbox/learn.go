package inbox

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
	"winnow/core/sessions"
	"winnow/core/system"
)

const (
	// latestOf is how many sessions are read to find the newest finished one.
	latestOf = 20
)

// Learn makes proposals from the sessions that an order names, and puts them into the inbox. It learns from
// a session only once. It returns the outcome of each session; with an error, of those before it.
func (b *Reviewer) Learn(ctx context.Context, o memory.LearnOrder) ([]memory.Learnt, error) {
	if b.readOnly && !o.DryRun {
		return nil, fmt.Errorf("learn: %w", memory.ErrReadOnly)
	}
	var err error
	t := learning{in: b, order: o}
	if t.known, err = b.queue.Learnt(); err != nil {
		return nil, err
	}
	if t.off, err = b.rulesOff(); err != nil {
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
	in    *Reviewer
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
	if only, _ := system.SplitName(t.in.sessions.Systems, id); only == "" && t.order.From != "" {
		id = string(t.order.From) + ":" + id
	}
	s, err := t.in.sessions.Session(ctx, id)
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
	entries, err := t.in.queue.List(ctx, t.in.now(), !t.order.DryRun)
	if err != nil || len(entries) == 0 {
		return err
	}
	heads, _ := t.in.sessions.Heads(ctx, "", t.order.From) // on an error, use what was found
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
		read := sessions.Traced{Head: heads[at]}
		if t.in.sessions.ReadTrace(ctx, &read); read.Err != nil {
			t.unread(ctx, &read)
			continue
		}
		if t.take(&read.Trace, read.Head, false) {
			done = append(done, e)
		}
	}
	if err := t.learn(ctx, nil); err != nil || t.order.DryRun {
		return errors.Join(err, ctx.Err())
	}
	for _, e := range done {
		if err := t.in.queue.Drop(ctx, e); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// unread reports a session that cannot be read, unless ctx ended.
func (t *learning) unread(ctx context.Context, read *sessions.Traced) {
	if ctx.Err() == nil {
		t.add(read.Head, "it cannot be read: "+detect.Redact(read.Err.Error()))
	}
}

// listed learns from the sessions since a time, or, with Latest, from the newest finished one of the folder.
func (t *learning) listed(ctx context.Context) error {
	if t.order.Latest {
		return t.newest(ctx)
	}
	heads, failed := t.in.sessions.Heads(ctx, "", "")
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent })
	all, err := t.in.sessions.Traces(ctx, heads[:min(len(heads), sessions.MostSessions)], 0, t.tell)
	if err != nil {
		return errors.Join(failed, err)
	}
	for i := range all {
		read := &all[i]
		h := read.Head
		if h.Changed.Before(t.order.Since) || t.order.From != "" && h.System != t.order.From {
			continue
		}
		d, before := t.known(h.System, h.ID)
		switch {
		case before:
			t.add(h, t.learntBefore(d))
		case read.Err != nil:
			t.unread(ctx, read)
		case read.Trace.Ended.IsZero() || !read.Trace.Ended.Before(t.order.Since):
			t.take(&read.Trace, h, false)
		}
	}
	return errors.Join(failed, t.learn(ctx, all))
}

// newest learns from the newest finished session of the folder.
func (t *learning) newest(ctx context.Context) error {
	heads, failed := t.in.sessions.Sessions(ctx, t.in.env.Dir)
	read := 0
	for _, h := range heads {
		if h.Subagent || t.order.From != "" && h.System != t.order.From || read == latestOf {
			continue
		}
		read++
		traced := sessions.Traced{Head: h}
		if t.in.sessions.ReadTrace(ctx, &traced); traced.Err != nil {
			t.unread(ctx, &traced)
			continue
		}
		if why := learn.Refused(&traced.Trace, false); why != "" {
			t.add(h, why)
			continue
		}
		t.take(&traced.Trace, h, false)
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
	return "it was learnt from on " + d.At.In(t.in.now().Location()).Format("2 January 2006")
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
func (t *learning) learn(ctx context.Context, all []sessions.Traced) error {
	var drafts []learn.Proposal
	for _, trace := range t.fresh {
		if !trace.Engine {
			continue
		}
		s, err := t.in.sessions.ReadSession(ctx, t.heads[trace])
		if err != nil {
			return err
		}
		made, skipped := learn.Propose(&s, t.in.now())
		drafts = append(drafts, made...)
		t.skip(trace, skipped...)
	}
	made, err := t.fromFailures(ctx, all)
	if err != nil {
		return err
	}
	if drafts, err = t.filterDrafts(ctx, append(drafts, made...)); err != nil {
		return err
	}
	added := make([]learn.Added, len(drafts))
	if !t.order.DryRun && len(drafts) > 0 {
		added, err = t.in.addProposals(ctx, drafts...)
	}
	if err == nil && !t.order.DryRun && len(t.fresh) > 0 {
		err = t.in.queue.NoteLearnt(ctx, t.in.now(), t.fresh...)
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

// finishedTraces returns the traces of the sessions that ended in a project. Those to learn from are as their agent
// said that they ended.
func (t *learning) finishedTraces(list []sessions.Traced, inProject func(folder string) bool) (all []learn.Trace) {
	for i := range list {
		trace := &list[i].Trace
		mine := t.traceOf(list[i].Head.System, trace.ID)
		switch {
		case mine != nil:
			all = append(all, *mine)
		case list[i].Read && list[i].Err == nil && !trace.Subagent && !trace.MemoryOff &&
			trace.State != session.Running && inProject(trace.Folder):
			all = append(all, *trace)
		}
	}
	return all
}

// fromFailures makes proposals of the failures of the projects in which the sessions worked.
func (t *learning) fromFailures(ctx context.Context, all []sessions.Traced) (drafts []learn.Proposal, err error) {
	roots := map[string]string{} // of folders
	rootOf := func(folder string) string {
		if _, known := roots[folder]; !known {
			roots[folder] = sessions.ProjectRoot(folder)
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
			heads, _ := t.in.sessions.Heads(ctx, root, "") // on an error, use what was found
			heads = heads[:min(len(heads), sessions.MostSessions)]
			if list, err = t.in.sessions.Traces(ctx, heads, 0, t.tell); err != nil {
				return nil, err
			}
		}
		inProject := func(folder string) bool { return folder != "" && rootOf(folder) == root }
		traces := t.finishedTraces(list, inProject)
		fs := slices.DeleteFunc(learn.FailuresOf(traces), func(f memory.Failure) bool { return f.Rule == "" })
		drafts = append(
			drafts,
			learn.Lessons(t.in.toldBySources(ctx, root, fs), func(p *memory.FailurePlace) *learn.Trace {
				return t.traceOf(p.Agent, p.Session)
			}, t.in.now())...,
		)
	}
	return drafts, nil
}

// filterDrafts leaves out proposals of rules that propose no more, and those that repeat what their session was given.
// It passes the others through the filter of config.toml, if it has one.
func (t *learning) filterDrafts(ctx context.Context, drafts []learn.Proposal) (kept []learn.Proposal, err error) {
	words := strings.Fields(t.in.lib.Settings().Learn.Filter)
	for i := range drafts {
		trace := t.traceOf(drafts[i].Origin.Agent, drafts[i].Origin.Session)
		if why := t.off[drafts[i].Origin.Rule]; why != "" {
			t.skip(trace, why)
			continue
		}
		s, err := t.in.sessions.ReadSession(ctx, t.heads[trace])
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
		passed, skipped := learn.Filtered(&s, drafts[i:i+1], func(proposal []byte) ([]byte, error) {
			return t.runFilter(ctx, words, proposal)
		})
		kept = append(kept, passed...)
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
