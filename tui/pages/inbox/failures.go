package inbox

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

const (
	// failuresFor is how far back failures are looked for, and failuresWithin how long sessions are read for it at a
	// time. What was read is kept, so that the next look reads on.
	failuresFor, failuresWithin = 90 * 24 * time.Hour, 3 * time.Second
)

// readFailures returns the command that reads what failed again and again.
func (p *Page) readFailures() tea.Cmd {
	if !p.visible {
		return nil
	}
	lib, o := p.cfg.Library, memory.FailureOrder{Since: p.Now.Add(-failuresFor), Within: failuresWithin}
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		fs, err := lib.Failures(ctx, o)
		return func(p *Page) tea.Cmd {
			if err == nil {
				p.onFailures(fs)
			}
			return nil // the inbox is there without them, and winnow failures says why
		}
	})
}

// replay returns the command that finds out how often the proposals would have been told in past sessions.
func (p *Page) replay() tea.Cmd {
	var asked []*memory.InboxEntry
	var orders []memory.ReplayOrder
	for _, e := range p.view.Entries {
		if e.Kind == memory.Proposal && e.Record.When != "" {
			asked = append(asked, e)
			orders = append(orders, memory.ReplayOrder{Folder: e.Origin.Folder, When: e.Record.When})
		}
	}
	if !p.visible || len(asked) == 0 {
		return nil
	}
	lib := p.cfg.Library
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		fired, err := lib.Replay(ctx, orders)
		return func(*Page) tea.Cmd {
			for i := range fired {
				if err == nil {
					asked[i].Firing = &fired[i]
				}
			}
			return nil // without it, the detail leaves it out
		}
	})
}

// onFailures lists failures below the entries.
func (p *Page) onFailures(fs memory.Failures) {
	p.failures = nil
	for i := range fs.List {
		p.failures = append(p.failures, views.FailingEntry(&fs.List[i]))
	}
	p.view.Unread = fs.Unread
	p.show(p.withFailures(p.view.Entries))
}

// withFailures returns entries with the failures in place of those that are among them.
func (p *Page) withFailures(entries []*memory.InboxEntry) (all []*memory.InboxEntry) {
	for _, e := range entries {
		if e.Kind != memory.FailingCall {
			all = append(all, e)
		}
	}
	return append(all, p.failures...)
}

// learnFailure makes a lesson of the failure under the cursor.
func (p *Page) learnFailure() tea.Cmd {
	ctx, lib, since := p.ctx, p.cfg.Library, p.Now.Add(-failuresFor)
	id := p.view.Chosen().ID
	p.view.Deciding[id] = "making a lesson of it"
	return func() tea.Msg {
		e, err := lib.LearnFailure(ctx, id, since)
		return page.Then(func(p *Page) tea.Cmd { return p.onLesson(id, e, err) })
	}
}

// onLesson reports that a lesson was made of a failure, and goes to it.
func (p *Page) onLesson(failure string, e memory.InboxEntry, err error) tea.Cmd {
	delete(p.view.Deciding, failure)
	if err != nil {
		return msg.Emit(msg.Failed{Op: "make a lesson", Err: errors.New(msg.Reason(err))})
	}
	p.seek = []string{e.ID}
	return tea.Batch(p.reread(), msg.Emit(msg.Toast{Text: "The lesson waits for you: approve it or not"}))
}
