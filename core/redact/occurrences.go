package redact

import (
	"encoding/base64"
	"strings"
)

// Occurrences returns where the texts of a list stand in text, as they are or spelled
// with JSON escapes, percent-encoded, split by what is not seen, or in base64: in
// order and apart from each other. The spans have no rule. Empty texts stand nowhere.
func Occurrences(text string, of []string) []Span {
	spans := verbatim(text, of)
	for _, how := range [...]decoding{jsonEscapes, percents, unseen} {
		if d, ok := decode(text, how); ok {
			spans = append(spans, d.moved(verbatim(d.text, of))...)
		}
	}
	for _, t := range of {
		for _, core := range encoded(t) {
			for _, p := range verbatim(text, []string{core}) {
				p.Start = runBack(text, p.Start, alnum|base64s)
				p.End = run(text, p.End, alnum|base64s)
				spans = append(spans, p)
			}
		}
	}
	return merged(spans)
}

// verbatim returns where the texts stand as they are.
func verbatim(text string, of []string) (spans []Span) {
	for _, t := range of {
		for from := 0; t != ""; {
			i := strings.Index(text[from:], t)
			if i < 0 {
				break
			}
			spans = append(spans, Span{Start: from + i, End: from + i + len(t)})
			from += i + len(t)
		}
	}
	return spans
}

// encoded returns what of t stands in base64 wherever t begins in what is encoded, in
// both alphabets. A short t has no part that tells.
func encoded(t string) (cores []string) {
	const least = 8
	if len(t) < least {
		return nil
	}
	for skip := range 3 {
		whole := t[skip : skip+(len(t)-skip)/3*3]
		cores = append(cores, base64.StdEncoding.EncodeToString([]byte(whole)))
		if c := base64.URLEncoding.EncodeToString([]byte(whole)); c != cores[len(cores)-1] {
			cores = append(cores, c)
		}
	}
	return cores
}
