package lesson

import (
	"encoding/binary"
	"math"
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
	l.index.Do(l.lower)
	found := make([]Found, 0, len(l.lessons))
	for i := range l.lessons {
		score := toolBoost * len(toolHits(&l.lessons[i], tools))
		for w := range words {
			if l.haystacks[i].holds(&words[w]) {
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
	l.haystacks = make([]haystack, len(l.lessons))
	for i := range l.lessons {
		title, _ := l.lessons[i].Title()
		body, _ := l.lessons[i].Body()
		l.haystacks[i].fill(title, body)
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
		h := haystack{text: v.Str()}
		return tool == "" || h.holdsUnits(jstext.Units(tool))
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

// haystack is the text of a lesson, prepared for searching words. Groups is a set of hashes of the
// four-byte groups that occur in the text: a word with a group outside the set does not occur,
// which settles most words. For the other words, starts gives the place where the search begins,
// usually that of the word itself.
type haystack struct {
	text   string // task and lesson in lower case, separated by a space
	groups [1 << groupBits / 64]uint64
	starts [1 << startBits]uint16 // first place of a group plus 1; 0 if unknown
}

const (
	groupSize = 4 // no used word is shorter in bytes
	groupBits = 11
	startBits = 9
)

// group returns a hash of the four bytes at i, with groupBits bits.
func group(s string, i int) uint32 {
	four := binary.LittleEndian.Uint32([]byte(s[i : i+groupSize]))
	return four * 0x9E3779B1 >> (32 - groupBits)
}

// fill sets an empty haystack to the text of a lesson.
func (h *haystack) fill(title, body string) {
	h.text = jstext.Lower(title) + " " + jstext.Lower(body)
	for i := range len(h.text) - groupSize + 1 {
		g := group(h.text, i)
		h.groups[g/64] |= 1 << (g % 64)
		if start := &h.starts[g>>(groupBits-startBits)]; *start == 0 && i < math.MaxUint16 {
			*start = uint16(i + 1)
		}
	}
}

// needle is a word of a task, prepared for many haystacks.
type needle struct {
	text   string
	times  int // how often the task contains it
	groups []uint32
	units  []uint16 // set if the word contains half a character, or invalid bytes
}

func newNeedle(word string) needle {
	n := needle{text: word, times: 1}
	if len(word) < groupSize || jstext.WellFormed(word) != word {
		n.units = jstext.Units(word)
		return n
	}
	n.groups = make([]uint32, len(word)-groupSize+1)
	for i := range n.groups {
		n.groups[i] = group(word, i)
	}
	return n
}

// holds reports whether the word occurs in the haystack.
func (h *haystack) holds(n *needle) bool {
	if n.units != nil {
		return h.holdsUnits(n.units)
	}
	for _, g := range n.groups {
		if h.groups[g/64]&(1<<(g%64)) == 0 {
			return false
		}
	}
	start := 0
	if s := h.starts[n.groups[0]>>(groupBits-startBits)]; s > 0 {
		start = int(s) - 1
	}
	rest := h.text[start:]
	return strings.HasPrefix(rest, n.text) || strings.Contains(rest, n.text)
}

// holdsUnits reports whether a word with half a character occurs. The other half may be next to it
// in the haystack, so it compares UTF-16 units.
func (h *haystack) holdsUnits(word []uint16) bool {
	units := jstext.Units(h.text)
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
