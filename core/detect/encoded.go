package detect

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// encodedRun is a run of base64 or hexadecimal, and the text it encodes.
type encodedRun struct {
	start, end int
	text       string
}

const (
	leastRun  = 24       // minimum length of a run in bytes
	leastText = 12       // minimum length of decoded text, too long to occur by chance
	probed    = 64       // a longer run is tested again every so many bytes
	lineRun   = 60       // minimum length of a line of a run that continues on the next line
	longest64 = 64 << 10 // maximum length that is decoded as one run
	ofBase64  = alnum | plus | under | dash
)

// nextEncoded returns the first run at or after i that encodes text. Its start is len(s) if there
// is none.
func nextEncoded(s string, i int) encodedRun {
	for from, at := i, i+leastRun-1; at < len(s); at += leastRun {
		if !is(s[at], ofBase64) {
			continue
		}
		start, end := from+runBack(s[from:at], at-from, ofBase64), run(s, at, ofBase64)
		if end-start >= leastRun {
			end = runEnd(s, start)
			if r, ok := decodeHex(s, start, end); ok {
				return r
			}
			if run(s, start, hexes|dash) < end { // a UUID is not base64
				if r, ok := decodeBase64(s, start, end); ok {
					return r
				}
			}
		}
		from, at = end, end-1
	}
	return encodedRun{start: len(s)}
}

// runEnd returns the end of the run at s[i], which may be wrapped over several lines.
func runEnd(s string, i int) int {
	s = s[:min(len(s), i+longest64)]
	for {
		end := run(s, i, ofBase64)
		if end-i < lineRun || end == len(s) || s[end] == '\\' {
			return end
		}
		next := end + breakLength(s[end:])
		if next == end || next >= len(s) || !is(s[next], ofBase64) {
			return end
		}
		i = next
	}
}

// decodeHex decodes the hexadecimal digits at the end of a run.
func decodeHex(s string, start, end int) (r encodedRun, ok bool) {
	from := start + runBack(s[start:end], end-start, hexAny)
	if end-from < 2*leastText || (end-from)%2 != 0 || from > start && is(s[from-1], alnum) && !strings.HasSuffix(s[start:from], "0x") && s[from-1] != 'x' {
		return r, false
	}
	for i := from; i < from+2*leastText; i += 2 {
		if c := hexValue(s[i])<<4 | hexValue(s[i+1]); !isText(c) {
			return r, false
		}
	}
	text, _ := hex.DecodeString(s[from:end])
	return encodedRun{from, end, string(text)}, true
}

// decodeBase64 decodes a run of base64 in either alphabet. It tries where the groups of four must
// begin to decode to text.
func decodeBase64(s string, start, end int) (r encodedRun, ok bool) {
	for at := start; at+leastRun <= end; at += probed {
		for skip := range 4 {
			if !textInBase64(s[at+skip : end]) {
				continue
			}
			from := start + (at+skip-start)%4
			text := fromBase64(s[from:end])
			for n := 0; n < 2 && end < len(s) && s[end] == '='; n++ {
				end++
			}
			return encodedRun{from, end, text}, true
		}
	}
	return r, false
}

// textInBase64 reports whether s begins with text in base64.
func textInBase64(s string) bool {
	if len(s) < leastText/3*4 {
		return false
	}
	for i := 0; i < leastText/3*4; i += 4 {
		a, b, c, d := digit64[s[i]], digit64[s[i+1]], digit64[s[i+2]], digit64[s[i+3]]
		if !isText(a<<2|b>>4) || !isText(b<<4|c>>2) || !isText(c<<6|d) {
			return false
		}
	}
	return true
}

// isText reports whether a byte is a plain text character.
func isText(c byte) bool { return c >= ' ' && c < 0x7F || c == '\n' || c == '\r' || c == '\t' }

// digit64 holds the values of the base64 digits of both alphabets.
var digit64 = func() (t [256]byte) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = t['+'], t['/']
	return t
}()

// oneAlphabet converts the URL alphabet of base64 to the standard one.
var oneAlphabet = strings.NewReplacer("-", "+", "_", "/", "=", "/")

// fromBase64 decodes base64 in either alphabet.
func fromBase64(s string) string {
	s = oneAlphabet.Replace(s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	out, _ := base64.RawStdEncoding.DecodeString(s) // cannot fail: all characters are in the alphabet
	return string(out)
}
