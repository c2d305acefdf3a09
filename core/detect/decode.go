package detect

import (
	"encoding/base64"
	"encoding/hex"
	"iter"
	"sort"
	"strings"
)

// encodings is a set of ways to write a text other than plainly, which decode resolves.
type encodings uint16

const (
	backslashEscapes  encodings = 1 << iota // of JSON, C and Markdown: \u0041 \x41 \101 \n \_
	jsonEscapes                             // of JSON only
	percentEncoding                         // %41
	htmlEntities                            // &#65; &amp;
	invisibleRunes                          // zero-width characters and terminal sequences, which are removed
	wideLetters                             // full-width and mathematical letters
	joinedStrings                           // "ab" + "cd"
	base64OrHex                             // spans of base64 or hexadecimal that decode to text
	wrappedLines                            // line breaks and the marks around them, which are removed
	lookalikeRunes                          // look-alike and invisible characters
	spaceForInvisible                       // with lookalikeRunes: replace invisible characters with a space
	spacedLetters                           // letters separated by spaces or marks
	splitHyphens                            // hyphens inside words
)

// maxDecodeDepth limits how many nested encodings are resolved, such as percent-encoding within base64. A third one
// found nothing in any set of texts.
const maxDecodeDepth = 2

// decodedText is a text after one layer of decoding. The original text has no segments and no
// source.
type decodedText struct {
	text     string
	segments []segment
	source   *decodedText // the text it was decoded from
}

// segment is a part of a decoded text. If sourceLen is 0 it is a copy of the source; otherwise it
// is the decoding of that many bytes of the source.
type segment struct{ start, sourceStart, sourceLen int32 }

// decodeLayers yields the original text, then the text after each further layer of decoding.
func decodeLayers(s string) iter.Seq[*decodedText] { return (&decodedText{text: s}).layers() }

// layers yields a text, then the text after each further layer of decoding.
func (d *decodedText) layers() iter.Seq[*decodedText] {
	return func(yield func(*decodedText) bool) {
		d := d
		for range maxDecodeDepth {
			if !yield(d) {
				return
			}
			if d = d.nextLayer(); d == nil {
				return
			}
		}
		yield(d)
	}
}

// nextLayer decodes one more layer, or returns nil if nothing is encoded.
func (d *decodedText) nextLayer() *decodedText {
	how := possibleEncodings(d.text)
	if how == 0 {
		return nil
	}
	if out := decodeWith(d, how); out != d {
		return out
	}
	return nil
}

// sourceRange maps the bytes start to end to the original text.
func (d *decodedText) sourceRange(start, end int) (int, int) {
	for ; d != nil; d = d.source {
		if len(d.segments) == 0 {
			continue
		}
		p := d.segments[d.segmentAt(start)]
		from := int(p.sourceStart)
		if p.sourceLen == 0 {
			from += start - int(p.start)
		}
		p = d.segments[d.segmentAt(end-1)]
		to := int(p.sourceStart + p.sourceLen)
		if p.sourceLen == 0 {
			to += end - int(p.start)
		}
		start, end = from, to
	}
	return start, end
}

// segmentAt returns the index of the segment that contains byte i.
func (d *decodedText) segmentAt(i int) int {
	return max(sort.Search(len(d.segments), func(k int) bool { return int(d.segments[k].start) > i }), 1) - 1
}

// changeMargin is longer than any match. Text farther from a change was already searched in the
// previous layer.
const changeMargin = 2 << 10

// changedRanges returns the parts of a decoded text that differ from its source, with changeMargin
// around them.
func (d *decodedText) changedRanges() (out [][2]int) {
	for i, p := range d.segments {
		end := int(p.start)
		if p.sourceLen > 0 {
			end = len(d.text)
			if i+1 < len(d.segments) {
				end = int(d.segments[i+1].start)
			}
		} else if p.sourceStart == 0 {
			continue // copied text before the first change
		}
		from, to := max(0, int(p.start)-changeMargin), min(len(d.text), end+changeMargin)
		if last := len(out) - 1; last >= 0 && out[last][1] >= from {
			out[last][1] = to
		} else {
			out = append(out, [2]int{from, to})
		}
	}
	return out
}

// Unescaped is the decoded content of a JSON string. It keeps invalid escapes unchanged and, like
// package jstext, lone surrogates.
type Unescaped struct{ decodedText }

// Unescape decodes the source of a JSON string, without its quotes.
func Unescape(source string) Unescaped {
	return Unescaped{*decodeWith(&decodedText{text: source}, jsonEscapes)}
}

// PlainText returns a text without escapes.
func PlainText(text string) Unescaped { return Unescaped{decodedText{text: text}} }

// Range maps the bytes start to end of the text to the source.
func (u *Unescaped) Range(start, end int) (from, to int) { return u.sourceRange(start, end) }

// String returns the text itself.
func (u *Unescaped) String() string { return u.text }

// Source maps byte i of the text to the source. A byte of an escaped character maps to the start of
// the escape.
func (u *Unescaped) Source(i int) int {
	start, _ := u.sourceRange(i, i+1)
	return start
}

// Text maps byte i of the source to the text. A byte inside an escape maps to the start of its
// character, or to the end if roundUp is set.
func (u *Unescaped) Text(i int, roundUp bool) int {
	n := sort.Search(len(u.segments), func(k int) bool { return int(u.segments[k].sourceStart) > i }) - 1
	if n < 0 {
		return i
	}
	p := u.segments[n]
	if p.sourceLen == 0 {
		return int(p.start) + i - int(p.sourceStart)
	}
	if i > int(p.sourceStart) && roundUp || i >= int(p.sourceStart+p.sourceLen) {
		if n+1 < len(u.segments) {
			return int(u.segments[n+1].start)
		}
		return len(u.text)
	}
	return int(p.start)
}

// mapToSource maps spans of the decoded text to the original text.
func (d *decodedText) mapToSource(spans []Span) []Span {
	for i, p := range spans {
		spans[i].Start, spans[i].End = d.sourceRange(p.Start, p.End)
	}
	return spans
}

// decodeWith returns a text with some encodings resolved, or the text itself if it has none of
// them.
func decodeWith(d *decodedText, how encodings) *decodedText {
	out, ok := decode(d.text, how)
	if !ok {
		return d
	}
	out.source = d
	return &out
}

// decode resolves the encodings in s that are in how. It reports false if there are none.
func decode(s string, how encodings) (decodedText, bool) {
	d := decodedText{}
	var out, meaning []byte
	span := encodedSpan{start: len(s)}
	if how&base64OrHex != 0 {
		span = nextEncodedSpan(s, 0)
	}
	copied := 0 // s is copied to out up to here
	for i := how.nextCandidate(s, 0); i < len(s) || span.start < len(s); {
		n := 0
		if span.start < i {
			i, n, meaning = span.start, span.end-span.start, append(meaning[:0], span.text...)
			if next := how.beginsAt(s, span.end); next || copied == i && i > 0 {
				n = 0 // the span contains other encodings and is decoded in the next layer
			}
			span = nextEncodedSpan(s, span.end)
		} else {
			meaning, n = how.decodeAt(meaning[:0], s, i)
		}
		if n == 0 {
			i = how.nextCandidate(s, i+1)
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(s))
			d.segments = make([]segment, 0, 8+len(s)/16)
		}
		if i > copied {
			d.segments = append(d.segments, segment{int32(len(out)), int32(copied), 0})
			out = append(out, s[copied:i]...)
		}
		if len(meaning) > 0 {
			d.segments = append(d.segments, segment{int32(len(out)), int32(i), int32(n)})
			out = append(out, meaning...)
		}
		copied = i + n
		if span.start < copied {
			span = nextEncodedSpan(s, copied)
		}
		i = how.nextCandidate(s, copied)
	}
	if copied == 0 {
		return d, false
	}
	if copied < len(s) {
		d.segments = append(d.segments, segment{int32(len(out)), int32(copied), 0})
		out = append(out, s[copied:]...)
	}
	d.text = string(out)
	return d, true
}

// unwrapLines returns a text with its wrapped lines joined. It reports false if it has one line.
func unwrapLines(s string) (decodedText, bool) {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\\') < 0 {
		return decodedText{}, false
	}
	return decode(s, wrappedLines)
}

// beginsAt reports whether an encoding begins at s[i].
func (how encodings) beginsAt(s string, i int) bool {
	if i >= len(s) || encodingsByByte[s[i]]&how == 0 {
		return false
	}
	_, n := how.decodeAt(nil, s, i)
	return n > 0
}

// nextCandidate returns the first index at or after i where an encoding other than base64OrHex may
// begin, or len(s).
func (how encodings) nextCandidate(s string, i int) int {
	if how == backslashEscapes || how == jsonEscapes { // fast path: most texts have no other encoding
		if n := strings.IndexByte(s[i:], '\\'); n >= 0 {
			return i + n
		}
		return len(s)
	}
	from := i
	for i < len(s) && (encodingsByByte[s[i]]&how == 0 || how == wrappedLines && !startsWithBreak(s[i:])) {
		i++
	}
	if how == wrappedLines && i < len(s) {
		return runStart(s, max(from, i-maxWrapBytes), i, wrapping)
	}
	return i
}

// encodedSpan is a span of base64 or hexadecimal and the text that it encodes.
type encodedSpan struct {
	start, end int
	text       string
}

const (
	minEncodedLen   = 24       // minimum length of an encoded span
	minDecodedLen   = 12       // minimum length of decoded text; shorter text occurs by chance
	base64ProbeStep = 64       // how often a long span is tested for text
	minEncodedLine  = 60       // minimum length of a line that continues on the next line
	maxEncodedLen   = 64 << 10 // maximum length that is decoded as one span
	anyBase64       = alnum | plusSlash | underscore | dash
)

// nextEncodedSpan returns the first span at or after i that encodes text. Its start is len(s) if
// there is none.
func nextEncodedSpan(s string, i int) encodedSpan {
	for from, at := i, i+minEncodedLen-1; at < len(s); at += minEncodedLen {
		if !inClass(s[at], anyBase64) {
			continue
		}
		start, end := runStart(s, from, at, anyBase64), runEnd(s, at, anyBase64)
		if end-start >= minEncodedLen {
			end = encodedSpanEnd(s, start)
			if r, ok := decodeHexSpan(s, start, end); ok {
				return r
			}
			if runEnd(s, start, lowerHex|dash) < end { // a UUID is not base64
				if r, ok := decodeBase64Span(s, start, end); ok {
					return r
				}
			}
		}
		from, at = end, end-1
	}
	return encodedSpan{start: len(s)}
}

// encodedSpanEnd returns the end of the span at s[i], which may be wrapped over several lines.
func encodedSpanEnd(s string, i int) int {
	s = s[:min(len(s), i+maxEncodedLen)]
	for {
		end := runEnd(s, i, anyBase64)
		if end-i < minEncodedLine || end == len(s) || s[end] == '\\' {
			return end
		}
		next := end + lineBreakLen(s[end:])
		if next == end || next >= len(s) || !inClass(s[next], anyBase64) {
			return end
		}
		i = next
	}
}

// decodeHexSpan decodes the hexadecimal digits at the end of s[start:end].
func decodeHexSpan(s string, start, end int) (r encodedSpan, ok bool) {
	from := runStart(s, start, end, anyHex)
	if end-from < 2*minDecodedLen || (end-from)%2 != 0 ||
		from > start && inClass(s[from-1], alnum) && !strings.HasSuffix(s[start:from], "0x") && s[from-1] != 'x' {
		return r, false
	}
	for i := from; i < from+2*minDecodedLen; i += 2 {
		if c := hexValue(s[i])<<4 | hexValue(s[i+1]); !isTextByte(c) {
			return r, false
		}
	}
	text, _ := hex.DecodeString(s[from:end])
	return encodedSpan{from, end, string(text)}, true
}

// decodeBase64Span decodes base64 in either alphabet. It tries each alignment of the groups of
// four, because other letters may precede them.
func decodeBase64Span(s string, start, end int) (r encodedSpan, ok bool) {
	for at := start; at+minEncodedLen <= end; at += base64ProbeStep {
		for skip := range 4 {
			if !startsWithBase64Text(s[at+skip : end]) {
				continue
			}
			from := start + (at+skip-start)%4
			text := decodeBase64(s[from:end])
			for n := 0; n < 2 && end < len(s) && s[end] == '='; n++ {
				end++
			}
			return encodedSpan{from, end, text}, true
		}
	}
	return r, false
}

// startsWithBase64Text reports whether s begins with text in base64.
func startsWithBase64Text(s string) bool {
	if len(s) < minDecodedLen/3*4 {
		return false
	}
	for i := 0; i < minDecodedLen/3*4; i += 4 {
		a, b, c, d := base64Values[s[i]], base64Values[s[i+1]], base64Values[s[i+2]], base64Values[s[i+3]]
		if !isTextByte(a<<2|b>>4) || !isTextByte(b<<4|c>>2) || !isTextByte(c<<6|d) {
			return false
		}
	}
	return true
}

// isTextByte reports whether c is printable ASCII or usual white space.
func isTextByte(c byte) bool { return c >= ' ' && c < 0x7F || c == '\n' || c == '\r' || c == '\t' }

// base64Values holds the values of the base64 digits of both alphabets.
var base64Values = func() (t [256]byte) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = t['+'], t['/']
	return t
}()

// toStandardBase64 converts the URL alphabet of base64 to the standard one.
var toStandardBase64 = strings.NewReplacer("-", "+", "_", "/", "=", "/")

// decodeBase64 decodes base64 in either alphabet.
func decodeBase64(s string) string {
	s = toStandardBase64.Replace(s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	out, _ := base64.RawStdEncoding.DecodeString(s) // cannot fail: all characters are in the alphabet
	return string(out)
}
