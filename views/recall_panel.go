package views

import (
	"cmp"
	"fmt"
	"slices"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/theme"
)

// panelPane draws the right side: a scrolling text and notes about it below.
func (v Recall) panelPane(t theme.Theme, w, h int) string {
	lines, foot, fits := v.panelParts(t, max(w-2, 0), max(h-2, 0))
	from := v.Scroll
	if v.Panel == PanelWords {
		from = v.Word + wordsHead + 1 - fits
	}
	p := pane{Title: v.panelTitle(), Focused: v.Detail || v.Layout == layout.DetailOnly}
	p.Lines, p.Right = window(lines, from, fits)
	p.Lines = slices.Concat(p.Lines, foot)
	return p.render(t, w, h)
}

// panelParts returns the text of the right side, the notes below it, and how many lines of the text
// are visible. The notes are shortened if there is little room.
func (v Recall) panelParts(t theme.Theme, w, h int) (lines, foot []string, fits int) {
	lines, b := v.panelLines(t, w)
	if b == nil {
		return lines, nil, min(len(lines), h)
	}
	brief := []string{v.facts(t, *b), v.bottomLine(t, w)}
	if piece := v.pieceText(); piece != "" {
		brief = slices.Insert(brief, 0, t.Info.Render(truncate(t, piece, w)))
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
	h, ok := v.Hit()
	why := "Why" + textIf(ok, " number %d is %s", h.Rank, cmp.Or(textIf(h.Recalled, "recalled"), "cut"))
	titles := map[RecallPanel]string{
		PanelSession: "What a session got, and now",
		PanelExplain: why,
		PanelWords:   "Leave words out",
	}
	return cmp.Or(titles[v.Panel], v.textName())
}

// panelLines returns the text of the right side, and its block if it has one.
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
	p := prose(t, w)
	style, text := v.whyNothing(t)
	if v.Failed == "" && !v.Ready {
		text = "The text that the agent would read, byte for byte, appears here. Nothing changes by looking."
	}
	p.add(style, "", text)
	p.add(t.Dim, "", textIf(v.Failed != "", "It is tried again when the store or the task changes."))
	for _, note := range v.Result.Notes {
		p.add(t.Dim, "", v.Mask.longText(note))
	}
	p.blank()
	p.add(t.Info, "", v.gotLine())
	return p.inset()
}

func (v Recall) verdictLines(t theme.Theme, w int) []string {
	j := v.verdict()
	sign := [...]string{memory.Good: "", memory.Note: "", memory.Warn: "! ", memory.Stop: "!! "}[j.level]
	return wrapped(levelStyle(t, j.level), "verdict: "+sign+j.text, w)
}

func markCounts(b memory.Block) [memory.MarkDelimiter + 1]int {
	var n [memory.MarkDelimiter + 1]int
	for _, m := range b.Marks {
		n[min(m.Kind, memory.MarkDelimiter)]++
	}
	return n
}

// recalled counts the hits that are sent.
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
	return fmt.Sprintf("about %d-%d tokens", b.TokensLow, b.TokensHigh)
}

// info returns the remarks on a block, with all notes or in short form.
func (v Recall) info(t theme.Theme, b memory.Block, w int, all bool) []string {
	p := paper{t: t, w: w}
	if all {
		p.put("")
	}
	sent := recalled(v.Result)
	p.add(t.Text, "", joined("   ", fmt.Sprintf("%d bytes", len(b.Text)),
		textIf(sent > 0 && v.Block == 0, "%s", v.Noun.Count(sent)), tokens(b)+", models differ"))
	n := markCounts(b)
	p.add(
		t.Text,
		"",
		textIf(n[memory.MarkCut]+n[memory.MarkFiltered]+n[memory.MarkHidden] > 0, "cut: %s   filtered: %s   hidden: %d",
			noneOr(n[memory.MarkCut], "text"), noneOr(n[memory.MarkFiltered], "marker"), n[memory.MarkHidden]),
	)
	p.add(t.Info, "", v.pieceText())
	k, reveal := len(secretMarks(nil, b)), keyOf(v.keys().Global.Reveal)
	does := cmp.Or(textIf(v.Reveal, "shown (%s masks)", reveal), "masked here and in copies ("+reveal+" reveals)")
	p.add(t.Warn, "", textIf(k > 0, "%s %s", memory.Counted(k, "secret"), does))
	if all {
		for _, note := range append([]string{v.Described.Draft.Note}, v.Result.Notes...) {
			p.add(t.Dim, "", v.Mask.longText(note))
		}
		p.add(t.Info, "", v.gotLine())
	}
	p.indented("", v.verdictLines(t, w))
	p.add(t.Dim, "", onlyPreview)
	return p.lines
}

// onlyPreview is shown below what would be recalled.
const onlyPreview = "preview only - nothing is changed"

func noneOr(n int, noun string) string {
	return cmp.Or(textIf(n > 0, "%s", memory.Counted(n, noun)), "none")
}

// facts returns the facts about a block in one line.
func (v Recall) facts(t theme.Theme, b memory.Block) string {
	filtered, secrets := markCounts(b)[memory.MarkFiltered], len(secretMarks(nil, b))
	return t.Dim.Render(joined(
		"  ",
		fmt.Sprintf("%d bytes, %s", len(b.Text), tokens(b)),
		textIf(
			filtered > 0,
			"%d filtered",
			filtered,
		),
		textIf(secrets > 0 && !v.Reveal, "%d masked (%s)", secrets, keyOf(v.keys().Global.Reveal)),
	))
}

// bottomLine returns the verdict and, if there is room, says that nothing was changed.
func (v Recall) bottomLine(t theme.Theme, w int) string {
	only := t.Dim.Render(onlyPreview)
	if !v.Ready || w < 20 {
		return only
	}
	verdict := v.verdictLines(t, 1000)[0]
	if Width(verdict)+len(onlyPreview)+2 > w {
		if only = t.Dim.Render("dry run"); Width(verdict)+Width(only)+2 > w {
			return Cell(t, verdict, w)
		}
	}
	return leftAndRight(t, verdict, "  "+only, w)
}
