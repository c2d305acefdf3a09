package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/views"
)

// maxRunes is the length of the longest text of a TextLine, in code points. Longer pastes are cut.
const maxRunes = 2000

// TextLine is a text field with one line, or with several if Many is set. The zero TextLine is empty.
type TextLine struct {
	// Many allows several lines.
	Many bool
	box  views.TextBox
}

// Text returns the text.
func (l *TextLine) Text() string { return l.box.Text }

// Before returns the part of the text before the cursor.
func (l *TextLine) Before() string { return l.box.Text[:l.box.Cursor] }

// Set replaces the text and puts the cursor after it.
func (l *TextLine) Set(s string) {
	l.box = views.TextBox{}
	l.insert(s)
}

// Update handles a key or a paste and reports whether the text changed. It ignores keys that mean
// nothing in a text field.
func (l *TextLine) Update(k keymap.Text, m tea.Msg) bool {
	before := l.box.Text
	switch m := m.(type) {
	case tea.PasteMsg:
		l.insert(m.Content)
	case tea.KeyPressMsg:
		if l.Many && key.Matches(m, k.NewLine) {
			InsertText(&l.box, "\n")
			break
		}
		l.insert(EditText(&l.box, k, m))
	}
	return l.box.Text != before
}

// insert inserts s at the cursor, without line breaks at its end. Tabs become spaces, and so do line
// breaks unless Many is set. Other control characters are dropped.
func (l *TextLine) insert(s string) {
	room := maxRunes - utf8.RuneCountInString(l.box.Text)
	InsertText(&l.box, strings.Map(func(r rune) rune {
		switch {
		case l.Many && r == '\n':
		case r == '\n' || r == '\t':
			r = ' '
		case unicode.IsControl(r):
			return -1
		}
		if room--; room < 0 {
			return -1
		}
		return r
	}, strings.TrimRight(s, "\r\n")))
}

// InsertText inserts a text at the cursor of a box.
func InsertText(b *views.TextBox, s string) {
	b.Text = b.Text[:b.Cursor] + s + b.Text[b.Cursor:]
	b.Cursor += len(s)
}

// EditText applies a key that moves within a line of a box or deletes something there. For any other key
// it returns the text that the key types.
func EditText(b *views.TextBox, k keymap.Text, m tea.KeyPressMsg) (typed string) {
	head, tail := b.Text[:b.Cursor], b.Text[b.Cursor:]
	cut := func(n int) { b.Text, b.Cursor = head[:len(head)-n]+tail, len(head)-n }
	start := len(head) - strings.LastIndexByte(head, '\n') - 1
	switch {
	case key.Matches(m, k.DeleteWord):
		cut(wordBack(head))
	case key.Matches(m, k.DeleteLine):
		cut(start)
	case key.Matches(m, k.LineStart), m.Code == tea.KeyHome:
		b.Cursor -= start
	case key.Matches(m, k.LineEnd), m.Code == tea.KeyEnd:
		line, _, _ := strings.Cut(tail, "\n")
		b.Cursor += len(line)
	case m.Code == tea.KeyBackspace:
		cut(views.StepBack(head))
	case m.Code == tea.KeyDelete:
		b.Text = head + tail[views.Step(tail):]
	case m.Code == tea.KeyLeft && m.Mod != 0:
		b.Cursor -= wordBack(head)
	case m.Code == tea.KeyRight && m.Mod != 0:
		b.Cursor += wordAhead(tail)
	case m.Code == tea.KeyLeft:
		b.Cursor -= views.StepBack(head)
	case m.Code == tea.KeyRight:
		b.Cursor += views.Step(tail)
	default:
		return m.Text
	}
	return ""
}

// wordBack returns the length in bytes from the start of the last word of s to the end of s.
func wordBack(s string) int {
	return len(s) - strings.LastIndexAny(strings.TrimRight(s, " \n"), " \n") - 1
}

// wordAhead returns the length in bytes from the start of s to the end of its first word.
func wordAhead(s string) int {
	word := strings.TrimLeft(s, " \n")
	if i := strings.IndexAny(word, " \n"); i >= 0 {
		return len(s) - len(word) + i
	}
	return len(s)
}
