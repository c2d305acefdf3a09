package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Other is what the recall screen shows of a system that is not the planner's: it injects
// several texts, some of them whatever the task is.
type Other struct {
	Name   string // of the system
	Scopes int    // parts of the store that can be chosen
	// Folder is the line of the folder and the files that the session works in, shown
	// while it is typed into.
	Folder       TextBox
	TypingFolder bool

	Block int  // which of the texts is shown
	Parts bool // the table lists the pieces of the texts, and not the hits
	Mask  Mask
}

// Blocks returns the texts that the system injects: the one that depends on the task,
// those that are there in any case, and the whole prompt.
func (v Recall) Blocks() []memory.Block {
	var all []memory.Block
	r := v.Result
	if r.Block.Text != "" {
		all = append(all, r.Block)
	}
	all = append(all, r.Also...)
	if r.Prompt.Text != "" {
		all = append(all, r.Prompt)
	}
	return all
}

// injected is Blocks without the prompt, which holds the others.
func (v Recall) injected() []memory.Block {
	all := v.Blocks()
	if v.Result.Prompt.Text != "" && len(all) > 1 {
		all = all[:len(all)-1]
	}
	return all
}

// Shown returns the text on the right side.
func (v Recall) Shown() memory.Block { return *v.shownBlock() }

func (v Recall) shownBlock() *memory.Block {
	if v.Other == nil {
		if v.Panel == PanelPrompt {
			return &v.Result.Prompt
		}
		return &v.Result.Block
	}
	all := v.Blocks()
	if len(all) == 0 {
		return &memory.Block{}
	}
	return &all[min(max(v.Other.Block, 0), len(all)-1)]
}

// otherHead is the line above the boxes.
func (v Recall) otherHead(t theme.Theme, w int) string {
	left, right := " What does "+safe.Line(v.Other.Name)+" get for this task?", "dry run"
	if v.Box.Text == "" {
		left = " What does " + safe.Line(v.Other.Name) + " get at every start?"
	}
	if w < layout.SplitWidth {
		left = " What does " + safe.Line(v.Other.Name) + " get?"
	}
	return Sides(t.Strong.Render(left), t.Dim.Render(right+" "), w)
}

// otherList is the left side: the task, what was chosen, and the table.
func (v Recall) otherList(t theme.Theme, w, h int, wide bool) listing {
	var l listing
	if wide {
		v.addBox(t, &l, w, h)
	} else {
		v.addNarrowTask(t, &l, w, h)
	}
	v.addChoices(t, &l, w)
	v.addEstimate(t, &l, w, max(h/6, 1))
	if v.Ready && len(v.Result.Words) > 0 && v.Result.WordCap > 0 && wide && !v.Other.TypingFolder {
		v.addWords(t, &l, w, 3)
	}
	var block []string
	foot := 0
	if !wide {
		foot = 1
		if left := h - len(l.lines) - 2; left >= 8 && v.Ready && v.shownBlock().Text != "" && v.Layout != layout.ListOnly {
			block = append(block, rule(t, w, v.blockName()+" (b: full screen)"))
			block = append(block, v.blockAt(t, w, left/2-1)...)
		}
	}
	if h-len(l.lines) > 6 {
		l.add(rule(t, w, v.tableName()))
	}
	v.addOtherTable(t, &l, w, max(h-len(l.lines)-len(block)-foot, 2))
	l.add(block...)
	if foot > 0 {
		l.add(v.bottomLine(t, w))
	}
	return l
}

// addChoices says for which part of the store and in which folder it is asked.
func (v Recall) addChoices(t theme.Theme, l *listing, w int) {
	o := v.Other
	if o.TypingFolder {
		const label = "Folder and files: "
		shown, x, y := o.Folder.Show(max(w-len(label), 1), 1)
		l.x, l.y, l.cursor = len(label)+x, len(l.lines)+y, true
		text := strings.Join(shown, "")
		if o.Folder.Text == "" {
			text = t.Dim.Render("~/project  src/main.go  docs/x.md")
		}
		l.add(t.Strong.Render(label) + text)
		return
	}
	var parts []string
	switch {
	case v.Task.Scope != "":
		parts = append(parts, "scope: "+o.Mask.line(v.Task.Scope, 60)+" (s: next)")
	case o.Scopes > 1:
		parts = append(parts, "scope: the system's own choice (s: next of "+strconv.Itoa(o.Scopes)+")")
	}
	if v.Task.Folder != "" {
		parts = append(parts, "in "+o.Mask.line(v.Task.Folder, 120))
	}
	if len(v.Task.Files) > 0 {
		parts = append(parts, "with "+o.Mask.line(strings.Join(v.Task.Files, ", "), 200))
	}
	if len(parts) > 0 {
		l.add(t.Info.Render(fit(strings.Join(parts, "   "), w)))
	}
}

// addEstimate says in at most h lines that a model chooses.
func (v Recall) addEstimate(t theme.Theme, l *listing, w, h int) {
	if !v.Ready || v.Result.Estimate == "" {
		return
	}
	lines := Wrap("estimate: "+v.Other.Mask.whole(v.Result.Estimate), max(w, 1))
	if len(lines) > h {
		lines[h-1] += " " + strings.Join(lines[h:], " ")
		lines = lines[:h]
	}
	for _, s := range lines {
		l.add(t.Warn.Render(fit(s, w)))
	}
}

// listsParts reports whether the table lists the pieces of the texts.
func (v Recall) listsParts() bool {
	return v.Other != nil && (v.Other.Parts || len(v.Result.Hits) == 0) && len(v.PartRows()) > 0
}

func (v Recall) tableName() string {
	switch {
	case !v.Ready:
		return ""
	case v.listsParts():
		size := memory.Size{}
		for _, b := range v.injected() {
			size.Bytes += len(b.Text)
			size.TokensLow, size.TokensHigh = size.TokensLow+b.TokensLow, size.TokensHigh+b.TokensHigh
		}
		name := "what is injected: " + byteSize(int64(size.Bytes)) + ", " + short(size.TokensLow) + "-" + short(size.TokensHigh) + " tokens"
		if len(v.Result.Hits) > 0 {
			name += " (p: " + count(len(v.Result.Hits), "hit") + ")"
		}
		return name
	case len(v.Result.Hits) > 0 && v.Task.Text == "":
		return "sent whatever the task is (p: its pieces)"
	case len(v.Result.Hits) > 0 && len(v.PartRows()) > 0:
		return "found for the task (p: what is injected)"
	}
	return "found for the task"
}

// PartRow is a piece of a text: a part of one of Blocks, or a whole one.
type PartRow struct {
	Block int
	Part  memory.Part
	Whole bool
}

// PartRows returns the pieces of all texts, in order.
func (v Recall) PartRows() []PartRow {
	var rows []PartRow
	for i, b := range v.injected() {
		if len(b.Parts) == 0 {
			rows = append(rows, PartRow{Block: i, Whole: true, Part: memory.Part{
				Name: b.Name, End: len(b.Text), TokensLow: b.TokensLow, TokensHigh: b.TokensHigh, Note: b.Where,
			}})
		}
		for _, p := range b.Parts {
			rows = append(rows, PartRow{Block: i, Part: p})
		}
	}
	return rows
}

// addOtherTable adds hits or parts in exactly h lines.
func (v Recall) addOtherTable(t theme.Theme, l *listing, w, h int) {
	var n int
	var row func(i int) string
	var head string
	switch {
	case v.listsParts():
		rows := v.PartRows()
		n, row, head = len(rows), func(i int) string { return v.partRow(t, w, i, rows[i]) }, partHead(w)
	case len(v.Result.Hits) > 0 && v.Ready:
		n, row, head = len(v.Result.Hits), func(i int) string { return v.hitRow(t, w, i) }, hitHead(w)
	default:
		l.add(v.otherNothing(t, w, h)...)
		return
	}
	l.add(t.Strong.Render(Cell(head, w)))
	h--
	from := min(max(v.Cursor-h+1, 0), max(n-h, 0))
	for i := from; i < from+h; i++ {
		if i >= n {
			l.add("")
			continue
		}
		l.lines, l.rows = append(l.lines, row(i)), append(l.rows, i)
	}
}

func (v Recall) otherNothing(t theme.Theme, w, h int) []string {
	style, text := t.Dim, ""
	r := v.Result
	switch {
	case v.Failed != "":
		style, text = t.Danger, "! "+v.Other.Mask.whole(v.Failed)
	case !v.Ready:
		text = "reading.."
	case r.Stop != nil:
		style, text = t.Danger, "! "+v.Other.Mask.whole(r.Stop.What)
	case r.Empty != "":
		style, text = t.Warn, v.Other.Mask.whole(r.Empty)
	default:
		text = "Nothing is injected."
	}
	p := prose{w: w}
	p.add(style, "", text)
	if r.Stop != nil && r.Stop.Hint != "" {
		p.add(t.Info, "", "next: "+v.Other.Mask.whole(r.Stop.Hint))
	}
	for len(p.lines) < h {
		p.lines = append(p.lines, "")
	}
	return p.lines[:max(h, 0)]
}

func partHead(w int) string { return "  #   Bytes  Tokens  " + Cell("Text", max(w-21, 0)) }

func (v Recall) partRow(t theme.Theme, w, i int, r PartRow) string {
	mark := " "
	if i == v.Cursor {
		mark = ">"
	}
	p := r.Part
	name := v.Other.Mask.line(p.Name, w)
	if name == "" {
		name = cutFront(v.Other.Mask.line(p.Path, 4*max(w, 1)), max(w/3, 8))
	}
	left := mark + Right(strconv.Itoa(i+1), 2) + Right(short(p.End-p.Start), 8) + Right("<"+short(p.TokensHigh), 8) + "  "
	room := max(w-Width(left), 0)
	line := left + fit(name, room)
	if beside := room - min(Width(name), room/2) - 2; beside >= 8 {
		rest := v.Other.Mask.line(p.Note, beside)
		if p.Path != "" {
			rest = cutFront(v.Other.Mask.line(p.Path, 400), beside)
		}
		line = left + Cell(name, room-beside-2) + "  " + t.Dim.Render(fit(rest, beside))
	}
	if i == v.Cursor && !v.Right {
		return t.Selection.Render(Cell(line, w))
	}
	return Cell(line, w)
}

func hitHead(w int) string { return "  #  Points  " + Cell("Found", max(w-13, 0)) }

func points(h *memory.Hit) string {
	switch {
	case h.Points != 0:
		return strconv.FormatFloat(h.Points, 'f', 2, 64)
	case h.Score != 0:
		return strconv.Itoa(h.Score)
	}
	return "-"
}

// why says what a hit is for in a few words.
func (v Recall) why(h *memory.Hit) string {
	if h.Why != "" {
		return v.Other.Mask.line(h.Why, 200)
	}
	var words []string
	for _, m := range h.Matches {
		words = append(words, matchText(m))
	}
	return strings.Join(words, " ")
}

func (v Recall) hitRow(t theme.Theme, w, i int) string {
	h := &v.Result.Hits[i]
	mark := " "
	if i == v.Cursor {
		mark = ">"
	}
	left := mark + Right(strconv.Itoa(max(h.Rank, i+1)), 2) + Right(points(h), 8) + "  "
	room := max(w-Width(left), 0)
	title := v.text(*h, memory.InTitle)
	if warn := v.warning(*h); warn != "" {
		title = "! " + warn + "  " + title
	}
	why := v.why(h)
	if !h.Recalled && v.Ready {
		why = strings.TrimSpace("not sent  " + why)
	}
	line := left + fit(title, room)
	if why != "" && room > 30 {
		why = fit(why, room*2/5)
		line = left + Cell(title, room-Width(why)-2) + "  " + why
	}
	line = Cell(line, w)
	switch {
	case i == v.Cursor && !v.Right:
		return t.Selection.Render(line)
	case !h.Recalled:
		return t.Dim.Render(line)
	}
	return line
}

// pieceText says what was done to the piece under the cursor, or returns nothing.
func (v Recall) pieceText() string {
	row, ok := v.Piece()
	if !ok || row.Part.Note == "" || row.Whole {
		return ""
	}
	return strconv.Itoa(v.Cursor+1) + ": " + v.Other.Mask.line(row.Part.Note, 300)
}

// RowCount returns how many rows the table has.
func (v Recall) RowCount() int {
	switch {
	case v.Other == nil:
		return len(v.Rows())
	case v.listsParts():
		return len(v.PartRows())
	}
	return len(v.Result.Hits)
}

// Piece returns the piece under the cursor, where the table lists those.
func (v Recall) Piece() (PartRow, bool) {
	rows := v.PartRows()
	if !v.listsParts() || v.Cursor < 0 || v.Cursor >= len(rows) {
		return PartRow{}, false
	}
	return rows[v.Cursor], true
}

// LineOf returns the line of the shown text at which byte at stands, on a screen of w by
// h cells.
func (v Recall) LineOf(w, h, at int) int {
	p := v.parts(w, h)
	b := *v.shownBlock()
	at = min(max(at, 0), len(b.Text))
	b.Text = b.Text[:at]
	var marks []memory.Mark
	for _, m := range b.Marks {
		if m.End <= at {
			marks = append(marks, m)
		}
	}
	b.Marks = marks
	width := p.panel.Dx() - 2
	if p.panel.Empty() {
		width = w - 2
	}
	n := len(v.blockLines(theme.Theme{}, b, max(width, 0)))
	return max(n-1, 0)
}

// blockName returns the title of the text that is shown.
func (v Recall) blockName() string {
	b := v.shownBlock()
	name := v.Other.Mask.line(b.Name, 80)
	if b.Where != "" {
		name = strings.TrimPrefix(name+", in the "+strings.TrimPrefix(v.Other.Mask.line(b.Where, 60), "the "), ", ")
	}
	if n := len(v.Blocks()); n > 1 {
		name = strconv.Itoa(min(v.Other.Block, n-1)+1) + "/" + strconv.Itoa(n) + " " + name
	}
	return orText(name, "Exact text")
}

// blockAt returns h lines of the shown text, from where it is scrolled to.
func (v Recall) blockAt(t theme.Theme, w, h int) []string {
	lines := v.blockLines(t, *v.shownBlock(), w)
	from := max(min(v.Scroll, len(lines)-1), 0)
	return lines[from:min(from+max(h, 0), len(lines))]
}

// otherInfo says what is worth knowing of the shown text.
func (v Recall) otherInfo(t theme.Theme, b memory.Block, w int, all bool) []string {
	var lines []string
	if all {
		lines = append(lines, "")
	}
	add := func(style theme.Style, text string) {
		for _, s := range Wrap(text, max(w, 1)) {
			lines = append(lines, style.Render(s))
		}
	}
	add(t.Text, strconv.Itoa(len(b.Text))+" bytes   "+tokens(b))
	if said := v.pieceText(); said != "" {
		add(t.Info, said)
	}
	if k := len(secretMarks(nil, b)); k > 0 && !v.Reveal {
		add(t.Warn, count(k, "secret")+" masked here and in copies (X reveals)")
	} else if k > 0 {
		add(t.Warn, count(k, "secret")+" shown (X masks)")
	}
	for _, note := range v.Result.Notes {
		if all {
			add(t.Dim, v.Other.Mask.whole(note))
		}
	}
	if g := v.Result.Got; g != nil && all {
		add(t.Info, v.gotLine(g)+" (D)")
	}
	lines = append(lines, v.verdictLines(t, w)...)
	add(t.Dim, "preview only - nothing is changed")
	return lines
}

// otherNoBlock says why there is no text.
func (v Recall) otherNoBlock(t theme.Theme, w int) []string {
	p := prose{w: w}
	switch r := v.Result; {
	case v.Failed != "":
		p.add(t.Danger, "", "! "+v.Other.Mask.whole(v.Failed))
		p.add(t.Dim, "", "It is tried again when the store or the task changes.")
	case !v.Ready:
		p.add(t.Dim, "", "The texts that the agent would read, byte for byte, appear here. Nothing changes by looking.")
	case r.Stop != nil:
		p.add(t.Danger, "", "! "+v.Other.Mask.whole(r.Stop.What))
	default:
		p.add(t.Warn, "", v.Other.Mask.whole(orText(r.Empty, "Nothing is injected.")))
	}
	for _, note := range v.Result.Notes {
		p.add(t.Dim, "", v.Other.Mask.whole(note))
	}
	if g := v.Result.Got; g != nil {
		p.gap()
		p.add(t.Info, "", v.gotLine(g)+" (D)")
	}
	return p.lines
}
