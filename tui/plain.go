package tui

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Plain is the program as lines of text that are only ever appended: for screen readers, for
// terminals that cannot draw, and for transcripts. It has the same pages, dialogs and keys as the
// full screen. A person types the name of a key, the number of an entry, or text if text is asked
// for, and reads what changed.
type Plain struct {
	app   *App
	in    Lines
	width int

	typed   []string  // typed words that still have to be handled
	toasts  []string  // toasts that still have to be written
	gens    [2]int    // the generations of the last toasts noted
	written []string  // the parts of the page as last written
	dialog  []string  // the parts of the top dialog as last written; nil if none is open
	round   int       // counts messages; if none follows for a while, the input has had its effect
	waits   int       // consecutive rounds in which something was running
	asking  bool      // a line is being read
	asked   time.Time // when the last line was read
	prompt  string
	// entries are the list entries on the screen, by number. Shown are those last written.
	entries, shown map[int]string
}

// Lines is the terminal that a person reads and types on. Its methods are called in commands.
type Lines interface {
	// Write writes a text.
	Write(text string) error
	// Read reads a line, without its line end.
	Read() (string, error)
}

const (
	// plainHeight is the screen height that the pages are told. It is enough for a list and a detail.
	plainHeight = 36
	// quiet is how long nothing must happen after an input before its effect is written. It is longer
	// than the time that pages wait for more letters.
	quiet = 200 * time.Millisecond
	// slowWaits is the number of rounds after which a wait is announced.
	slowWaits = 10
	// fresh is how long after an input later changes of the page are written without being asked for.
	fresh = 20 * time.Second
)

// NewPlain returns the program as lines, for a terminal of width columns.
func NewPlain(a *App, in Lines, width int) *Plain { return &Plain{app: a, in: in, width: width} }

type (
	// inputSettled says that the time quiet has passed since the message of a round.
	inputSettled struct{ round int }
	// lineRead is a line that the person typed.
	lineRead struct {
		text string
		err  error
	}
)

// Init implements tea.Model.
func (p *Plain) Init() tea.Cmd {
	return tea.Batch(p.app.Init(), msg.Emit(tea.WindowSizeMsg{Width: p.width}))
}

// View implements tea.Model. Nothing is drawn.
func (p *Plain) View() tea.View { return tea.View{} }

// Update implements tea.Model.
func (p *Plain) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch m := m.(type) {
	case inputSettled:
		if m.round != p.round {
			return p, nil
		}
		if cmd = p.next(); cmd == nil {
			return p, nil
		}
	case lineRead:
		p.asking, p.asked = false, p.app.cfg.Now()
		if m.err != nil {
			return p, tea.Sequence(p.write("\n"), tea.Quit)
		}
		p.typed = append(p.typed, p.splitWords(m.text)...)
	case tea.WindowSizeMsg:
		m.Width, m.Height = min(max(m.Width, layout.MinWidth), layout.SplitWidth-1), plainHeight
		_, cmd = p.app.Update(m)
	default:
		_, cmd = p.app.Update(m)
	}
	p.noteToasts()
	p.round++
	round := p.round
	return p, tea.Batch(cmd, tea.Tick(quiet, func(time.Time) tea.Msg { return inputSettled{round} }))
}

// splitWords splits a line into words, each of which is handled once the one before has had its effect:
// "3 d" chooses entry 3 and deletes it. A line is only split at a leading number and between names
// of keys; anything else is one word.
func (p *Plain) splitWords(line string) []string {
	line = strings.TrimSpace(line)
	first, rest, more := strings.Cut(line, " ")
	_, err := strconv.Atoi(first)
	switch words := strings.Fields(line); {
	case p.typing() || !more:
	case err == nil:
		return append([]string{first}, p.splitWords(rest)...)
	case !slices.ContainsFunc(words, func(w string) bool { return !isKey(w) }):
		return words
	}
	return []string{line}
}

// noteToasts notes new toasts.
func (p *Plain) noteToasts() {
	for i, t := range []toast{p.app.toast, p.app.news} {
		if t.gen != p.gens[i] && t.text != "" {
			text := t.text
			if m := p.app.mask(); m != nil {
				text = m(text)
			}
			p.toasts = append(p.toasts, page.When(t.failed, "! ")+text)
		}
		p.gens[i] = t.gen
	}
}

// next handles the next typed word once the one before has had its effect. If there is none, it
// writes what is new and asks for a line.
func (p *Plain) next() tea.Cmd {
	if p.app.underWay() {
		if p.waits++; p.waits%slowWaits == 0 {
			return p.write("Working. ctrl-c ends the program.\n")
		}
		return func() tea.Msg { return nil }
	}
	p.waits = 0
	if len(p.typed) > 0 {
		word := p.typed[0]
		p.typed = p.typed[1:]
		return tea.Batch(p.do(word), func() tea.Msg { return nil })
	}
	text := p.news()
	if p.asking {
		if text == "" {
			return nil
		}
		return p.write("\n" + text + p.prompt)
	}
	p.asking, p.prompt = true, p.question()
	text += p.prompt
	in := p.in
	return func() tea.Msg {
		if err := in.Write(text); err != nil {
			return lineRead{err: err}
		}
		line, err := in.Read()
		return lineRead{line, err}
	}
}

func (p *Plain) write(text string) tea.Cmd {
	in := p.in
	return func() tea.Msg {
		_ = in.Write(text) // if this fails, writing the next prompt fails too
		return nil
	}
}

// underWay reports whether the effect of an input is still pending.
func (a *App) underWay() bool {
	b, ok := a.current().(page.Busy)
	return a.opening() || a.saving() || a.changes.preview.busy || ok && b.Busy()
}

// news returns what is new on the screen: each part that changed, in full, and then the toasts.
func (p *Plain) news() string {
	var b strings.Builder
	if parts := p.parts(); !p.asking || p.app.cfg.Now().Sub(p.asked) < fresh {
		written := &p.written
		if !p.app.stack.empty() {
			written = &p.dialog
		} else if p.dialog != nil { // a dialog closed: write again which page this is
			p.dialog, p.written = nil, p.written[min(len(p.written), 1):]
		}
		for _, part := range parts {
			if !slices.ContainsFunc(*written, func(w string) bool { return body(w) == body(part) }) {
				b.WriteString(part + "\n")
			}
		}
		*written, p.shown = parts, p.entries
	}
	if b.Len()+len(p.toasts) == 0 && !p.asking && !p.typing() {
		p.toasts = []string{"No change. An empty line reads the page again."}
	}
	for _, s := range p.toasts {
		b.WriteString("* " + s + "\n")
	}
	p.toasts = nil
	return b.String()
}

// body returns a part without its title. The title contains the cursor position, whose change alone
// is not news.
func body(part string) string {
	_, text, more := strings.Cut(part, "\n")
	if !more {
		return part
	}
	return text
}

// parts returns what is on the screen: the top dialog or, if none is open, the name of the page, the
// banner and the panes.
func (p *Plain) parts() []string {
	a := p.app
	if !a.stack.empty() {
		return p.paneTexts(a.stack.lines())
	}
	h := a.header()
	where := fmt.Sprintf("%s, page %d of %d", a.title(), a.active+1, len(a.pages))
	for _, s := range []string{h.Path, h.Count, page.When(h.Cap > 0, fmt.Sprintf("%d/%d", h.Held, h.Cap))} {
		where += page.When(s != "", ", "+s)
	}
	parts := []string{safe.Line(where)}
	if a.bannerRows() > 0 {
		parts = append(parts, strings.TrimSpace(a.banner().Render(a.theme, a.w)))
	}
	s := layout.Divide(a.w, a.h)
	lines := strings.Split(a.body(s.Body.Dx(), s.Body.Dy()-a.bannerRows()), "\n")
	entries := slices.Repeat([]int{-1}, len(lines))
	if n, ok := a.current().(page.Numbered); ok && !a.blank() {
		for y := range lines {
			if entry, ok := n.EntryAt(y); ok {
				entries[y] = entry
			}
		}
	}
	return append(parts, p.paneTexts(lines, entries)...)
}

// paneTexts returns the text of each pane, with a number before each entry.
func (p *Plain) paneTexts(lines []string, entries []int) []string {
	var parts []string
	var b strings.Builder
	last, empty := -1, true
	p.entries = map[int]string{}
	for y, line := range lines {
		if rest, starts := strings.CutPrefix(line, theme.PaneStart); starts {
			parts, line = append(parts, b.String()), strings.Join(strings.Fields(rest), " ")
			b.Reset()
		}
		line = strings.TrimRight(line, " ")
		switch entry := entries[y]; {
		case entry >= 0 && entry != last:
			last, p.entries[entry+1] = entry, entryText(line)
			line = strings.Join(views.Wrap(fmt.Sprintf("%d. %s", entry+1, entryText(line)), p.app.w-4), "\n    ")
		case strings.Trim(line, " -|") == "":
			line = ""
		}
		if line != "" || !empty {
			b.WriteString(line + "\n")
		}
		empty = line == ""
	}
	parts = append(parts, b.String())
	for i, part := range parts {
		parts[i] = strings.TrimRight(part, "\n")
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// entryText returns the text of an entry without the cursor mark in one of its first two cells.
func entryText(line string) string {
	if i := strings.IndexByte(line, '>'); i >= 0 && i < 2 {
		line = line[i+1:]
	}
	return strings.TrimLeft(line, " ")
}

// typing reports whether the next line is text and not a command.
func (p *Plain) typing() bool {
	text, _, _ := p.app.stack.typed()
	return text || p.app.cursor() != nil
}

// question returns the prompt.
func (p *Plain) question() string {
	if p.typing() {
		_, list, _ := p.app.stack.typed()
		return page.When(list, "number, or ") + "text, empty line goes on, :" + p.app.cfg.Keys.Text.Cancel.Keys()[0] +
			" leaves> "
	}
	k := p.app.cfg.Keys
	end := k.Global.Help.Help().Key + " help> "
	const many = 10 // with this many entries there may be more
	text := ""
	if numbers := slices.Sorted(maps.Keys(p.shown)); len(numbers) > 0 {
		text = fmt.Sprintf("choose %d-%d, ", numbers[0], numbers[len(numbers)-1]) +
			page.When(len(numbers) >= many, k.Move.PageDown.Help().Key+" more, ")
	}
	return text + keyList(p.app.footer().Page, p.app.w-len(text+end)) + end
}

// keyList names keys in fewer than n bytes, each followed by a comma.
func keyList(keys []keymap.Binding, n int) string {
	text := ""
	for _, b := range keys {
		if key := b.Help().Key + " " + b.Help().Desc + ", "; len(text+key) < n {
			text += key
		}
	}
	return text
}

// do handles a typed word.
func (p *Plain) do(word string) tea.Cmd {
	a := p.app
	n, err := strconv.Atoi(word)
	_, list, _ := a.stack.typed()
	name, named := strings.CutPrefix(word, ":")
	switch {
	case named && isKey(name):
		return p.press(name)
	case p.typing() && !(err == nil && list):
		return p.enter(strings.TrimPrefix(word, ":"))
	case word == "":
		p.written, p.dialog = nil, nil
		return nil
	case word == a.keys.Help.Keys()[0] && !a.stack.empty():
		p.toasts = append(p.toasts, keyList(a.footer().Page, math.MaxInt)+"an empty line reads it again")
		return nil
	case err == nil && len(p.shown) == 0 && !a.stack.empty(): // a number in a form
		p.typed = append(strings.Split(word[1:], ""), p.typed...)
		return p.press(word[:1])
	case err == nil:
		return p.choose(n)
	}
	return p.command(word)
}

// choose moves the cursor to the entry that was last written with number n. If the list changed
// since, it drops the rest of the line.
func (p *Plain) choose(n int) tea.Cmd {
	a := p.app
	p.parts()
	switch text, written := p.shown[n]; {
	case !written:
		p.toasts, p.typed = append(p.toasts, fmt.Sprintf("No entry %d was read.", n)), nil
	case p.entries[n] != text:
		p.toasts, p.typed = append(p.toasts, "The list has changed since it was read."), nil
	case a.stack.empty():
		a.current().(page.Numbered).Choose(n - 1)
	default:
		cmd := a.stack.choose(n - 1)
		if a.stack.typing() {
			cmd = tea.Batch(cmd, p.push(a.cfg.Keys.Text.Accept))
		}
		return cmd
	}
	return nil
}

// enter replaces the text of the field, and goes to the next field or accepts. An empty text leaves
// the field as it is.
func (p *Plain) enter(text string) tea.Cmd {
	const lines = 20 // the most lines to delete: the old text may not have been typed here
	_, list, fields := p.app.stack.typed()
	t := p.app.cfg.Keys.Text
	var cmds []tea.Cmd
	if text != "" {
		for range lines {
			cmds = append(cmds, p.push(t.LineEnd), p.push(t.DeleteLine), p.press("backspace"))
		}
		_, cmd := p.app.Update(tea.PasteMsg{Content: text})
		cmds = append(cmds, cmd)
	}
	switch {
	case list && text != "":
	case fields:
		cmds = append(cmds, p.push(p.app.cfg.Keys.Dialog.Focus))
	default:
		cmds = append(cmds, p.push(t.Accept))
	}
	return tea.Batch(cmds...)
}

// command handles a word that names a key, a page, or the action of a key. If the word begins with
// a sign whose key starts text input, the rest of the word is that text: "/words".
func (p *Plain) command(word string) tea.Cmd {
	a := p.app
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) {
		return p.press(word)
	}
	if i := slices.IndexFunc(a.pages, func(x page.Page) bool { return strings.EqualFold(x.Title(), word) }); i >= 0 &&
		a.stack.empty() {
		return msg.Emit(msg.Show{Page: i})
	}
	if !unicode.IsLetter(first) && !isKey(word) {
		cmd := p.press(word[:size])
		if p.typing() {
			return tea.Batch(cmd, p.enter(strings.TrimSpace(word[size:])))
		}
		return cmd
	}
	if b, ok := p.named(word); ok {
		return p.push(b)
	}
	if isKey(word) {
		return p.press(word)
	}
	p.toasts = append(
		p.toasts,
		fmt.Sprintf("%q is not a key, page or action here; %s lists them.", word, a.keys.Help.Help().Key),
	)
	return nil
}

// named returns the binding of an action that is on in the top dialog or on the page. The first words
// of a name suffice if only one action begins with them: "undo" for "undo decision".
func (p *Plain) named(action string) (keymap.Binding, bool) {
	all := p.app.footer().Page
	for _, c := range p.app.commands() {
		if c.Off == "" {
			all = append(all, c.Binding)
		}
	}
	var begins []keymap.Binding
	for _, b := range all {
		switch name := b.Help().Desc; {
		case strings.EqualFold(name, action):
			return b, true
		case !strings.HasPrefix(name, strings.ToLower(action)+" "):
		case len(begins) == 0 || begins[0].Help().Desc != name:
			begins = append(begins, b)
		}
	}
	if len(begins) != 1 {
		return keymap.Binding{}, false
	}
	return begins[0], true
}

// press presses a key. The name is that of the bindings or of the help: ctrl-d, PgDn.
func (p *Plain) press(name string) tea.Cmd {
	_, cmd := p.app.Update(keyNamed(name))
	return cmd
}

func keyNamed(name string) tea.KeyPressMsg {
	bound, _ := keymap.KeyOf(name)
	return msg.Press(bound)
}

// push presses the first key of a binding.
func (p *Plain) push(b keymap.Binding) tea.Cmd { return p.press(b.Keys()[0]) }

// isKey reports whether a word is the name of a key.
func isKey(word string) bool {
	_, ok := keymap.KeyOf(word)
	return ok
}
