package views

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// explain says why a hit is where it is.
func (v Recall) explain(t theme.Theme, h memory.Hit, w int) []string {
	var lines []string
	add := func(style theme.Style, indent, text string) {
		for _, s := range Wrap(text, max(w-1-len(indent), 1)) {
			lines = append(lines, " "+indent+style.Render(s))
		}
	}
	gap := func() { lines = append(lines, "") }
	add(t.Strong, "", v.text(h, memory.InTitle))
	if v.Other != nil {
		return append(lines, v.explainOther(t, h, w)...)
	}
	outcome := safe.Masked(clip(string(h.Outcome), maxOutcome), memory.Places(h.Secrets, memory.InOutcome, 0), v.Reveal)
	add(t.Dim, "", outcome+"   relevance "+relevance(h.Count)+"   line "+strconv.Itoa(h.Line))
	gap()
	style, text := v.place(t, h)
	add(style, "", text)
	gap()
	add(t.Text, "", "score "+strconv.Itoa(h.Score))
	for _, m := range h.Matches {
		add(t.Text, "  ", "+"+strconv.Itoa(max(m.Times, 1))+"  "+v.matchReason(h, m))
	}
	for _, tool := range h.ToolHits {
		add(t.Text, "  ", "+2  tool "+safe.Line(tool)+", since it is hinted at")
	}
	if h.Noise {
		gap()
		add(t.Warn, "", "! It matched on noise only. x leaves a word out, to see what the task finds without it.")
	}
	if h.Flags&memory.FlagInjection != 0 {
		gap()
		add(t.Danger, "", "! Its text reaches the prompt with a heading, a delimiter or hidden characters. H shows them in the block.")
	}
	for i, f := range v.Risks[h.ID] {
		if i == 0 {
			gap()
		}
		add(t.Danger, "", "! "+riskText(f))
	}
	gap()
	add(t.Text, "", v.text(h, memory.InBody))
	return lines
}

// place says whether a hit is recalled, and why not.
func (v Recall) place(t theme.Theme, h memory.Hit) (theme.Style, string) {
	r := v.Result
	limit := strconv.Itoa(r.Limit)
	rank := strconv.Itoa(h.Rank) + " of " + strconv.Itoa(r.Found) + " found"
	switch {
	case h.Recalled:
		return t.OK, "Recalled: " + rank + ", and the first " + limit + " are."
	case h.LostTie:
		return t.Warn, "Cut: " + rank + ". It scores as much as number " + limit +
			", but of lessons with the same score the earlier line in the store comes first."
	}
	lowest := ""
	if r.Limit > 0 && r.Limit <= len(r.Hits) {
		lowest = ", and number " + limit + " scores " + strconv.Itoa(r.Hits[r.Limit-1].Score)
	}
	return t.Text, "Cut: " + rank + ". Only the first " + limit + " are recalled" + lowest + "."
}

// matchReason says where a word was found and how.
func (v Recall) matchReason(h memory.Hit, m memory.Match) string {
	word := safe.Line(m.Word)
	in, around := v.matchPlace(h, m.Word)
	switch m.Kind {
	case memory.StopWord:
		word += "~  stop word" + in
	case memory.InsideWord:
		word += "~  inside another word" + in
		if around != "" {
			word += ` ("` + around + `")`
		}
	default:
		word += "  whole word" + in
	}
	if m.Times > 1 {
		word += ", " + strconv.Itoa(m.Times) + " times in the draft"
	}
	return word
}

// matchPlace says in which text of a hit a word stands, and inside what. Lower
// case differs from JavaScript's in rare letters, and a masked secret is not
// looked into: then no place is named.
func (v Recall) matchPlace(h memory.Hit, word string) (in, around string) {
	for _, f := range []struct{ text, name string }{
		{v.text(h, memory.InTitle), ", in its task"}, {v.text(h, memory.InBody), ", in its lesson"},
	} {
		if strings.Contains(strings.ToLower(f.text), word) {
			return f.name, wordAround(f.text, word)
		}
	}
	return "", ""
}

// TaskWords returns the words that PanelWords lists: those that score and those
// that are left out, each once.
func (v Recall) TaskWords() []memory.Word {
	seen := make(map[string]bool, len(v.Result.Words))
	var words []memory.Word
	for _, w := range v.Result.Words {
		if (w.State == memory.WordUsed || w.State == memory.WordLeftOut) && !seen[w.Text] {
			seen[w.Text] = true
			words = append(words, w)
		}
	}
	return words
}

// wordsHead is the number of lines above the words.
const wordsHead = 2

// wordLines lists the words of the task with the number of lessons that each
// finds, the chosen one marked.
func (v Recall) wordLines(t theme.Theme, w int) []string {
	words := v.TaskWords()
	lines := []string{t.Dim.Render(" x leaves out or puts back, Esc closes"), ""}
	if len(words) == 0 {
		return append(lines, t.Dim.Render(" the task has no word that scores"))
	}
	for i, word := range words {
		mark, state := " ", "   "
		if i == v.Word {
			mark = ">"
		}
		text := safe.Line(word.Text)
		if word.State == memory.WordLeftOut {
			state = "out"
		} else {
			text = Cell(text, max(min(w-29, 24), 1)) + "  " + v.finds(word.Text)
		}
		line := Cell(mark+" "+state+"  "+text, w)
		switch {
		case i == v.Word:
			line = t.Selection.Render(line)
		case word.State == memory.WordLeftOut:
			line = t.Warn.Render(line)
		}
		lines = append(lines, line)
	}
	return lines
}

// finds says how many of the listed lessons a word was found in, and how often
// as noise.
func (v Recall) finds(word string) string {
	hits, noise := 0, 0
	for i := range v.Result.Hits {
		for _, m := range v.Result.Hits[i].Matches {
			if m.Word != word {
				continue
			}
			hits++
			if m.Kind != memory.WholeWord {
				noise++
			}
		}
	}
	switch {
	case hits == 0:
		return "no lesson"
	case noise == hits:
		return count(hits, "lesson") + ", all noise"
	case noise > 0:
		return count(hits, "lesson") + ", " + strconv.Itoa(noise) + " noise"
	}
	return count(hits, "lesson")
}

// explainOther says what is known of a hit of a system that is not the planner's.
func (v Recall) explainOther(t theme.Theme, h memory.Hit, w int) []string {
	p := prose{w: w}
	m := v.Other.Mask
	tags := []string{m.line(string(h.Outcome), 60), m.line(h.Scope, 60), m.line(h.Kind, 60)}
	if h.Line > 0 {
		tags = append(tags, "number "+strconv.Itoa(h.Line))
	}
	if tags = slices.DeleteFunc(tags, func(s string) bool { return s == "" }); len(tags) > 0 {
		p.add(t.Dim, "", strings.Join(tags, "   "))
	}
	p.gap()
	if h.Recalled {
		p.add(t.OK, "", "Sent to the model.")
	} else {
		p.add(t.Warn, "", "Not sent to the model.")
	}
	if v.Result.Estimate != "" {
		p.add(t.Warn, "", "estimate: "+m.whole(v.Result.Estimate))
	}
	if s := points(&h); s != "-" {
		p.add(t.Text, "", "points "+s)
	}
	if h.Why != "" {
		p.add(t.Text, "", m.whole(h.Why))
	}
	for _, x := range h.Matches {
		p.add(t.Text, "  ", v.matchReason(h, x))
	}
	for _, f := range v.Risks[h.ID] {
		p.add(t.Danger, "", "! "+riskText(f))
	}
	p.gap()
	for _, s := range shownLines(h.Body, memory.Places(h.Secrets, memory.InBody, 0), v.Reveal) {
		p.add(t.Text, "", s)
	}
	return p.lines
}
