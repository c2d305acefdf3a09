package lesson

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// hitsShown is the number of hits returned in addition to the recalled ones.
const hitsShown = 50

// Explain returns what a task recalls from the list and why: a Recall without the texts that are
// sent. It counts no recall. If the agent would throw, Stop is set and there are no hits.
func Explain(l *List, t memory.Task) memory.Recall {
	r := memory.Recall{
		Task: t, WordCap: WordCap, UnitCap: taskUnits, Limit: recallLimit,
		Units: jstext.Len(t.Text), Searched: l.Len(),
		Words: append(readWords(t.Text, t.Without), unreadWords(t.Text)...),
	}
	for _, w := range r.Words {
		if w.State == memory.WordUsed {
			r.Used++
		}
	}
	words := needles(usedWords(t.Text, t.Without))
	found, stop := l.rank(words, t.Tools)
	if stop != nil {
		r.Stop = stop
		return r
	}
	r.Found = len(found)
	for i, f := range found[:min(len(found), recallLimit+hitsShown)] {
		h := l.hit(f, words, t.Tools)
		h.Rank, h.Recalled = i+1, i < recallLimit
		h.LostTie = !h.Recalled && f.Score == found[recallLimit-1].Score
		r.Hits = append(r.Hits, h)
	}
	if len(found) == 0 {
		r.Empty = l.whyEmpty(&r)
	}
	return r
}

// whyEmpty says why a task recalls nothing.
func (l *List) whyEmpty(r *memory.Recall) string {
	noTools := len(r.Task.Tools) == 0
	leftOut := slices.ContainsFunc(r.Words, func(w memory.Word) bool { return w.State == memory.WordLeftOut })
	for _, why := range [...]struct {
		applies bool
		says    string
	}{
		{
			l.Len() == 0 && l.stats.Pruned.Count > 0,
			"the agent holds no lessons: all of them are pruned when it loads them",
		},
		{l.Len() == 0, "the store holds no lessons"},
		{len(r.Words) == 0 && noTools, "the task has no words"},
		{r.Used == 0 && noTools && leftOut, "every word that could score is left out"},
		{r.Used == 0 && noTools, "every word of the task has 3 letters or fewer, and those are not used"},
		{!noTools, "no lesson has a word or a tool of the task"},
	} {
		if why.applies {
			return why.says
		}
	}
	return "no lesson has a word of the task"
}

// hit describes one found lesson.
func (l *List) hit(f Found, words []needle, tools []string) memory.Hit {
	rec := l.Record(f.Index)
	h := memory.Hit{
		ID: rec.ID, Line: rec.Line, Score: f.Score, Count: rec.Count, Outcome: rec.Outcome,
		Title: rec.Title, Body: rec.Body, When: rec.When, Flags: rec.Flags, Secrets: rec.Secrets,
		ToolHits: toolHits(&l.lessons[f.Index], tools),
	}
	text := l.texts[f.Index]
	for i := range words {
		if words[i].isIn(text) {
			h.Matches = append(h.Matches, memory.Match{
				Word: words[i].text, Kind: matchKind(text, words[i].text), Times: words[i].times,
			})
		}
	}
	h.Noise = len(h.ToolHits) == 0
	for _, m := range h.Matches {
		h.Noise = h.Noise && m.Kind != memory.WholeWord
	}
	return h
}

// Record returns lesson i as a marked record for display.
func (l *List) Record(i int) memory.Record {
	lesson := &l.lessons[i]
	raw := lesson.raw
	if raw == "" {
		raw = string(lesson.Value.AppendJSON(nil))
	}
	r := Record(raw, lesson.Line)
	r.ID = lesson.ID
	l.Mark(&r)
	return r
}

// matchKind says how a word occurs in a text, at its best place.
func matchKind(text, word string) memory.MatchKind {
	if StopWord(strings.TrimFunc(word, isSeparator)) {
		return memory.StopWord
	}
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	for at := 0; ; at++ {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return memory.InsideWord
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		begins := at == 0 || isSeparator(before) || isSeparator(first)
		ends := at+len(word) == len(text) || isSeparator(after) || isSeparator(last)
		if begins && ends {
			return memory.WholeWord
		}
	}
}

// isSeparator reports whether r is not part of a word.
func isSeparator(r rune) bool {
	return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}
