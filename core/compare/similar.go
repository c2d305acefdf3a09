package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// The parameters of Similar.
const (
	nearScore   = 0.57 // lowest score of similar records
	bodyShare   = 0.35 // what equal error messages add to the score
	listed      = 20   // most records to list for a record
	wordsOfText = 64   // how many different words of a text count
	rarest      = 6    // how many of the rarest words find candidates
)

// Similar returns, for each record, the indexes of others that say nearly the same, nearest first, at most
// 20. It ignores outcomes, so that it also finds a task that failed and worked later.
//
// Records are the same if their task and lesson have the same words in the same order, whatever the case,
// punctuation and white space. Others are compared by the words of their tasks, without stop words. A word
// counts more if fewer records have it. The score is the mean of two shares of the common words: in all
// words of both tasks, and in those of the shorter task. If both have an error message, 0.35 of the share
// of its common words is added. Records with a score of at least 0.57 are near.
//
// A record is compared only with those that share one of the 6 rarest words of its task, and per word only
// with the last 48 (16 in stores of more than 2,000). So time grows with the number of records and not
// with its square. In a large store a near record can be missed because of that, but never one that is the
// same.
//
// In the demo store of 87 lines, 13 pairs are labelled by hand as worth merging. Similar finds 12 of them
// and nothing else. The parameters were chosen on these pairs, so other stores will do worse. Never merge
// records for this reason without asking.
func Similar(records []memory.Record) [][]int {
	c := newSimilarity(records)
	links := c.near()
	out := make([][]int, len(records))
	for _, rep := range c.reps {
		links[rep] = nearestFirst(links[rep])
		for k, i := range c.groups[rep] {
			out[i] = c.others(rep, k, links[rep])
		}
	}
	return out
}

// link is a near record, named by the first of its group.
type link struct {
	to    int
	score float64
}

// near returns the near records of each group, by the group's first record.
func (c *similarity) near() map[int][]link {
	links := map[int][]link{}
	rare := newRareWords(c.count, len(c.words), len(c.reps))
	for _, i := range c.reps {
		c.mark(i, true)
		words := rare.sorted(slices.Clone(c.words[i].task))
		rare.add(i, words[:min(len(words), rarest)], func(j int) {
			if s := c.score(&c.words[i], &c.words[j]); s >= nearScore {
				links[i] = append(links[i], link{j, s})
				links[j] = append(links[j], link{i, s})
			}
		})
		c.mark(i, false)
	}
	return links
}

// mark sets the weights of the words of record i, or clears them. All other words have weight 0.
func (c *similarity) mark(i int, on bool) {
	set := func(weights []float64, words []int32) {
		for _, w := range words {
			weights[w] = 0
			if on {
				weights[w] = c.weight[w]
			}
		}
	}
	set(c.inTask, c.words[i].task)
	set(c.inMessage, c.words[i].message)
}

// score returns how near record b is to a, whose words are marked.
func (c *similarity) score(a, b *wordsOf) float64 {
	both := sum(c.inTask, b.task)
	s := both/(a.taskSum+b.taskSum-both)/2 + both/min(a.taskSum, b.taskSum)/2
	if least := min(a.messageSum, b.messageSum); least > 0 && s+bodyShare >= nearScore {
		s += bodyShare * sum(c.inMessage, b.message) / least
	}
	return s
}

// sum returns the sum of the words' weights.
func sum(weight []float64, words []int32) float64 {
	s := 0.0
	for _, w := range words {
		s += weight[w]
	}
	return s
}

func nearestFirst(links []link) []link {
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.to, b.to))
	})
	return links[:min(len(links), listed)]
}

// others returns the list for record k of a group: its closest neighbors in the group, then the records of
// near groups.
func (c *similarity) others(rep, k int, links []link) (out []int) {
	group := c.groups[rep]
	start := max(0, min(k-listed/2, len(group)-listed-1))
	for g := start; g < len(group) && len(out) < listed; g++ {
		if g != k {
			out = append(out, group[g])
		}
	}
	for _, l := range links {
		for _, i := range c.groups[l.to] {
			if len(out) == listed {
				return out
			}
			out = append(out, i)
		}
	}
	return out
}

// wordsOf holds the words of a record, as numbers.
type wordsOf struct {
	task, message       []int32
	taskSum, messageSum float64 // sums of the weights
}

// similarity holds the words of all records. Records that are the same form a group, named by its first
// record.
type similarity struct {
	words  []wordsOf
	groups map[int][]int
	reps   []int // the first records of the groups, in order

	numbers map[string]int32
	count   []int32 // by word: how many groups have it
	weight  []float64

	inTask, inMessage []float64 // weights of the words of the marked record
}

func newSimilarity(records []memory.Record) *similarity {
	c := &similarity{
		words: make([]wordsOf, len(records)), groups: make(map[int][]int, len(records)), numbers: map[string]int32{},
	}
	first := make(map[string]int, len(records))
	var key []byte
	for i := range records {
		r := &records[i]
		var task, body []int32
		key, task = c.read(key[:0], r.Title)
		key, body = c.read(append(key, 0), r.Body)
		if len(key) <= 1 {
			continue // no words
		}
		rep, known := first[string(key)]
		if !known {
			rep = i
			first[string(key)] = i
			c.reps = append(c.reps, i)
			c.addWords(i, task, body, strings.HasPrefix(r.Body, "Failed: "))
		}
		c.groups[rep] = append(c.groups[rep], i)
	}
	c.setWeights()
	return c
}

// addWords stores the words of the first record of a group.
func (c *similarity) addWords(i int, task, body []int32, failed bool) {
	for _, w := range task {
		c.count[w]++
	}
	for _, w := range body {
		if !slices.Contains(task, w) {
			c.count[w]++
		}
	}
	if len(task) == 0 {
		task = body
	} else if failed {
		c.words[i].message = body
	}
	c.words[i].task = task
}

// read appends the words of a text to key, and returns the numbers of those that count, each once.
func (c *similarity) read(key []byte, text string) (_ []byte, words []int32) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), apartFromWords) {
		if w := c.number(word); w >= 0 && len(words) < wordsOfText && !slices.Contains(words, w) {
			words = append(words, w)
		}
		key = append(append(key, word...), ' ')
	}
	return key, words
}

// apartFromWords reports whether a lower-case character separates words.
func apartFromWords(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}
	return !unicode.In(r, unicode.L, unicode.Nd, unicode.M)
}

// number returns the number of a word, or -1 for a stop word. A plural has the number of its singular.
func (c *similarity) number(word string) int32 {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' {
		word = word[:n-1]
	}
	n, known := c.numbers[word]
	if known {
		return n
	}
	if n = -1; !saysNothing(word) {
		n = int32(len(c.count))
		c.count = append(c.count, 0)
	}
	c.numbers[strings.Clone(word)] = n
	return n
}

// shortWords are the stop words of at most three letters.
const shortWords = ` a an the of and or to in on for with is are it its by at from as be
 not but out why all our how do my me i you so we was has had can did if up no `

// saysNothing reports whether a word says nothing about a task.
func saysNothing(word string) bool {
	if len(word) <= 3 {
		return len(word) == 1 && word[0] > '9' && word[0] < utf8.RuneSelf || strings.Contains(shortWords, " "+word+" ")
	}
	return lesson.StopWord(word) || lesson.StopWord(word+"s")
}

// setWeights sets the weights once all records are counted.
func (c *similarity) setWeights() {
	c.weight = make([]float64, len(c.count))
	c.inTask, c.inMessage = make([]float64, len(c.count)), make([]float64, len(c.count))
	for w, n := range c.count {
		c.weight[w] = math.Log1p(float64(len(c.reps)) / float64(max(n, 1)))
	}
	for _, i := range c.reps {
		s := &c.words[i]
		s.taskSum, s.messageSum = sum(c.weight, s.task), sum(c.weight, s.message)
	}
}

// mostNear is how many bytes of a text Near compares; only 64 words count.
const mostNear = 2000

// fewWords is the number of spaces below which a body needs its title to be compared. Titles are left out
// otherwise, as they are often just names.
const fewWords = 3

// Near returns, for each record of any system, the indexes of others that say nearly the same, nearest
// first, at most 20. It uses the score of [Similar] on the bodies, together with the title if a body is
// very short. Records whose first statements say something else in one slot are not near, however similar their
// words, nor are two of which each has a number or path that the other lacks. Sessions and lines of an index are near
// to nothing.
func Near(records []memory.Record) [][]int {
	texts := make([]memory.Record, len(records))
	for i := range records {
		r := &records[i]
		if !isCompared(r) {
			continue
		}
		text := r.Body
		if strings.Count(strings.TrimSpace(text), " ") < fewWords {
			text = r.Title + "\n" + text
		}
		texts[i].Title = strings.ToValidUTF8(text[:min(len(text), mostNear)], "")
	}
	near := Similar(texts)
	read := make([]*nearText, len(records))
	of := func(i int) *nearText {
		if read[i] == nil {
			read[i] = newNearText(texts[i].Title)
		}
		return read[i]
	}
	for i := range near {
		near[i] = slices.DeleteFunc(near[i], func(j int) bool { return of(i).saysOtherwise(of(j)) })
	}
	return near
}

// nearText is what tells apart texts that have nearly the same words.
type nearText struct {
	opening form            // the first sentence of several words
	exact   map[string]bool // numbers and paths
}

func newNearText(text string) *nearText {
	t := &nearText{exact: numbersAndPaths(text)}
	for _, s := range Statements(text) {
		if f := Names(nil).formOf(&s); !s.Code && len(f.words) > 1 {
			t.opening = f
			break
		}
	}
	return t
}

// saysOtherwise reports whether the openings of two texts differ in one slot, or each text has a number or path that
// the other lacks.
func (t *nearText) saysOtherwise(other *nearText) bool {
	return differInSlot(&t.opening, &other.opening) || hasMore(t.exact, other.exact) && hasMore(other.exact, t.exact)
}

// numbersAndPaths returns the words of a text that have a digit or a slash in them, without the signs around them.
func numbersAndPaths(text string) map[string]bool {
	found := map[string]bool{}
	for _, word := range strings.Fields(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if strings.ContainsRune(word, '/') || strings.ContainsFunc(word, unicode.IsDigit) {
			found[strings.ToLower(word)] = true
		}
	}
	return found
}

// hasMore reports whether a has a word that b lacks.
func hasMore(a, b map[string]bool) bool {
	for word := range a {
		if !b[word] {
			return true
		}
	}
	return false
}

// differInSlot reports whether two statements differ in one slot: by shape, in words that take each other's place, or
// in words of which one denies.
func differInSlot(a, b *form) bool {
	x, y := withoutSharedEnds(a.words, b.words)
	if len(x) > mostSlot || len(y) > mostSlot || len(x) == len(a.words) {
		return false
	}
	return len(x) > 0 && len(y) > 0 || denying(x) != denying(y)
}
