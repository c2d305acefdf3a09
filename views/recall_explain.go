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
	p := prose{w: w}
	p.add(t.Strong, "", v.text(h, memory.InTitle))
	p.add(t.Dim, "", strings.Join(v.tags(h), "   "))
	p.gap()
	p.add(v.place(t, h))
	if v.Result.Estimate != "" {
		p.add(t.Warn, "", "estimate: "+v.Mask.whole(v.Result.Estimate))
	}
	p.gap()
	if s := strings.TrimSpace(strings.TrimSuffix(scoreText(&h), "=")); s != "-" {
		p.add(t.Text, "", "score "+s)
	}
	if h.Why != "" {
		p.add(t.Text, "", v.Mask.whole(h.Why))
	}
	for _, m := range h.Matches {
		p.add(t.Text, "  ", "+"+strconv.Itoa(max(m.Times, 1))+"  "+v.matchReason(h, m))
	}
	for _, tool := range h.ToolHits {
		p.add(t.Text, "  ", "+2  tool "+safe.Line(tool)+", since it is hinted at")
	}
	if h.Noise && v.Described.Draft.Without {
		p.gap()
		p.add(t.Warn, "", "! It matched on noise only. x leaves a word out, to see what the task finds without it.")
	}
	if h.Flags&memory.FlagInjection != 0 {
		p.gap()
		p.add(t.Danger, "", "! Its text reaches the prompt with a heading, a delimiter or hidden characters. H shows them in the block.")
	}
	p.gap()
	for _, f := range v.Risks[h.ID] {
		p.add(t.Danger, "", "! "+riskText(f))
	}
	p.gap()
	if v.Described.ByLine {
		p.add(t.Text, "", v.text(h, memory.InBody))
		return p.lines
	}
	for _, s := range shownLines(h.Body, memory.Places(h.Secrets, memory.InBody, 0), v.Reveal) {
		p.add(t.Text, "", s)
	}
	return p.lines
}

// tags are what is known of a hit in a few words each.
func (v Recall) tags(h memory.Hit) []string {
	tags := []string{
		safe.Masked(clip(string(h.Outcome), maxOutcome), memory.Places(h.Secrets, memory.InOutcome, 0), v.Reveal),
		v.Mask.line(h.Scope, 60), v.Mask.line(h.Kind, 60),
	}
	if slices.Contains(v.Described.Columns, "rel") {
		tags = append(tags, "relevance "+relevance(h.Count))
	}
	if h.Line > 0 {
		tags = append(tags, Display{Description: v.Described}.position(h.Line))
	}
	return slices.DeleteFunc(tags, func(s string) bool { return s == "" })
}

// place says whether a hit is recalled, and why not.
func (v Recall) place(t theme.Theme, h memory.Hit) (style theme.Style, indent, text string) {
	r := v.Result
	cut := v.cutAt()
	limit := strconv.Itoa(cut)
	rank := strconv.Itoa(h.Rank) + " of " + strconv.Itoa(r.Found) + " found"
	switch {
	case h.Recalled && cut > 0:
		return t.OK, "", "Recalled: " + rank + ", and the first " + limit + " are."
	case h.Recalled:
		return t.OK, "", "Sent to the model."
	case cut == 0:
		return t.Warn, "", "Not sent to the model."
	case h.LostTie:
		return t.Warn, "", "Cut: " + rank + ". It scores as much as number " + limit +
			", but of " + v.Noun.OrRecord().Many + " with the same score the earlier one in the store comes first."
	}
	lowest := ""
	if cut <= len(r.Hits) {
		lowest = ", and number " + limit + " scores " + strings.TrimSpace(scoreText(&r.Hits[cut-1]))
	}
	return t.Text, "", "Cut: " + rank + ". Only the first " + limit + " are recalled" + lowest + "."
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

// matchPlace says in which text of a hit a word is, and inside what. Lower
// case differs from JavaScript's in rare letters, and a masked secret is not
// looked into: then no place is named.
func (v Recall) matchPlace(h memory.Hit, word string) (in, around string) {
	for _, f := range []struct{ text, name string }{
		{v.text(h, memory.InTitle), ", in its title"}, {v.text(h, memory.InBody), ", in its text"},
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

// wordLines lists the words of the task with the number of records that each
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

// finds says how many of the listed hits a word was found in, and how often
// as noise.
func (v Recall) finds(word string) string {
	hits, noise, noun := 0, 0, v.Noun.OrRecord()
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
		return "no " + noun.One
	case noise == hits:
		return noun.Count(hits) + ", all noise"
	case noise > 0:
		return noun.Count(hits) + ", " + strconv.Itoa(noise) + " noise"
	}
	return noun.Count(hits)
}
