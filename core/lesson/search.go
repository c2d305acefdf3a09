package lesson

import (
	"slices"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Found is one lesson that a search found.
type Found struct {
	Index int // in the List
	Score int
}

// Search returns the lessons that the original returns for a task, best first, at
// most RecallLimit. It counts nothing (see Commit). The problem is set where the
// original throws: every search does when one held lesson has no text.
func (l *List) Search(task string, tools []string) ([]Found, *memory.Problem) {
	found, p := l.rank(needles(usedWords(task, nil)), tools)
	return found[:min(len(found), RecallLimit)], p
}

// rank returns all lessons that score, best first; of equals the earlier one.
func (l *List) rank(words []needle, tools []string) ([]Found, *memory.Problem) {
	if p := l.throws(tools); p != nil {
		return nil, p
	}
	l.index.Do(l.lower)
	found := make([]Found, 0, len(l.lessons))
	for i := range l.lessons {
		score := ToolBoost * len(toolHits(&l.lessons[i], tools))
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

// throws returns why a search stops the agent, or nil.
func (l *List) throws(tools []string) *memory.Problem {
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

// missingText returns the name of the member that a search needs and that is no
// text, or "".
func (l *Lesson) missingText() string {
	for _, key := range [...]string{KeyTitle, KeyBody} {
		if _, ok := l.text(key); !ok {
			return key
		}
	}
	return ""
}

// lower prepares the text of each lesson. All of them have one.
func (l *List) lower() {
	l.haystacks = make([]haystack, len(l.lessons))
	for i := range l.lessons {
		title, _ := l.lessons[i].Title()
		body, _ := l.lessons[i].Body()
		l.haystacks[i].fill(title, body)
	}
}

// hasTools reports whether the tools of a lesson can be asked for a name.
func hasTools(l *Lesson) bool {
	v, _ := l.Value.Field(KeyTools)
	return v.Kind() == jstext.Array || v.Kind() == jstext.String
}

// toolHits returns those of the tools that a lesson used.
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

// hasTool reports v.includes(tool): an element of an array, or part of a text.
func hasTool(v jstext.Value, tool string) bool {
	if v.Kind() == jstext.String {
		h := haystack{text: v.Str()}
		return tool == "" || h.holdsUnits(jstext.Units(tool))
	}
	return slices.Contains(Strings(v), tool)
}

// needles prepares words for the search. A repeated word becomes one that counts
// as often.
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
