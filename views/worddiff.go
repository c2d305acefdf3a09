package views

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// hunk is a part of two texts with a difference and the words around it. The spans are what
// differs.
type hunk struct {
	was, now           string
	wasSpans, nowSpans [][2]int
}

const (
	// around is the number of context words on each side of a hunk in a long text.
	around = 8
	// shortText is the largest number of words for which a text is shown whole.
	shortText = 90
)

// op is a word of both texts, or of one of them.
type op struct {
	kind byte // ' ', '-' or '+'
	word string
}

// hunks compares two texts word by word. It returns none if they are equal.
func hunks(cut, was, now string) []hunk {
	if was == now {
		return nil
	}
	ops := diffWords(wordsOf(was), wordsOf(now))
	reach := around
	if len(ops) <= shortText {
		reach = len(ops)
	}
	near := nearby(ops, reach)
	var all []hunk
	for i := 0; i < len(ops); i++ {
		start := i
		for i < len(ops) && near[i] {
			i++
		}
		if start < i {
			all = append(all, hunkOf(cut, ops[start:i], start > 0, i < len(ops)))
		}
	}
	return all
}

// wordsOnlyIn returns where text has words that other lacks. It returns nothing if all of text
// differs, since highlighting every word would say nothing.
func wordsOnlyIn(text, other string) [][2]int {
	whole := hunkOf("", diffWords(wordsOf(text), wordsOf(other)), false, false)
	if spans := whole.wasSpans; len(spans) != 1 || spans[0] != [2]int{0, len(text)} {
		return spans
	}
	return nil
}

// hunkOf joins words into a hunk, with the sign of a cut if the texts continue.
func hunkOf(cut string, ops []op, before, after bool) hunk {
	var was, now spanned
	was.text.WriteString(textIf(before, "%s ", cut))
	now.text.WriteString(textIf(before, "%s ", cut))
	for _, o := range ops {
		if o.kind != '+' {
			was.add(o)
		}
		if o.kind != '-' {
			now.add(o)
		}
	}
	end := textIf(after, " %s", cut)
	return hunk{was.text.String() + end, now.text.String() + end, was.spans, now.spans}
}

// spanned is a text under construction, and the places of its own words.
type spanned struct {
	text  strings.Builder
	spans [][2]int
}

// add adds a word. Adjacent places are joined.
func (s *spanned) add(o op) {
	at := s.text.Len()
	s.text.WriteString(o.word)
	switch n := len(s.spans); {
	case o.kind == ' ':
	case n > 0 && s.spans[n-1][1] == at:
		s.spans[n-1][1] = s.text.Len()
	default:
		s.spans = append(s.spans, [2]int{at, s.text.Len()})
	}
}

// nearby reports which words to show: those that differ, and up to reach words on each side.
func nearby(ops []op, reach int) []bool {
	near := make([]bool, len(ops))
	for i, o := range ops {
		for j := max(i-reach, 0); o.kind != ' ' && j < min(i+reach+1, len(ops)); j++ {
			near[j] = true
		}
	}
	return near
}

// wordsOf splits a text after spaces and commas. The parts joined are the text.
func wordsOf(s string) []string {
	var words []string
	start := 0
	for i := range len(s) {
		if c := s[i]; (c == ' ' || c == ',') && (i+1 == len(s) || s[i+1] != ' ') {
			words, start = append(words, s[start:i+1]), i+1
		}
	}
	if start < len(s) {
		words = append(words, s[start:])
	}
	return words
}

// diffWords returns a short edit from one text to the other, as words that are kept, removed and added.
func diffWords(a, b []string) (ops []op) {
	kept := 0
	for _, d := range lcs.DiffLines(a, b) {
		ops = appendOps(ops, ' ', a[kept:d.Start])
		was, now := a[d.Start:d.End], b[d.ReplStart:d.ReplEnd]
		// the library stops after a hundred differences
		if pairs := len(was) * len(now); 0 < pairs && pairs < len(a)*len(b) {
			ops = append(ops, diffWords(was, now)...)
		} else {
			ops = appendOps(appendOps(ops, '-', was), '+', now)
		}
		kept = d.End
	}
	return appendOps(ops, ' ', a[kept:])
}

func appendOps(ops []op, kind byte, words []string) []op {
	for _, w := range words {
		ops = append(ops, op{kind, w})
	}
	return ops
}
