package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/memory"
)

// How much text is kept in a finding.
const (
	excerptBytes = 400
	excerptLead  = 150 // how much of it precedes the place
	leastLead    = 60  // how much of it precedes a place that is longer than the rest
)

// longContent is the maximum length of a text that goes into a fingerprint as it is. A longer text
// goes in as a digest.
const longContent = 4 << 10

// passage is a text that is judged as a whole: a field of a record, a line, or a few lines.
type passage struct {
	text    string
	field   string
	secrets []detect.Span // sorted, not overlapping
	content string        // the input of fingerprints, computed on first use
}

// excerpt sets the text of a finding at the bytes start to end.
func (p *passage) excerpt(f *memory.Finding, start, end int) {
	from, to := window(p.text, start, end)
	f.Text = strings.Clone(p.text[from:to])
	f.Start, f.End = max(start, from)-from, min(end, to)-from
	for _, s := range p.secrets {
		if s.Start < to && s.End > from {
			f.Masks = append(f.Masks, [2]int{max(s.Start, from) - from, min(s.End, to) - from})
		}
	}
}

// window returns the part of a text that is shown for a place.
func window(text string, start, end int) (from, to int) {
	if len(text) <= excerptBytes {
		return 0, len(text)
	}
	from = max(0, min(start-excerptLead, len(text)-excerptBytes))
	to = min(len(text), from+excerptBytes)
	if n := end - to; n > 0 { // the place matters more than the text before it
		n = min(n, max(0, start-from-leastLead))
		from, to = from+n, min(to+n, len(text))
	}
	return runeFrom(text, from), runeTo(text, to)
}

// runeFrom returns the first index at or after i where a character begins.
func runeFrom(text string, i int) int {
	for n := 0; n < utf8.UTFMax && i < len(text) && !utf8.RuneStart(text[i]); n++ {
		i++
	}
	return i
}

// runeTo returns the last index up to i where a character begins or the text ends.
func runeTo(text string, i int) int {
	for n := 0; n < utf8.UTFMax && i > 0 && i < len(text) && !utf8.RuneStart(text[i]); n++ {
		i--
	}
	return i
}

// fingerprint returns the fingerprint of a rule's matches in the passage. Except for copies of
// secrets, it does not depend on findings in other files.
func (p *passage) fingerprint(rule string) string {
	if rule == RuleKnown {
		return fingerprint(rule, contentOf(p.text, p.secrets))
	}
	if p.content == "" {
		byRule := slices.DeleteFunc(slices.Clone(p.secrets), func(s detect.Span) bool { return s.Rule == RuleKnown })
		p.content = contentOf(p.text, byRule)
	}
	return fingerprint(rule, p.content)
}

// contentOf returns the text that fingerprints are made of: trimmed, with each secret replaced by a
// digest too short to identify it.
func contentOf(text string, secrets []detect.Span) string {
	content := text
	if len(secrets) > 0 {
		var out strings.Builder
		last := 0
		for _, s := range secrets {
			sum := sha256.Sum256([]byte(text[s.Start:s.End]))
			out.WriteString(text[last:s.Start])
			out.WriteByte(0)
			out.WriteString(hex.EncodeToString(sum[:2]))
			out.WriteByte(0)
			last = s.End
		}
		out.WriteString(text[last:])
		content = out.String()
	}
	content = strings.TrimSpace(content)
	if len(content) > longContent {
		sum := sha256.Sum256([]byte(content))
		return string(sum[:])
	}
	return content
}

// fingerprint returns 128 bits of the SHA-256 of a rule ID and its content, in hexadecimal.
func fingerprint(rule, content string) string {
	h := sha256.New()
	h.Write([]byte(rule))
	h.Write([]byte{0})
	h.Write([]byte(content))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// clipped returns the sorted spans that touch the bytes from to to, relative to from.
func clipped(spans []detect.Span, from, to int) (out []detect.Span) {
	first, _ := slices.BinarySearchFunc(spans, from+1, func(s detect.Span, i int) int { return s.End - i })
	for _, s := range spans[first:] {
		if s.Start >= to {
			break
		}
		out = append(out, detect.Span{Start: max(s.Start, from) - from, End: min(s.End, to) - from, Rule: s.Rule})
	}
	return out
}
