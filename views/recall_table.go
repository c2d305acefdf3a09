package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// hitColumns are the columns of the table of hits.
const (
	hitRank = iota
	hitScore
	hitCount // has no width if records have no counts
	hitTitle
	hitWhy
)

func (v Recall) columns(w int, wide bool) columns {
	all := columns{
		{title: " #  ", width: 4}, {title: "Score", width: 5}, {title: "Rel", right: true},
		{title: Capital(v.Noun.OrRecord().One), gap: 2}, {gap: 1},
	}
	share := 34
	if !wide {
		all[hitRank], all[hitScore], share = column{title: " # ", width: 3}, column{title: "Sc", width: 4}, 44
	}
	for i := range v.Result.Hits {
		all[hitScore].width = max(all[hitScore].width, Width(scoreText(&v.Result.Hits[i])))
	}
	if v.counts() {
		all[hitCount].width = all[hitScore].width
	}
	rest := max(w-all.total()-2, 0)
	why := min(max(rest*share/100, 12), rest)
	all[hitWhy].title, all[hitWhy].width = v.whyHead(why), why+1
	all[hitTitle].width = max(rest-why-1, 0) + 2
	return all
}

// whyHead returns the heading of the last column in at most w cells.
func (v Recall) whyHead(w int) string {
	words := slices.ContainsFunc(v.Result.Hits, func(h memory.Hit) bool { return len(h.Matches) > 0 && h.Why == "" })
	const whole = "Matched (~ noise)"
	return cmp.Or(textIf(!words, "Why"), textIf(len(whole) <= w, whole), "Matched")
}

// RecallRow is a row of the table: a hit, or the line that stands for hits not listed.
type RecallRow struct {
	Hit  int  // index in Result.Hits; for a Rest, that of the first hit not listed
	Rest bool // the line for the remaining hits
}

// Rows returns the rows of the table. Hits at the end that match only on noise share one row,
// unless All is set.
func (v Recall) Rows() []RecallRow {
	hits := v.Result.Hits
	end := len(hits)
	if !v.All {
		for end > v.Result.Limit+1 && hits[end-1].Noise {
			end--
		}
		if end+1 == len(hits) && v.Result.Found == len(hits) {
			end++ // the row would be as long as the hit it hides
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

// Hit returns the selected hit.
func (v Recall) Hit() (memory.Hit, bool) {
	if v.listsPieces() {
		return memory.Hit{}, false
	}
	rows := v.Rows()
	if v.Cursor < 0 || v.Cursor >= len(rows) || rows[v.Cursor].Rest {
		return memory.Hit{}, false
	}
	return v.Result.Hits[rows[v.Cursor].Hit], true
}

// RowCount returns how many rows the table has.
func (v Recall) RowCount() int {
	if v.listsPieces() {
		return len(v.PieceRows())
	}
	return len(v.Rows())
}

// addTable adds hits or pieces in exactly h lines.
func (v Recall) addTable(t theme.Theme, l *leftBox, w, h int, wide bool) {
	var table leftBox
	head := ""
	first, last := 0, 0 // lines of the selected row
	add := func(i int, lines ...string) {
		if i == v.Cursor {
			first, last = len(table.lines), len(table.lines)+len(lines)
		}
		table.addRow(i, lines...)
	}
	switch {
	case v.listsPieces():
		head = pieceColumns().header(t) + "  Text"
		for i, row := range v.PieceRows() {
			add(i, v.pieceRow(t, w, i, row))
		}
	case len(v.Result.Hits) > 0:
		c := v.columns(w, wide)
		head = c.header(t)
		cut := v.cutAt()
		for i, row := range v.Rows() {
			if cut > 0 && row.Hit == cut && (row.Rest || i > 0) {
				table.add(cutRule(t, w, cut))
			}
			add(i, v.hitRow(t, w, i, row, c)...)
		}
	default:
		l.add(v.nothing(t, w, h)...)
		return
	}
	l.add(t.Strong.Render(Cell(t, head, w)))
	h = max(h-1, 0)
	from := min(max(last-h, 0), first)
	table.add(make([]string, h)...) // fills the table to h lines
	l.lines, l.rows = append(l.lines, table.lines[from:from+h]...), append(l.rows, table.rows[from:from+h]...)
}

// cutAt returns how many hits are sent if those are the first ones. It returns 0 if they are not,
// or if no hit is cut.
func (v Recall) cutAt() int {
	limit := v.Result.Limit
	for i := range v.Result.Hits {
		if v.Result.Hits[i].Recalled != (i < limit) {
			return 0
		}
	}
	return limit
}

// nothing fills h lines with the reason why there is no table.
func (v Recall) nothing(t theme.Theme, w, h int) []string {
	p := prose(t, w)
	style, text := v.whyNothing(t)
	if v.blank() && v.Described.Draft.TextOnly && v.Failed == "" {
		style = t.Dim
		text = "As you write, the " + v.Noun.OrRecord().Many + " that the agent would be told appear here, best first."
	}
	p.add(style, "", text)
	if stop := v.Result.Stop; stop != nil {
		p.blank()
		p.add(t.Info, "", textIf(stop.Hint != "", "next: %s", v.Mask.longText(stop.Hint)))
	}
	return slices.Concat(p.inset(), make([]string, max(h, 0)))[:max(h, 0)]
}

// whyNothing says why there are no hits and no text.
func (v Recall) whyNothing(t theme.Theme) (theme.Style, string) {
	r := v.Result
	switch {
	case v.Failed != "":
		return t.Danger, "! " + v.Mask.longText(v.Failed)
	case !v.Ready:
		return t.Dim, "reading" + t.Borders.Cut
	case r.Stop != nil && v.Described.Draft.TextOnly:
		return t.Danger, "! " + v.verdict().text
	case r.Stop != nil:
		return t.Danger, "! " + v.Mask.longText(r.Stop.What)
	case r.Empty != "" && v.Described.Draft.TextOnly:
		return t.Warn, "Nothing would be recalled: " + v.Mask.longText(r.Empty) + "."
	case r.Empty != "":
		return t.Warn, v.Mask.longText(r.Empty)
	}
	return t.Dim, "Nothing is injected."
}

func cutRule(t theme.Theme, w, limit int) string {
	text := " cut: top " + strconv.Itoa(limit) + " "
	left := max((w-len(text))/2, 0)
	if w < len(text)+4 {
		return t.Dim.Render(strings.TrimSpace(text))
	}
	return t.Border.Render(repeat(t.Borders.Horizontal, left)) + t.Warn.Render(text) +
		t.Border.Render(repeat(t.Borders.Horizontal, w-left-len(text)))
}

// hitRow returns the lines of row i. The selected row takes up to three lines, as many as its
// matched words need.
func (v Recall) hitRow(t theme.Theme, w, i int, row RecallRow, cols columns) []string {
	if row.Rest {
		return []string{v.row(t, i, t.Dim, Cell(t, v.sign(i)+"   "+v.rest(row.Hit), w))}
	}
	h, style := v.Result.Hits[row.Hit], t.Dim
	if h.Recalled {
		style = theme.Style{}
	}
	var lines []string
	left := cols[:hitTitle].line(t, v.sign(i)+strconv.Itoa(max(h.Rank, row.Hit+1)), scoreText(&h), relevance(h.Count)) +
		"  " +
		v.title(t, h, cols[hitTitle].width-2)
	for _, m := range v.why(t, &h, cols[hitWhy].width-1, i == v.Cursor) {
		lines = append(lines, v.row(t, i, style, Cell(t, left+" "+m, w)))
		left = pad(cols.total() - cols[hitWhy].width)
	}
	return lines
}

// scoreText returns the score of a hit as its system computes it, with a sign if the hit lost a
// tie.
func scoreText(h *memory.Hit) string {
	switch {
	case h.Points != 0:
		return strconv.FormatFloat(h.Points, 'f', 2, 64)
	case h.LostTie:
		return fmt.Sprintf("%3d=", h.Score)
	case h.Score != 0:
		return fmt.Sprintf("%3d", h.Score)
	}
	return "  -"
}

func relevance(c memory.Count) string {
	return cmp.Or(textIf(c.Odd != "", "?"), strconv.Itoa(c.N))
}

// title returns the title of a hit in w cells, with its warning if it has one.
func (v Recall) title(t theme.Theme, h memory.Hit, w int) string {
	text, warning := v.text(h, memory.InTitle), v.warning(h)
	if warning == "" || w < 20 {
		return Cell(t, text, w)
	}
	warning = truncate(t, "  ! "+warning, w*3/5)
	return Cell(t, truncate(t, text, w-Width(warning))+t.Danger.Render(warning), w)
}

// text returns a field of a hit, with its secrets masked.
func (v Recall) text(h memory.Hit, f memory.Field) string {
	s := map[memory.Field]string{memory.InTitle: h.Title, memory.InBody: h.Body}[f]
	return safe.Masked(s, memory.Places(h.Secrets, f, 0), v.Reveal)
}

// why says in lines of w cells why a hit was found: in the words of its system, or by the matched
// words, all of them if `all` is set.
func (v Recall) why(t theme.Theme, h *memory.Hit, w int, all bool) []string {
	var words []string
	if !h.Recalled && v.cutAt() == 0 {
		words = append(words, "not sent ")
	}
	if h.Why != "" {
		return []string{Cell(t, strings.Join(append(words, v.Mask.line(h.Why, 200)), " "), w)}
	}
	for _, m := range h.Matches {
		words = append(
			words,
			safe.Line(m.Word)+textIf(m.Kind != memory.WholeWord, "~")+textIf(m.Times > 1, "x%d", m.Times),
		)
	}
	for _, tool := range h.ToolHits {
		words = append(words, "+"+safe.Line(tool))
	}
	text := strings.Join(words, " ")
	if h.LostTie && (all || Width(text)+len(lostTie) <= w) {
		text += lostTie
	}
	if !all {
		return []string{Cell(t, text, w)}
	}
	return wrapAtMost(t, text, max(w, 1), 3)
}

// lostTie marks a hit that was cut although its score equals that of the last recalled hit. Its
// score also has an equals sign.
const lostTie = " (tie, lost)"

// rest describes the hits from index from on.
func (v Recall) rest(from int) string {
	r := v.Result
	text := strconv.Itoa(r.Found-from) + " more"
	if from >= len(r.Hits) {
		return text + ", none scores higher"
	}
	high, low := r.Hits[from].Score, r.Hits[len(r.Hits)-1].Score
	return text + " score " +
		cmp.Or(textIf(r.Found > len(r.Hits), "%d or less", high), textIf(high == low, "%d on noise words only", high),
			fmt.Sprintf("%d to %d on noise words only", low, high))
}

// tableNotes explains the signs of the table.
func (v Recall) tableNotes(t theme.Theme, w int) []string {
	if !v.Ready || len(v.Result.Hits) == 0 {
		return nil
	}
	noisy, tie, noise, example := 0, false, false, ""
	for i := range v.Result.Hits {
		h := &v.Result.Hits[i]
		if h.Recalled && h.Noise {
			noisy++
		}
		tie = tie || h.LostTie
		noise = noise || slices.ContainsFunc(h.Matches, func(m memory.Match) bool { return m.Kind != memory.WholeWord })
		example = cmp.Or(example, v.insideExample(*h))
	}
	note := "~ noise: stop word or inside another word"
	if Width(note)+Width(example)+1 <= w {
		note = joined(" ", note, example)
	}
	notes := []string{""}
	if noise {
		notes = append(notes, t.Dim.Render(note))
	}
	if tie {
		notes = append(
			notes,
			t.Dim.Render(fmt.Sprintf("= scores as much as number %d, but comes later in the store", v.Result.Limit)),
		)
	}
	if noisy > 0 {
		warning := fmt.Sprintf("! %d of %s matched on noise only", noisy, memory.Counted(recalled(v.Result), "slot"))
		notes = append(
			notes,
			t.Warn.Render(
				warning,
			)+t.Dim.Render(
				textIf(v.Described.Draft.Without, "    %s: try without a word", keyOf(v.keys().Recall.Drop)),
			),
		)
	}
	if len(notes) == 1 {
		return nil
	}
	return notes
}

// insideExample names a word that was found inside another word.
func (v Recall) insideExample(h memory.Hit) string {
	for _, m := range h.Matches {
		if m.Kind != memory.InsideWord {
			continue
		}
		around := cmp.Or(wordAround(v.text(h, memory.InTitle), m.Word), wordAround(v.text(h, memory.InBody), m.Word))
		if around != "" {
			return `("` + safe.Line(m.Word) + `" in "` + around + `")`
		}
	}
	return ""
}

// wordAround returns the word of text that contains needle, for display. It returns "" if there is
// none, or if the word is too long for an example.
func wordAround(text, needle string) string {
	for word := range strings.FieldsSeq(text) {
		if len(word) <= 40 && strings.Contains(strings.ToLower(word), needle) {
			return safe.Line(strings.Trim(word, ".,;:!?\"'()[]{}<>"))
		}
	}
	return ""
}
