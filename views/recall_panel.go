package views

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
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

// panelParts returns the text of the right side, what stands below it, and how
// many lines of the text are shown. Where room is low less is said below.
func (v Recall) panelParts(t theme.Theme, w, h int) (lines, foot []string, fits int) {
	lines, b := v.panelLines(t, w)
	if b == nil {
		return lines, nil, min(len(lines), h)
	}
	brief := []string{v.facts(t, *b), v.bottomLine(t, w)}
	if v.Other != nil && v.pieceText() != "" {
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
	case PanelGot:
		return "What a session got, and now"
	case PanelPrompt:
		return "Whole prompt sent to the planner"
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
	if v.Other != nil {
		return v.blockName()
	}
	return "Exact block sent to the planner"
}

// panelLines returns the text of the right side, and the block if it is one.
func (v Recall) panelLines(t theme.Theme, w int) ([]string, *memory.Block) {
	switch v.Panel {
	case PanelExplain:
		if h, ok := v.Hit(); ok {
			return v.explain(t, h, w), nil
		}
		return []string{t.Dim.Render(" no lesson is selected")}, nil
	case PanelWords:
		return v.wordLines(t, w), nil
	case PanelGot:
		if v.Other != nil && v.Ready {
			return v.gotLines(t, w), nil
		}
	}
	b := v.shownBlock()
	if !v.Ready || b.Text == "" {
		return v.noBlock(t, w), nil
	}
	return v.blockLines(t, *b, w), b
}

// noBlock says why there is no text.
func (v Recall) noBlock(t theme.Theme, w int) []string {
	p := prose{w: w}
	switch r := v.Result; {
	case v.Other != nil:
		return v.otherNoBlock(t, w)
	case v.Failed != "":
		p.add(t.Danger, "", "! "+safe.Line(v.Failed))
		p.add(t.Dim, "", "It is tried again when the store or the task changes.")
	case !v.Ready:
		p.add(t.Dim, "", "The text that the agent would read, byte for byte, appears here. Nothing changes by looking.")
	case r.Stop != nil:
		p.add(t.Danger, "", "! "+v.verdict().text)
	default:
		p.add(t.Warn, "", v.verdict().text)
		p.gap()
		p.add(t.Dim, "", "The prompt would have no part on past experience.")
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
	if v.Other != nil {
		return v.otherInfo(t, b, w, all)
	}
	var lines []string
	if all {
		lines = append(lines, "")
	}
	add := func(style theme.Style, text string) {
		for _, s := range Wrap(text, max(w, 1)) {
			lines = append(lines, style.Render(s))
		}
	}
	n := markCounts(b)
	add(t.Text, strconv.Itoa(len(b.Text))+" bytes   "+count(recalled(v.Result), "lesson"))
	add(t.Text, tokens(b))
	add(t.Text, "cut: "+noneOr(n[memory.MarkCut], "text")+"   filtered: "+noneOr(n[memory.MarkFiltered], "marker")+
		"   hidden: "+strconv.Itoa(n[memory.MarkHidden]))
	if k := len(secretMarks(nil, b)); k > 0 && !v.Reveal {
		add(t.Warn, count(k, "secret")+" masked here and in copies (X reveals)")
	} else if k > 0 {
		add(t.Warn, count(k, "secret")+" shown (X masks)")
	}
	if all && v.System == planner {
		add(t.Dim, "Sanitizer: karnevil9 rules (outcome 20, task 200, lesson 500)")
	}
	for _, note := range v.Result.Notes {
		if all {
			add(t.Dim, safe.Line(note))
		}
	}
	if all {
		lines = append(lines, "")
	}
	lines = append(lines, v.verdictLines(t, w)...)
	add(t.Dim, "preview only - relevance NOT changed")
	return lines
}

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

// bottomLine holds the verdict, and says that nothing was changed.
func (v Recall) bottomLine(t theme.Theme, w int) string {
	only := t.Dim.Render("preview only - relevance NOT changed")
	if v.Other != nil {
		only = t.Dim.Render("preview only - nothing is changed")
	}
	if !v.Ready || w < 20 {
		return only
	}
	verdict := v.verdictLines(t, 1000)[0]
	for _, less := range []string{"relevance NOT changed", "dry run", ""} {
		if Width(verdict)+Width(only)+2 <= w {
			break
		}
		if v.Other != nil && less == "relevance NOT changed" {
			continue
		}
		only = t.Dim.Render(less)
	}
	if only == "" {
		return Cell(verdict, w)
	}
	return Sides(verdict, "  "+only, w)
}

// blockStart returns the first lines of the block, h at most.
func (v Recall) blockStart(t theme.Theme, w, h int) []string {
	if h <= 0 {
		return nil
	}
	lines := v.blockLines(t, v.Result.Block, w)
	for len(lines) > 1 && v.Result.Block.Text[0] == '\n' && lines[0] == t.Border.Render(bar) {
		lines = lines[1:]
	}
	if len(lines) >= h {
		more := "  .. " + count(len(lines)-h+1, "more line") + "   "
		lines = append(lines[:h-1:h-1], t.Border.Render(bar)+t.Dim.Render(more)+v.facts(t, v.Result.Block))
	} else {
		lines = append(lines, " "+v.facts(t, v.Result.Block))
	}
	return lines
}
