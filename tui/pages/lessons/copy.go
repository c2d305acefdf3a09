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

// maxCopy is the most that is sent to a clipboard: terminals take less and less
// above it.
const maxCopy = 1 << 20

// copyText copies tasks and lessons in words, safe to paste anywhere.
func (p *Page) copyText() tea.Cmd { return p.copyAs("text", views.LessonText) }

// copyRaw copies the stored lines as they are, but for secrets.
func (p *Page) copyRaw() tea.Cmd { return p.copyAs("raw json", views.RawText) }

// copyAs returns the command that copies the chosen lessons, and those of a range that
// was begun. It holds the snapshot, which nobody changes.
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
				return msg.Toast{Text: fmt.Sprintf("%s in all are more than a terminal's clipboard takes (1 MiB); mark fewer", noun.Count(len(rows)))}
			}
		}
		what := "the " + form + " of " + noun.Count(len(rows)) + page.When(masked, ", secrets masked") + page.When(cut, ", long lines cut")
		return msg.Copy{Text: b.String(), What: what}
	}
}
