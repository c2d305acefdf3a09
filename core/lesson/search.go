package lesson

import (
	"slices"
	"strings"
	"sync"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Found is a lesson that a search found.
type Found struct {
	Index int // in the List
	Score int
}

// Search returns the lessons that the original returns for a task, best first, at most recallLimit.
// It counts no recall (see Commit). It returns a problem when the original throws; every search
// throws if a held lesson has no text.
func (l *List) Search(task string, tools []string) ([]Found, *memory.Problem) {
	return l.searchFor(memory.Task{Text: task, Tools: tools})
}

// searchFor is Search for a task that may leave out words.
func (l *List) searchFor(t memory.Task) ([]Found, *memory.Problem) {
	found, p := l.rank(needles(usedWords(t.Text, t.Without)), t.Tools)
	return found[:min(len(found), recallLimit)], p
}

// rank returns all lessons that score, best first; equal scores keep the order of the list.
func (l *List) rank(words []needle, tools []string) ([]Found, *memory.Problem) {
	if p := l.whyThrows(tools); p != nil {
		return nil, p
	}
	l.lowered.Do(l.lower)
	found := make([]Found, 0, len(l.lessons))
	for i := range l.lessons {
		score := toolBoost * len(toolHits(&l.lessons[i], tools))
		for w := range words {
			if words[w].isIn(l.texts[i]) {
				score += words[w].times
			}
		}
		if score > 0 {
			found = append(found, Found{Index: i, Score: score})
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return b.Score - a.Score })
	return found, nil
}

// whyThrows returns why a search stops the agent, or nil.
func (l *List) whyThrows(tools []string) *memory.Problem {
	if l.problem != nil {
		return l.problem
	}
	for i := range l.lessons {
		lesson := &l.lessons[i]
		if key := lesson.missingText(); key != "" {
			return noText(lesson, key)
		}
		if len(tools) > 0 && !hasTools(lesson) {
			return noTools(lesson)
		}
	}
	return nil
}

// missingText returns the key of a member that a search needs but that is not a string, or "".
func (l *Lesson) missingText() string {
	for _, key := range [...]string{KeyTitle, KeyBody} {
		if _, ok := l.text(key); !ok {
			return key
		}
	}
	return ""
}

// lower prepares the texts of all lessons, which must all have them.
func (l *List) lower() {
	l.texts = make([]string, len(l.lessons))
	for i := range l.lessons {
		title, _ := l.lessons[i].Title()
		body, _ := l.lessons[i].Body()
		l.texts[i] = jstext.Lower(title) + " " + jstext.Lower(body)
	}
}

// hasTools reports whether a lesson's tools have an includes method to search them with.
func hasTools(l *Lesson) bool {
	v, _ := l.Value.Field(KeyTools)
	return v.Kind() == jstext.Array || v.Kind() == jstext.String
}

// toolHits returns the given tools that a lesson used.
func toolHits(l *Lesson, tools []string) []string {
	if len(tools) == 0 {
		return nil
	}
	var hits []string
	v, _ := l.Value.Field(KeyTools)
	for _, t := range tools {
		if hasTool(v, t) {
			hits = append(hits, t)
		}
	}
	return hits
}

// hasTool reports v.includes(tool): an element of an array, or part of a string.
func hasTool(v jstext.Value, tool string) bool {
	if v.Kind() == jstext.String {
		return tool == "" || holdsUnits(v.Str(), jstext.Units(tool))
	}
	return slices.Contains(Strings(v), tool)
}

// needles prepares words for the search. A repeated word becomes one needle that counts as often.
func needles(words []string) []needle {
	out := make([]needle, 0, len(words))
	for _, w := range words {
		if i := slices.IndexFunc(out, func(n needle) bool { return n.text == w }); i >= 0 {
			out[i].times++
		} else {
			out = append(out, newNeedle(w))
		}
	}
	return out
}

// needle is a word of a task.
type needle struct {
	text  string
	times int      // how often the task contains it
	units []uint16 // set if the word contains half a character, or invalid bytes
}

func newNeedle(word string) needle {
	n := needle{text: word, times: 1}
	if jstext.WellFormed(word) != word {
		n.units = jstext.Units(word)
	}
	return n
}

// isIn reports whether the word occurs in a text in lower case.
func (n *needle) isIn(text string) bool {
	if n.units != nil {
		return holdsUnits(text, n.units)
	}
	return strings.Contains(text, n.text)
}

// holdsUnits reports whether a word with half a character occurs. The other half may be next to it
// in the text, so it compares UTF-16 units.
func holdsUnits(text string, word []uint16) bool {
	units := jstext.Units(text)
	for i := range len(units) - len(word) + 1 {
		if slices.Equal(units[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

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

// readWords returns the words in the part of a task that a search reads. A word that is left out
// does not count towards WordCap.
func readWords(task string, without []string) []memory.Word {
	lowered := make([]string, len(without))
	for i, w := range without {
		lowered[i] = jstext.Lower(w)
	}
	pieces := strings.FieldsFunc(jstext.Lower(jstext.Slice(task, taskUnits)), jstext.IsSpace)
	words := make([]memory.Word, 0, len(pieces))
	used := 0
	for _, p := range pieces {
		w := memory.Word{Text: p}
		switch {
		case tooShort(p):
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

// tooShort reports whether a word is too short to be used. A UTF-16 unit takes at most 3 bytes.
func tooShort(word string) bool {
	return len(word) <= 3*longestShortWord && jstext.Len(word) <= longestShortWord
}

// unreadWords returns at most wordsShown words past the part of a task that a search reads.
func unreadWords(task string) []memory.Word {
	read := jstext.Slice(task, taskUnits)
	if len(read) == len(task) {
		return nil
	}
	from := len(read)
	if read[:from] != task[:from] {
		from++ // the cut turned half a four-byte character into three bytes
	}
	var words []memory.Word
	for _, p := range strings.FieldsFunc(jstext.Lower(jstext.Slice(task[from:], 40*wordsShown)), jstext.IsSpace) {
		words = append(words, memory.Word{Text: p, State: memory.WordPast2000})
	}
	return words[:min(len(words), wordsShown)]
}

// stopWords are words of four letters or more that say nothing about a task: common English words,
// and those in every lesson that the agent writes by itself.
const stopWords = ` completed succeeded failed using step steps step(s with
 about above across actually after again against ahead almost along already also
 although always among another anybody anyone anything around away back because
 become been before behind being below between both came cannot come could does
 doing done down during each either else enough even ever every everything
 from further gave give given goes going gone have having hence here herself
 himself however inside instead into itself just keep kept like likely made make
 many maybe mean might mine more most much must myself near need needs neither
 never next none nothing often once only onto other others otherwise ours
 ourselves outside over please quite rather really same shall should since some
 somebody someone something still such sure take than thank thanks that their
 theirs them themselves then there therefore these they thing things this those
 though through thus together took toward towards under unless until upon used
 very want wants well went were what whatever when whenever where whether which
 while whole whom whose will within without would your yours yourself
 can't don't doesn't isn't it's let's that's won't you're `

var stopSet = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{"": true}
	for _, word := range strings.Fields(stopWords) {
		set[word] = true
	}
	return set
})

// StopWord reports whether a word in lower case says nothing about a task.
func StopWord(word string) bool { return stopSet()[word] }
