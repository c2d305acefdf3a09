package handbook

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

const noQuery = "query is required" // what memory_search answers to an empty query

// mostHits is the number of memories listed that a search leaves out.
const mostHits = 50

// Recall implements [system.Recaller]. Its block is what memory_search would return for the text of
// the task. The pinned section of the system prompt is among its other blocks.
func (s *store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	d, p := s.read(ctx)
	if err := ctx.Err(); err != nil {
		return memory.Recall{}, err
	}
	r := memory.Recall{Task: t, Limit: someHits}
	if p != nil {
		if p.Code != quietread.CodeMissing {
			r.Notes = append(r.Notes, p.What)
		}
		d = &dir{path: s.path}
	}
	if r.Stop = d.stop(); r.Stop != nil {
		return r, nil
	}
	notes, at := d.validNotes()
	text, places := section(notes)
	r.Also = []memory.Block{annotate.Block("system prompt", "pinned memories", text, parts(d, at, places)...)}
	r.Searched = len(notes)
	d.search(&r, notes, at)
	n := d.count((*file).passedOver)
	r.Notes = append(
		r.Notes,
		system.Notes(
			system.Say(n > 0, "The agent cannot read "+noun().Count(n)+" in this folder and leaves them out."),
		)...)
	return r, nil
}

// validNotes returns the valid memories, and the index of each one's file.
func (d *dir) validNotes() (notes []note, at []int) {
	for i := range d.files {
		if d.files[i].valid {
			notes, at = append(notes, d.files[i].note), append(at, i)
		}
	}
	return notes, at
}

// parts returns the parts of a block. places are their positions, and at are the indexes of their
// files.
func parts(d *dir, at []int, places [][2]int) (all []memory.Part) {
	for i, p := range places {
		f := &d.files[at[i]]
		all = append(all, memory.Part{
			Name: f.note.name, ID: idOf(filepath.Base(f.Path)), Path: f.Path, Start: p[0], End: p[1],
		})
	}
	return all
}

// search sets what memory_search finds for the task.
func (d *dir) search(r *memory.Recall, notes []note, at []int) {
	query := jstext.Trim(r.Task.Text)
	r.Units = jstext.Len(r.Task.Text)
	if query == "" {
		r.Empty = "Without a task there is nothing to search for; what is pinned is there at every start."
		return
	}
	words := d.words(r)
	hits := search(notes, words)
	r.Found = len(hits)
	shown := hits[:min(someHits, len(hits))]
	text, places := answer(notes, query, d.agentName(), shown)
	result, kept := capped(text)
	var files []int
	for i, h := range shown {
		places[i][0], places[i][1] = min(places[i][0], kept), min(places[i][1], kept)
		files = append(files, at[h.at])
	}
	r.Block = annotate.Block("tool result", "memory_search", result, parts(d, files, places)...)
	if len(hits) == 0 {
		r.Empty = "No memory has a word of the task that a search knows."
	}
	for i, h := range hits[:min(len(hits), someHits+mostHits)] {
		r.Hits = append(r.Hits, d.hit(h, i, at[h.at], hits, words))
	}
	r.Notes = append(r.Notes, system.Notes(
		"The model writes its own query. This is the result for the text of the task and the default k, which is 3.",
		system.Say(kept < len(text) || len(result) != len(text),
			"The result is longer than 16,384 bytes, so the agent cuts it at 16,384 UTF-16 units."),
		system.Say(filepath.Base(d.path) != defaultDir,
			"The paths in the result are what an agent with MEMORY_DIR="+d.path+" sees."))...)
}

// agentName returns the folder as the agent calls it: by its default name, unless that cannot be its
// name.
func (d *dir) agentName() string {
	if filepath.Base(d.path) == defaultDir {
		return defaultDir
	}
	return filepath.ToSlash(d.path)
}

// words returns the words of the task that count, and sets what became of each.
func (d *dir) words(r *memory.Recall) (used []string) {
	for _, w := range words(r.Task.Text) {
		state := memory.WordUsed
		switch {
		case slices.ContainsFunc(r.Task.Without, func(x string) bool { return jstext.Lower(x) == w }):
			state = memory.WordLeftOut
		case len(w) == 1 || isStopWord(w):
			state = memory.WordShort
		default:
			used = append(used, w)
		}
		r.Words = append(r.Words, memory.Word{Text: w, State: state})
	}
	r.Used = len(used)
	return used
}

// hit returns the hit to show for a memory that was found.
func (d *dir) hit(h hit, i, at int, all []hit, words []string) memory.Hit {
	rec := d.record(at)
	out := memory.Hit{
		ID: rec.ID, Line: rec.Line, Rank: i + 1, Score: int(h.score), Points: h.score, Recalled: i < someHits,
		Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Kind: rec.Kind,
		Why: "BM25 " + fixed2(h.score), LostTie: i >= someHits && h.score == all[someHits-1].score,
	}
	for _, s := range rec.Secrets {
		if s.Field == memory.InTitle || s.Field == memory.InBody {
			out.Secrets = append(out.Secrets, s)
		}
	}
	for _, w := range h.words {
		n := 0
		for _, q := range words {
			if q == w {
				n++
			}
		}
		out.Matches = append(out.Matches, memory.Match{Word: w, Kind: memory.WholeWord, Times: n})
	}
	return out
}

// saturation is k1 of the search, which is BM25.
const saturation = 1.5

// someHits is the number of memories that a search returns by default.
const someHits = 3

// stopWords are separated by spaces.
const stopWords = " the a an and or of to in is it for on with this that do not be as at by are you your if use when from into than "

// words returns the runs of lower-case English letters and digits in a text.
func words(text string) []string {
	return strings.FieldsFunc(
		jstext.Lower(text),
		func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') },
	)
}

// tokens returns the words of a text that count, in order and with repeats. Only English letters
// and digits are part of a word.
func tokens(text string) []string {
	return slices.DeleteFunc(words(text), func(w string) bool { return len(w) == 1 || isStopWord(w) })
}

func isStopWord(w string) bool { return strings.Contains(stopWords, " "+w+" ") }

// searchText returns the text of a memory that is searched and returned.
func (n note) searchText() string { return n.description + "\n\n" + n.body }

// hit is one memory that a search finds.
type hit struct {
	at    int // index of the memory
	score float64
	words []string // the words of the query that it contains, each once
}

// search returns the memories that contain a word of the query, best first; equal ones stay in
// order. A word that the query repeats counts again.
func search(notes []note, query []string) (hits []hit) {
	docs := make([]map[string]int, len(notes))
	for i, n := range notes {
		docs[i] = map[string]int{}
		for _, w := range tokens(n.searchText()) {
			docs[i][w]++
		}
	}
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

// citePath returns the path by which a search cites a memory. It does not validate the name.
func (n note) citePath(dir string) string { return path.Join(dir, n.name+".md") }

// answer returns what memory_search answers to a query with these best hits, and the position of
// each hit in it. dir is the folder as the agent calls it.
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
			n.citePath(dir), n.description, fixed2(h.score), n.searchText(), blockEnd)
		at = append(at, [2]int{start, b.Len()})
	}
	return b.String(), at
}

// fixed2 formats a number of 0 or more with two decimals, like JavaScript's toFixed: a tie is
// rounded up.
func fixed2(x float64) string {
	// Only odd eighths are exactly between two hundredths.
	if eighths := x * 8; eighths == math.Trunc(eighths) && math.Mod(eighths, 2) == 1 && x < 1<<40 {
		return strconv.FormatFloat((math.Floor(x*100)+1)/100, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// mostResult is the longest tool result: in bytes when it is checked, and in UTF-16 units when it
// is cut.
const mostResult = 16384

// capped returns a tool result as the model gets it, and the length of the unchanged part.
func capped(result string) (string, int) {
	over := len(result) - mostResult
	if over <= 0 {
		return result, len(result)
	}
	kept := jstext.Slice(result, mostResult)
	return kept + "\n\n[truncated: " + strconv.Itoa(over) + " more bytes]", len(kept)
}
