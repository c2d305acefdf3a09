// Package charset decodes the text of files: UTF-8, UTF-16 and UTF-32 with and without a byte order mark,
// Latin-1, and files in two of them, as Windows PowerShell leaves them when it appends to a file in
// UTF-8. A decoded text knows where each of its bytes stands in the file, so that what is found in it
// can be shown and replaced there.
package charset

import (
	"encoding/binary"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// form is how a part of a file is stored.
type form uint8

const (
	asStored form = iota // UTF-8, and bytes that are no text
	latin                // one byte a character
	utf16LE
	utf16BE
	utf32LE
	utf32BE
)

var names = [...]string{
	asStored: "UTF-8", latin: "Latin-1", utf16LE: "UTF-16LE", utf16BE: "UTF-16BE",
	utf32LE: "UTF-32LE", utf32BE: "UTF-32BE",
}

// The other names that [Text.Encoding] returns.
const (
	withMark = "UTF-8 with BOM"
	binary8  = "binary"
	unknown  = "not UTF-8"
)

// marks are the byte order marks. A mark comes before any shorter one that it begins with.
var marks = [...]struct {
	bytes string
	form  form
}{{"\xff\xfe\x00\x00", utf32LE}, {"\x00\x00\xfe\xff", utf32BE}, {"\xff\xfe", utf16LE}, {"\xfe\xff", utf16BE}}

const utf8Mark = "\xef\xbb\xbf"

// unit returns how many bytes a unit of the form has.
func (f form) unit() int {
	switch f {
	case utf16LE, utf16BE:
		return 2
	case utf32LE, utf32BE:
		return 4
	}
	return 1
}

// read returns the character at the start of s and its length, or a negative character where s does not
// begin with one. A surrogate that has no partner is one.
func (f form) read(s string) (r rune, n int) {
	if len(s) < f.unit() {
		return -1, 0
	}
	switch f {
	case utf32LE, utf32BE:
		v := f.value32(s)
		if v > utf8.MaxRune || utf16.IsSurrogate(rune(v)) {
			return -1, 0
		}
		return rune(v), 4
	case utf16LE, utf16BE:
		first := f.value16(s)
		if utf16.IsSurrogate(first) && len(s) >= 4 {
			if pair := utf16.DecodeRune(first, f.value16(s[2:])); pair != utf8.RuneError {
				return pair, 4
			}
		}
		return first, 2
	}
	return rune(s[0]), 1
}

func (f form) value16(s string) rune {
	if f == utf16BE {
		return rune(s[0])<<8 | rune(s[1])
	}
	return rune(s[1])<<8 | rune(s[0])
}

func (f form) value32(s string) uint32 {
	if f == utf32BE {
		return binary.BigEndian.Uint32([]byte(s[:4]))
	}
	return binary.LittleEndian.Uint32([]byte(s[:4]))
}

// append adds a text to a file, as the form stores it. What the form has no character for is left out.
func (f form) append(out []byte, text string) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if f == utf16BE || f == utf32BE {
		order = binary.BigEndian
	}
	if f == asStored {
		return append(out, text...)
	}
	for _, r := range text {
		switch {
		case f == latin:
			if r <= 0xFF {
				out = append(out, byte(r))
			}
		case f.unit() == 4:
			out = order.AppendUint32(out, uint32(r))
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				out = order.AppendUint16(out, u)
			}
		}
	}
	return out
}

// part is a run of decoded text that is stored in one form.
type part struct {
	form          form
	start, source int // where it starts: in the decoded text, and in the file
}

// Text is the decoded text of a file. Its zero value is an empty file.
type Text struct {
	// String is the text in UTF-8, without a byte order mark of UTF-16 or UTF-32. Bytes of no encoding
	// stay as they are, and a surrogate without a partner has its three bytes, as in package jstext.
	String string
	raw    string
	parts  []part // none: String is raw
	marked bool
}

// Decode decodes the bytes of a file.
func Decode(raw string) Text {
	if IsPlain(raw) {
		return Text{String: raw, raw: raw}
	}
	var d decoder
	d.walk(raw, true)
	return Text{String: string(d.out), raw: raw, parts: d.parts, marked: d.marked}
}

// IsPlain reports whether a text is UTF-8 as it is, which most are.
func IsPlain(raw string) bool { return strings.IndexByte(raw, 0) < 0 && utf8.ValidString(raw) }

// IsWide reports whether some of the text is stored in more bytes a character than UTF-8 has for ASCII.
func (t *Text) IsWide() bool {
	for _, p := range t.parts {
		if p.form > latin {
			return true
		}
	}
	return false
}

// Narrow returns the text of a file in UTF-16 or UTF-32 as UTF-8, and any other file as it is.
func Narrow(raw string) string {
	if text := Decode(raw); text.IsWide() {
		return text.String
	}
	return raw
}

// forms returns the forms of which a text has characters. a stray byte is none.
func (t *Text) forms() (held [len(names)]bool) {
	for i, p := range t.parts {
		end := len(t.String)
		if i+1 < len(t.parts) {
			end = t.parts[i+1].start
		}
		held[p.form] = held[p.form] || end > p.start+1 || end > p.start && p.form != asStored
	}
	return held
}

// Encoding names the encoding: "UTF-8", "UTF-8 with BOM", "Latin-1", "UTF-16LE" and the like, "UTF-8 and
// UTF-16LE" for a file in two, "binary" with zero bytes that belong to no character, "not UTF-8" otherwise.
func (t *Text) Encoding() string {
	held := t.forms()
	var wide []string
	for f := utf16LE; f <= utf32BE; f++ {
		if held[f] {
			wide = append(wide, names[f])
		}
	}
	switch {
	case len(wide) > 0 && held[asStored]:
		return names[asStored] + " and " + strings.Join(wide, " and ")
	case len(wide) > 0:
		return strings.Join(wide, " and ")
	case t.marked && t.String == "":
		return names[utf16LE]
	case strings.IndexByte(t.raw, 0) >= 0:
		return binary8
	case !utf8.ValidString(t.String):
		return unknown
	case held[latin]:
		return names[latin]
	case strings.HasPrefix(t.raw, utf8Mark):
		return withMark
	}
	return names[asStored]
}

// Source returns where in the file the character with byte i of the text starts. For the length of the
// text it is the length of the file.
func (t *Text) Source(i int) int {
	if i >= len(t.String) {
		return len(t.raw)
	}
	k := sort.Search(len(t.parts), func(k int) bool { return t.parts[k].start > i }) - 1
	if k < 0 {
		return i
	}
	p := t.parts[k]
	if p.form == asStored {
		return p.source + i - p.start
	}
	at, from := p.source, p.start
	for {
		r, n := p.form.read(t.raw[at:])
		if from += length(r); from > i || n == 0 {
			return at
		}
		at += n
	}
}

// form returns how the character with byte i of the text is stored. Text behind the last character is
// stored as that is.
func (t *Text) form(i int) form {
	k := sort.Search(len(t.parts), func(k int) bool { return t.parts[k].start > i }) - 1
	if k < 0 {
		return asStored
	}
	return t.parts[k].form
}

// Edit replaces bytes Start to End of a decoded text.
type Edit struct {
	Start, End int
	Text       string
}

// Replaced returns the bytes of the file after edits, which are sorted and do not overlap. A new text is
// stored in the encoding of the character that it replaces or stands before. All other bytes stay.
func (t *Text) Replaced(edits []Edit) string {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, t.raw[at:max(at, t.Source(e.Start))]...)
		out = t.form(e.Start).append(out, e.Text)
		at = max(at, t.end(e.Start, e.End))
	}
	return string(append(out, t.raw[at:]...))
}

// end returns where in the file the text that starts at byte start and ends before byte end ends.
func (t *Text) end(start, end int) int {
	if end <= start || len(t.parts) == 0 {
		return t.Source(end)
	}
	k := sort.Search(len(t.parts), func(k int) bool { return t.parts[k].start >= end }) - 1
	if k < 0 || t.parts[k].form == asStored { // what follows may begin with a byte that is no character
		return t.Source(end-1) + 1
	}
	at := t.Source(end - 1)
	_, n := t.parts[k].form.read(t.raw[at:])
	return at + n
}

// length returns how many bytes a character has in the decoded text.
func length(r rune) int {
	if n := utf8.RuneLen(r); n > 0 {
		return n
	}
	return 3 // half of a pair
}
