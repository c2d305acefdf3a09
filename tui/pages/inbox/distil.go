package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// distilAction is the key that lets the program of [learn] distil read sessions.
func (p *Page) distilAction() page.Action {
	return page.Action{
		Binding: p.cfg.Keys.Inbox.Distil,
		Off: cmp.Or(
			page.When(p.cfg.ReadOnly, "Winnow was started with --readonly"),
			page.Unless(p.cfg.Distils, "no program is set: [learn] distil"),
			p.view.Distilling,
		),
		Run: p.distil,
	}
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

// give gives the program what the person agreed to. It is stopped when the program ends.
func (p *Page) give(d memory.Distilling) tea.Cmd {
	ctx, lib := p.ctx, p.cfg.Library
	p.view.Distilling = d.Name() + " reads " + memory.Counted(len(d.Sessions), "session")
	return func() tea.Msg {
		list, err := lib.Distil(ctx, d, nil)
		return page.Then(func(p *Page) tea.Cmd { return p.onDistilled(d.Name(), list, err) })
	}
}

// onDistilled reads the inbox again, and reports what the program proposed and what was dropped of it.
func (p *Page) onDistilled(name string, list []memory.Learnt, err error) tea.Cmd {
	p.view.Distilling = ""
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
	if err == nil {
		return tea.Batch(p.look(), msg.Emit(msg.Toast{Text: said}))
	}
	again := "; once that is mended, " + p.cfg.Keys.Inbox.Distil.Help().Key + " tries again"
	return tea.Batch(p.look(), msg.Emit(msg.Failed{Op: said, Err: errors.New(msg.Reason(err) + again)}))
}
