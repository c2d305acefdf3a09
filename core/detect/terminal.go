package detect

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkControl checks the control character at byte i and returns where to continue.
func (s *flagScanner) checkControl(i int) int {
	switch c := s.text[i]; {
	case c == 0x1B || c >= utf8.RuneSelf: // U+0080 to U+009F are C2 80 to C2 9F
		return s.checkEscape(i)
	case c == '\b':
		return s.checkBackspace(i)
	case c == '\r':
		return s.checkCarriageReturn(i)
	case c == '\f' || c == '\v':
	default:
		const crash = 8 // zeros in a row: a file system fills with them what a crash lost
		end := byteRunEnd(s.text, i)
		if c == 0 && end-i >= crash {
			return end
		}
		s.addTrace(RuleHidden, i, end, fmt.Sprintf("U+%04X", c))
		return end
	}
	return i + 1
}

// checkEscape checks the terminal sequence at byte i and returns its end. A colour is of low
// severity unless it hides text.
func (s *flagScanner) checkEscape(i int) int {
	q := parseTerminalSequence(s.text[i:])
	end := i + q.length
	switch {
	case q.kind == 0:
		s.addTrace(RuleHidden, i, end, "U+001B")
	case q.final == 'm' && !hidesText(q.text):
		s.addTrace(RuleColour, i, end, "")
	default:
		s.addTrace(RuleEscape, i, end, q.description())
	}
	return end
}

// terminalSequence is an escape sequence. It begins with ESC or with a C1 character, which stands
// for ESC and a letter.
type terminalSequence struct {
	kind     byte   // the byte after ESC; 0 if there is none
	text     string // the parameters of a control sequence, or the string of a string command
	final    byte   // the last byte of a control sequence
	complete bool   // false if the end is missing
	length   int
}

// Limits on the text and the parameters examined in a sequence.
const (
	maxSequenceText       = 4096
	maxSequenceParameters = 64
)

// parseTerminalSequence parses the sequence at the start of s, which is ESC or the first byte of a
// C1 character.
func parseTerminalSequence(s string) terminalSequence {
	if len(s) < 2 || s[0] == 0x1B && (s[1] < ' ' || s[1] >= 0x7F) {
		return terminalSequence{complete: true, length: 1}
	}
	q := terminalSequence{kind: s[1], complete: true, length: 2}
	if s[0] != 0x1B {
		q.kind -= 0x40
	}
	rest := bytesAfter(s, 2, maxSequenceText)
	switch q.kind {
	case '[':
		q.readParameters(rest)
	case ']', 'P', 'X', '^', '_':
		q.readString(rest)
	case '(', ')', '*', '+', '#', ' ':
		q.length = min(3, len(s))
	}
	return q
}

// readParameters reads the parameters of a control sequence, and the letter that ends it.
func (q *terminalSequence) readParameters(rest string) {
	n := 0
	for n < min(len(rest), maxSequenceParameters) && rest[n] >= ' ' && rest[n] < '@' {
		n++
	}
	q.text, q.length = rest[:n], q.length+n
	if q.complete = n < len(rest) && rest[n] >= '@' && rest[n] <= '~'; q.complete {
		q.final = rest[n]
		q.length++
	}
}

// readString reads the text of a command to the terminal, and what ends it.
func (q *terminalSequence) readString(rest string) {
	n := strings.IndexAny(rest, "\a\n\x1b\u009c")
	if n < 0 {
		n = len(rest)
	}
	q.text, q.length, q.complete = rest[:n], q.length+n, false
	for _, end := range [...]string{"\a", "\x1b\\", "\u009c"} {
		if strings.HasPrefix(rest[n:], end) {
			q.length, q.complete = q.length+len(end), true
		}
	}
}

// description says what the sequence does to a terminal.
func (q *terminalSequence) description() string {
	switch q.kind {
	case '[':
		return q.controlDescription()
	case ']':
		code, arg, _ := strings.Cut(q.text, ";")
		does := oscDescriptions[code]
		if code == "8" { // the address follows the second semicolon
			arg = strings.TrimPrefix(arg, ";")
		}
		if strings.HasSuffix(does, ": ") {
			does += displayText(arg)
		}
		return cmp.Or(does, "sends a command to the terminal")
	case 'P', 'X', '^', '_':
		return "sends a command to the terminal"
	case 'c':
		return "resets the terminal"
	case '(', ')', '*', '+':
		return "changes the character set"
	}
	return "controls the terminal"
}

// controlDescription says what a control sequence does.
func (q *terminalSequence) controlDescription() string {
	switch {
	case !q.complete:
		return "an unfinished sequence"
	case q.final == 'm':
		return "hides the text that follows"
	case (q.final == 'h' || q.final == 'l') && containsAny(q.text, "47;1049"):
		return "switches the screen"
	}
	for _, c := range csiDescriptions {
		if strings.IndexByte(c.finals, q.final) >= 0 {
			return c.description
		}
	}
	return "controls the terminal"
}

// oscDescriptions say what operating system commands do, by code. After a colon comes the text of
// the command.
var oscDescriptions = map[string]string{
	"0": "sets the title of the window: ", "1": "sets the title of the window: ", "2": "sets the title of the window: ",
	"52": "sets the clipboard", "8": "makes a link: ", "7": "names the folder that the terminal is in",
	"9": "shows a notification", "777": "shows a notification",
	"4": "changes the colours of the terminal", "10": "changes the colours of the terminal",
	"11": "changes the colours of the terminal",
	"12": "changes the colours of the terminal", "104": "changes the colours of the terminal",
	"110": "changes the colours of the terminal",
	"111": "changes the colours of the terminal",
}

// csiDescriptions say what control sequences do, by final byte.
var csiDescriptions = []struct{ finals, description string }{
	{"J", "erases the screen"},
	{"KXPM", "erases text"},
	{"ABCDEFGHfdae`su", "moves the cursor"},
	{"nc", "asks the terminal for an answer, which is typed into the next program"},
	{"STL@r", "moves what is on the screen"},
	{"hl", "changes a mode of the terminal"},
	{"t", "changes the window, or asks for its title"},
}

// hidesText reports whether colour parameters hide text: by concealing it, or by its background's
// colour.
func hidesText(params string) bool {
	fore, back := -1, -1
	for p := range strings.SplitSeq(params, ";") {
		n, err := strconv.Atoi(p)
		if err != nil {
			continue
		}
		switch {
		case n == 8 && fore != 38 && back != 48:
			return true
		case n == 38 || n == 48: // the following parameters describe a colour
			return false
		case n%10 > 7: // no colour
		case n/10 == 3:
			fore = n - 30
		case n/10 == 4:
			back = n - 40
		case n/10 == 9:
			fore = n - 80
		case n/10 == 10:
			back = n - 90
		}
	}
	return fore >= 0 && fore == back
}

// checkBackspace checks the backspaces from byte i on. Manual pages overprint a character with
// itself for bold and with a line for underlining; anything else covers text.
func (s *flagScanner) checkBackspace(i int) int {
	end := byteRunEnd(s.text, i)
	covered := lastRunes(bytesBefore(s.text, i, 256), end-i)
	after, _ := utf8.DecodeRuneInString(s.text[end:])
	if end == i+1 && (covered == "_" || covered == string(after)) {
		s.addTrace(RuleColour, i, end, "")
	} else {
		s.addTrace(RuleOverwrite, i, end, "covers: "+displayText(covered))
	}
	return end
}

// byteRunEnd returns the end of the run of equal bytes that starts at s[i].
func byteRunEnd(s string, i int) int { return len(s) - len(strings.TrimLeft(s[i:], s[i:i+1])) }

// lastRunes returns the last n characters of a text.
func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// checkCarriageReturn checks the carriage return at byte i. Without a line feed, the text after it
// covers the text before it.
func (s *flagScanner) checkCarriageReturn(i int) int {
	end := byteRunEnd(s.text, i)
	line := bytesBefore(s.text, i, 256)
	line = line[strings.LastIndexAny(line, "\r\n")+1:]
	if end < len(s.text) && s.text[end] != '\n' && strings.TrimSpace(line) != "" &&
		strings.TrimSpace(bytesAfter(s.text, end, 80)) != "" {
		s.addTrace(RuleOverwrite, i, end, "covers: "+displayText(line))
	}
	return end
}
