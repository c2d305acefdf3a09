package msg

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Press returns the message for pressing a key. The name is that used in bindings: "j", "G", "enter",
// "ctrl+d", "shift+up".
func Press(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for _, m := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if rest, ok := strings.CutPrefix(name, m.prefix); ok {
			name, mod = rest, mod|m.mod
		}
	}
	if name == "space" && mod == 0 {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if code, ok := codeOf(name); ok {
		return tea.KeyPressMsg{Code: code, Mod: mod}
	}
	k := tea.KeyPressMsg{Mod: mod}
	if k.Code, _ = utf8.DecodeRuneInString(name); mod == 0 {
		k.Text = name
	}
	return k
}

func codeOf(name string) (code rune, ok bool) {
	code, ok = map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
		"backspace": tea.KeyBackspace,
		"delete":    tea.KeyDelete, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "insert": tea.KeyInsert,
		"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
		"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
	}[name]
	return code, ok
}
