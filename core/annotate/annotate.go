// Package annotate marks records and blocks of systems that store plain text: where their
// secrets stand, what acts on the model that reads them, and how long they are.
//
// In prose, line breaks, headings and comments are the author's own and are not marked;
// hidden characters, delimiters and secrets are.
package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Revision returns a token for the bytes of a stored form.
func Revision(raw string) memory.Revision {
	sum := sha256.Sum256([]byte(raw))
	return memory.Revision(hex.EncodeToString(sum[:16]))
}

// Mark completes a record whose texts are set: its revision, its secrets, and the flags
// for secrets and for text that acts on a model. RawLen is set where it is not.
func Mark(r *memory.Record) {
	r.Rev = Revision(r.Raw)
	r.RawLen = max(r.RawLen, len(r.Raw))
	r.EachText(func(in memory.Field, item int, text string) {
		for _, s := range detect.Secrets(text) {
			r.Secrets = append(r.Secrets, memory.Secret{Field: in, Item: item, Start: s.Start, End: s.End, Rule: s.Rule})
		}
	})
	if len(r.Secrets) > 0 {
		r.Flags |= memory.FlagSecret
	}
	if detect.Suspicious(r.Raw) && len(detect.Flags(r.Raw)) > 0 {
		r.Flags |= memory.FlagInjection
	}
}

// Block returns a text that a model would get, with its secrets, hidden characters and
// delimiters marked and its length reckoned. Where says where it goes: "system prompt".
// The tokens of the parts are reckoned too.
func Block(where, name, text string, parts ...memory.Part) memory.Block {
	b := memory.Block{Where: where, Name: name, Text: jstext.WellFormed(text), Parts: parts}
	for _, m := range detect.Marks(b.Text) {
		if m.Kind != memory.MarkNewline && m.Kind != memory.MarkHeading {
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

// Title returns what a text is called that has no title of its own: its first line that has words, behind a head
// between two lines of dashes and without the marks of a heading. A long line is cut, never in a secret.
func Title(text string) string {
	const most, read = 200, 4 << 10 // bytes
	if _, behind, closed := strings.Cut(text, "\n---\n"); closed && strings.HasPrefix(text, "---\n") && strings.TrimSpace(behind) != "" {
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

// SizeOf returns how long a text is.
func SizeOf(text string) memory.Size {
	low, high := Tokens(text)
	return memory.Size{Bytes: len(text), TokensLow: low, TokensHigh: high}
}

// Redact returns a stored form with the secrets that which names replaced, and how many
// there were, for [system.Composer].
func Redact(stored string, which memory.Redaction) (string, int) {
	return jsonl.Redacted(stored, which)
}

// Tokens bounds how many tokens a model counts for text, by the kind of its
// characters, as tokenizers differ. Letters and spaces in ASCII have 3 (names, keys)
// to 5 (English) to a token; digits and signs 1 to 3. Other characters of the basic
// plane have half a token (words of other alphabets) to one and a half, and rarer
// ones 1 (emoji) to 4, since a tokenizer falls back to their bytes.
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
