package lessons

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// maxCopy is the most bytes sent to a clipboard. Few terminals accept more.
const maxCopy = 1 << 20

// copyText copies the chosen records as plain text, safe to paste anywhere.
func (p *Page) copyText() tea.Cmd { return p.copyAs("text", views.LessonText) }

// copyRaw copies the stored lines unchanged except for masked secrets.
func (p *Page) copyRaw() tea.Cmd { return p.copyAs("raw json", views.RawText) }

// copyAs returns the command that copies the chosen records, including those of a range already
// begun. It may read the snapshot in the background, because nobody changes it.
func (p *Page) copyAs(form string, text func(*memory.Record, bool) string) tea.Cmd {
	records, rows, reveal, noun := p.shown.snap.Records, p.targets(), p.Reveal, p.noun()
	return func() tea.Msg {
		var b strings.Builder
		cut, masked := false, false
		for _, i := range rows {
			r := &records[i]
			b.WriteString(text(r, reveal) + "\n")
			cut = cut || r.RawCut()
			masked = masked || !reveal && len(r.Secrets) > 0
			if b.Len() > maxCopy {
				return msg.Toast{
					Text: fmt.Sprintf(
						"%s in all are more than a terminal's clipboard takes (1 MiB); mark fewer",
						noun.Count(len(rows)),
					),
				}
			}
		}
		what := "the " + form + " of " + noun.Count(len(rows)) + page.When(masked, ", secrets masked") +
			page.When(cut, ", long lines cut")
		return msg.Copy{Text: b.String(), What: what}
	}
}
