package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// foldBytes is how much around a hidden or imitating character is searched once more,
// as it reads.
const foldBytes = 160

// window is a part of a text that is searched as it reads.
type window struct {
	start, end int
	apart      bool // its letters stand apart
}

// widen adds what stands around the bytes start to end to the windows, which come in
// rising order.
func widen(all []window, text string, start, end int, apart bool) []window {
	w := window{max(0, start-foldBytes), min(len(text), end+foldBytes), apart}
	for w.start > 0 && !utf8.RuneStart(text[w.start]) {
		w.start--
	}
	for w.end < len(text) && !utf8.RuneStart(text[w.end]) {
		w.end++
	}
	if last := len(all) - 1; last >= 0 && w.start <= all[last].end {
		all[last].end = max(all[last].end, w.end)
		all[last].apart = all[last].apart || apart
		return all
	}
	return append(all, w)
}

// folded searches a part of the text as it reads: without what cannot be seen, or with a
// space in its place, with the letters that others look like, and with letters that stand
// apart together.
func (s *flagScanner) folded(w window) {
	for _, gap := range []bool{false, true} {
		f := folder{from: s.text[w.start:w.end], base: w.start, gap: gap}
		f.fold()
		if w.apart {
			f.join()
		}
		f.places = append(f.places, int32(w.end))
		s.copied(f.copyOf(s.text))
		if f.gaps == 0 {
			return
		}
	}
}

// folder makes a plain copy.
type folder struct {
	from   string
	base   int
	out    []byte
	places []int32 // of each byte of out, in the original
	gap    bool    // a space takes the place of what cannot be seen
	gaps   int     // where one may be
}

// copyOf returns the scanner of the copy of a text.
func (f *folder) copyOf(text string) flagScanner {
	places := f.places
	return flagScanner{text: string(f.out), original: text, origin: func(start, end int) (int, int) { return int(places[start]), int(places[end]) }}
}

func (f *folder) add(at int, s ...byte) {
	f.out = append(f.out, s...)
	for range s {
		f.places = append(f.places, int32(f.base+at))
	}
}

func (f *folder) fold() {
	f.out, f.places = make([]byte, 0, len(f.from)), make([]int32, 0, len(f.from)+1)
	for i := 0; i < len(f.from); {
		if i = f.ascii(i); i < len(f.from) {
			r, n := utf8.DecodeRuneInString(f.from[i:])
			f.beyond(i, r, n)
			i += n
		}
	}
}

// ascii adds the ASCII from byte i on without its controls, and returns its end.
func (f *folder) ascii(i int) int {
	out, places := f.out, f.places
	for ; i < len(f.from) && f.from[i] < utf8.RuneSelf; i++ {
		if c := f.from[i]; c >= ' ' && c != 0x7F || c == '\n' || c == '\t' || c == '\r' {
			out, places = append(out, c), append(places, int32(f.base+i))
		}
	}
	f.out, f.places = out, places
	return i
}

// beyond adds what the character r beyond ASCII at byte i reads as, n bytes long.
func (f *folder) beyond(i int, r rune, n int) {
	c := foldTo(r)
	switch {
	case c != 0:
		f.add(i, c)
	case r >= 0xE0020 && r <= 0xE007E:
		if !tagBefore(f.from[:i]) {
			f.apart(i)
		}
		f.add(i, byte(r-0xE0000))
	case jstext.IsSpace(r) && r != 0xFEFF:
		f.add(i, ' ')
	case Hidden(r):
		f.apart(i)
	case unicode.Is(unicode.Mn, r):
	default:
		f.add(i, []byte(f.from[i:i+n])...)
	}
}

// apart notes what cannot be seen at byte i.
func (f *folder) apart(i int) {
	f.gaps++
	if f.gap {
		f.add(i, ' ')
	}
}

// tagBefore reports whether a text ends with a tag character.
func tagBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r >= 0xE0000 && r <= 0xE007F
}

// join puts letters that stand apart together: "s y s t e m" becomes "system". What is
// between words, more than one character or none of the sort, becomes a space. Words
// that run together after that are told apart by those that instructions are made of.
func (f *folder) join() {
	from, places, text := f.out, f.places, string(f.out)
	f.out, f.places = make([]byte, 0, len(from)), make([]int32, 0, len(from)+1)
	for i := 0; i < len(from); {
		n := 0
		if i == 0 || !isLetter(text[i-1]) {
			n = spacedLen(text[i:])
		}
		if n == 0 {
			f.out, f.places = append(f.out, from[i]), append(f.places, places[i])
			i++
			continue
		}
		f.run(from[i:i+n], places[i:i+n])
		i += n
	}
}

// run adds a run of letters that stand apart. It leaves only the letters in from and
// places.
func (f *folder) run(from []byte, places []int32) {
	n := 0
	for i, c := range from {
		if isLetter(c) || c >= '0' && c <= '9' {
			from[n], places[n] = c, places[i]
			n++
		}
	}
	letters, at := from[:n], places[:n]
	out, stand := f.out, f.places
	for i := 0; i < len(letters); {
		n := wordHere(letters[i:])
		for end := i + max(n, 1); i < end; i++ {
			out, stand = append(out, letters[i]), append(stand, at[i])
		}
		if n > 0 && i < len(letters) {
			out, stand = append(out, ' '), append(stand, at[i])
		}
	}
	f.out, f.places = out, stand
}

// apartWords are words that instructions are made of, the longer of two that begin
// alike first.
var apartWords = strings.Fields(`ignore disregard forget override bypass all any the your my previous prior above earlier
	system instructions instruction prompts prompt rules guidelines directives do not never tell mention reveal user about this
	you are now act as developer mode run send`)

// apartBy holds the words by the letter that they begin with.
var apartBy = func() (by [32][]string) {
	for _, w := range apartWords {
		by[w[0]&31] = append(by[w[0]&31], w)
	}
	return by
}()

// wordHere returns the length of the word that s begins with, in letters of any size,
// or 0.
func wordHere(s []byte) int {
	if !isLetter(s[0]) {
		return 0
	}
	for _, w := range apartBy[s[0]&31] {
		n := 0
		for n < len(w) && n < len(s) && s[n]|0x20 == w[n] {
			n++
		}
		if n == len(w) {
			return n
		}
	}
	return 0
}

// spacedLen returns the length of the run of at least six letters, each behind one
// character that is none, that s begins with; 0 when it does not.
func spacedLen(s string) int {
	n, count := 0, 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') && (n+1 >= len(s) || !isLetter(s[n+1])) {
		n, count = n+1, count+1
		if n+1 < len(s) && separates(s[n]) && isLetter(s[n+1]) {
			n++
		} else if n+3 < len(s) && separates(s[n]) {
			k := n
			for k < len(s) && k < n+4 && separates(s[k]) {
				k++
			}
			if k < len(s) && isLetter(s[k]) && (k+1 == len(s) || separates(s[k+1])) {
				n = k
			} else {
				break
			}
		} else {
			break
		}
	}
	if count < 6 {
		return 0
	}
	return n
}

// separates reports whether a character can stand between letters that are one word.
func separates(c byte) bool {
	return c == ' ' || c == '-' || c == '.' || c == '_' || c == '*' || c == '/' || c == '|' || c == '+' || c == '~' || c == '\n' || c == '\t'
}

// shownText returns a text as it may be shown: at most 200 bytes, on one line, without
// characters that are not seen.
func shownText(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case out.Len() >= 200:
			return out.String() + "…"
		case r == '\n' || r == '\t' || r == '\r' || lineBreak(r) || jstext.IsSpace(r):
			out.WriteByte(' ')
		case Hidden(r), r == utf8.RuneError, !unicode.IsGraphic(r), unicode.Is(unicode.Variation_Selector, r):
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
