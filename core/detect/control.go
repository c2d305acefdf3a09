package detect

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// sequenceMost is the longest text of a terminal sequence that is looked at.
const sequenceMost = 4096

// control looks at the control character at byte i, and returns where to go on.
func (s *flagScanner) control(i int) int {
	switch c := s.text[i]; {
	case c == 0x1B:
		return s.escape(i, i+1)
	case c >= 0xC2: // the characters U+0080 to U+009F are C2 80 to C2 9F
		if i+1 < len(s.text) {
			return s.escape(i, i+1)
		}
	case c == '\b':
		return s.backspace(i)
	case c == '\r':
		return s.carriageReturn(i)
	case c == '\f' || c == '\v':
	default:
		end := i + 1
		for end < len(s.text) && s.text[end] == c {
			end++
		}
		s.note(RuleHidden, i, end, fmt.Sprintf("U+%04X", c))
		return end
	}
	return i + 1
}

// escape looks at the terminal sequence at byte i, whose kind is told by the byte at i+1:
// of a sequence of ESC itself, of a character of C1 64 more.
func (s *flagScanner) escape(i, at int) int {
	if at >= len(s.text) {
		s.note(RuleHidden, i, at, "U+001B")
		return at
	}
	kind := s.text[at]
	if s.text[i] != 0x1B {
		kind -= 0x40
	}
	rest := s.text[at+1:]
	switch kind {
	case '[':
		return s.csi(i, at+1)
	case ']', 'P', 'X', '^', '_':
		n, text := stringLen(rest[:min(len(rest), sequenceMost)])
		s.note(RuleEscape, i, at+1+n, saysString(kind, text))
		return at + 1 + n
	case 'c':
		s.note(RuleEscape, i, at+1, "resets the terminal")
		return at + 1
	case '(', ')', '*', '+':
		end := min(at+2, len(s.text))
		s.note(RuleEscape, i, end, "changes the character set")
		return end
	}
	if kind >= 0x20 && kind < 0x7F || s.text[i] != 0x1B {
		s.note(RuleEscape, i, at+1, "controls the terminal")
		return at + 1
	}
	s.note(RuleHidden, i, at, "U+001B")
	return at
}

// stringLen returns the length of the text of a sequence with its end, and the text.
func stringLen(s string) (int, string) {
	for i := range len(s) {
		switch {
		case s[i] == 0x07:
			return i + 1, s[:i]
		case s[i] == 0x1B && i+1 < len(s) && s[i+1] == '\\':
			return i + 2, s[:i]
		case s[i] == 0xC2 && i+1 < len(s) && s[i+1] == 0x9C:
			return i + 2, s[:i]
		case s[i] == '\n' || s[i] == 0x1B:
			return i, s[:i]
		}
	}
	return len(s), s
}

// stringCommands are what the commands to a terminal do that carry a text, by their code;
// that text is part of what ends with a colon.
var stringCommands = map[string]string{
	"0": "sets the title of the window: ", "1": "sets the title of the window: ", "2": "sets the title of the window: ",
	"52": "sets the clipboard", "8": "makes a link: ", "7": "names the folder that the terminal is in",
	"9": "shows a notification", "777": "shows a notification",
	"4": "changes the colours of the terminal", "10": "changes the colours of the terminal", "11": "changes the colours of the terminal",
	"12": "changes the colours of the terminal", "104": "changes the colours of the terminal", "110": "changes the colours of the terminal",
	"111": "changes the colours of the terminal",
}

// saysString says what a sequence with a text does.
func saysString(kind byte, text string) string {
	code, arg, _ := strings.Cut(text, ";")
	does := stringCommands[code]
	switch {
	case kind != ']' || does == "":
		return "sends a command to the terminal"
	case code == "8": // its parameters stand before a second semicolon
		return does + shownText(strings.TrimPrefix(arg, ";"))
	case strings.HasSuffix(does, ": "):
		return does + shownText(arg)
	}
	return does
}

// csi looks at the control sequence that begins at byte i with its parameters at byte
// at. Colours are low, unless they hide text.
func (s *flagScanner) csi(i, at int) int {
	end := at
	for end < len(s.text) && end < at+64 && s.text[end] >= 0x20 && s.text[end] < 0x40 {
		end++
	}
	if end == len(s.text) || s.text[end] < 0x40 || s.text[end] > 0x7E {
		s.note(RuleEscape, i, end, "an unfinished sequence")
		return max(end, i+1)
	}
	params, final := s.text[at:end], s.text[end]
	end++
	if final == 'm' {
		if conceals(params) {
			s.note(RuleEscape, i, end, "hides the text that follows")
		} else {
			s.note(RuleColour, i, end, "")
		}
		return end
	}
	s.note(RuleEscape, i, end, saysCSI(params, final))
	return end
}

// csiCommands are what control sequences do, by their last bytes.
var csiCommands = []struct{ finals, does string }{
	{"J", "erases the screen"},
	{"KXPM", "erases text"},
	{"ABCDEFGHfdae`su", "moves the cursor"},
	{"nc", "asks the terminal for an answer, which is typed into the next program"},
	{"STL@r", "moves what is on the screen"},
	{"hl", "changes a mode of the terminal"},
	{"t", "changes the window, or asks for its title"},
}

// saysCSI says what a control sequence does.
func saysCSI(params string, final byte) string {
	if (final == 'h' || final == 'l') && (strings.Contains(params, "1049") || strings.Contains(params, "47")) {
		return "switches the screen"
	}
	for _, c := range csiCommands {
		if strings.IndexByte(c.finals, final) >= 0 {
			return c.does
		}
	}
	return "controls the terminal"
}

// conceals reports whether colours hide text: concealed, or as its background.
func conceals(params string) bool {
	fore, back := -1, -1
	for p := range strings.SplitSeq(params, ";") {
		n, err := strconv.Atoi(p)
		if err != nil {
			continue
		}
		switch {
		case n == 8 && fore != 38 && back != 48:
			return true
		case n == 38 || n == 48: // what follows is the number of a colour
			return false
		case n >= 30 && n <= 37:
			fore = n - 30
		case n >= 40 && n <= 47:
			back = n - 40
		case n >= 90 && n <= 97:
			fore = n - 80
		case n >= 100 && n <= 107:
			back = n - 90
		}
	}
	return fore >= 0 && fore == back
}

// backspace looks at the backspaces from byte i on. A character over itself, or over a
// line, is how manuals write bold and underlined.
func (s *flagScanner) backspace(i int) int {
	end := i
	for end < len(s.text) && s.text[end] == '\b' {
		end++
	}
	covered := lastRunes(s.text[max(0, i-256):i], end-i)
	after, _ := utf8.DecodeRuneInString(s.text[end:])
	if end == i+1 && (covered == "_" || covered == string(after)) {
		s.note(RuleColour, i, end, "")
	} else {
		s.note(RuleOverwrite, i, end, "covers: "+shownText(covered))
	}
	return end
}

// lastRunes returns the last n characters of a text.
func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// carriageReturn looks at the carriage return at byte i: without a line feed behind it,
// what follows covers what stands before it on the line.
func (s *flagScanner) carriageReturn(i int) int {
	end := i
	for end < len(s.text) && s.text[end] == '\r' {
		end++
	}
	line := s.text[max(0, i-256):i]
	line = line[strings.LastIndexAny(line, "\r\n")+1:]
	if end < len(s.text) && s.text[end] != '\n' && strings.TrimSpace(line) != "" && strings.TrimSpace(s.text[end:min(len(s.text), end+80)]) != "" {
		s.note(RuleOverwrite, i, end, "covers: "+shownText(line))
	}
	return end
}
