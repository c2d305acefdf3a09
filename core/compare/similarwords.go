package compare

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// wordsOf is what a record says: the numbers of its words.
type wordsOf struct {
	task, message       []int32
	taskSum, messageSum float64 // of the weights
}

// similarity holds what records say. Records that say the same form a group, named
// by its first record.
type similarity struct {
	words  []wordsOf
	groups map[int][]int
	reps   []int // the first records of the groups, rising

	numbers map[string]int32
	count   []int32 // records that have a word
	weight  []float64

	inTask, inMessage []float64 // weights of the words of one record
}

func collect(records []memory.Record) *similarity {
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
			continue // nothing was said
		}
		rep, known := first[string(key)]
		if !known {
			rep = i
			first[string(key)] = i
			c.reps = append(c.reps, i)
			c.keep(i, task, body, strings.HasPrefix(r.Body, "Failed: "))
		}
		c.groups[rep] = append(c.groups[rep], i)
	}
	c.weigh()
	return c
}

// keep notes what the first record of a group says.
func (c *similarity) keep(i int, task, body []int32, failed bool) {
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

// read appends the words of a text to key, and returns the numbers of those that
// count, each once.
func (c *similarity) read(key []byte, text string) ([]byte, []int32) {
	var words []int32
	for _, word := range strings.FieldsFunc(strings.ToLower(text), apartFromWords) {
		if w := c.number(word); w >= 0 && len(words) < wordsOfText && !slices.Contains(words, w) {
			words = append(words, w)
		}
		key = append(append(key, word...), ' ')
	}
	return key, words
}

// apartFromWords reports whether a character in lower case belongs to no word.
func apartFromWords(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}
	return !unicode.In(r, unicode.L, unicode.Nd, unicode.M)
}

// number returns the number of a word, or -1 for one that says nothing. The plural of
// a word has its number.
func (c *similarity) number(word string) int32 {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' {
		word = word[:n-1]
	}
	n, known := c.numbers[word]
	if known {
		return n
	}
	if n = -1; !idle(word) {
		n = int32(len(c.count))
		c.count = append(c.count, 0)
	}
	c.numbers[strings.Clone(word)] = n
	return n
}

// shortWords are words of three letters at most that say nothing about a task.
const shortWords = ` a an the of and or to in on for with is are it its by at from as be
 not but out why all our how do my me i you so we was has had can did if up no `

// idle reports whether a word says nothing about a task.
func idle(word string) bool {
	if len(word) <= 3 {
		return len(word) == 1 && word[0] > '9' && word[0] < utf8.RuneSelf || strings.Contains(shortWords, " "+word+" ")
	}
	return lesson.StopWord(word) || lesson.StopWord(word+"s")
}

// weigh sets the weights once all records are counted.
func (c *similarity) weigh() {
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
