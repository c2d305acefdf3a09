package page

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
)

func press(l *TextLine, keys ...string) {
	for _, k := range keys {
		l.Update(keymap.Default().Text, msg.Press(k))
	}
}

func TestEditing(t *testing.T) {
	tests := []struct {
		name, text string
		keys       []string
		want       string
	}{
		{"letters go in at the cursor", "ac", []string{"left", "b"}, "abc"},
		{"backspace at the start does nothing", "a", []string{"home", "backspace"}, "a"},
		{"delete at the end does nothing", "a", []string{"delete"}, "a"},
		{"delete takes the next character", "日本", []string{"home", "delete"}, "本"},
		{"ctrl-w takes a word and the blanks behind it", "one two  ", []string{"ctrl+w"}, "one "},
		{"ctrl-u takes all before the cursor", "one two", []string{"left", "ctrl+u"}, "o"},
		{"ctrl-a and ctrl-e go to the ends", "b", []string{"ctrl+a", "a", "ctrl+e", "c"}, "abc"},
		{"other keys are ignored", "a", []string{"ctrl+d", "tab", "up", "enter"}, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l TextLine
			l.Set(tt.text)
			press(&l, tt.keys...)
			if got := l.Text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPasteHoldsNoLineBreak(t *testing.T) {
	var l TextLine
	l.Update(keymap.Default().Text, tea.PasteMsg{Content: "one\r\ntwo\tthree\x1b[31m\n"})
	if got := l.Text(); got != "one two three[31m" {
		t.Errorf("got %q", got)
	}
}

func TestHugePasteIsCut(t *testing.T) {
	var l TextLine
	l.Update(keymap.Default().Text, tea.PasteMsg{Content: strings.Repeat("x", 1<<20)})
	if n := len(l.Text()); n != maxRunes {
		t.Errorf("%d characters", n)
	}
}
