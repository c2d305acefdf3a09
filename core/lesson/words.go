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
	pieces := strings.FieldsFunc(jstext.Lower(jstext.Slice(task, TaskUnits)), jstext.IsSpace)
	words := make([]memory.Word, 0, len(pieces))
	used := 0
	for _, p := range pieces {
		w := memory.Word{Text: p}
		switch {
		case short(p):
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

// short reports whether a word is too short to be used. A unit has 3 bytes at most.
func short(word string) bool {
	return len(word) <= 3*longestShortWord && jstext.Len(word) <= longestShortWord
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
	for _, p := range strings.FieldsFunc(jstext.Lower(jstext.Slice(task[from:], 40*wordsShown)), jstext.IsSpace) {
		words = append(words, memory.Word{Text: p, State: memory.WordPast2000})
	}
	return words[:min(len(words), wordsShown)]
}
