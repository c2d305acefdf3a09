package recall

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// maxText is the most bytes that the task box takes. The agent reads 2,000 characters.
const maxText = 64 << 10

// history holds earlier tasks, the latest last.
type history struct {
	tasks []string
	at    int // the task shown, or len(tasks) if none of them is
}

func (h *history) add(task string) {
	if strings.TrimSpace(task) != "" && (len(h.tasks) == 0 || h.tasks[len(h.tasks)-1] != task) {
		h.tasks = append(h.tasks, task)
	}
	h.at = len(h.tasks)
}

const listName = "recall"

// Restore implements page.Remembering.
func (p *Page) Restore(s config.State) {
	page.RestoreList(s, listName, &p.view.Listing)
	p.past.tasks = slices.Clone(s.Drafts)
	slices.Reverse(p.past.tasks)
	p.past.at = len(p.past.tasks)
}

// Remember implements page.Remembering. The newest draft is the text being typed: it must be saved
// early, because a program that is killed saves nothing at its end.
func (p *Page) Remember(s *config.State) {
	page.RememberList(s, listName, &p.view.Listing)
	var drafts []string
	for _, task := range slices.Backward(append(slices.Clip(p.past.tasks), p.view.Box.Text)) {
		if strings.TrimSpace(task) != "" && !slices.Contains(drafts, task) {
			drafts = append(drafts, task)
		}
	}
	s.Drafts = drafts[:min(len(drafts), config.MostDrafts)]
}

// edit opens the task box.
func (p *Page) edit() {
	p.view.Typing = true
	p.showBoxes()
}

// showBoxes leaves a text shown in full, because that covers the input boxes.
func (p *Page) showBoxes() {
	v := &p.view
	v.Detail = false
	if v.Layout == layout.DetailOnly {
		v.Layout, v.Block = layout.Both, 0
	}
}

// leave closes the task box and keeps its text.
func (p *Page) leave() {
	p.view.Typing = false
	p.past.add(p.view.Box.Text)
}

func (p *Page) openEditor() tea.Cmd {
	return p.cfg.Editor.Edit(p.view.Box.Text, func(text string, err error) tea.Msg {
		return page.Then(func(p *Page) tea.Cmd { return p.onEdited(text, err) })
	})
}

func (p *Page) onEdited(text string, err error) tea.Cmd {
	if err != nil {
		return msg.Emit(msg.Failed{Op: "edit the task", Err: err})
	}
	p.past.add(p.view.Box.Text)
	p.setText(strings.TrimSuffix(lineEnds(text), "\n"))
	return p.ask()
}

// setText replaces the task.
func (p *Page) setText(s string) {
	if len(s) > maxText {
		s = cutText(s, maxText)
	}
	p.view.Box = views.TextBox{Text: s, Cursor: len(s)}
}

// paste inserts text into the open box. If none is open, it opens the task box.
func (p *Page) paste(s string) tea.Cmd {
	if p.view.For != views.NoLine {
		p.insert(&p.view.Line, strings.Join(strings.Fields(s), " "))
		return nil
	}
	p.edit()
	whole := p.insert(&p.view.Box, lineEnds(s))
	if whole {
		return p.changed()
	}
	return tea.Batch(
		p.changed(),
		msg.Emit(msg.Toast{Text: "The box is full: it takes 65,536 bytes, and the agent reads 2,000 characters"}),
	)
}

// lineEnds returns s with all line breaks as line feeds.
func lineEnds(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// insert inserts as much of s at the cursor as there is room for, and reports whether that was all
// of it.
func (p *Page) insert(b *views.TextBox, s string) (whole bool) {
	whole = len(b.Text)+len(s) <= maxText
	if !whole {
		s = cutText(s, max(maxText-len(b.Text), 0))
	}
	page.InsertText(b, s)
	return whole
}

// cutText returns the whole characters of s that fit into n bytes.
func cutText(s string, n int) string {
	for at := 0; at < len(s); {
		size := views.Step(s[at:])
		if at+size > n {
			return s[:at]
		}
		at += size
	}
	return s
}

// onTask handles a key while the task is typed.
func (p *Page) onTask(k tea.KeyPressMsg) tea.Cmd {
	t := p.cfg.Keys.Text
	switch {
	case key.Matches(k, p.cfg.Keys.Recall.Editor):
		return p.openEditor()
	case key.Matches(k, t.Cancel, t.Accept):
		p.leave()
		return nil
	case key.Matches(k, t.NewLine):
		p.insert(&p.view.Box, "\n")
		return p.changed()
	case key.Matches(k, t.Older):
		return p.moveVertical(-1)
	case key.Matches(k, t.Newer):
		return p.moveVertical(+1)
	}
	before := p.view.Box.Text
	p.insert(&p.view.Box, page.EditText(&p.view.Box, t, k))
	if p.view.Box.Text == before {
		return nil
	}
	return p.changed()
}

// moveVertical moves the cursor by a line. Beyond the first and the last line it goes to earlier and later
// tasks.
func (p *Page) moveVertical(by int) tea.Cmd {
	b, h := &p.view.Box, &p.past
	if to := b.Vertical(p.view.BoxWidth(p.W, p.H), by); to != b.Cursor && (to < b.Cursor) == (by < 0) {
		b.Cursor = to
		return nil
	}
	to := h.at + by
	if to < 0 || to >= len(h.tasks) {
		return nil
	}
	if h.at == len(h.tasks) {
		h.add(b.Text)
		to = min(to, len(h.tasks)-1)
	}
	h.at = to
	p.setText(h.tasks[to])
	return p.changed()
}
