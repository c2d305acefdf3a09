package views

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Spans returns where a shown text matches what is looked for, as byte ranges in
// rising order. It may be nil.
type Spans func(text string, title bool) [][2]int

// RecordTable is the data of the list of records. Only the visible rows are looked at,
// so that it costs the same for any number of records.
type RecordTable struct {
	Records []memory.Record
	Index   []int32 // the rows: positions in Records
	Cursor  int     // a row
	Offset  int     // the first visible row

	// Marked reports whether the record at a position in Records is marked; it may
	// be nil.
	Marked func(record int32) bool
	// RangeFrom is the row at which the range that is being marked began, or -1.
	RangeFrom int

	Display Display
	SortBy  string // a column by its name in the header, in lower case
	Desc    bool
	Mask    Mask
	Left    int // cells of the titles that are scrolled out at the left

	Now    time.Time // for ages
	Reveal bool      // show secrets
	Dim    bool      // another pane has the focus
	Match  Spans
}

// minTitle is the width that titles should have before a column is shown.
const minTitle = 24

// markWidth is the width of cursor and mark.
const markWidth = 3

// visible returns the columns that fit into w cells, that of titles last. The one that the
// rows are sorted by has an arrow before its name, and is wider by it.
func (v RecordTable) visible(t theme.Theme, w int) columns {
	all := v.Display.columns()
	for i := range all {
		arrow := v.arrow(t, all[i].name)
		all[i].title, all[i].width = arrow+all[i].title, all[i].width+Width(arrow)
	}
	all.fitted(w-markWidth, minTitle)
	arrow := v.arrow(t, "task")
	return append(all, column{title: arrow + v.Display.title(), gap: 1, width: w - markWidth - all.total()})
}

// Lines returns at most h lines of w cells: the header, and the visible rows.
func (v RecordTable) Lines(t theme.Theme, w, h int) []string {
	if h <= 0 {
		return nil
	}
	cols := v.visible(t, w)
	lines := make([]string, 0, h)
	lines = append(lines, t.Strong.Render(Cell(" M "+cols.header(), w)))
	for row := v.Offset; row < len(v.Index) && len(lines) < h; row++ {
		lines = append(lines, v.row(t, cols, row, w))
	}
	return lines
}

// arrow marks the column that the rows are sorted by. It comes before the name,
// so that names stay over what they name.
func (v RecordTable) arrow(t theme.Theme, name string) string {
	switch {
	case v.SortBy != name:
		return ""
	case v.Desc:
		return t.Borders.Falling
	}
	return t.Borders.Rising
}

func (v RecordTable) row(t theme.Theme, cols columns, row, w int) string {
	r := &v.Records[v.Index[row]]
	selected := row == v.Cursor
	var b strings.Builder
	b.WriteString(v.mark(t, row, selected))
	last := len(cols) - 1
	for _, c := range cols[:last] {
		if c.width == 0 {
			continue
		}
		c.gap += Width(v.arrow(t, c.name))
		text := c.cell(v, r)
		if c.name == "scope" && strings.HasPrefix(text, "/") {
			text = cutStart(text, c.width-c.gap) // paths differ at the end
		}
		text = c.text(text)
		if !selected {
			text = columnStyle(t, c, r).Render(text)
		}
		b.WriteString(text)
	}
	lead := 1 + Width(v.arrow(t, "task"))
	b.WriteString(pad(lead) + v.title(t, r, cols[last].width-lead, selected))
	line := Cell(b.String(), w)
	switch {
	case selected && v.Dim:
		return t.Strong.Render(line)
	case selected:
		return t.Selection.Render(line)
	}
	return line
}

// mark returns the signs of the cursor and of a mark.
func (v RecordTable) mark(t theme.Theme, row int, selected bool) string {
	mark := " "
	switch {
	case v.Marked != nil && v.Marked(v.Index[row]):
		mark = "x"
	case v.RangeFrom >= 0 && row >= min(v.RangeFrom, v.Cursor) && row <= max(v.RangeFrom, v.Cursor):
		mark = "v"
	}
	switch {
	case selected:
		return ">" + mark + " "
	case mark != " ":
		mark = t.Accent.Render(mark)
	}
	return " " + mark + " "
}

func columnStyle(t theme.Theme, c column, r *memory.Record) theme.Style {
	switch {
	case c.name == "flags":
		return t.Warn
	case c.name == "outcome" && r.Outcome == memory.Failed:
		return t.Danger
	case c.name == "outcome":
		return t.OK
	}
	return t.Dim
}

// title returns the title in at most w cells, or what is wrong where there is none.
func (v RecordTable) title(t theme.Theme, r *memory.Record, w int, selected bool) string {
	text, style := titleOf(r, w+v.Left, v.Reveal), t.Text
	if v.Left > 0 && text != "" {
		text = dots + without(text, v.Left+len(dots))
	}
	if text == "" && r.Problem != nil {
		text, style = safe.Line(clip(r.Problem.What, w)), t.Danger
	}
	if selected {
		style = theme.Style{}
	}
	text = fit(text, max(w, 0))
	return highlight(t, text, style, spansOf(v.Match, text, true))
}

// maxLeft is how far titles can be scrolled. No agent stores longer ones.
const maxLeft = 1000

// MaxLeft returns the largest Left that shows more of a visible row, for a table
// of w by h cells.
func (v RecordTable) MaxLeft(t theme.Theme, w, h int) int {
	cols := v.visible(t, w)
	room := cols[len(cols)-1].width - 1 - Width(v.arrow(t, "task"))
	most := 0
	for row := v.Offset; row < min(len(v.Index), v.Offset+h-1); row++ {
		most = max(most, Width(titleOf(&v.Records[v.Index[row]], maxLeft, v.Reveal))-room)
	}
	return min(most, maxLeft)
}

// titleOf returns the title of a record, cut to what w cells can show.
func titleOf(r *memory.Record, w int, reveal bool) string {
	return safe.Masked(clip(r.Title, w), memory.Places(r.Secrets, memory.InTitle, 0), reveal)
}

// clip returns the part of s that can be seen in w cells. A character that takes
// no cell is part of one that does, or becomes a token.
func clip(s string, w int) string {
	const most = 16 // bytes that one cell can come from
	return s[:safe.RuneStart(s, max(w, 0)*most+most)]
}

// field returns the start of a field of a record, what cells can show, with its
// secrets masked. Item is the index of a tool.
func field(r *memory.Record, in memory.Field, item int, s string, cells int, reveal bool) string {
	return safe.Masked(clip(s, cells), memory.Places(r.Secrets, in, item), reveal)
}

func spansOf(match Spans, text string, title bool) [][2]int {
	if match == nil {
		return nil
	}
	return match(text, title)
}

// highlight returns text in a style, its spans marked.
func highlight(t theme.Theme, text string, style theme.Style, spans [][2]int) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s[0] >= at && s[1] <= len(text) {
			b.WriteString(style.Render(text[at:s[0]]) + t.Match.Render(text[s[0]:s[1]]))
			at = s[1]
		}
	}
	return b.String() + style.Render(text[at:])
}

func (v RecordTable) outcome(r *memory.Record) string { return OutcomeLetter(r.Outcome) }

// OutcomeLetter returns S, F, or ? for an outcome that is neither.
func OutcomeLetter(o memory.Outcome) string {
	return cmp.Or(map[memory.Outcome]string{memory.Succeeded: "S", memory.Failed: "F"}[o], "?")
}

func (v RecordTable) rel(r *memory.Record) string {
	if r.Flags&memory.FlagDamaged != 0 {
		return "-"
	}
	if r.Count.Odd == "" && r.Count.N > 9999 {
		return strconv.Itoa(min(r.Count.N/1000, 999)) + "k"
	}
	return relevance(r.Count)
}

func (v RecordTable) used(r *memory.Record) string { return moment(v.Now, r.Used) }
func (v RecordTable) age(r *memory.Record) string  { return moment(v.Now, r.Created) }

// moment returns how long ago a stored date is: "-" for none, "?" for one that
// cannot be read.
func moment(now time.Time, m memory.Moment) string {
	switch {
	case !m.Time.IsZero():
		return Age(now.Sub(m.Time))
	case m.Text == "":
		return "-"
	}
	return "?"
}

// momentAgo returns how long ago a stored date is, in a sentence. The date must be one that
// can be read.
func momentAgo(now time.Time, m memory.Moment) string {
	age := moment(now, m)
	if ahead, later := strings.CutPrefix(age, "+"); later {
		return ahead + " ahead of the clock"
	}
	if age == "now" {
		return "just now"
	}
	return age + " ago"
}

// next returns the place in the order of eviction, or "-" for a record that new ones
// never push out.
func (v RecordTable) next(r *memory.Record) string {
	if r.Forecast.Rank == 0 || r.Forecast.LeavesAfter == 0 {
		return "-"
	}
	return strconv.Itoa(min(r.Forecast.Rank, 99999))
}

func (v RecordTable) flags(r *memory.Record) string { return r.Flags.Letters() }
func (v RecordTable) kind(r *memory.Record) string  { return v.Mask.line(r.Kind, maxKind) }
func (v RecordTable) scope(r *memory.Record) string { return v.Mask.line(r.Scope, maxPath) }

// ended says how a session ended, in the word that its system has for it.
func (v RecordTable) ended(r *memory.Record) string {
	if r.Outcome == "" {
		return "-"
	}
	return field(r, memory.InOutcome, 0, string(r.Outcome), maxEnded, v.Reveal)
}
