package recall

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/views"
)

// editTools opens the line of tool names.
func (p *Page) editTools() tea.Cmd {
	p.tools = strings.Join(p.view.Task.Tools, ", ")
	p.view.Tools = views.TextBox{Text: p.tools, Cursor: len(p.tools)}
	p.view.TypingTools, p.view.Right = true, false
	return nil
}

// onTools takes a key while tool names are written.
func (p *Page) onTools(k tea.KeyPressMsg) tea.Cmd {
	t := p.cfg.Keys.Text
	switch {
	case key.Matches(k, t.Cancel):
		p.view.TypingTools = false
	case key.Matches(k, t.Accept):
		p.view.TypingTools = false
		p.view.Task.Tools = toolNames(p.view.Tools.Text)
		return p.ask()
	default:
		p.editBox(&p.view.Tools, k)
	}
	return nil
}

// toolNames divides what was typed at commas and spaces.
func toolNames(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
}

// dropWord opens the list of words, or leaves out the chosen one.
func (p *Page) dropWord() tea.Cmd {
	v := &p.view
	if v.Panel == views.PanelWords {
		return p.toggleWord()
	}
	v.Word = max(slices.IndexFunc(v.TaskWords(), func(w memory.Word) bool { return w.Text == p.suspect() }), 0)
	v.Panel, v.Scroll = views.PanelWords, 0
	return nil
}

// suspect returns the word that the chosen lesson was most likely found by
// without reason: the first that is noise, or else its first.
func (p *Page) suspect() string {
	h, _ := p.hit()
	for _, m := range h.Matches {
		if m.Kind != memory.WholeWord {
			return m.Word
		}
	}
	if len(h.Matches) > 0 {
		return h.Matches[0].Word
	}
	return ""
}

// toggleWord leaves a word out of the search, or puts it back.
func (p *Page) toggleWord() tea.Cmd {
	v := &p.view
	words := v.TaskWords()
	if v.Word >= len(words) {
		return nil
	}
	word := words[v.Word].Text
	without := slices.Clone(v.Task.Without)
	if i := slices.Index(without, word); i >= 0 {
		without = slices.Delete(without, i, i+1)
	} else {
		without = append(without, word)
	}
	v.Task.Without = without
	return p.ask()
}

// toggleMode goes from the single-shot planner to the agentic one and back.
func (p *Page) toggleMode() tea.Cmd {
	t := &p.view.Task
	if t.Mode == memory.Agentic {
		t.Mode = memory.Single
	} else {
		t.Mode = memory.Agentic
	}
	return p.ask()
}
