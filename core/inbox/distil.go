package inbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/compare"
	"winnow/core/config"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/sessions"
	"winnow/core/system"
)

// distilFrom is how many sessions are looked at for some that the program was not given yet.
const distilFrom = 50

// Digest returns what the program of [learn] distil would be given of a session, as JSON on one line.
func (b *Reviewer) Digest(ctx context.Context, id string) ([]byte, error) {
	s, err := b.sessions.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	d, err := b.digestWithKnown(ctx, &s)
	return d.json(), err
}

// DistilPrompt returns the prompt for the program of [learn] distil, and the file that it is in, which is "" for the
// built-in one.
func (b *Reviewer) DistilPrompt() (text, path string, err error) {
	path = config.PromptPath(b.env.Folder(system.Settings))
	text, own, err := programPrompt(path)
	if !own {
		path = ""
	}
	return text, b.lib.Short(path), err
}

// PlanDistil returns what the program of [learn] distil would be given: the finished sessions that an order names and
// that it was not given before, at most 5, the newest first. It starts nothing. It is empty if no program is set.
func (b *Reviewer) PlanDistil(ctx context.Context, o memory.LearnOrder) (memory.Distilling, error) {
	d := memory.Distilling{Program: b.lib.Settings().Learn.Distil}
	if len(d.Program) == 0 || b.readOnly {
		return d, nil
	}
	off, err := b.rulesOff()
	if err != nil {
		return d, err
	}
	if why := off[learn.RuleDistilled]; why != "" {
		return d, errors.New(why)
	}
	prompt, path, err := b.DistilPrompt()
	if err != nil {
		return d, err
	}
	d.Prompt = path
	known, err := b.queue.Distilled()
	if err != nil {
		return d, err
	}
	heads, err := b.distilHeads(ctx, o)
	if err != nil {
		return d, err
	}
	for _, h := range heads[:min(len(heads), distilFrom)] {
		if _, before := known(h.System, h.ID); before || o.From != "" && h.System != o.From {
			continue
		}
		if len(d.Sessions) == mostSessions {
			d.More++
			continue
		}
		s, allowed, err := b.distilSession(ctx, h, prompt, o.Session != "")
		if err != nil {
			return d, err
		}
		if allowed {
			d.Sessions = append(d.Sessions, s)
		}
	}
	return d, nil
}

// distilSession returns what the program is given of a session. It returns false for a session that cannot be read or
// may not be distilled; learning says why.
func (b *Reviewer) distilSession(
	ctx context.Context,
	h session.Head,
	prompt string,
	named bool,
) (memory.DistilSession, bool, error) {
	s, err := b.sessions.ReadSession(ctx, h)
	if ctx.Err() != nil {
		return memory.DistilSession{}, false, ctx.Err()
	}
	if err != nil || !b.mayDistil(&s, h, named) {
		return memory.DistilSession{}, false, nil
	}
	digest, err := b.digestWithKnown(ctx, &s)
	if err != nil {
		return memory.DistilSession{}, false, err
	}
	return memory.DistilSession{
		Agent: h.System, ID: s.ID, Title: learn.Quotable(&s, s.Task, distilTitle),
		Input: programInput(prompt, &digest),
	}, true, nil
}

// distilTitle is how much of a session's task is shown, in units.
const distilTitle = 80

// distilHeads returns the sessions that an order names, the newest first. Without a name, they are those of the
// project.
func (b *Reviewer) distilHeads(ctx context.Context, o memory.LearnOrder) ([]session.Head, error) {
	if o.Session != "" {
		s, err := b.sessions.Session(ctx, o.Session)
		return []session.Head{s.Head}, err
	}
	folder := ""
	if o.Latest {
		folder = b.env.Dir
	}
	heads, err := b.sessions.Heads(ctx, folder, "")
	if ctx.Err() != nil {
		return nil, err
	}
	queued := map[string]bool{}
	if o.Queue {
		entries, err := b.queue.List(ctx, b.now(), false)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			queued[string(entries[i].Head.System)+":"+entries[i].Head.ID] = true
		}
	}
	return slices.DeleteFunc(heads, func(h session.Head) bool { // what could not be listed, learning says
		return h.Subagent || h.Changed.Before(o.Since) || o.Queue && !queued[string(h.System)+":"+h.ID]
	}), nil
}

// mayDistil reports whether the program may be given a session: one that is learnt from, in which somebody said
// something.
func (b *Reviewer) mayDistil(s *session.Session, h session.Head, named bool) bool {
	sessions.EndByHook(s, h.Over)
	t := learn.Trace{Folder: s.Folder, State: s.State, Subagent: s.Subagent, MemoryOff: s.MemoryOff}
	return len(s.Turns) > 0 && learn.Refused(&t, named) == ""
}

// digestWithKnown returns the digest of a session, with what its project is told already.
func (b *Reviewer) digestWithKnown(ctx context.Context, s *session.Session) (sessionDigest, error) {
	var known, said []string
	g := b.lib.Destination(ctx, &memory.Origin{Agent: s.System, Folder: s.Folder}, library.Destinations{})
	for _, p := range g.Places {
		records, err := g.RecordsIn(ctx, b.lib, p.Store)
		if err != nil {
			return sessionDigest{}, err
		}
		for i := range records {
			known = append(known, knownLesson(&records[i]))
		}
	}
	if filepath.IsAbs(s.Folder) {
		b.eachSource(ctx, sessions.ProjectRoot(s.Folder), func(_, text string) {
			for _, st := range compare.Statements(text) {
				said = append(said, st.Text)
			}
		})
	}
	return digestOf(s, known, said), ctx.Err()
}

// Distil gives the program of [learn] distil what a person agreed to, one session after the other, and puts the
// proposals into the inbox, where they wait. It stops when the program gives no answer. Tell is called before each
// session; it may be nil.
func (b *Reviewer) Distil(
	ctx context.Context,
	d memory.Distilling,
	tell func(n, of int),
) (out []memory.Learnt, err error) {
	if b.readOnly {
		return nil, fmt.Errorf("distil sessions: %w", memory.ErrReadOnly)
	}
	program := b.program(d.Program)
	for i := range d.Sessions {
		if tell != nil {
			tell(i+1, len(d.Sessions))
		}
		learnt, err := b.distil(ctx, program, &d, &d.Sessions[i])
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out = append(out, learnt)
		if err != nil {
			return out, fmt.Errorf("run %s: %w", d.Program[0], err)
		}
	}
	return out, nil
}

// distil gives the program one session.
func (b *Reviewer) distil(
	ctx context.Context,
	program distilProgram,
	d *memory.Distilling,
	given *memory.DistilSession,
) (memory.Learnt, error) {
	out := memory.Learnt{Agent: given.Agent, Session: given.ID}
	s, err := b.sessions.Session(ctx, string(given.Agent)+":"+given.ID)
	if err != nil {
		return out, err
	}
	ps, dropped, err := askProgram(ctx, program, d.Name(), &s, given.Input, b.now(), b.isFileOf(s.Folder))
	if err != nil {
		return out, err
	}
	for _, why := range dropped {
		out.Skipped = append(out.Skipped, learn.RuleDistilled+": "+why)
	}
	added := []learn.Added{}
	if len(ps) > 0 {
		if added, err = b.addProposals(ctx, ps...); err != nil {
			return out, err
		}
	}
	for i := range added {
		if added[i].Why != "" {
			out.Skipped = append(out.Skipped, learn.RuleDistilled+": "+added[i].Why)
			continue
		}
		out.Proposals = append(out.Proposals, entryOf(&ps[i], added[i].ID))
	}
	t := learn.TraceOf(&s)
	t.Agent = given.Agent
	return out, b.queue.NoteDistilled(ctx, b.now(), &t)
}

// isFileOf returns a function that reports whether the project of a folder has a file, below the folder or below the
// project's root.
func (b *Reviewer) isFileOf(folder string) func(string) bool {
	if !filepath.IsAbs(folder) {
		return func(string) bool { return false }
	}
	bases := []string{folder, sessions.ProjectRoot(folder)}
	return func(name string) bool {
		for _, base := range bases {
			if _, err := os.Lstat(filepath.Join(base, filepath.FromSlash(name))); err == nil {
				return true
			}
		}
		return false
	}
}

// ownProgram returns a program of the person's own, which is given sessions.
func (b *Reviewer) ownProgram(words []string) distilProgram {
	return &ownCommand{
		Words: words, Home: b.env.Home, Prepare: b.env.Prepare, Variables: []string{memory.DistilVariable + "=1"},
		Time: programTime, Most: mostAnswer, In: filepath.Join(b.state.Dir, "learn"),
	}
}

// runFilter runs the filter of config.toml and returns its answer.
func (t *learning) runFilter(ctx context.Context, words []string, in []byte) ([]byte, error) {
	filter := ownCommand{
		Words: words, Home: t.in.env.Home, Prepare: t.in.env.Prepare, Time: filterTime, Most: filterSays,
	}
	return filter.Run(ctx, in)
}
