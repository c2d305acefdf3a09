package lesson

import (
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// wordsShown is how many words past the part of a task that is read are listed.
const wordsShown = 1000

// usedWords returns the words of a task that score, in order, with repetition.
func usedWords(task string, without []string) []string {
	used := make([]string, 0, WordCap)
	for _, w := range readWords(task, without) {
		if w.State == memory.WordUsed {
			used = append(used, w.Text)
		}
	}
	return used
}

// readWords returns the words of the part of a task that a search reads. A word
// that is left out leaves its place among the WordCap to another.
func readWords(task string, without []string) []memory.Word {
	lowered := make([]string, len(without))
	for i, w := range without {
		lowered[i] = jstext.Lower(w)
	}
	pieces := jstext.Split(jstext.Lower(jstext.Slice(task, TaskUnits)))
	words := make([]memory.Word, 0, len(pieces))
	used := 0
	for _, p := range pieces {
		if p == "" {
			continue
		}
		w := memory.Word{Text: p}
		switch {
		case jstext.Len(p) <= longestShortWord:
			w.State = memory.WordShort
		case slices.Contains(lowered, p):
			w.State = memory.WordLeftOut
		case used == WordCap:
			w.State = memory.WordPast50
		default:
			used++
		}
		words = append(words, w)
	}
	return words
}

// unreadWords returns the words past the part of a task that a search reads, at
// most wordsShown.
func unreadWords(task string) []memory.Word {
	read := jstext.Slice(task, TaskUnits)
	if len(read) == len(task) {
		return nil
	}
	from := len(read)
	if read[:from] != task[:from] {
		from++ // the cut left three bytes for half of a four-byte character
	}
	var words []memory.Word
	for _, p := range jstext.Split(jstext.Lower(jstext.Slice(task[from:], 40*wordsShown))) {
		if p != "" && len(words) < wordsShown {
			words = append(words, memory.Word{Text: p, State: memory.WordPast2000})
		}
	}
	return words
}

// needle is a word of a task, prepared to be looked for in many lessons.
type needle struct {
	text  string
	times int      // how often the task has it
	units []uint16 // set when the word holds half a character, or broken bytes
}

// needles prepares words for the search. A repeated word becomes one that counts
// as often.
func needles(words []string) []needle {
	out := make([]needle, 0, len(words))
	for _, w := range words {
		if i := slices.IndexFunc(out, func(n needle) bool { return n.text == w }); i >= 0 {
			out[i].times++
			continue
		}
		out = append(out, newNeedle(w))
	}
	return out
}

func newNeedle(word string) needle {
	n := needle{text: word, times: 1}
	if jstext.WellFormed(word) != word {
		n.units = jstext.Units(word)
	}
	return n
}

// in reports whether the word occurs in a text. A word with half a character occurs
// also where the text has the whole one.
func (n *needle) in(text string) bool {
	if n.units == nil {
		return strings.Contains(text, n.text)
	}
	units := jstext.Units(text)
	for i := range len(units) - len(n.units) + 1 {
		if slices.Equal(units[i:i+len(n.units)], n.units) {
			return true
		}
	}
	return false
}
