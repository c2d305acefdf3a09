package library

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/config"
	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

const (
	// latestOf is how many sessions are read to find the newest finished one.
	latestOf = 20
	// stillWriting is how long an agent may still write to a session after saying that it was over.
	stillWriting = time.Minute
)

// Settings reads config.toml.
func (l *Library) Settings() *config.File {
	return config.Read(config.Path(l.env.Folder(system.Settings)))
}

// SettingsProblem returns what is wrong with config.toml, or nil.
func (l *Library) SettingsProblem() *memory.Problem { return maskedProblem(l.Settings().Problem()) }

// Enqueue queues a session for a later call of Learn.
func (l *Library) Enqueue(ctx context.Context, h session.Head) error {
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
	out   []memory.Learnt
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
	_, err = t.learn(ctx, &s, true)
	return err
}

// queued learns from sessions that hooks put into the queue. A session that still runs stays there. Sessions
// are read from where their agent keeps them. The path that a hook named is ignored, since it could lead
// anywhere.
func (t *learning) queued(ctx context.Context) error {
	entries, err := t.queue.List(ctx, t.now(), !t.order.DryRun)
	if err != nil || len(entries) == 0 {
		return err
	}
	heads, _ := t.heads(ctx, "", t.order.From) // on an error, use what was found
	for i := range entries {
		e := &entries[i]
		if t.order.From != "" && e.Head.System != t.order.From {
			continue
		}
		done := true
		if _, before := t.known(e.Head.System, e.Head.ID); !before {
			at := slices.IndexFunc(heads, func(h session.Head) bool { return h.System == e.Head.System && h.ID == e.Head.ID })
			if at < 0 {
				t.add(&session.Session{Head: e.Head}, "it cannot be read: it is not among the sessions of its agent")
				continue
			}
			heads[at].Over = e.Head.Over
			s := t.read(ctx, heads[at])
			if s == nil {
				continue
			}
			if done, err = t.learn(ctx, s, false); err != nil {
				return err
			}
		}
		if done && !t.order.DryRun {
			if err := t.queue.Drop(ctx, e); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// read reads a session. If the agent said that it was over, it does not count as running, unless it went on
// later. If it cannot be read, read returns nil and reports that, unless ctx ended.
func (t *learning) read(ctx context.Context, h session.Head) *session.Session {
	s, err := t.ReadSession(ctx, h)
	if err != nil {
		if ctx.Err() == nil {
			t.add(&session.Session{Head: h}, "it cannot be read: "+detect.Redact(err.Error()))
		}
		return nil
	}
	if !h.Over.IsZero() && (s.State == session.Running || s.State == session.Unknown) && !s.Ended.After(h.Over.Add(stillWriting)) {
		s.State = session.Judge(s.Steps)
	}
	return &s
}

// listed learns from the sessions since a time, or, with Latest, from the newest finished one of the folder.
func (t *learning) listed(ctx context.Context) error {
	folder, read := "", 0
	if t.order.Latest {
		folder = t.env.Dir
	}
	heads, failed := t.Sessions(ctx, folder)
	for _, h := range heads {
		if h.Subagent || h.Changed.Before(t.order.Since) || t.order.From != "" && h.System != t.order.From || t.order.Latest && read == latestOf {
			continue
		}
		if d, before := t.known(h.System, h.ID); before && !t.order.Latest {
			t.add(&session.Session{Head: h}, t.learntBefore(d))
			continue
		}
		read++
		s := t.read(ctx, h)
		switch {
		case s == nil, !t.order.Latest && !s.Ended.IsZero() && s.Ended.Before(t.order.Since):
			continue
		case t.order.Latest && learn.Refused(s, false) != "":
			t.add(s, learn.Refused(s, false))
			continue
		}
		if _, err := t.learn(ctx, s, false); err != nil || t.order.Latest {
			return errors.Join(failed, err)
		}
	}
	return errors.Join(failed, ctx.Err())
}

// add reports that a session gave nothing, and why.
func (t *learning) add(s *session.Session, why string) {
	t.out = append(t.out, memory.Learnt{Agent: s.System, Session: s.ID, Skipped: []string{why}})
}

func (t *learning) learntBefore(d learn.Done) string {
	return "it was learnt from on " + d.At.In(t.now().Location()).Format("2 January 2006")
}

// learn makes proposals from one session and stores them. Done means that there is no more to learn from it.
func (t *learning) learn(ctx context.Context, s *session.Session, named bool) (done bool, err error) {
	if t.order.Tell != nil {
		t.order.Tell(len(t.out)+1, s.ID)
	}
	if d, before := t.known(s.System, s.ID); before {
		more := len(s.Steps) - d.Steps
		t.add(s, t.learntBefore(d)+system.Say(more > 0, fmt.Sprintf("; the %d steps since are not, since a session is learnt from once", more)))
		return true, nil
	}
	if why := learn.Refused(s, named); why != "" {
		t.add(s, why)
		return s.State == session.Aborted || s.Subagent || s.MemoryOff && s.Finished(), nil
	}
	drafts, skipped := learn.Propose(s, t.now())
	drafts, vetoes := t.filtered(ctx, s, drafts)
	out := memory.Learnt{Agent: s.System, Session: s.ID, Skipped: append(skipped, vetoes...)}
	added := make([]learn.Added, len(drafts))
	if !t.order.DryRun && len(drafts) > 0 {
		added, err = t.Propose(ctx, drafts...)
	}
	err = cmp.Or(err, ctx.Err())
	if err == nil && !t.order.DryRun {
		err = t.queue.NoteLearnt(ctx, s, t.now())
	}
	if err != nil {
		return false, err
	}
	for i := range drafts {
		if a := &added[i]; a.Why != "" {
			out.Skipped = append(out.Skipped, drafts[i].Origin.Rule+": "+a.Why+system.Say(a.Beside != "", ": "+a.Beside))
			continue
		}
		out.Proposals = append(out.Proposals, entryOf(&drafts[i], added[i].ID))
	}
	t.out = append(t.out, out)
	return true, nil
}

// entryOf returns the inbox entry of a proposal, as far as it is known without reading the inbox.
func entryOf(p *learn.Proposal, id string) memory.InboxEntry {
	e := memory.InboxEntry{
		ID: id, Kind: memory.Proposal, Arrived: p.Arrived, Origin: p.Origin,
		Record: memory.Record{ID: memory.ID(p.LessonID), Title: p.Title, Body: p.Body, Outcome: memory.Outcome(p.Outcome), Tools: p.Tools, Session: p.Origin.Session},
	}
	for _, note := range p.Notes {
		e.Reasons = append(e.Reasons, memory.Reason{Text: note})
	}
	return e
}

// filtered passes proposals through the filter of config.toml, if it has one.
func (t *learning) filtered(ctx context.Context, s *session.Session, drafts []learn.Proposal) (kept []learn.Proposal, skipped []string) {
	words := strings.Fields(t.Settings().Learn.Filter)
	if len(words) == 0 {
		return drafts, nil
	}
	return learn.Filtered(s, drafts, func(proposal []byte) ([]byte, error) { return t.runFilter(ctx, words, proposal) })
}

const (
	filterTime = 2 * time.Second
	filterSays = 64 << 10 // maximum bytes of an answer
)

// runFilter runs a program without a shell and returns its output.
func (t *learning) runFilter(ctx context.Context, words []string, in []byte) ([]byte, error) {
	program := words[0]
	if rest, ok := strings.CutPrefix(program, "~/"); ok && t.env.Home != "" {
		program = filepath.Join(t.env.Home, rest)
	}
	if strings.ContainsRune(filepath.ToSlash(program), '/') && !filepath.IsAbs(program) {
		return nil, errors.New(words[0] + " depends on the working folder; name a program on the PATH or an absolute path")
	}
	limited, cancel := context.WithTimeout(ctx, filterTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, words[1:]...)
	git.Apart(cmd)
	out := answer{most: filterSays}
	cmd.Stdin, cmd.Stdout, cmd.WaitDelay = bytes.NewReader(in), &out, filterTime/4
	err := cmd.Run()
	if limited.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("it took longer than %v", filterTime)
	}
	return out.text, err
}

// answer collects the output of a program, up to a limit.
type answer struct {
	text []byte
	most int
}

// Write implements [io.Writer].
func (a *answer) Write(p []byte) (int, error) {
	if len(a.text)+len(p) > a.most {
		return 0, errors.New("its answer is too long")
	}
	a.text = append(a.text, p...)
	return len(p), nil
}
