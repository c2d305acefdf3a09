package views

import (
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Spans returns the byte ranges of a displayed text that match a search, in rising order. It may be
// nil.
type Spans func(text string, title bool) [][2]int

// RecordTable is the data of the list of records. It examines only the visible rows, so that its
// cost does not depend on the number of records.
type RecordTable struct {
	Records []memory.Record
	Index   []int32 // the rows, as indexes in Records
	Cursor  int     // selected row
	Offset  int     // first visible row

	// Marked reports whether the record at an index in Records is marked. It may be nil.
	Marked func(record int32) bool
	// RangeFrom is the row where the range being marked began, or -1.
	RangeFrom int

	Display Display
	SortBy  string // name of the sort column as in the header, in lower case
	Desc    bool
	Mask    Mask
	Left    int // cells of the titles scrolled out on the left

	Now    time.Time // for ages
	Reveal bool      // show secrets
	Dim    bool      // another pane has the focus
	Match  Spans
}

// markWidth is the width of the cursor and mark signs.
const markWidth = 3

// visible returns the columns that fit into w cells, and the index of the title column. The last
// cell stays free. Titles get four sevenths of the width. The columns for kind and scope, and those
// that the user selected, may reduce that to half.
func (v RecordTable) visible(t theme.Theme, w int) (all columns, title int) {
	all = v.Display.columns()
	words := 0
	for i := range all {
		words += all[i].least
		if all[i].name == "task" {
			title = i
		}
		all[i].sorted(v.arrow(t, all[i].name))
	}
	all[title].width = 0
	if v.Display.Chosen != nil {
		words = w
	}
	room := w - markWidth - 1
	all.fitted(room, max(w/2, w*4/7-1-words))
	all[title].width = room - all.total()
	return all, title
}

// ColumnAt returns the name of the column at a cell of the header in w cells, or nothing.
func (v RecordTable) ColumnAt(t theme.Theme, w, x int) string {
	cols, _ := v.visible(t, w)
	return cols.columnAt(x - markWidth)
}

// Lines returns at most h lines of w cells: the header, and the visible rows.
func (v RecordTable) Lines(t theme.Theme, w, h int) []string {
	if h <= 0 {
		return nil
	}
	cols, title := v.visible(t, w)
	lines := make([]string, 0, h)
	lines = append(lines, t.Strong.Render(Cell(t, pad(markWidth)+cols.header(t), w)))
	if t.Plain {
		lines[0] = ""
	}
	for row := v.Offset; row < len(v.Index) && len(lines) < h; row++ {
		lines = append(lines, v.row(t, cols, title, row, w))
	}
	return lines
}

// arrow returns the sign for the sort column. It precedes the title, so that titles stay above
// their values.
func (v RecordTable) arrow(t theme.Theme, name string) string {
	switch {
	case v.SortBy != name:
		return ""
	case v.Desc:
		return t.Borders.Falling
	}
	return t.Borders.Rising
}

func (v RecordTable) row(t theme.Theme, cols columns, title, row, w int) string {
	r := &v.Records[v.Index[row]]
	selected := row == v.Cursor
	if t.Plain {
		return v.words(t, row)
	}
	var b strings.Builder
	b.WriteString(v.mark(t, row, selected))
	for i, c := range cols {
		switch {
		case i == title:
			room := max(c.width-c.lead(), 0)
			b.WriteString(pad(c.lead()) + Cell(t, v.title(t, v.Index[row], room, selected), room))
			continue
		case c.width == 0:
			continue
		}
		text := c.cell(v, r)
		if c.name == "scope" && strings.HasPrefix(text, "/") {
			text = cutStart(t, text, c.width-c.lead()) // paths differ at their ends
		}
		text = c.text(t, text)
		if !selected {
			text = columnStyle(t, c, r).Render(text)
		}
		b.WriteString(text)
	}
	line := Cell(t, b.String(), w)
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
		return flagStyle(t, r.Flags)
	case c.name == "outcome" && r.Outcome == memory.Failed:
		return t.Danger
	case c.name == "outcome":
		return t.OK
	}
	return t.Dim
}

// title returns the title of a record in at most w cells, or its problem if it has no title.
func (v RecordTable) title(t theme.Theme, record int32, w int, selected bool) string {
	r := &v.Records[record]
	text, style := titleOf(r, w+v.Left, v.Reveal), t.Text
	switch {
	case text == "" && r.Problem != nil:
		text, style = safe.Line(clip(r.Problem.What, w)), t.Danger
	case v.fileName(record) != "":
		text = v.named(record, text)
		if v.Left > 0 {
			text = t.Borders.Cut + without(text, v.Left+Width(t.Borders.Cut))
		}
		text = truncate(t, text, w)
	case v.Left > 0 && text != "":
		text = t.Borders.Cut + without(text, v.Left+Width(t.Borders.Cut))
	case v.sameTitle(record) && r.Body != "":
		text = truncate(t, text, w/2) + ": " + field(r, memory.InBody, 0, r.Body, w, v.Reveal)
	case Width(text) > w:
		text = cutMiddle(t, text, w, v.differs(record))
	}
	if selected {
		style = theme.Style{}
	}
	if Width(text) > w {
		text = Cell(t, text, w)
	}
	return highlight(t, text, style, spansOf(v.Match, text, true))
}

// fileName returns the name of the file that a record is, or nothing if it is none.
func (v RecordTable) fileName(record int32) string {
	if int(record) >= len(v.Display.names) {
		return ""
	}
	return v.Mask.line(v.Display.names[record], maxPath)
}

// named returns a title behind the name of the file, unless it is just that name.
func (v RecordTable) named(record int32, title string) string {
	name := v.fileName(record)
	if name == title || strings.HasSuffix(name, "/"+title) || strings.HasSuffix(title, "/"+name) {
		return name
	}
	return joined("  ", name, title)
}

// sameTitle reports whether another record has exactly the same title, so that the text is shown
// too.
func (v RecordTable) sameTitle(record int32) bool {
	return int(record) < len(v.Display.differ) && v.Display.differ[record] >= sameTitle
}

// differs returns the cell where the title of a record begins to differ from the most similar
// title.
func (v RecordTable) differs(record int32) int {
	if int(record) >= len(v.Display.differ) {
		return 0
	}
	r := &v.Records[record]
	at := min(int(v.Display.differ[record]%sameTitle), len(r.Title))
	return Width(safe.Masked(r.Title[:at], memory.Places(r.Secrets, memory.InTitle, 0), v.Reveal))
}

// maxLeft limits how far titles can be scrolled. No agent stores longer ones.
const maxLeft = 1000

// MaxLeft returns the largest useful Left for a table of w by h cells.
func (v RecordTable) MaxLeft(t theme.Theme, w, h int) int {
	cols, title := v.visible(t, w)
	room := cols[title].width - cols[title].lead()
	most := 0
	for row := v.Offset; row < min(len(v.Index), v.Offset+h-1); row++ {
		record := v.Index[row]
		most = max(most, Width(v.named(record, titleOf(&v.Records[record], maxLeft, v.Reveal)))-room)
	}
	return min(most, maxLeft)
}

// titleOf returns the title of a record, cut to what w cells can show.
func titleOf(r *memory.Record, w int, reveal bool) string {
	return safe.Masked(clip(r.Title, w), memory.Places(r.Secrets, memory.InTitle, 0), reveal)
}

// QuotedTitle returns the title of a record for a sentence: short, in quotation marks; "" if it has none.
func QuotedTitle(t theme.Theme, r *memory.Record, reveal bool) string {
	const cells = 36
	title := strings.TrimSpace(titleOf(r, cells, reveal))
	return textIf(title != "", "%s", `"`+truncate(t, title, cells)+`"`)
}

// clip returns the part of s that w cells can show. A character without width combines with the one
// before it, or becomes a token.
func clip(s string, w int) string {
	const most = 16 // maximum bytes shown in one cell
	return s[:safe.RuneStart(s, max(w, 0)*most+most)]
}

// field returns as much of the start of a field as fits into cells, with its secrets masked. item
// is the index of a tool.
func field(r *memory.Record, in memory.Field, item int, s string, cells int, reveal bool) string {
	return safe.Masked(clip(s, cells), memory.Places(r.Secrets, in, item), reveal)
}

func spansOf(match Spans, text string, title bool) [][2]int {
	if match == nil {
		return nil
	}
	return match(text, title)
}

// highlight returns text in a style, with its spans highlighted.
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

// outcomeCells is the width of the usual outcomes, where rows begin with one.
const outcomeCells = len("failed")

// endedAs returns an outcome as the screens call it: ok, failed, or the system's own word.
func endedAs(o memory.Outcome) memory.Outcome {
	if o == memory.Succeeded {
		return "ok"
	}
	return o
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

// moment says how long ago a stored date is: "-" if there is none, "?" if it cannot be parsed.
func moment(now time.Time, m memory.Moment) string {
	switch {
	case !m.Time.IsZero():
		return Age(now.Sub(m.Time))
	case m.Text == "":
		return "-"
	}
	return "?"
}

// momentAgo says how long ago a stored date is, for a sentence. The date must have been parsed.
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

// next returns the position of a record in the order of eviction, or "-" if new records never push
// it out.
func (v RecordTable) next(r *memory.Record) string {
	if r.Forecast.Rank == 0 || r.Forecast.LeavesAfter == 0 {
		return "-"
	}
	return strconv.Itoa(min(r.Forecast.Rank, 99999))
}

// fired returns in how many sessions a lesson was told, and in how many of them its failure came all the same.
func (v RecordTable) fired(r *memory.Record) string {
	if c := recurrenceOf(r); c.Fired > 0 {
		return c.Short()
	}
	return "-"
}

// recurrenceOf returns what sessions say about the failure that a record is about, as far as it is known.
func recurrenceOf(r *memory.Record) memory.Recurrence {
	if r.Evidence == nil || r.Evidence.Recurs == nil {
		return memory.Recurrence{}
	}
	return *r.Evidence.Recurs
}

func (v RecordTable) flags(r *memory.Record) string { return r.Flags.Worst() }
func (v RecordTable) kind(r *memory.Record) string  { return v.Mask.line(r.Kind, maxKind) }
func (v RecordTable) scope(r *memory.Record) string { return v.Mask.line(r.Scope, maxPath) }

// flagStyle returns the style of the worst flag: of what does harm, of what wants a look, of what is only said.
func flagStyle(t theme.Theme, f memory.Flags) theme.Style {
	const harm = memory.FlagSecret | memory.FlagInjection | memory.FlagStops | memory.FlagDamaged
	const said = memory.FlagPinned | memory.FlagNew | memory.FlagStale
	switch {
	case f&harm != 0:
		return t.Danger
	case f&^said != 0:
		return t.Warn
	}
	return t.Info
}

func (v RecordTable) ended(r *memory.Record) string { return outcomeText(r, v.Reveal) }

// outcomeText says in a word how the session of a record ended.
func outcomeText(r *memory.Record, reveal bool) string {
	if r.Outcome == "" || r.Outcome == memory.Succeeded {
		return orDash(string(endedAs(r.Outcome)))
	}
	return field(r, memory.InOutcome, 0, string(r.Outcome), maxEnded, reveal)
}
