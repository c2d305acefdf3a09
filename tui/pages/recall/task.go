package recall

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// editTools opens the input line for tool names.
func (p *Page) editTools() { p.editLine(views.ToolsLine, strings.Join(p.view.Task.Tools, ", ")) }

// editFolder opens the input line for the folder and the files.
func (p *Page) editFolder() {
	t := p.view.Task
	p.editLine(views.FolderLine, strings.TrimSpace(strings.Join(append([]string{t.Folder}, t.Files...), " ")))
}

func (p *Page) editLine(line views.RecallLine, text string) {
	p.view.For, p.view.Line, p.line = line, views.TextBox{Text: text, Cursor: len(text)}, text
	p.showBoxes()
}

// onLine handles a key while an input line is typed.
func (p *Page) onLine(k tea.KeyPressMsg) tea.Cmd {
	t, v := p.cfg.Keys.Text, &p.view
	switch {
	case key.Matches(k, t.Cancel) && v.Line.Text != p.line:
		p.line = v.Line.Text // the second time it closes
		return msg.Emit(msg.Toast{Text: "Not kept: " + t.Cancel.Help().Key + " again throws away what you typed"})
	case key.Matches(k, t.Cancel):
		v.For = views.NoLine
	case key.Matches(k, t.Accept):
		if v.For == views.ToolsLine {
			v.Task.Tools = toolNames(v.Line.Text)
		} else {
			v.Task.Folder, v.Task.Files = p.folderOf(strings.Fields(v.Line.Text))
		}
		v.For = views.NoLine
		return p.ask()
	default:
		p.insert(&v.Line, page.EditText(&v.Line, t, k))
	}
	return nil
}

// toolNames splits the typed text at commas and white space.
func toolNames(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
}

// dropWord opens the list of the task's words. If it is open, it leaves out the chosen word.
func (p *Page) dropWord() tea.Cmd {
	v := &p.view
	if v.Panel == views.PanelWords {
		return p.toggleWord()
	}
	v.Word = max(slices.IndexFunc(v.TaskWords(), func(w memory.Word) bool { return w.Text == p.suspect() }), 0)
	v.Panel, v.Scroll = views.PanelWords, 0
	return nil
}

// suspect returns the word that is most likely a bad reason for finding the chosen record: the first
// one that does not match as a whole word, or else the first one.
func (p *Page) suspect() string {
	h, _ := p.view.Hit()
	noise := slices.IndexFunc(h.Matches, func(m memory.Match) bool { return m.Kind != memory.WholeWord })
	if len(h.Matches) == 0 {
		return ""
	}
	return h.Matches[max(noise, 0)].Word
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

// toggleMode switches between the single-shot and the agentic planner.
func (p *Page) toggleMode() tea.Cmd {
	t := &p.view.Task
	t.Mode = map[memory.Mode]memory.Mode{
		"":             memory.Agentic,
		memory.Single:  memory.Agentic,
		memory.Agentic: memory.Single,
	}[t.Mode]
	return p.ask()
}

// folderOf splits the typed words into a folder and files. The folder is the first word, if that is
// an absolute path or begins with ~/. All other words are files.
func (p *Page) folderOf(words []string) (folder string, files []string) {
	for i, w := range words {
		if rest, ok := strings.CutPrefix(w, "~/"); ok {
			w = cmp.Or(page.Home(p.cfg.Survey.Places), "~") + "/" + rest
		}
		if i == 0 && strings.HasPrefix(w, "/") {
			folder = strings.TrimRight(w, "/")
			continue
		}
		files = append(files, w)
	}
	return folder, files
}
