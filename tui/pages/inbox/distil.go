package inbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// distilAction is the key that lets the program of [learn] distil read sessions, and stops it while it does.
func (p *Page) distilAction() page.Action {
	a := page.Action{
		Binding: p.cfg.Keys.Inbox.Distil,
		Off:     page.When(p.cfg.ReadOnly, "Winnow was started with --readonly"),
		Run:     p.distil,
	}
	if r := p.view.Distilling; r != nil {
		a.Name, a.Run = "stop "+r.Program, page.Do(p.stopDistil)
		a.Off = page.When(r.Stopping, r.Program+" is being stopped")
	}
	return a
}

// distil asks whether the program shall be given the newest sessions of the project.
func (p *Page) distil() tea.Cmd {
	lib := p.cfg.Library
	return msg.Emit(msg.Distil{
		Plan: func(ctx context.Context) (memory.Distilling, error) {
			return lib.PlanDistil(ctx, memory.LearnOrder{Latest: true})
		},
		Give: func(d memory.Distilling) tea.Cmd {
			return msg.Emit(page.Then(func(p *Page) tea.Cmd { return p.give(d) }))
		},
	})
}

// give gives the program what the person agreed to. It is stopped when Winnow ends.
func (p *Page) give(d memory.Distilling) tea.Cmd {
	if p.view.Distilling != nil {
		return msg.Emit(msg.Toast{Text: p.view.Distilling.Program + " reads sessions already"})
	}
	ctx, stop := context.WithCancel(p.ctx)
	p.endDistil = stop
	p.view.Distilling = &views.Reading{Program: d.Name(), Key: p.cfg.Keys.Inbox.Distil.Help().Key}
	p.toSession(&d, 1)
	lib, read := p.cfg.Library, make(chan int, len(d.Sessions))
	return tea.Batch(
		p.everySecond(ctx, time.Time{}),
		p.nextSession(&d, read),
		func() tea.Msg {
			list, err := lib.Distil(ctx, d, func(n, _ int) { read <- n })
			close(read)
			return page.Then(func(p *Page) tea.Cmd { return p.onDistilled(&d, list, err) })
		},
	)
}

// nextSession returns the command that waits for the next session that the program is given.
func (p *Page) nextSession(d *memory.Distilling, read <-chan int) tea.Cmd {
	return func() tea.Msg {
		n, more := <-read
		if !more {
			return nil
		}
		return page.Then(func(p *Page) tea.Cmd {
			p.toSession(d, n)
			return p.nextSession(d, read)
		})
	}
}

// toSession shows which session the program reads, from 1.
func (p *Page) toSession(d *memory.Distilling, n int) {
	if r := p.view.Distilling; r != nil && n <= len(d.Sessions) {
		r.Session, r.Of, r.Title = n, len(d.Sessions), d.Sessions[n-1].Title
	}
}

// everySecond returns the command that counts the seconds since the program began, as long as ctx lasts.
func (p *Page) everySecond(ctx context.Context, began time.Time) tea.Cmd {
	return tea.Tick(time.Second, func(at time.Time) tea.Msg {
		return page.Then(func(p *Page) tea.Cmd {
			r := p.view.Distilling
			if r == nil || ctx.Err() != nil {
				return nil
			}
			if began.IsZero() {
				began = at.Add(-time.Second)
			}
			r.Seconds = int(at.Sub(began).Seconds())
			return p.everySecond(ctx, began)
		})
	})
}

// stopDistil ends the program, with what it started. What it proposed of earlier sessions is kept.
func (p *Page) stopDistil() {
	p.view.Distilling.Stopping = true
	p.endDistil()
}

// onDistilled reads the inbox again, and reports what the program proposed and what was dropped of it.
func (p *Page) onDistilled(d *memory.Distilling, list []memory.Learnt, err error) tea.Cmd {
	stopped := p.view.Distilling.Stopping && errors.Is(err, context.Canceled)
	p.view.Distilling = nil
	p.endDistil()
	name := d.Name()
	proposed, dropped := 0, []string(nil)
	for i := range list {
		proposed += len(list[i].Proposals)
		dropped = append(dropped, list[i].Skipped...)
	}
	said := name + " proposed " + memory.Counted(proposed, "lesson")
	if len(dropped) > 0 {
		_, why, _ := strings.Cut(dropped[0], ": ") // behind the rule
		said += fmt.Sprintf("; dropped %d: %s", len(dropped), why)
	}
	if stopped {
		of := memory.Counted(len(d.Sessions), "session")
		said = fmt.Sprintf("Stopped %s after %d of %s; ", name, len(list), of) + said
		err = nil
	}
	if err == nil {
		return tea.Batch(p.refresh(), msg.Emit(msg.Toast{Text: said}))
	}
	again := "; once that is mended, " + p.cfg.Keys.Inbox.Distil.Help().Key + " tries again"
	return tea.Batch(p.refresh(), msg.Emit(msg.Failed{Op: said, Err: errors.New(msg.Reason(err) + again)}))
}
