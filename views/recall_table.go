package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// recallColumns is the division of a line of the table.
type recallColumns struct {
	head           string
	title, matched int // widths
	narrow         bool
}

func wideColumns(w int) recallColumns {
	rest := max(w-16, 0)
	c := recallColumns{matched: min(max(rest*34/100, 12), rest)}
	c.title = max(rest-c.matched-1, 0)
	c.head = " #  Score  Rel  " + Cell("Lesson", c.title) + " " + matchedHead(c.matched)
	return c
}

func narrowColumns(w int) recallColumns {
	rest := max(w-13, 0)
	c := recallColumns{matched: min(max(rest*44/100, 12), rest), narrow: true}
	c.title = max(rest-c.matched-1, 0)
	c.head = " #  Sc  Rel  " + Cell("Lesson", c.title) + " " + matchedHead(c.matched)
	return c
}

// matchedHead returns the name of the last column in at most w cells.
func matchedHead(w int) string {
	const whole = "Matched (~ noise)"
	if len(whole) <= w {
		return whole
	}
	return "Matched"
}

// RecallRow is a row of the table: a hit, or the line for hits that are not
// listed.
type RecallRow struct {
	Hit  int  // index in Result.Hits; of the first that is not listed, for a Rest
	Rest bool // stands for the remaining hits
}

// Rows returns the rows of the table. Hits at the end that match on noise only
// are put together in one row, unless All is set.
func (v Recall) Rows() []RecallRow {
	hits := v.Result.Hits
	end := len(hits)
	if !v.All {
		for end > v.Result.Limit+1 && hits[end-1].Noise {
			end--
		}
		if end+1 == len(hits) && v.Result.Found == len(hits) {
			end++ // the row would be as long as what it hides
		}
	}
	rows := make([]RecallRow, 0, end+1)
	for i := range end {
		rows = append(rows, RecallRow{Hit: i})
	}
	if end < v.Result.Found {
		rows = append(rows, RecallRow{Hit: end, Rest: true})
	}
	return rows
}

// Hit returns the hit under the cursor.
func (v Recall) Hit() (memory.Hit, bool) {
	rows := v.Rows()
	if v.Cursor < 0 || v.Cursor >= len(rows) || rows[v.Cursor].Rest {
		return memory.Hit{}, false
	}
	return v.Result.Hits[rows[v.Cursor].Hit], true
}

// addTable adds the table in exactly h lines.
func (v Recall) addTable(t theme.Theme, l *listing, w, h int, c recallColumns) {
	if h <= 0 {
		return
	}
	if len(v.Result.Hits) == 0 {
		l.add(v.nothing(t, w, h)...)
		return
	}
	l.add(t.Strong.Render(Cell(c.head, w)))
	var table listing
	first, last := 0, 0 // lines of the row under the cursor
	for i, row := range v.Rows() {
		if row.Hit == v.Result.Limit && v.Result.Limit > 0 && (row.Rest || i > 0) {
			table.add(cutRule(t, w, v.Result.Limit))
		}
		if i == v.Cursor {
			first = len(table.lines)
		}
		for _, s := range v.row(t, w, row, i == v.Cursor, c) {
			table.lines, table.rows = append(table.lines, s), append(table.rows, i)
		}
		if i == v.Cursor {
			last = len(table.lines)
		}
	}
	h--
	from := min(max(last-h, 0), first)
	for i := range h {
		if from+i < len(table.lines) {
			l.lines, l.rows = append(l.lines, table.lines[from+i]), append(l.rows, table.rows[from+i])
		} else {
			l.add("")
		}
	}
}

// nothing fills h lines with the reason why there is no table.
func (v Recall) nothing(t theme.Theme, w, h int) []string {
	style, text := t.Dim, ""
	switch {
	case v.Failed != "":
		style, text = t.Danger, "! "+safe.Line(v.Failed)
	case v.blank():
		text = "As you write, the lessons that the agent would be told appear here, best first."
	case !v.Ready:
		text = "reading.."
	case v.Result.Stop != nil:
		style, text = t.Danger, "! "+v.verdict().text
	case v.Result.Empty != "":
		style, text = t.Warn, "Nothing would be recalled: "+safe.Line(v.Result.Empty)+"."
	}
	p := prose{w: w}
	p.add(style, "", text)
	if stop := v.Result.Stop; stop != nil && stop.Hint != "" {
		p.gap()
		p.add(t.Info, "", "next: "+safe.Line(stop.Hint))
	}
	return slices.Concat(p.lines, make([]string, max(h-len(p.lines), 0)))[:h]
}

func cutRule(t theme.Theme, w, limit int) string {
	text := " cut: top " + strconv.Itoa(limit) + " "
	bar := t.Borders.Horizontal
	left := max((w-len(text))/2, 0)
	if w < len(text)+4 {
		return t.Dim.Render(strings.TrimSpace(text))
	}
	return t.Border.Render(repeat(bar, left)) + t.Warn.Render(text) + t.Border.Render(repeat(bar, w-left-len(text)))
}

// row returns the lines of one row. The row under the cursor takes as many as
// its matched words need, up to three.
func (v Recall) row(t theme.Theme, w int, row RecallRow, current bool, c recallColumns) []string {
	mark := " "
	if current {
		mark = ">"
	}
	if row.Rest {
		line := mark + "   " + v.rest(row.Hit)
		if current && !v.Right {
			return []string{t.Selection.Render(Cell(line, w))}
		}
		return []string{t.Dim.Render(Cell(line, w))}
	}
	h := v.Result.Hits[row.Hit]
	score := pad(3-len(strconv.Itoa(h.Score))) + strconv.Itoa(h.Score)
	rank := strconv.Itoa(h.Rank)
	if h.LostTie {
		score += "="
	}
	left := mark + rank + pad(3-len(rank)) + Cell(score, 5) + Right(relevance(h.Count), 5) + "  "
	if c.narrow {
		left = mark + rank + pad(2-len(rank)) + Cell(score, 4) + Right(relevance(h.Count), 4) + "  "
	}
	selected := current && !v.Right
	matched := v.matched(t, h, c.matched, current)
	lines := make([]string, 0, len(matched))
	for i, m := range matched {
		line := left + v.title(t, h, c.title, selected) + " " + m
		if i > 0 {
			line = pad(Width(left)+c.title+1) + m
		}
		line = Cell(line, w)
		if selected {
			line = t.Selection.Render(line)
		} else if !h.Recalled {
			line = t.Dim.Render(line)
		}
		lines = append(lines, line)
	}
	return lines
}

func relevance(c memory.Count) string {
	if c.Odd != "" {
		return "?"
	}
	return strconv.Itoa(c.N)
}

// title returns the title of a hit in w cells, with a warning where it has one.
func (v Recall) title(t theme.Theme, h memory.Hit, w int, selected bool) string {
	text, warning := v.text(h, memory.InTitle), v.warning(h)
	if warning == "" || w < 20 {
		return Cell(text, w)
	}
	warning = fit("  ! "+warning, w*3/5)
	text = fit(text, w-Width(warning))
	if selected {
		return Cell(text+warning, w)
	}
	return Cell(text+t.Danger.Render(warning), w)
}

// text returns a field of a hit, with its secrets masked.
func (v Recall) text(h memory.Hit, f memory.Field) string {
	s := h.Title
	if f == memory.InBody {
		s = h.Body
	}
	return safe.Masked(s, memory.Places(h.Secrets, f, 0), v.Reveal)
}

// matched returns the words that a hit was found by, in lines of w cells.
func (v Recall) matched(t theme.Theme, h memory.Hit, w int, all bool) []string {
	var words []string
	for _, m := range h.Matches {
		words = append(words, matchText(m))
	}
	for _, tool := range h.ToolHits {
		words = append(words, "+"+safe.Line(tool))
	}
	text := strings.Join(words, " ")
	if h.LostTie && (all || Width(text)+len(lostTie) <= w) {
		text += lostTie
	}
	if !all {
		return []string{Cell(text, w)}
	}
	lines := Wrap(text, max(w, 1))
	if len(lines) > 3 {
		lines = append(lines[:2], Cell(lines[2]+" "+lines[3], w))
	}
	return lines
}

// lostTie is said of a hit that was cut though it scores as much as the last that
// is recalled. Its score has an equals sign as well.
const lostTie = " (tie, lost)"

func matchText(m memory.Match) string {
	s := safe.Line(m.Word)
	if m.Kind != memory.WholeWord {
		s += "~"
	}
	if m.Times > 1 {
		s += "x" + strconv.Itoa(m.Times)
	}
	return s
}

// rest says what the hits from one on are like.
func (v Recall) rest(from int) string {
	r := v.Result
	text := strconv.Itoa(r.Found-from) + " more"
	if from >= len(r.Hits) {
		return text + ", none scores higher"
	}
	high, low := r.Hits[from].Score, r.Hits[len(r.Hits)-1].Score
	switch {
	case r.Found > len(r.Hits):
		return text + " score " + strconv.Itoa(high) + " or less"
	case high == low:
		return text + " score " + strconv.Itoa(high) + " on noise words only"
	}
	return text + " score " + strconv.Itoa(low) + " to " + strconv.Itoa(high) + " on noise words only"
}

// tableNotes explains the signs of the table.
func (v Recall) tableNotes(t theme.Theme, w int) []string {
	if !v.Ready || len(v.Result.Hits) == 0 {
		return nil
	}
	noisy, recalled, tie, noise, example := 0, 0, false, false, ""
	for i := range v.Result.Hits {
		h := &v.Result.Hits[i]
		if h.Recalled {
			recalled++
			if h.Noise {
				noisy++
			}
		}
		tie = tie || h.LostTie
		noise = noise || slices.ContainsFunc(h.Matches, func(m memory.Match) bool { return m.Kind != memory.WholeWord })
		if example == "" {
			example = v.insideExample(*h)
		}
	}
	note := "~ noise: stop word or inside another word"
	if example != "" && Width(note)+Width(example)+1 <= w {
		note += " " + example
	}
	notes := []string{""}
	if noise {
		notes = append(notes, t.Dim.Render(note))
	}
	if tie {
		notes = append(notes, t.Dim.Render("= scores as much as number "+strconv.Itoa(v.Result.Limit)+", but stands later in the store"))
	}
	if noisy > 0 {
		notes = append(notes, t.Warn.Render("! "+strconv.Itoa(noisy)+" of "+count(recalled, "slot")+
			" matched on noise only")+t.Dim.Render("    x: try without a word"))
	}
	if len(notes) == 1 {
		return nil
	}
	return notes
}

// insideExample names a word that was found inside another.
func (v Recall) insideExample(h memory.Hit) string {
	for _, m := range h.Matches {
		if m.Kind != memory.InsideWord {
			continue
		}
		if around := cmp.Or(wordAround(v.text(h, memory.InTitle), m.Word), wordAround(v.text(h, memory.InBody), m.Word)); around != "" {
			return `("` + safe.Line(m.Word) + `" in "` + around + `")`
		}
	}
	return ""
}

// wordAround returns the word of text that needle is a part of, to be shown, or
// "" when it is not found or too long to be an example.
func wordAround(text, needle string) string {
	for word := range strings.FieldsSeq(text) {
		if len(word) <= 40 && strings.Contains(strings.ToLower(word), needle) {
			return safe.Line(strings.Trim(word, ".,;:!?\"'()[]{}<>"))
		}
	}
	return ""
}
