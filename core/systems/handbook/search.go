package handbook

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/system"
)

// saturation is the k1 of the search, which is BM25.
const saturation = 1.5

// someHits is how many memories a search returns that is not told otherwise.
const someHits = 3

// stopWords stand apart by spaces.
const stopWords = " the a an and or of to in is it for on with this that do not be as at by are you your if use when from into than "

// tokens returns the words of a text that count, in order and with repeats. Other than
// English letters and digits nothing is part of a word.
func tokens(text string) []string {
	words := strings.FieldsFunc(jstext.Lower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return slices.DeleteFunc(words, func(w string) bool { return len(w) == 1 || isStopWord(w) })
}

func isStopWord(w string) bool { return strings.Contains(stopWords, " "+w+" ") }

// said returns the text of a memory that is searched, and that a search returns.
func (n note) said() string { return n.description + "\n\n" + n.body }

// hit is one memory that a search finds.
type hit struct {
	at    int // index of the memory
	score float64
	words []string // that it has of the query, each once
}

// search returns the memories that have a word of the query, the best first, and of
// equal ones in their order. A word that the query repeats counts again.
func search(notes []note, query []string) []hit {
	docs := make([]map[string]int, len(notes))
	for i, n := range notes {
		docs[i] = map[string]int{}
		for _, w := range tokens(n.said()) {
			docs[i][w]++
		}
	}
	var hits []hit
	for i, score := range system.BM25(query, docs, saturation) {
		if score <= 0 {
			continue
		}
		h := hit{at: i, score: score}
		for _, w := range query {
			if docs[i][w] > 0 && !slices.Contains(h.words, w) {
				h.words = append(h.words, w)
			}
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return hits
}

// cited returns the path by which a search cites a memory: the name is not looked at.
func (n note) cited(dir string) string { return path.Join(dir, n.name+".md") }

// answer returns what memory_search says to a query, of which hits are the best, and
// where in it each hit stands. Dir is the folder as the agent calls it.
func answer(notes []note, query, dir string, hits []hit) (text string, at [][2]int) {
	if len(hits) == 0 {
		return "no matching memory for: " + query, nil
	}
	var b strings.Builder
	for i, h := range hits {
		if i > 0 {
			b.WriteString("\n\n")
		}
		n := notes[h.at]
		start := b.Len()
		fmt.Fprintf(&b, "<memory path=\"%s\" note=\"%s\" score=\"%s\">\n%s\n%s",
			n.cited(dir), n.description, fixed2(h.score), n.said(), blockEnd)
		at = append(at, [2]int{start, b.Len()})
	}
	return b.String(), at
}

// fixed2 returns a number of 0 or more with two decimals, as JavaScript's toFixed: what
// lies just between two is rounded up.
func fixed2(x float64) string {
	// Only odd eighths lie between two hundredths.
	if eighths := x * 8; eighths == math.Trunc(eighths) && math.Mod(eighths, 2) == 1 && x < 1<<40 {
		return strconv.FormatFloat((math.Floor(x*100)+1)/100, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// mostResult is how long the result of a tool can be: in bytes where that is looked at,
// and in UTF-16 units where it is cut.
const mostResult = 16384

// capped returns the result of a tool as the model gets it, and how much of it is as it
// was.
func capped(result string) (string, int) {
	over := len(result) - mostResult
	if over <= 0 {
		return result, len(result)
	}
	kept := jstext.Slice(result, mostResult)
	return kept + "\n\n[truncated: " + strconv.Itoa(over) + " more bytes]", len(kept)
}
