package claudecode

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/system"
)

// maxHits is the number of topics shown that contain a word of the task.
const maxHits = 55

// common are words that say nothing about a task.
var common = strings.Fields(
	"the and for with from that this what when where which into your have has are was not but you all any can how use run add fix make " +
		"please should would could will out our its",
)

// words counts the words of a text that have three or more letters or digits, in lower case.
func words(text string) map[string]int {
	out := map[string]int{}
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), separates) {
		if len([]rune(w)) >= 3 && !slices.Contains(common, w) {
			out[w]++
		}
	}
	return out
}

// rank sets the topics that share words with the task, best first. It guesses what a model would
// choose: BM25 over the name, the description, the index line and the text, where the first three
// count threefold.
func (r *reading) rank(out *memory.Recall) {
	sh := r.used()
	if sh == nil {
		return
	}
	out.Limit, out.Searched = maxChosen, len(sh.topics)
	asked := words(out.Task.Text)
	for _, w := range slices.Sorted(maps.Keys(asked)) {
		if slices.Contains(out.Task.Without, w) {
			out.Words = append(out.Words, memory.Word{Text: w, State: memory.WordLeftOut})
			delete(asked, w)
			continue
		}
		out.Words = append(out.Words, memory.Word{Text: w})
		out.Used++
	}
	if len(asked) == 0 {
		return
	}
	names := sh.names()
	bags := make([]map[string]int, len(sh.topics))
	for i, t := range sh.topics {
		bags[i] = wordsOf(sh, t)
	}
	points := system.BM25(slices.Sorted(maps.Keys(asked)), bags, 1.2)
	for i, t := range sh.topics {
		if points[i] <= 0 {
			continue
		}
		m := r.topic(sh, t, names)
		annotate.Mark(&m)
		hit := memory.Hit{
			ID: m.ID, Score: int(points[i]), Points: math.Round(points[i]*1000) / 1000, Title: m.Title, Body: m.Body,
			Flags: m.Flags, Secrets: m.Secrets, Kind: m.Kind, Scope: m.Scope,
		}
		for _, w := range slices.Sorted(maps.Keys(asked)) {
			if n := bags[i][w]; n > 0 {
				hit.Matches = append(hit.Matches, memory.Match{Word: w, Times: asked[w]})
			}
		}
		hit.Why = whyChosen(sh, t, asked)
		out.Hits = append(out.Hits, hit)
	}
	slices.SortStableFunc(out.Hits, func(a, b memory.Hit) int { return cmp.Compare(b.Points, a.Points) })
	out.Found = len(out.Hits)
	out.Hits = out.Hits[:min(len(out.Hits), maxHits)]
	for i := range out.Hits {
		out.Hits[i].Rank = i + 1
		out.Hits[i].Recalled = i < maxChosen && out.Hits[i].Flags&memory.FlagUnseen == 0
	}
}

// whyChosen says where in a topic the task's words occur, or why it is not chosen.
func whyChosen(sh *memoryFolder, t *topic, asked map[string]int) string {
	line, found := sh.listed(t.rel)
	if !found {
		return "no line of the index names it"
	}
	var in []string
	for _, place := range [...][2]string{
		{"name", stem(t.rel) + " " + t.field("name")},
		{"description", t.field("description")},
		{"line of the index", line.text},
		{"text", t.Text[t.header.body:]},
	} {
		for w := range words(place[1]) {
			if asked[w] > 0 {
				in = append(in, place[0])
				break
			}
		}
	}
	return "in its " + strings.Join(in, ", ")
}

// wordsOf returns the words of a topic.
func wordsOf(sh *memoryFolder, t *topic) map[string]int {
	bag := words(t.Text[t.header.body:])
	line, _ := sh.listed(t.rel)
	titles := strings.Join([]string{stem(t.rel), t.field("name"), t.field("description"), line.text}, " ")
	for w, n := range words(titles) {
		bag[w] += 3 * n
	}
	return bag
}
