// Package textline is a one-line text field: the filter, and what is typed into
// overlays. It takes no line breaks and draws nothing; views do that.
package textline

import (
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
)

// maxRunes is the longest text. A paste beyond it is cut.
const maxRunes = 2000

// Line is a text and the place of the cursor in it. The zero Line is empty.
type Line struct {
	text []rune
	pos  int
}

// Text returns the text.
func (l *Line) Text() string { return string(l.text) }

// Before returns the part of the text before the cursor.
func (l *Line) Before() string { return string(l.text[:l.pos]) }

// Set replaces the text and puts the cursor behind it.
func (l *Line) Set(s string) {
	l.text, l.pos = nil, 0
	l.insert(s)
}

// Update applies a key or a paste and reports whether the text changed. Keys
// that mean nothing in a text field are ignored.
func (l *Line) Update(k keymap.Text, m tea.Msg) bool {
	switch m := m.(type) {
	case tea.PasteMsg:
		return l.insert(m.Content)
	case tea.KeyPressMsg:
		return l.onKey(k, m)
	}
	return false
}

func (l *Line) onKey(k keymap.Text, m tea.KeyPressMsg) bool {
	switch {
	case key.Matches(m, k.DeleteWord):
		return l.delete(l.wordStart(), l.pos)
	case key.Matches(m, k.DeleteLine):
		return l.delete(0, l.pos)
	case key.Matches(m, k.LineStart):
		l.pos = 0
	case key.Matches(m, k.LineEnd):
		l.pos = len(l.text)
	case m.Text != "" && m.Mod&^tea.ModShift == 0:
		return l.insert(m.Text)
	default:
		return l.onNamed(m.Code)
	}
	return false
}

// onNamed takes the keys that every text field has.
func (l *Line) onNamed(code rune) bool {
	switch code {
	case tea.KeyBackspace:
		return l.delete(l.pos-1, l.pos)
	case tea.KeyDelete:
		return l.delete(l.pos, l.pos+1)
	case tea.KeyLeft:
		l.pos = max(l.pos-1, 0)
	case tea.KeyRight:
		l.pos = min(l.pos+1, len(l.text))
	case tea.KeyHome:
		l.pos = 0
	case tea.KeyEnd:
		l.pos = len(l.text)
	}
	return false
}

// insert puts s at the cursor. Line breaks and tabs become spaces, other control
// characters are left out.
func (l *Line) insert(s string) bool {
	s = strings.TrimRight(s, "\r\n")
	var add []rune
	for _, r := range s {
		switch {
		case r == '\n', r == '\t':
			add = append(add, ' ')
		case !unicode.IsControl(r):
			add = append(add, r)
		}
	}
	add = add[:min(len(add), max(maxRunes-len(l.text), 0))]
	l.text = slices.Insert(l.text, l.pos, add...)
	l.pos += len(add)
	return len(add) > 0
}

func (l *Line) delete(from, to int) bool {
	from, to = max(from, 0), min(to, len(l.text))
	if from >= to {
		return false
	}
	l.text = slices.Delete(l.text, from, to)
	l.pos = from
	return true
}

// wordStart returns where the word before the cursor begins.
func (l *Line) wordStart() int {
	i := l.pos
	for i > 0 && l.text[i-1] == ' ' {
		i--
	}
	for i > 0 && l.text[i-1] != ' ' {
		i--
	}
	return i
}
