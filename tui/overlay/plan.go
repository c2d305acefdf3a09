package overlay

import (
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
)

// facts are what every dialog about stored text is drawn with.
type facts struct {
	reveal bool
	now    time.Time
}

// SetFacts implements Factual.
func (f *facts) SetFacts(reveal bool, now time.Time) { f.reveal, f.now = reveal, now }

// scroll is the place in rows that do not fit. The last place is known once the
// rows were drawn.
type scroll struct{ offset, last int }

// drawn keeps the largest offset that shows more.
func (s *scroll) drawn(last int) {
	s.last = last
	s.offset = max(min(s.offset, last), 0)
}

func (s *scroll) by(lines int) { s.offset = max(min(s.offset+lines, s.last), 0) }

// onKey scrolls. It is false for a key that does not.
func (s *scroll) onKey(k keymap.Dialog, m tea.KeyPressMsg) bool {
	const page = 10
	for _, step := range []struct {
		binding keymap.Binding
		by      int
	}{
		{k.Up, -1}, {k.Down, 1}, {k.PageUp, -page}, {k.PageDown, page}, {k.Top, -s.last}, {k.Bottom, s.last},
	} {
		if key.Matches(m, step.binding) {
			s.by(step.by)
			return true
		}
	}
	return false
}

// turned returns the next of n buttons for a key that changes the focus.
func turned(k keymap.Dialog, m tea.KeyPressMsg, focus, n int) int {
	switch {
	case key.Matches(m, k.Focus, k.Right):
		return (focus + 1) % n
	case key.Matches(m, k.FocusBack, k.Left):
		return (focus + n - 1) % n
	}
	return focus
}

// planned is a plan that waits to be confirmed.
type planned struct {
	plan   memory.Plan
	failed string // why there is no plan that can be confirmed
	// changed is set when the plan became another one; was is how many changes the
	// one had that was looked at.
	changed bool
	was     int
}

// begin takes the first plan of an order, which nobody has looked at.
func (p *planned) begin(plan memory.Plan) {
	*p = planned{plan: plan, was: len(plan.Changes)}
}

// renew takes a plan of the same order, made since the store has changed.
func (p *planned) renew(plan memory.Plan, err error) {
	if err != nil {
		p.failed = said(err)
		return
	}
	if !p.changed {
		p.was = len(p.plan.Changes)
	}
	p.changed = p.changed || differ(p.plan, plan)
	p.plan, p.failed = plan, ""
}

// confirm returns the order to apply the plan. When there is none, the dialog stays:
// the plan has to be looked at first, or nothing can be done.
func (p *planned) confirm() (tea.Cmd, bool) {
	switch {
	case p.failed != "":
		return msg.Emit(msg.Toast{Text: "Nothing changed: " + p.failed}), true
	case idle(p.plan):
		return msg.Emit(msg.Toast{Text: "Nothing changed: there is nothing to do"}), true
	case len(p.plan.Findings) > 0:
		return msg.Emit(msg.Order{Order: p.plan.Order, Ask: true}), false
	case p.changed:
		p.changed, p.was = false, len(p.plan.Changes)
		return nil, true
	}
	return msg.Emit(msg.Apply{Plan: p.plan}), false
}

// idle reports whether a plan does nothing.
func idle(p memory.Plan) bool {
	return len(p.Changes) == 0 && len(p.Decided) == 0 && p.Undoes == "" && p.Redoes == ""
}

// differ reports whether two plans do something else. A count that an agent raised
// meanwhile is no difference.
func differ(a, b memory.Plan) bool {
	if len(a.Changes) != len(b.Changes) || a.Final != b.Final {
		return true
	}
	for i := range a.Changes {
		x, y := &a.Changes[i], &b.Changes[i]
		if x.Do != y.Do || x.ID != y.ID || texts(x) != texts(y) {
			return true
		}
	}
	return false
}

// texts returns what a change does to the texts of a record, or of a deletion takes
// away.
func texts(c *memory.Change) [6]string {
	e := &c.Edited
	return [6]string{c.Record.Title, c.Record.Body, string(c.Record.Outcome), e.Title, e.Body, string(e.Outcome)}
}

// said returns an error in words, with what to do next.
func said(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) && p.Hint != "" {
		return p.What + "; " + p.Hint
	}
	return err.Error()
}
