package detect

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// encodedSpan is a run of base64 or hexadecimal, and the text it encodes.
type encodedSpan struct {
	start, end int
	text       string
}

const (
	minEncodedLen   = 24       // minimum length of a run in bytes
	minDecodedLen   = 12       // minimum length of decoded text, too long to occur by chance
	base64ProbeStep = 64       // a longer run is tested again every so many bytes
	minEncodedLine  = 60       // minimum length of a line of a run that continues on the next line
	maxEncodedLen   = 64 << 10 // maximum length that is decoded as one run
	anyBase64       = alnum | plusSlash | underscore | dash
)

// nextEncodedSpan returns the first run at or after i that encodes text. Its start is len(s) if there
// is none.
func nextEncodedSpan(s string, i int) encodedSpan {
	for from, at := i, i+minEncodedLen-1; at < len(s); at += minEncodedLen {
		if !inClass(s[at], anyBase64) {
			continue
		}
		start, end := from+runStart(s[from:at], at-from, anyBase64), runEnd(s, at, anyBase64)
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

// encodedSpanEnd returns the end of the run at s[i], which may be wrapped over several lines.
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

// decodeHexSpan decodes the hexadecimal digits at the end of a run.
func decodeHexSpan(s string, start, end int) (r encodedSpan, ok bool) {
	from := start + runStart(s[start:end], end-start, anyHex)
	if end-from < 2*minDecodedLen || (end-from)%2 != 0 || from > start && inClass(s[from-1], alnum) && !strings.HasSuffix(s[start:from], "0x") && s[from-1] != 'x' {
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

// decodeBase64Span decodes a run of base64 in either alphabet. It tries where the groups of four must
// begin to decode to text.
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

// isTextByte reports whether a byte is a plain text character.
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
