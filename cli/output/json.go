package output

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/views/safe"
)

// Text is a stored text in JSON. It keeps every character and escapes all that cannot
// be seen, so that JSON on a terminal does no harm. What is no character is U+FFFD: each
// lone surrogate, whose escape some parsers refuse, and each byte that is no UTF-8.
type Text string

// MarshalJSON implements json.Marshaler.
func (t Text) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, len(t)+2), '"')
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(string(t[i:]))
		if r == utf8.RuneError && n == 1 {
			n = width(string(t[i:]))
		}
		out = appendRune(out, r)
		i += n
	}
	return append(out, '"'), nil
}

// width returns the length of what is no character at the start of s: 3 bytes for a lone
// surrogate, else 1.
func width(s string) int {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 3
	}
	return 1
}

func appendRune(out []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(out, '\\', byte(r))
	case r == '\n':
		return append(out, '\\', 'n')
	case r == '\t':
		return append(out, '\\', 't')
	case r >= 0x10000 && safe.IsHidden(r):
		high, low := utf16.EncodeRune(r)
		return appendEscape(appendEscape(out, high), low)
	case safe.IsHidden(r):
		return appendEscape(out, r)
	}
	return utf8.AppendRune(out, r)
}

func appendEscape(out []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(out, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// JSON prints v with an indent of two.
func (o *Out) JSON(v any) { o.Exact(o.indented(v, "")) }

// Event prints v as JSON on one line.
func (o *Out) Event(v any) { o.encode(o.w, v, "", "") }

// encode writes v as JSON with a line end.
func (o *Out) encode(w io.Writer, v any, margin, indent string) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent(margin, indent)
	o.err = cmp.Or(o.err, enc.Encode(v))
}

// indented returns v as JSON with an indent of two and a line end. All lines but the
// first begin with margin.
func (o *Out) indented(v any, margin string) []byte {
	var out bytes.Buffer
	o.encode(&out, v, margin, "  ")
	return out.Bytes()
}

// JSONList prints v, whose last member, however deep, is an empty list, with n items in
// that list. It makes and prints one item after the other, so that a long list is never
// held as text.
func (o *Out) JSONList(v any, n int, item func(i int) any) {
	text := o.indented(v, "")
	at := bytes.LastIndex(text, []byte("[]")) + 1
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	margin := "\n" + strings.Repeat(" ", len(line)-len(bytes.TrimLeft(line, " ")))
	o.Exact(text[:at])
	for i := range n {
		o.put(Safe(When(i > 0, ",") + margin + "  "))
		o.Exact(bytes.TrimSuffix(o.indented(item(i), margin[1:]+"  "), []byte("\n")))
	}
	o.put(Safe(When(n > 0, margin)))
	o.Exact(text[at:])
}
