package views

import "strings"

// hunk is a part of two texts with a difference and the words around it. The spans are what
// differs.
type hunk struct {
	was, now           string
	wasSpans, nowSpans [][2]int
}

const (
	// maxPairs limits the pairs of words compared. In longer texts, everything between the common
	// beginning and end counts as different.
	maxPairs = 1 << 18
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

// diffWords returns the shortest edit from one text to the other, as words that are kept, removed
// and added.
func diffWords(a, b []string) []op {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	ops := appendOps(nil, ' ', a[:head])
	ops = append(ops, diffMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	return appendOps(ops, ' ', a[len(a)-tail:])
}

func appendOps(ops []op, kind byte, words []string) []op {
	for _, w := range words {
		ops = append(ops, op{kind, w})
	}
	return ops
}

// diffMiddle compares texts by their longest common subsequence.
func diffMiddle(a, b []string) []op {
	if len(a)*len(b) > maxPairs || len(a) == 0 || len(b) == 0 {
		return appendOps(appendOps(nil, '-', a), '+', b)
	}
	wide := len(b) + 1
	common := make([]int32, (len(a)+1)*wide) // length of the longest common subsequence of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*wide+j] = common[(i+1)*wide+j+1] + 1
			} else {
				common[i*wide+j] = max(common[(i+1)*wide+j], common[i*wide+j+1])
			}
		}
	}
	var ops []op
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			ops = append(ops, op{' ', a[i]})
			i, j = i+1, j+1
		case common[(i+1)*wide+j] >= common[i*wide+j+1]:
			ops = append(ops, op{'-', a[i]})
			i++
		default:
			ops = append(ops, op{'+', b[j]})
			j++
		}
	}
	return appendOps(appendOps(ops, '-', a[i:]), '+', b[j:])
}
