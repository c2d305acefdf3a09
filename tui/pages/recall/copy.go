package recall

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views/safe"
)

// copyBlock copies the text shown exactly as it is sent to the agent. Secrets are masked unless they
// are revealed.
func (p *Page) copyBlock() tea.Cmd {
	v := &p.view
	b := v.Shown()
	if b.Text == "" {
		return msg.Emit(msg.Toast{Text: "There is no text to copy: nothing would be recalled"})
	}
	what := "the text"
	if v.Block == 0 && v.Result.Block.Text != "" {
		what = "the block"
	} else if len(v.Blocks()) == v.Block+1 && v.Result.Prompt.Text != "" {
		what = "the whole prompt"
	}
	reveal := v.Reveal
	return func() tea.Msg {
		text, masked := blockText(b, reveal)
		return msg.Copy{Text: text, What: what + page.When(masked, ", secrets masked")}
	}
}

// blockText returns the text of a block for copying, and whether secrets in it were masked.
func blockText(b memory.Block, reveal bool) (text string, masked bool) {
	var secrets [][2]int
	for _, m := range b.Marks {
		if m.Kind == memory.MarkSecret && !reveal {
			secrets = append(secrets, [2]int{m.Start, m.End})
		}
	}
	return jstext.WellFormed(safe.Hide(b.Text, secrets)), len(secrets) > 0
}

// copyJSON copies the recall as the command line prints it.
func (p *Page) copyJSON() tea.Cmd {
	encode, recall, reveal := p.cfg.JSON, p.view.Result, p.view.Reveal
	return func() tea.Msg {
		text, err := encode(recall, reveal)
		if err != nil {
			return msg.Failed{Op: "copy as JSON", Err: err}
		}
		return msg.Copy{Text: text, What: "the recall as JSON"}
	}
}
