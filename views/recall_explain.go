package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// explain says why a hit has its rank.
func (v Recall) explain(t theme.Theme, h memory.Hit, w int) []string {
	p := prose(t, w)
	p.add(t.Strong, "", v.text(h, memory.InTitle))
	p.add(t.Dim, "", v.tags(h))
	p.blank()
	p.add(v.place(t, h))
	p.add(t.Warn, "", textIf(v.Result.Estimate != "", "estimate: %s", v.Mask.longText(v.Result.Estimate)))
	p.blank()
	score := strings.TrimSpace(strings.TrimSuffix(scoreText(&h), "="))
	p.add(t.Text, "", textIf(score != "-", "score %s", score))
	p.add(t.Text, "", v.Mask.longText(h.Why))
	for _, m := range h.Matches {
		p.add(t.Text, "  ", fmt.Sprintf("+%d  %s", max(m.Times, 1), v.matchReason(h, m)))
	}
	for _, tool := range h.ToolHits {
		p.add(t.Text, "  ", "+2  tool "+safe.Line(tool)+", since it is hinted at")
	}
	p.blank()
	p.add(t.Warn, "", textIf(
		h.Noise && v.Described.Draft.Without,
		"! It matched on noise only. %s leaves a word out, to see what the task finds without it.",
		keyOf(v.keys().Recall.Drop),
	))
	p.blank()
	p.add(t.Danger, "", textIf(
		h.Flags&memory.FlagInjection != 0,
		"! Its text reaches the prompt with a heading, a delimiter or hidden characters. %s shows them in the block.",
		keyOf(v.keys().Recall.Markers),
	))
	p.blank()
	for _, f := range v.Risks[h.ID] {
		p.add(t.Danger, "", "! "+riskText(f))
	}
	p.blank()
	for _, s := range bodyLines(v.Described, h.Body, memory.Places(h.Secrets, memory.InBody, 0), v.Reveal) {
		p.add(t.Text, "", s)
	}
	return p.inset()
}

// bodyLines returns the lines of a body. If a record is one line of its store, a line break is
// shown as a token, because an agent may read the record as several lines.
func bodyLines(d memory.Description, body string, secrets [][2]int, reveal bool) []string {
	if d.ByLine {
		return []string{safe.Masked(cut(body), secrets, reveal)}
	}
	return shownLines(body, secrets, reveal)
}

// tags returns short remarks on a hit.
func (v Recall) tags(h memory.Hit) string {
	return joined(
		"   ",
		safe.Masked(clip(string(h.Outcome), maxOutcome), memory.Places(h.Secrets, memory.InOutcome, 0), v.Reveal),
		v.Mask.line(h.Scope, 60),
		v.Mask.line(h.Kind, 60),
		textIf(v.counts(), "relevance %s", relevance(h.Count)),
		textIf(h.Line > 0, "%s", Display{Description: v.Described}.position(h.Line)),
	)
}

// counts reports whether the records of the store have counts.
func (v Recall) counts() bool { return slices.Contains(v.Described.Columns, "rel") }

// place says whether a hit is recalled, and why not.
func (v Recall) place(t theme.Theme, h memory.Hit) (style theme.Style, indent, text string) {
	r, cut := v.Result, v.cutAt()
	rank := fmt.Sprintf("%d of %d found", h.Rank, r.Found)
	switch {
	case h.Recalled && cut > 0:
		return t.OK, "", fmt.Sprintf("Recalled: %s, and the first %d are.", rank, cut)
	case h.Recalled:
		return t.OK, "", "Sent to the model."
	case cut == 0:
		return t.Warn, "", "Not sent to the model."
	case h.LostTie:
		return t.Warn, "", fmt.Sprintf(
			"Cut: %s. It scores as much as number %d, but of %s with the same score the earlier one in the store comes first.",
			rank,
			cut,
			v.Noun.OrRecord().Many,
		)
	}
	lowest := ""
	if cut <= len(r.Hits) {
		lowest = fmt.Sprintf(", and number %d scores %s", cut, strings.TrimSpace(scoreText(&r.Hits[cut-1])))
	}
	return t.Text, "", fmt.Sprintf("Cut: %s. Only the first %d are recalled%s.", rank, cut, lowest)
}

// matchReason says where a word was found and how.
func (v Recall) matchReason(h memory.Hit, m memory.Match) string {
	in, around := v.matchPlace(h, m.Word)
	how := cmp.Or(
		map[memory.MatchKind]string{
			memory.StopWord:   "~  stop word",
			memory.InsideWord: "~  inside another word",
		}[m.Kind],
		"  whole word",
	)
	return safe.Line(m.Word) + how + in + textIf(around != "" && m.Kind == memory.InsideWord, ` ("%s")`, around) +
		textIf(m.Times > 1, ", %d times in the draft", m.Times)
}

// matchPlace says which text of a hit contains a word, and inside which longer word. It names no
// place if lower case differs from JavaScript's for a rare letter, or if the word is in a masked
// secret.
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

// TaskWords returns the words for PanelWords, each once: those that score and those that are left
// out.
func (v Recall) TaskWords() []memory.Word {
	var words []memory.Word
	for _, w := range v.Result.Words {
		listed := slices.ContainsFunc(words, func(x memory.Word) bool { return x.Text == w.Text })
		if (w.State == memory.WordUsed || w.State == memory.WordLeftOut) && !listed {
			words = append(words, w)
		}
	}
	return words
}

// wordsHead is the number of lines above the words.
const wordsHead = 2

// wordLines lists the words of the task with the number of records that each finds. The selected
// word is marked.
func (v Recall) wordLines(t theme.Theme, w int) []string {
	words := v.TaskWords()
	lines := []string{
		t.Dim.Render(
			" " + keyOf(v.keys().Recall.Drop) + " leaves out or puts back, " + keyOf(v.keys().Global.Back) + " closes",
		),
		"",
	}
	if len(words) == 0 {
		return append(lines, t.Dim.Render(" the task has no word that scores"))
	}
	for i, word := range words {
		text, style := safe.Line(word.Text), theme.Style{}
		if word.State == memory.WordLeftOut {
			text, style = "out  "+text, t.Warn
		} else {
			text = "     " + Cell(t, text, max(min(w-29, 24), 1)) + "  " + v.finds(word.Text)
		}
		lines = append(lines, rowLine(t, style, i == v.Word, " "+text, w))
	}
	return lines
}

// finds says in how many of the listed hits a word was found, and how often as noise.
func (v Recall) finds(word string) string {
	hits, noise := 0, 0
	for i := range v.Result.Hits {
		for _, m := range v.Result.Hits[i].Matches {
			if m.Word == word {
				hits++
				if m.Kind != memory.WholeWord {
					noise++
				}
			}
		}
	}
	some := v.Noun.Count(hits)
	return cmp.Or(
		textIf(hits == 0, "no %s", v.Noun.OrRecord().One),
		textIf(noise == hits, "%s, all noise", some),
		some+textIf(noise > 0, ", %d noise", noise),
	)
}
