// Package annotate marks records and blocks of systems that store plain text: where their secrets
// are, what tries to steer the model that reads them, and how long they are.
//
// In prose, line breaks, headings and comments are the author's own and are not marked; hidden
// characters, delimiters and secrets are.
package annotate

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/charset"
	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Mark completes a record whose texts are set: it sets its revision, its secrets, and the flags for
// secrets and injection, and RawLen if that is not set. Of a file in UTF-16 or UTF-32 it sets the title and
// the body to what people read there; its agent reads the bytes.
func Mark(r *memory.Record) {
	r.Rev = memory.RevisionOf(r.Raw)
	r.RawLen = max(r.RawLen, len(r.Raw))
	text := charset.Decode(r.Raw)
	if text.IsWide() {
		r.Title, r.Body = Title(text.String), text.String
		note := "It is " + text.Encoding() + ", and its agent reads UTF-8. An edit saves it as UTF-8."
		r.Notes = memory.AppendNew(r.Notes, note)
	}
	r.EachText(func(in memory.Field, item int, text string) {
		for _, s := range detect.Secrets(text) {
			r.Secrets = append(
				r.Secrets,
				memory.Secret{Field: in, Item: item, Start: s.Start, End: s.End, Rule: s.Rule},
			)
		}
	})
	if len(r.Secrets) > 0 {
		r.Flags |= memory.FlagSecret
	}
	if detect.Suspicious(text.String) && detect.ActsOnModel(text.String) {
		r.Flags |= memory.FlagInjection
	}
}

// Block returns a text for a model, with secrets, hidden characters and delimiters marked, and with
// estimates of its length in tokens and those of its parts. Where says where it goes: "system
// prompt".
func Block(where, name, text string, parts ...memory.Part) memory.Block {
	b := memory.Block{Where: where, Name: name, Text: jstext.WellFormed(text), Parts: parts}
	for m := range detect.EachMark(b.Text) {
		last := len(b.Marks) - 1
		switch {
		case m.Kind == memory.MarkNewline, m.Kind == memory.MarkHeading:
		case last >= 0 && m.Kind == memory.MarkHidden && isContinued(b.Marks[last], m):
			b.Marks[last].End = m.End // a file may consist of them
		default:
			b.Marks = append(b.Marks, m)
		}
	}
	for _, s := range detect.Secrets(b.Text) {
		b.Marks = append(b.Marks, memory.Mark{Kind: memory.MarkSecret, Start: s.Start, End: s.End, Note: s.Rule})
	}
	slices.SortStableFunc(b.Marks, func(x, y memory.Mark) int { return cmp.Compare(x.Start, y.Start) })
	b.TokensLow, b.TokensHigh = Tokens(b.Text)
	for i := range b.Parts {
		p := &b.Parts[i]
		p.TokensLow, p.TokensHigh = Tokens(b.Text[p.Start:p.End])
	}
	return b
}

// isContinued reports whether the next mark says the same of what follows.
func isContinued(m, next memory.Mark) bool {
	return m.Kind == next.Kind && m.Note == next.Note && m.End == next.Start
}

// Title returns a title for a text that has none: its first line with words, after any front matter
// between lines of dashes, and without heading marks. A long line is cut, but never within a
// secret.
func Title(text string) string {
	const most, read = 200, 4 << 10 // bytes
	if _, behind, closed := strings.Cut(text, "\n---\n"); closed && strings.HasPrefix(text, "---\n") &&
		strings.TrimSpace(behind) != "" {
		text = behind
	}
	for line := range strings.Lines(text) {
		if strings.Trim(line, "-=#* \t\r\n") == "" {
			continue
		}
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		if len(line) <= most {
			return line
		}
		end := most
		for _, s := range detect.Secrets(line[:min(len(line), read)]) {
			if s.Start < end && end < s.End {
				end = s.Start
			}
		}
		return strings.ToValidUTF8(line[:end], "") + "…"
	}
	return ""
}

// SizeOf returns the length of a text.
func SizeOf(text string) memory.Size {
	low, high := Tokens(text)
	return memory.Size{Bytes: len(text), TokensLow: low, TokensHigh: high}
}

// Redact returns a stored form with the secrets selected by redaction replaced, and the number of
// replacements, for [system.Composer].
func Redact(stored string, redaction memory.Redaction) (string, int) {
	return jsonl.Redacted(stored, redaction)
}

// Tokens returns bounds for the number of tokens that a model counts for text. Tokenizers differ,
// so it estimates by kind of character. ASCII letters and spaces take 3 (names, keys) to 5
// (English) for a token; digits and punctuation 1 to 3. Other characters of the basic plane are
// half a token (words of other alphabets) to one and a half, and rarer ones 1 (emoji) to 4, because
// a tokenizer falls back to their bytes.
func Tokens(text string) (low, high int) {
	letters, signs, basic, rare := 0, 0, 0, 0
	for _, r := range text {
		switch {
		case r|0x20 >= 'a' && r|0x20 <= 'z', r == ' ':
			letters++
		case r < utf8.RuneSelf:
			signs++
		case r < 0x10000:
			basic++
		default:
			rare++
		}
	}
	low = (letters*3 + signs*5 + 14) / 15
	high = (letters + 2 + 3*signs) / 3
	return low + basic/2 + rare, high + (basic*3+1)/2 + rare*4
}
