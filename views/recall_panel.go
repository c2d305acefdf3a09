package views

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/theme"
)

// panelPane draws the right side: text that scrolls, and what is said about it
// below.
func (v Recall) panelPane(t theme.Theme, w, h int) string {
	lines, foot, fits := v.panelParts(t, max(w-2, 0), max(h-2, 0))
	from := min(max(v.Scroll, 0), len(lines)-fits)
	if v.Panel == PanelWords {
		from = min(max(v.Word+wordsHead+1-fits, 0), len(lines)-fits)
	}
	p := Pane{Title: v.panelTitle(), Focused: v.Right || v.Layout == layout.DetailOnly}
	p.Lines = slices.Concat(lines[from:from+fits], foot)
	if fits < len(lines) {
		p.Right = strconv.Itoa(from+1) + "-" + strconv.Itoa(from+fits) + " of " + strconv.Itoa(len(lines))
	}
	return p.Render(t, w, h)
}

// panelParts returns the text of the right side, what is said below it, and how
// many lines of the text are shown. Where room is low less is said below.
func (v Recall) panelParts(t theme.Theme, w, h int) (lines, foot []string, fits int) {
	lines, b := v.panelLines(t, w)
	if b == nil {
		return lines, nil, min(len(lines), h)
	}
	brief := []string{v.facts(t, *b), v.bottomLine(t, w)}
	if v.pieceText() != "" {
		brief = append([]string{t.Info.Render(fit(v.pieceText(), w))}, brief...)
	}
	if verdict := v.verdictLines(t, w); len(verdict) > 1 {
		brief = append(brief[:len(brief)-1], verdict[:2]...)
	}
	for _, foot = range [][]string{v.info(t, *b, w, true), v.info(t, *b, w, false), brief} {
		if len(lines)+len(foot) <= h {
			return lines, foot, len(lines)
		}
	}
	switch {
	case h < 6:
		foot = nil
	case len(foot) > h/3:
		foot = []string{v.bottomLine(t, w)}
	}
	return lines, foot, max(min(len(lines), h-len(foot)), 0)
}

func (v Recall) panelTitle() string {
	switch v.Panel {
	case PanelSession:
		return "What a session got, and now"
	case PanelExplain:
		h, ok := v.Hit()
		switch {
		case !ok:
			return "Why"
		case h.Recalled:
			return "Why number " + strconv.Itoa(h.Rank) + " is recalled"
		}
		return "Why number " + strconv.Itoa(h.Rank) + " is cut"
	case PanelWords:
		return "Leave words out"
	}
	return v.textName()
}

// panelLines returns the text of the right side, and the block if it is one.
func (v Recall) panelLines(t theme.Theme, w int) ([]string, *memory.Block) {
	switch {
	case v.Panel == PanelExplain:
		if h, ok := v.Hit(); ok {
			return v.explain(t, h, w), nil
		}
		return []string{t.Dim.Render(" no " + v.Noun.OrRecord().One + " is selected")}, nil
	case v.Panel == PanelWords:
		return v.wordLines(t, w), nil
	case v.Panel == PanelSession && v.Ready:
		return v.sessionLines(t, w), nil
	}
	b := v.Shown()
	if !v.Ready || b.Text == "" {
		return v.noText(t, w), nil
	}
	return v.blockLines(t, b, w), &b
}

// noText says why there is no text.
func (v Recall) noText(t theme.Theme, w int) []string {
	p := prose{w: w}
	style, text := v.whyNothing(t)
	if v.Failed == "" && !v.Ready {
		text = "The text that the agent would read, byte for byte, appears here. Nothing changes by looking."
	}
	p.add(style, "", text)
	if v.Failed != "" {
		p.add(t.Dim, "", "It is tried again when the store or the task changes.")
	}
	for _, note := range v.Result.Notes {
		p.add(t.Dim, "", v.Mask.whole(note))
	}
	if s := v.Result.LastSession; s != nil {
		p.gap()
		p.add(t.Info, "", v.sessionLine(s)+" (D)")
	}
	return p.lines
}

func (v Recall) verdictLines(t theme.Theme, w int) []string {
	j := v.verdict()
	style := [...]theme.Style{memory.Good: t.OK, memory.Note: t.Info, memory.Warn: t.Warn, memory.Stop: t.Danger}[j.level]
	sign := [...]string{memory.Good: "", memory.Note: "", memory.Warn: "! ", memory.Stop: "!! "}[j.level]
	var lines []string
	for _, s := range Wrap("verdict: "+sign+j.text, max(w, 1)) {
		lines = append(lines, style.Render(s))
	}
	return lines
}

func markCounts(b memory.Block) [memory.MarkDelimiter + 1]int {
	var n [memory.MarkDelimiter + 1]int
	for _, m := range b.Marks {
		n[min(m.Kind, memory.MarkDelimiter)]++
	}
	return n
}

func recalled(r memory.Recall) int {
	n := 0
	for i := range r.Hits {
		if r.Hits[i].Recalled {
			n++
		}
	}
	return n
}

func tokens(b memory.Block) string {
	return "about " + strconv.Itoa(b.TokensLow) + "-" + strconv.Itoa(b.TokensHigh) + " tokens, models differ"
}

// info says what is worth knowing of a block, with all notes or in short.
func (v Recall) info(t theme.Theme, b memory.Block, w int, all bool) []string {
	var lines []string
	if all {
		lines = append(lines, "")
	}
	add := func(style theme.Style, text string) {
		for _, s := range Wrap(text, max(w, 1)) {
			lines = append(lines, style.Render(s))
		}
	}
	size := strconv.Itoa(len(b.Text)) + " bytes"
	if n := recalled(v.Result); n > 0 && v.Block == 0 {
		size += "   " + v.Noun.Count(n)
	}
	add(t.Text, size+"   "+tokens(b))
	n := markCounts(b)
	if n[memory.MarkCut]+n[memory.MarkFiltered]+n[memory.MarkHidden] > 0 {
		add(t.Text, "cut: "+noneOr(n[memory.MarkCut], "text")+"   filtered: "+noneOr(n[memory.MarkFiltered], "marker")+
			"   hidden: "+strconv.Itoa(n[memory.MarkHidden]))
	}
	if piece := v.pieceText(); piece != "" {
		add(t.Info, piece)
	}
	if k := len(secretMarks(nil, b)); k > 0 && !v.Reveal {
		add(t.Warn, count(k, "secret")+" masked here and in copies (X reveals)")
	} else if k > 0 {
		add(t.Warn, count(k, "secret")+" shown (X masks)")
	}
	if all {
		for _, note := range append([]string{v.Described.Draft.Note}, v.Result.Notes...) {
			if note != "" {
				add(t.Dim, v.Mask.whole(note))
			}
		}
		if s := v.Result.LastSession; s != nil {
			add(t.Info, v.sessionLine(s)+" (D)")
		}
	}
	lines = append(lines, v.verdictLines(t, w)...)
	add(t.Dim, onlyPreview)
	return lines
}

// onlyPreview is said below what would be recalled.
const onlyPreview = "preview only - nothing is changed"

func noneOr(n int, noun string) string {
	if n == 0 {
		return "none"
	}
	return count(n, noun)
}

// facts says the same in one line.
func (v Recall) facts(t theme.Theme, b memory.Block) string {
	n := markCounts(b)
	facts := strconv.Itoa(len(b.Text)) + " bytes, " + strings.TrimSuffix(tokens(b), ", models differ")
	if n[memory.MarkFiltered] > 0 {
		facts += "  " + strconv.Itoa(n[memory.MarkFiltered]) + " filtered"
	}
	if k := len(secretMarks(nil, b)); k > 0 && !v.Reveal {
		facts += "  " + strconv.Itoa(k) + " masked (X)"
	}
	return t.Dim.Render(facts)
}

// bottomLine holds the verdict, and says that nothing was changed where there is room.
func (v Recall) bottomLine(t theme.Theme, w int) string {
	only := t.Dim.Render(onlyPreview)
	if !v.Ready || w < 20 {
		return only
	}
	verdict := v.verdictLines(t, 1000)[0]
	if Width(verdict)+len(onlyPreview)+2 > w {
		if only = t.Dim.Render("dry run"); Width(verdict)+Width(only)+2 > w {
			return Cell(verdict, w)
		}
	}
	return Sides(verdict, "  "+only, w)
}
