package recall

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views/safe"
)

// copyBlock copies the text that is sent, byte for byte. Secrets are masked
// unless they are shown.
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
		if masked {
			what += ", secrets masked"
		}
		return msg.Copy{Text: text, What: what}
	}
}

// blockText returns a block as it is copied.
func blockText(b memory.Block, reveal bool) (text string, masked bool) {
	var secrets [][2]int
	for _, m := range b.Marks {
		if m.Kind == memory.MarkSecret && !reveal {
			secrets = append(secrets, [2]int{m.Start, m.End})
		}
	}
	return wellFormed(safe.Hide(b.Text, secrets)), len(secrets) > 0
}

// wellFormed returns s with each lone surrogate, and each other byte that is no
// UTF-8, replaced by U+FFFD, as a writer of UTF-8 does.
func wellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 && len(s) >= i+3 && s[i] == 0xED && s[i+1] >= 0xA0 {
			n = 3
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
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
