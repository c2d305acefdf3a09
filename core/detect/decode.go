package detect

import (
	"iter"
	"sort"
	"strings"
)

// decoding is a set of spellings to resolve in a text.
type decoding uint16

const (
	backslashes decoding = 1 << iota // escapes of JSON, C and Markdown: \u0041 \x41 \101 \n \_
	jsonEscapes                      // escapes of JSON only
	percents                         // %41
	entities                         // &#65; &amp;
	unseen                           // characters without width and terminal sequences, which are removed
	wide                             // full-width and mathematical letters
	joined                           // "ab" + "cd"
	encoded                          // runs of base64 and hexadecimal that encode text
	folded                           // line breaks, removed together with what surrounds them
	imitated                         // characters that look like others, or are invisible
	gaps                             // with imitated: replaces invisible characters with a space
	spaced                           // letters separated by spaces or marks
	hyphens                          // hyphens that split words
)

// layers limits how deep nested spellings are resolved, such as base64 of base64 of percent-encoded
// JSON.
const layers = 4

// decoded is a text with its spellings resolved. The original text has no parts.
type decoded struct {
	text  string
	parts []part
	of    *decoded // the text it was decoded from; nil for the original
}

// part is a run of a decoded text. It is a copy of the previous text or, if width is set, the
// decoding of that many bytes of it.
type part struct{ at, from, width int32 }

// readings yields the original text, and then the text with one more layer of spellings resolved at
// a time.
func readings(s string) iter.Seq[*decoded] { return readingsOf(s, layers) }

func readingsOf(s string, most int) iter.Seq[*decoded] {
	return func(yield func(*decoded) bool) {
		d := &decoded{text: s}
		for range most {
			if !yield(d) {
				return
			}
			if d = d.next(); d == nil {
				return
			}
		}
		yield(d)
	}
}

// next resolves one more layer of spellings, or returns nil if there is none.
func (d *decoded) next() *decoded {
	how := spelledIn(d.text)
	if how == 0 {
		return nil
	}
	if out := decodedOf(d, how); out != d {
		return out
	}
	return nil
}

// raw maps the bytes start to end to their place in the original text.
func (d *decoded) raw(start, end int) (int, int) {
	for ; d != nil; d = d.of {
		if len(d.parts) == 0 {
			continue
		}
		p := d.parts[d.part(start)]
		from := int(p.from)
		if p.width == 0 {
			from += start - int(p.at)
		}
		p = d.parts[d.part(end-1)]
		to := int(p.from + p.width)
		if p.width == 0 {
			to += end - int(p.at)
		}
		start, end = from, to
	}
	return start, end
}

// part returns the index of the part that contains byte i.
func (d *decoded) part(i int) int {
	return max(sort.Search(len(d.parts), func(k int) bool { return int(d.parts[k].at) > i }), 1) - 1
}

// reach is longer than any flag. Text farther from a changed part was already searched in the
// previous text.
const reach = 2 << 10

// changed returns the parts of a decoded text that differ from the previous text, with their
// surroundings.
func (d *decoded) changed() (out [][2]int) {
	for i, p := range d.parts {
		end := int(p.at)
		if p.width > 0 {
			end = len(d.text)
			if i+1 < len(d.parts) {
				end = int(d.parts[i+1].at)
			}
		} else if p.from == 0 {
			continue // copied text before the first change
		}
		from, to := max(0, int(p.at)-reach), min(len(d.text), end+reach)
		if last := len(out) - 1; last >= 0 && out[last][1] >= from {
			out[last][1] = to
		} else {
			out = append(out, [2]int{from, to})
		}
	}
	return out
}

// Unescaped is the text that the source of a JSON string denotes, as package jstext represents it.
// Invalid escapes are kept unchanged.
type Unescaped struct{ decoded }

// Unescape returns what the source of a JSON string denotes.
func Unescape(source string) Unescaped {
	return Unescaped{*decodedOf(&decoded{text: source}, jsonEscapes)}
}

// String returns the text itself.
func (u *Unescaped) String() string { return u.text }

// Source maps byte i of the text to its place in the source. A place inside an escaped character
// maps to the start of its escape.
func (u *Unescaped) Source(i int) int {
	start, _ := u.raw(i, i+1)
	return start
}

// Text maps byte i of the source to its place in the text. A place inside an escape maps to its
// start, or to its end if up is set.
func (u *Unescaped) Text(i int, up bool) int {
	n := sort.Search(len(u.parts), func(k int) bool { return int(u.parts[k].from) > i }) - 1
	if n < 0 {
		return i
	}
	p := u.parts[n]
	if p.width == 0 {
		return int(p.at) + i - int(p.from)
	}
	if i > int(p.from) && up || i >= int(p.from+p.width) {
		if n+1 < len(u.parts) {
			return int(u.parts[n+1].at)
		}
		return len(u.text)
	}
	return int(p.at)
}

// moved maps spans of the decoded text to the original text.
func (d *decoded) moved(spans []Span) []Span {
	for i, p := range spans {
		spans[i].Start, spans[i].End = d.raw(p.Start, p.End)
	}
	return spans
}

// decodedOf returns a text with some spellings resolved, or the text itself if it has none.
func decodedOf(d *decoded, how decoding) *decoded {
	out, ok := decode(d.text, how)
	if !ok {
		return d
	}
	out.of = d
	return &out
}

// decode resolves the spellings in s that are in how. It reports false if there are none.
func decode(s string, how decoding) (decoded, bool) {
	d := decoded{}
	var out, meaning []byte
	run := encodedRun{start: len(s)}
	if how&encoded != 0 {
		run = nextEncoded(s, 0)
	}
	copied := 0 // s is copied to out up to here
	for i := how.next(s, 0); i < len(s) || run.start < len(s); {
		n := 0
		if run.start < i {
			i, n, meaning = run.start, run.end-run.start, append(meaning[:0], run.text...)
			if next := how.resolvable(s, run.end); next || copied == i && i > 0 {
				n = 0 // the run contains other spellings: it is decoded in the next layer
			}
			run = nextEncoded(s, run.end)
		} else {
			meaning, n = how.resolve(meaning[:0], s, i)
		}
		if n == 0 {
			i = how.next(s, i+1)
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(s))
			d.parts = make([]part, 0, 8+len(s)/16)
		}
		if i > copied {
			d.parts = append(d.parts, part{int32(len(out)), int32(copied), 0})
			out = append(out, s[copied:i]...)
		}
		if len(meaning) > 0 {
			d.parts = append(d.parts, part{int32(len(out)), int32(i), int32(n)})
			out = append(out, meaning...)
		}
		copied = i + n
		if run.start < copied {
			run = nextEncoded(s, copied)
		}
		i = how.next(s, copied)
	}
	if copied == 0 {
		return d, false
	}
	if copied < len(s) {
		d.parts = append(d.parts, part{int32(len(out)), int32(copied), 0})
		out = append(out, s[copied:]...)
	}
	d.text = string(out)
	return d, true
}

// unwrapped returns a text without its line breaks and what surrounds them. It reports false if it
// has none.
func unwrapped(s string) (decoded, bool) {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\\') < 0 {
		return decoded{}, false
	}
	return decode(s, folded)
}

// resolvable reports whether a spelling may begin at s[i].
func (how decoding) resolvable(s string, i int) bool {
	if i >= len(s) || spellings[s[i]]&how == 0 {
		return false
	}
	_, n := how.resolve(nil, s, i)
	return n > 0
}

// next returns the first index at or after i where a spelling other than an encoded run may begin,
// or len(s).
func (how decoding) next(s string, i int) int {
	if how == backslashes || how == jsonEscapes { // fast path: most texts have no other spelling
		if n := strings.IndexByte(s[i:], '\\'); n >= 0 {
			return i + n
		}
		return len(s)
	}
	from := i
	for i < len(s) && (spellings[s[i]]&how == 0 || how == folded && !breaks(s[i:])) {
		i++
	}
	if how == folded && i < len(s) {
		return wrapStart(s, from, i)
	}
	return i
}
