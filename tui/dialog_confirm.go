package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// confirmDialog is the dialog that shows a plan and applies it once the person confirms.
type confirmDialog struct {
	dialogState
	planned
	keys keymap.Map
	more bool // show the plan again after its warning is overruled
}

// newConfirm returns the dialog for a plan. Warn is a line about other writers, or "". The focus
// is on Cancel. If the plan carries a warning of its own, the person must overrule that first; if
// more is set, the plan is then shown again before it is applied.
func newConfirm(k keymap.Map, p memory.Plan, warn string, more bool) *confirmDialog {
	c := &confirmDialog{keys: k, more: more}
	c.firstPlan(p)
	c.Warn = warn
	return c
}

// order implements planDialog.
func (c *confirmDialog) order() memory.Order { return c.Plan.Order }

// takePlan implements planDialog.
func (c *confirmDialog) takePlan(p memory.Plan, err error) { c.renewPlan(p, err) }

// form implements dialog.
func (c *confirmDialog) form() dialogForm {
	d := c.keys.Dialog
	f := dialogForm{Keys: c.keys, Masks: true, View: views.Confirm{Planned: c.Planned}.Dialog, Buttons: []dialogAction{
		{Binding: d.Cancel, Label: "Cancel", Do: closes},
		{Binding: d.Confirm, Label: named(c.Title(), d.Confirm), Do: c.confirm},
	}}
	if c.Asks() {
		f.Actions = []dialogAction{{Binding: d.Confirm, Off: d.Overrule.Help().Key + " does it despite the warning"}}
		f.Buttons[1] = dialogAction{
			Binding: keymap.As(d.Overrule, "do it anyway"),
			Label:   named("Do it anyway", d.Overrule),
			Do:      c.overrule,
		}
	}
	return f
}

// overrule repeats the order despite the warning.
func (c *confirmDialog) overrule() formResult {
	o := c.Plan.Order
	o.Anyway = true
	return closing(msg.Order{Order: o, Ask: c.more})
}

// planned is a plan that waits for confirmation. Dialogs about a plan embed it.
type planned struct {
	views.Planned
	asked any // the choices for which a plan was last requested
}

// ask requests a new plan if the choices have changed since the last request.
func (p *planned) ask(chosen any) tea.Cmd {
	if chosen == p.asked {
		return nil
	}
	p.asked, p.Pending, p.Failed = chosen, true, ""
	return msg.Emit(msg.Preview{})
}

// firstPlan takes the first plan of an order: there is no earlier one to compare it with.
func (p *planned) firstPlan(plan memory.Plan) {
	p.Planned = views.Planned{Plan: plan, Was: len(plan.Changes), Warn: p.Warn}
}

// renewPlan takes a new plan of the same order, made because the store changed. It sets Changed if the
// plan differs from the one shown before.
func (p *planned) renewPlan(plan memory.Plan, err error) {
	if err != nil {
		p.Failed, p.Pending = msg.Reason(err), false
		return
	}
	if !p.Changed {
		p.Was = len(p.Plan.Changes)
	}
	p.Changed = p.Changed || differ(p.Plan, plan)
	p.Plan, p.Failed = plan, ""
}

// setPlan takes a plan. Matches says whether the plan is for the current choices; otherwise it is
// dropped. The first plan after a change of the choices is shown as it is, and later ones are
// compared with it. An error is always shown.
func (p *planned) setPlan(plan memory.Plan, err error, matches bool) {
	switch {
	case err != nil, matches && !p.Pending:
		p.renewPlan(plan, err)
	case matches:
		p.firstPlan(plan)
	}
}

// confirm applies the plan and closes the dialog. The dialog stays open if the plan failed, does
// nothing, or changed since it was shown; the next press then confirms the changed plan. A plan
// with findings becomes an order that asks about them.
func (p *planned) confirm() formResult {
	switch {
	case p.Failed != "":
		return staying(msg.Toast{Text: "Nothing changed: " + p.Failed})
	case doesNothing(p.Plan):
		return staying(msg.Toast{Text: "Nothing changed: there is nothing to do"})
	case len(p.Plan.Findings) > 0:
		return closing(msg.Order{Order: p.Plan.Order, Ask: true})
	case p.Changed:
		p.Changed, p.Was = false, len(p.Plan.Changes)
		return formResult{}
	}
	return closing(msg.Apply{Plan: p.Plan})
}

// doesNothing reports whether a plan does nothing.
func doesNothing(plan memory.Plan) bool {
	return len(plan.Changes) == 0 && len(plan.Decided) == 0 && plan.Undoes == "" && plan.Redoes == ""
}

// differ reports whether two plans do different things. It ignores counts, which an agent may
// have raised meanwhile.
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

// texts returns the texts of a record before and after a change.
func texts(c *memory.Change) [6]string {
	e := &c.Edited
	return [6]string{c.Record.Title, c.Record.Body, string(c.Record.Outcome), e.Title, e.Body, string(e.Outcome)}
}
