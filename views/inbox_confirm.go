package views

import (
	"winnow/core/memory"
)

// Reviewing is the dialog that confirms a decision on the inbox.
type Reviewing struct {
	Do     memory.InboxAct
	Titles []string // titles of the entries
	Asks   string   // what needs a decision; if empty, the dialog asks about Titles
	// Reasons are the reasons to choose from, each behind its key; may be empty.
	Reasons []string
}

// Dialog returns the dialog in a room of w cells.
func (v Reviewing) Dialog(l Look, w, _ int) Dialog {
	if v.Asks != "" {
		return note(l, "Nothing was decided yet", w, "Nothing was changed.", func(p *paper) {
			p.add(p.t.Warn, "", "! "+l.Mask.longText(v.Asks))
		})
	}
	sentence := map[memory.InboxAct]string{
		memory.InboxApprove: "Proposals are written to the stores that are named beside them; records are noted as seen.",
		memory.InboxReject:  "Proposals are dropped, and stay dropped; records are deleted from their stores.",
	}[v.Do]
	title := Capital(string(v.Do)) + " these " + memory.Noun{One: "entry", Many: "entries"}.Count(len(v.Titles)) + "?"
	undone := "It is undone as one."
	if len(v.Titles) == 1 {
		title, sentence, undone = "Reject it: why?", "It is dropped, and stays dropped.", "Undo brings it back."
	}
	return note(
		l,
		title,
		w,
		joined(" ", sentence, undone),
		func(p *paper) {
			for _, title := range v.Titles {
				p.put(p.t.Text.Render(truncate(l.Theme, "  "+l.Mask.line(title, p.w), p.w)))
			}
			if len(v.Reasons) > 0 {
				p.blank()
			}
			for _, reason := range v.Reasons {
				p.put(p.t.Accent.Render(reason))
			}
		},
	)
}
