package views

import (
	"cmp"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// boxLines returns how many lines of a task are shown if the left box is h lines high.
func boxLines(h int) int { return min(max(h/5, 1), 8) }

// addBox adds the draft task in a box.
func (v Recall) addBox(t theme.Theme, l *leftBox, w, h int) {
	label, hint, length := "Draft task", " ("+keyOf(v.keys().Recall.Editor)+": open in $EDITOR)", v.length(t)
	if len(label)+len(hint)+Width(length)+1 > w {
		hint = ""
	}
	l.add(leftAndRight(t, t.Strong.Render(label)+t.Dim.Render(hint), length, w))
	edge := t.Border
	if v.Typing {
		edge = t.Accent
	}
	x := t.Borders
	l.add(edge.Render(x.TopLeft + repeat(x.Horizontal, max(w-2, 0)) + x.TopRight))
	side := edge.Render(x.Vertical)
	v.addText(t, l, w-2, boxLines(h), 1, func(text string) string { return side + text + side })
	l.add(edge.Render(x.BottomLeft + repeat(x.Horizontal, max(w-2, 0)) + x.BottomRight))
}

// addText adds the lines of the task, each w cells wide and then framed. The frame begins
// frameWidth cells to the left of the text.
func (v Recall) addText(t theme.Theme, l *leftBox, w, h, frameWidth int, frame func(string) string) {
	if v.blank() {
		l.add(frame(Cell(t, t.Dim.Render("press "+keyOf(v.keys().Recall.Edit)+" and write a task, or paste one"), w)))
		return
	}
	box := v.Box
	if !v.Typing {
		box.Cursor = 0 // shown from its beginning
	}
	lines, x, y := box.show(max(w, 1), h)
	if v.Typing {
		l.x, l.y, l.cursor = frameWidth+x, len(l.lines)+y, true
	} else if n := len(lines); n > 0 && n < box.height(max(w, 1)) {
		lines[n-1] = strings.TrimRight(lines[n-1], " ") + t.Borders.Cut // the end of a full line is cut for it
	}
	for _, s := range lines {
		l.add(frame(Cell(t, t.Text.Render(s), w)))
	}
}

// addNarrowTask adds the draft task without a box: one line, or up to three while the user types.
func (v Recall) addNarrowTask(t theme.Theme, l *leftBox, w, h int) {
	lines := 1
	if v.Typing && h >= 8 {
		lines = 3
	}
	label := t.Strong.Render(narrowTask)
	v.addText(t, l, w-len(narrowTask), lines, len(narrowTask), func(text string) string {
		s := label + text
		label = pad(len(narrowTask))
		return s
	})
}

// length says how much of the task the agent would read.
func (v Recall) length(t theme.Theme) string {
	r := v.Result
	if !v.Ready || r.UnitCap == 0 {
		return ""
	}
	s := strconv.Itoa(r.Units) + "/" + strconv.Itoa(r.UnitCap) + " chars"
	if r.Units > r.UnitCap {
		return t.Warn.Render(s + ", the rest is not read")
	}
	return t.Dim.Render(s)
}

// addChoices adds the part of the store, the folder and the tools that the recall is for, or the
// field in which the user types them.
func (v Recall) addChoices(t theme.Theme, l *leftBox, w int) {
	switch v.For {
	case ToolsLine:
		v.addLine(t, l, w, "Tools: ", "names of tools, +2 each; the agent itself passes none")
		return
	case FolderLine:
		v.addLine(t, l, w, "Folder and files: ", "~/project  src/main.go  docs/x.md")
		return
	}
	scope := textIf(
		v.Scopes > 1,
		"scope: the system's own choice (%s: next of %d)",
		keyOf(v.keys().Recall.Scope),
		v.Scopes,
	)
	if v.Task.Scope != "" {
		scope = "scope: " + v.Mask.line(v.Task.Scope, 60) + " (" + keyOf(v.keys().Recall.Scope) + ": next)"
	}
	said := joined("   ", scope, textIf(v.Task.Folder != "", "in %s", v.Mask.line(v.Task.Folder, 120)),
		textIf(len(v.Task.Files) > 0, "with %s", v.Mask.line(strings.Join(v.Task.Files, ", "), 200)),
		textIf(
			len(v.Task.Tools) > 0,
			"tools: %s (+2 each; the agent passes none)",
			safe.Line(strings.Join(v.Task.Tools, ", ")),
		))
	if said != "" {
		l.add(t.Info.Render(truncate(t, said, w)))
	}
}

// addLine adds a one-line field that the user types into.
func (v Recall) addLine(t theme.Theme, l *leftBox, w int, label, hint string) {
	shown, x, y := v.Line.show(max(w-len(label), 1), 1)
	l.x, l.y, l.cursor = len(label)+x, len(l.lines)+y, true
	text := strings.Join(shown, "")
	if v.Line.Text == "" {
		text = t.Dim.Render(hint)
	}
	l.add(t.Strong.Render(label) + text)
}

// addEstimate says, in at most h lines, that a model selects the records.
func (v Recall) addEstimate(t theme.Theme, l *leftBox, w, h int) {
	if !v.Ready || v.Result.Estimate == "" {
		return
	}
	for _, s := range wrapAtMost(t, "estimate: "+v.Mask.longText(v.Result.Estimate), max(w, 1), h) {
		l.add(t.Warn.Render(s))
	}
}

// hasWords reports whether the words of the task are known to score.
func (v Recall) hasWords() bool { return v.Ready && v.Result.WordCap > 0 && len(v.Result.Words) > 0 }

// addWords says, in at most h lines, how the words of the task are used.
func (v Recall) addWords(t theme.Theme, l *leftBox, w, h int) {
	if !v.hasWords() {
		return
	}
	const most = 2 // lines for the words of one state
	var lines []string
	add := func(style theme.Style, label, text, note string) {
		if text == "" {
			return
		}
		for _, s := range wrapAtMost(t, label+": "+text+note, w, most) {
			lines = append(lines, style.Render(s))
		}
	}
	words, used, past := v.taskWords()
	add(t.Warn, "without", words[memory.WordLeftOut], " (the agent would use it; "+keyOf(v.keys().Recall.Drop)+")")
	add(t.Text, "words used "+used, orDash(words[memory.WordUsed]), "")
	add(t.Dim, "ignored", words[memory.WordShort], " ("+cmp.Or(v.Result.Ignored, "3 letters or fewer")+")")
	add(t.Dim, past, words[memory.WordPast50], "")
	add(t.Dim, "past "+strconv.Itoa(v.Result.UnitCap)+" chars", words[memory.WordPast2000], "")
	l.add(lines[:min(len(lines), max(h, 0))]...)
}

// taskWords returns the words of each state, and how many score out of the maximum. past names the
// words beyond that limit.
func (v Recall) taskWords() (words [memory.WordLeftOut + 1]string, used, past string) {
	limit := strconv.Itoa(v.Result.WordCap)
	return groupWords(v.Result.Words), strconv.Itoa(v.Result.Used) + " of " + limit, "past word " + limit
}

// wordLine says in one line how the words of the task are used.
func (v Recall) wordLine(t theme.Theme, w int) string {
	if !v.hasWords() {
		return ""
	}
	words, used, past := v.taskWords()
	stateText := func(label string, state memory.WordState) string {
		return textIf(words[state] != "", "%s: %s", label, words[state])
	}
	return t.Dim.Render(Cell(t, joined(
		"   ",
		used+" words used",
		stateText("without", memory.WordLeftOut),
		stateText("ignored", memory.WordShort),
		stateText(past, memory.WordPast50),
		stateText("past "+strconv.Itoa(v.Result.UnitCap)+" chars", memory.WordPast2000),
	), w))
}

// groupWords returns the words of each state as text. The words of a long task are cut, since they
// cannot all be shown.
func groupWords(words []memory.Word) [memory.WordLeftOut + 1]string {
	const most = 600
	var groups [memory.WordLeftOut + 1]string
	for _, word := range words {
		g, sep := &groups[min(word.State, memory.WordLeftOut)], ", "
		if word.State == memory.WordUsed {
			sep = " "
		}
		if len(*g) <= most {
			*g = joined(sep, *g, safe.Line(word.Text))
		}
	}
	return groups
}
