package tui

import (
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// reviewDialog is the dialog that asks about an inbox decision: whether the person means several entries,
// or what to do after a decision was refused.
type reviewDialog struct {
	dialogState
	keys keymap.Map
	ask  msg.Review
}

// newReview returns the dialog for a decision. The focus is on the button that changes nothing.
func newReview(k keymap.Map, m msg.Review) dialog {
	if len(m.Sides) > 0 {
		return newConflictOfEntries(k, m.Sides)
	}
	return &reviewDialog{keys: k, ask: m}
}

// form implements dialog.
func (r *reviewDialog) form() dialogForm {
	d, m := r.keys.Dialog, r.ask
	f := dialogForm{
		Keys:    r.keys,
		Masks:   true,
		Buttons: []dialogAction{{Binding: d.Cancel, Label: named("Cancel", d.Cancel), Do: r.leave}},
	}
	amend := dialogAction{
		Binding: d.Amend,
		Label:   named("Edit again", d.Amend),
		Do:      func() formResult { return closing(msg.Reviewed{Order: m.Order, Amend: true}) },
	}
	if m.Order.Form != "" {
		f.Buttons = append(f.Buttons, amend)
	}
	again := m.Order
	switch {
	case m.Wrong != nil:
		f.View = mistake(m.Wrong, m.Kept).Dialog
		return f
	case len(m.Findings) > 0:
		f.View = views.Findings{Findings: m.Findings}.Dialog
		again.Allow = allowing(again.Allow, m.Findings)
	case m.Asks != "":
		f.View = views.Reviewing{Do: m.Order.Do, Asks: m.Asks}.Dialog
		again.Anyway = true
	case m.Why:
		f.View = views.Reviewing{Do: m.Order.Do, Titles: m.Titles, Reasons: r.reasons()}.Dialog
		f.Buttons = append(f.Buttons, dialogAction{
			Binding: d.NoReason, Label: named("No reason", d.NoReason), Do: r.order(again),
		})
		for i, why := range memory.RejectionReasons() {
			said := again
			said.Why = why
			f.Actions = append(f.Actions, dialogAction{Binding: r.reasonKeys()[i], Do: r.order(said)})
		}
		return f
	default:
		f.View = views.Reviewing{Do: m.Order.Do, Titles: m.Titles}.Dialog
		f.Buttons = append(
			f.Buttons,
			dialogAction{
				Binding: keymap.As(d.Confirm, string(again.Do)),
				Label:   named("Yes, "+string(again.Do), d.Confirm),
				Do:      r.order(again),
			},
		)
		return f
	}
	f.Buttons = append(
		f.Buttons,
		dialogAction{
			Binding: keymap.As(d.Overrule, string(again.Do)+" anyway"),
			Label:   named("Do it anyway", d.Overrule),
			Do:      r.order(again),
		},
	)
	return f
}

// reasonKeys are the keys for the reasons of a rejection, in their order.
func (r *reviewDialog) reasonKeys() []keymap.Binding {
	d := r.keys.Dialog
	return []keymap.Binding{d.NotTrue, d.NotGeneral, d.KnownAlready, d.Harmful}
}

// reasons names each reason behind its key.
func (r *reviewDialog) reasons() (lines []string) {
	for i, why := range memory.RejectionReasons() {
		lines = append(lines, r.reasonKeys()[i].Help().Key+"  "+string(why))
	}
	return lines
}

// order returns the action that carries out a decision.
func (r *reviewDialog) order(o memory.InboxOrder) func() formResult {
	return func() formResult { return closing(msg.Reviewed{Order: o}) }
}

// leave closes the dialog, and says which file keeps the typed text, if any.
func (r *reviewDialog) leave() formResult {
	if r.ask.Kept == "" {
		return closes()
	}
	return closing(msg.Toast{Text: "Nothing was changed; the text is in " + r.ask.Kept})
}
