package judge

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
)

// unescaped returns what the source of a JSON string denotes, as package jstext carries
// it. What is no escape is kept as it is.
func unescaped(raw string) string {
	i := strings.IndexByte(raw, '\\')
	if i < 0 {
		return raw
	}
	out := append(make([]byte, 0, len(raw)), raw[:i]...)
	for i < len(raw) {
		text, n := escapeAt(raw, i)
		if n == 0 {
			next := strings.IndexByte(raw[i+1:], '\\')
			if next < 0 {
				return string(append(out, raw[i:]...))
			}
			n = next + 1
			text = raw[i : i+n]
		}
		out, i = append(out, text...), i+n
	}
	return string(out)
}

// escapeAt returns what the escape at raw[i] denotes and its length, which is 0 when
// there is none. A pair of surrogates is one escape.
func escapeAt(raw string, i int) (text string, n int) {
	n = escapeLen(raw[i:])
	switch n {
	case 0:
		return "", 0
	case 2:
		at := strings.IndexByte(`"\/bfnrt`, raw[i+1])
		return "\"\\/\b\f\n\r\t"[at : at+1], 2
	}
	unit := unitAt(raw[i:])
	if low := raw[i+6:]; unit>>10 == 0xD800>>10 && escapeLen(low) == 6 && unitAt(low)>>10 == 0xDC00>>10 {
		return jstext.FromUnits([]uint16{unit, unitAt(low)}), 12
	}
	return jstext.FromUnits([]uint16{unit}), 6
}

// escapeLen returns the length of the JSON escape that s begins with, or 0.
func escapeLen(s string) int {
	switch {
	case len(s) < 2 || s[0] != '\\':
		return 0
	case s[1] == 'u':
		if len(s) < 6 {
			return 0
		}
		for _, c := range []byte(s[2:6]) {
			if c-'0' > 9 && (c|0x20)-'a' > 'f'-'a' {
				return 0
			}
		}
		return 6
	case strings.IndexByte(`"\/bfnrt`, s[1]) < 0:
		return 0
	}
	return 2
}

// unitAt returns the unit of the \u escape that s begins with.
func unitAt(s string) uint16 {
	n, _ := strconv.ParseUint(s[2:6], 16, 16)
	return uint16(n)
}

// aligned tells where a place in the source of a JSON string is in what it denotes, and
// the other way round. It takes linear time in all when it is asked in order.
type aligned struct {
	raw     string
	at, was int // the same place in raw and in the text
}

// step goes over one character, or one escape, in both.
func (a *aligned) step() (inRaw, inText int) {
	if text, n := escapeAt(a.raw, a.at); n > 0 {
		return n, len(text)
	}
	_, n := utf8.DecodeRuneInString(a.raw[a.at:])
	return n, n
}

// source returns the place in the source of byte i of the text. A place inside a
// character is that of its beginning.
func (a *aligned) source(i int) int {
	if i < a.was {
		a.at, a.was = 0, 0
	}
	for a.at < len(a.raw) && a.was < i {
		n, m := a.step()
		if a.was+m > i {
			break
		}
		a.at, a.was = a.at+n, a.was+m
	}
	return a.at
}

// text returns the place in the text of byte i of the source. A place inside an escape
// is that of its beginning, or of its end with up set.
func (a *aligned) text(i int, up bool) int {
	if i < a.at {
		a.at, a.was = 0, 0
	}
	for a.at < len(a.raw) && a.at < i {
		n, m := a.step()
		if a.at+n > i && !up {
			break
		}
		a.at, a.was = a.at+n, a.was+m
	}
	return a.was
}
