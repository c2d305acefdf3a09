package charset

import (
	"strings"
	"unicode/utf8"
)

const (
	// least is how many wide ASCII characters in a row tell that a text without a mark is wide.
	least = 4
	// telling is how many bytes of UTF-8 in a row tell that a wide text has ended, and tellingEnd how
	// many do at the end of the file.
	telling, tellingEnd = 20, 8
	// ahead is how far the decoder looks at what follows.
	ahead = 64
	// zeros is how many zero characters in a row end a wide text: a file that a crash left.
	zeros = 4
	// stretch is the longest part of a wide text, so that a place in it is found by few steps.
	stretch = 1 << 10
)

// decoder decodes a file from its beginning.
type decoder struct {
	out    []byte
	parts  []part
	form   form // of what comes next
	begun  bool
	marked bool // the file begins with a byte order mark of a wide form
	source int  // bytes of the file that were decoded before the current text
	before int  // bytes of decoded text that were taken out before
}

// walk decodes s, which follows what was decoded before, and returns how much of it was. Without end it
// leaves what depends on what follows.
func (d *decoder) walk(s string, end bool) int {
	i := 0
	if !d.begun {
		if !end && len(s) < ahead {
			return 0
		}
		d.begun = true
		i = d.mark(s)
	}
	limit := len(s)
	if !end {
		limit -= ahead
	}
	for i < limit {
		if d.form > latin {
			i = d.wide(s, i, limit, end)
		} else {
			i = d.narrow(s, i, limit)
		}
	}
	d.source += i
	return i
}

// mark skips a byte order mark of a wide form. A mark before readable bytes is none: those would be hidden
// by it.
func (d *decoder) mark(s string) int {
	for _, m := range marks {
		if rest, ok := strings.CutPrefix(s, m.bytes); ok && readable(rest) < min(telling, max(len(rest), 1)) {
			d.form, d.marked = m.form, true
			return len(m.bytes)
		}
	}
	return 0
}

// add appends decoded text that is stored at byte at of s.
func (d *decoder) add(f form, text string, at int) {
	if text == "" {
		return
	}
	now := part{f, d.before + len(d.out), d.source + at}
	continues := func(last part) bool {
		return f == asStored && last.form == f && last.source-last.start == now.source-now.start
	}
	if n := len(d.parts); n == 0 || !continues(d.parts[n-1]) {
		d.parts = append(d.parts, now)
	}
	d.out = append(d.out, text...)
}

// narrow decodes text that is not wide, up to the next place where that may change. It returns where that
// is.
func (d *decoder) narrow(s string, i, limit int) int {
	j := i
	for j < limit {
		if s[j] == 0 {
			break
		}
		n := 1
		if s[j] >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRuneInString(s[j:]); r == utf8.RuneError && n == 1 {
				break
			}
		}
		j += n
	}
	if j >= limit && (j >= len(s) || s[j] != 0) { // a zero behind the last character would make that wide
		d.add(asStored, s[i:j], i)
		return j
	}
	if s[j] != 0 {
		d.add(asStored, s[i:j], i)
		if isLatin(s, j) {
			d.add(latin, string(rune(s[j])), j)
		} else {
			d.add(asStored, s[j:j+1], j)
		}
		return j + 1
	}
	if f, start := wideAt(s, i, j); f != asStored {
		d.add(asStored, s[i:start], i)
		d.form = f
		return start
	}
	for j < len(s) && s[j] == 0 {
		j++
	}
	d.add(asStored, s[i:j], i)
	return j
}

// wideAt returns the wide form of the text around the first zero byte, at s[j], of a text that is narrow
// from s[i] on, and where the wide text starts.
func wideAt(s string, i, j int) (form, int) {
	if j > i && s[j-1] == '\n' && utf16BE.begins(s[j:]) { // the line end belongs to the narrow text
		return utf16BE, j
	}
	for _, f := range [...]form{utf16LE, utf32LE, utf16BE, utf32BE} {
		start := j
		if f == utf16LE || f == utf32LE {
			start = j - 1
		}
		if start >= i && f.begins(s[start:]) {
			return f, start
		}
	}
	return asStored, 0
}

// begins reports whether a text begins with wide ASCII characters.
func (f form) begins(s string) bool {
	for range least {
		r, n := f.read(s)
		if n == 0 || r >= utf8.RuneSelf || !isReadable(byte(r)) {
			return false
		}
		s = s[n:]
	}
	return true
}

// wide decodes wide text up to its end, or to limit, and returns where that is.
func (d *decoder) wide(s string, i, limit int, end bool) int {
	for from := i; i < limit; {
		r, n := d.form.read(s[i:])
		left := r == 0 && strings.HasPrefix(s[i:], strings.Repeat("\x00", zeros*d.form.unit()))
		if n == 0 || left || d.narrowAt(s[i:], end) {
			d.form = asStored
			if n == 0 { // no character of any form
				d.add(asStored, s[i:min(i+1, len(s))], i)
				return min(i+1, len(s))
			}
			return i
		}
		if i-from >= stretch || i == from {
			d.parts = append(d.parts, part{d.form, d.before + len(d.out), d.source + i})
			from = i
		}
		d.out = appendRune(d.out, r)
		i += n
	}
	return i
}

// narrowAt reports whether UTF-8 begins in what should be wide text. The bytes of ideographs can be readable
// by chance, and those of hiragana are: every second one is a 0.
func (d *decoder) narrowAt(s string, end bool) bool {
	if len(s) < 2 || s[0] == 0 || s[1] == 0 || s[0] == '0' || s[1] == '0' {
		return false
	}
	s = s[:min(len(s), telling)]
	n := readable(s)
	if strings.Count(s[:n], "0") >= n/4+1 {
		return false
	}
	return n >= telling || end && n == len(s) && n >= tellingEnd && s[n-1] == '\n'
}

// readable returns how many bytes at the start of s are readable text in UTF-8.
func readable(s string) int {
	i := 0
	for i < len(s) {
		if s[i] < utf8.RuneSelf {
			if !isReadable(s[i]) {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if i > 0 && !utf8.FullRuneInString(s[i:]) {
				return len(s) // it is cut
			}
			return i
		}
		i += n
	}
	return i
}

// isReadable reports whether a byte is a printable ASCII character, a line end or a tab.
func isReadable(b byte) bool { return b >= ' ' && b < 0x7F || b == '\n' || b == '\r' || b == '\t' }

// isLatin reports whether the byte at s[i], which is no UTF-8, is a letter in Latin-1: one beside a letter
// of ASCII, and none that a byte order mark has.
func isLatin(s string, i int) bool {
	isLetter := func(k int) bool {
		return k >= 0 && k < len(s) && (s[k]|0x20)-'a' <= 'z'-'a'
	}
	return s[i] >= 0xC0 && s[i] < 0xFE && (isLetter(i-1) || isLetter(i+1))
}

// appendRune is utf8.AppendRune that also takes half of a surrogate pair.
func appendRune(out []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(out, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(out, r)
}
