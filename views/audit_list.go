package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// notSafe is said of what no rule found anything in, since more is not known.
const notSafe = "No findings would not mean safe: rules are best effort."

// wideVerdict is the width from which the verdict has room between its parts.
const wideVerdict = 100

// verdict returns the line above the boxes: whether the store can be shared.
func (v Audit) verdict(t theme.Theme, w int) string {
	style, text := v.judged(t)
	right := v.scanned(w)
	if !v.Ready {
		return Sides(" "+style.Render(text), t.Dim.Render(right+" "), w)
	}
	gap := " "
	if w >= wideVerdict {
		gap = "  "
	}
	if n := v.counts(gap); n != "" {
		text += gap + " " + n
	}
	line := " " + style.Render(text)
	if v.Slow {
		right = "auditing.."
	}
	return Sides(line, t.Dim.Render("  "+right+" "), w)
}

// judged returns the verdict in words.
func (v Audit) judged(t theme.Theme) (theme.Style, string) {
	switch {
	case !v.Ready && v.Slow:
		return t.Dim, "auditing.."
	case !v.Ready:
		return t.Dim, ""
	case v.fails():
		return t.Danger, "NOT SAFE TO SHARE"
	case v.Sum.Worst > 0:
		return t.Warn, "PASSES AT " + strings.ToUpper(v.Level.String())
	}
	return v.nothing(t)
}

// nothing says that nothing was found, and in what.
func (v Audit) nothing(t theme.Theme) (theme.Style, string) {
	if len(v.Unread) > 0 {
		return t.Warn, "NOT ALL READ, no known problems in the rest"
	}
	return t.OK, "No known problems in " + v.looked()
}

// looked says how many records were looked at, and of how many.
func (v Audit) looked() string {
	if v.Total > v.Lessons {
		return strconv.Itoa(v.Lessons) + " of " + v.Noun.Count(v.Total)
	}
	return v.Noun.Count(v.Lessons)
}

// counts says how many findings count: "4 high  2 medium".
func (v Audit) counts(gap string) string {
	var said []string
	for _, s := range []struct {
		n    int
		name string
	}{{v.Sum.High, "high"}, {v.Sum.Medium, "medium"}, {v.Sum.Low, "low"}, {v.Sum.File, "file"}} {
		if s.n > 0 {
			said = append(said, strconv.Itoa(s.n)+" "+s.name)
		}
	}
	return strings.Join(said, gap)
}

// scanned says how much was looked at.
func (v Audit) scanned(w int) string {
	if !v.Ready {
		return ""
	}
	level := "fails at " + v.Level.String()
	switch {
	case v.Sum.Worst == 0 && w < wideVerdict:
		return "not a guarantee" // the verdict has the number
	case v.Sum.Worst == 0:
		level = "not a guarantee"
	case w < wideVerdict:
		return level + ", " + v.looked()
	}
	text := level + "   scanned " + v.looked()
	if v.Rules > 0 {
		text += "   rules " + strconv.Itoa(v.Rules)
	}
	return text
}

// list returns the inside of the left box, at most h lines of w cells.
func (v Audit) list(t theme.Theme, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	if len(v.Items) == 0 {
		return v.clean(t, w, h)
	}
	foot := v.foot(t, w, h)
	c := auditWidths(w)
	lines := make([]string, 0, h)
	lines = append(lines, t.Strong.Render(c.line(" Sev", "", "Rule", "Where", "State", w)))
	for row := max(v.Offset, 0); row < v.Rows() && len(lines) < h-len(foot); row++ {
		if i, head := v.at(row); head {
			lines = append(lines, v.heading(t, i, w))
		} else {
			lines = append(lines, v.row(t, c, i, w))
		}
	}
	for len(lines) < h-len(foot) && v.Rows() > h {
		lines = append(lines, "")
	}
	return append(lines, foot...)
}

func (v Audit) heading(t theme.Theme, group, w int) string {
	name := v.Groups[group].Name
	style := t.Strong
	switch name {
	case "HIGH":
		style = t.Danger
	case "MEDIUM":
		style = t.Warn
	}
	return style.Render(Cell(" "+name, w))
}

// auditColumns are the widths of the columns, 0 for one that is not shown.
type auditColumns struct{ lead, rule, where, state int }

func auditWidths(w int) auditColumns {
	c := auditColumns{lead: 9}
	switch {
	case w < 40:
		c.lead = 5
	case w < 84:
		c.lead = 7
	}
	rest := max(w-c.lead, 0)
	switch {
	case rest < 24:
		c.rule = rest
	case rest < 38:
		c.rule = rest * 55 / 100
		c.where = rest - c.rule
	default:
		c.rule = min(max(rest*36/100, 14), 32)
		c.where = min(max(rest*34/100, 13), 30)
		c.state = rest - c.rule - c.where
	}
	return c
}

// line sets cells under their columns.
func (c auditColumns) line(mark, letter, rule, where, state string, w int) string {
	lead := Cell(mark, 3) + letter
	if letter == "" {
		lead = mark
	}
	line := Cell(lead, c.lead) + spaced(rule, c.rule)
	if c.where > 0 {
		line += spaced(where, c.where)
	}
	if c.state > 0 {
		line += fit(state, c.state)
	}
	return Cell(line, w)
}

// spaced is a column with a blank behind it.
func spaced(s string, w int) string {
	if w < 2 {
		return Cell(s, w)
	}
	return Cell(s, w-1) + " "
}

func (v Audit) row(t theme.Theme, c auditColumns, i, w int) string {
	item := v.Items[i]
	mark := " "
	if i == v.Cursor {
		mark = ">"
	}
	if !item.Open() && c.state == 0 {
		mark += "-" // no room to say why
	}
	line := c.line(mark, item.Family.Letter(), safe.Line(item.Rule), v.where(item, c.where-1), v.state(item, w), w)
	switch {
	case i == v.Cursor && !v.Detail:
		return t.Selection.Render(line)
	case i == v.Cursor:
		return t.Strong.Render(line)
	case !item.Open(), item.Severity < v.Level:
		return t.Dim.Render(line)
	}
	return t.Text.Render(line)
}

// maxEaten is up to how many bytes of what redaction left are shown in the list.
const maxEaten = 24

// where says in at most w cells where a finding is: "#41 lesson", or in how many places.
func (v Audit) where(f AuditItem, w int) string {
	switch {
	case f.Family == memory.FamilyFile && f.Line == 0:
		return baseOf(f.Path)
	case f.Count > 1 && f.Family == memory.FamilyPrivate:
		return count(f.Count, "place")
	}
	text := storedName(f.Field)
	if f.Family == memory.FamilyRedaction && f.End-f.Start <= maxEaten && !f.Redacted {
		if s := v.matched(f); s != "" {
			text = `"` + s + `"`
		}
	}
	more := ""
	if f.Count > 1 {
		more = " +" + strconv.Itoa(f.Count-1)
	}
	switch line := lineOf(f); {
	case v.Named && f.Record != nil && v.name(f.Record) != "":
		name := v.name(f.Record)
		if Width(name)+1+len(text)+len(more) <= w {
			return strings.TrimSpace(name+" "+text) + more
		}
		return nameOr(name, w-len(more)) + more
	case line > 0:
		text = strings.TrimSpace("#" + strconv.Itoa(line) + " " + text)
	}
	text += more
	if text == "" {
		return baseOf(f.Path)
	}
	return text
}

// maxName is how many characters of the name of a record are looked at.
const maxName = 300

// name returns what a person knows a record by.
func (v Audit) name(r *memory.Record) string { return v.Mask.line(string(r.ID), maxName) }

// nameOr returns the end of a name, by which files differ, or its beginning where an end
// would tell nothing.
func nameOr(name string, w int) string {
	if s := cutStart(name, w); s != "" {
		return s
	}
	return fit(name, max(w, 0))
}

// lineOf returns the line of a finding, from 1, or 0.
func lineOf(f AuditItem) int {
	if f.Record != nil && (f.Line == 0 || f.Redacted) {
		return f.Record.Line
	}
	return f.Line
}

// storedName is the name of a stored field in few letters.
func storedName(field string) string {
	if field == "task_summary" {
		return "summary"
	}
	return safe.Line(field)
}

// baseOf returns the last part of a path.
func baseOf(path string) string {
	path = strings.TrimRight(path, "/")
	return safe.Line(path[strings.LastIndexAny(path, "/\\")+1:])
}

// state says what became of a finding.
func (v Audit) state(f AuditItem, w int) string {
	switch {
	case f.Redacted:
		return "redacted"
	case f.Ignored != nil && f.Ignored.Reason != "":
		return "ignored: " + safe.Line(clip(f.Ignored.Reason, w))
	case f.Ignored != nil:
		return "ignored"
	}
	return "open"
}

// foot returns what is said below the findings: as much as there is room for.
func (v Audit) foot(t theme.Theme, w, h int) []string {
	if w <= 0 || len(v.Items) == 0 {
		return nil
	}
	rows := v.Rows() + 1
	tally := v.tally()
	var full []string
	if tally != "" {
		full = append(full, "", t.Dim.Render(fit(" "+tally, w)))
	}
	full = append(full, "")
	full = append(full, indented(t.Dim, auditLetters, w)...)
	full = append(full, "")
	full = append(full, indented(t.Dim, notSafe, w)...)
	full = append(full, indented(t.Dim, v.coverage(), w)...)
	said := tally
	if said == "" || v.Sum.Worst == 0 {
		said = v.caveat()
	}
	brief := []string{t.Dim.Render(fit(" "+said, w))}
	switch {
	case rows+len(full) <= h:
		return full
	case rows+1 <= h, h >= 12:
		return brief
	}
	return nil
}

// auditLetters explains the letters of the list.
const auditLetters = "S secret  I injection  H hidden  P private  R redaction  F file"

// indented returns a text in lines of w cells, a blank before each.
func indented(st theme.Style, text string, w int) []string {
	if text == "" {
		return nil
	}
	lines := wrapped(st, text, w-1)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// tally says how many findings do not count, and how often something was redacted.
func (v Audit) tally() string {
	var said []string
	if v.Sum.Ignored > 0 {
		said = append(said, "ignored "+strconv.Itoa(v.Sum.Ignored))
	}
	if v.Sum.Redacted > 0 {
		said = append(said, "redacted now "+strconv.Itoa(v.Sum.Redacted))
	}
	if v.Before > 0 {
		said = append(said, "redacted before "+strconv.Itoa(v.Before))
	}
	return strings.Join(said, "   ")
}

// caveat says what the verdict is worth, the more the better it is.
func (v Audit) caveat() string {
	if u := v.uncovered(); v.Sum.Worst == 0 && u != "" {
		return "Not a guarantee. " + u
	}
	return notSafe
}

// coverage says what was read, and what was not.
func (v Audit) coverage() string {
	return strings.TrimSpace("Read " + v.looked() + ". " + v.uncovered())
}

func (v Audit) uncovered() string {
	said := ""
	if len(v.Unread) > 0 {
		said = "Not read: " + safe.Line(strings.Join(v.Unread, ", ")) + ". "
	}
	if len(v.Uncovered) > 0 {
		said += "Not covered: " + safe.Line(strings.Join(v.Uncovered, ", ")) + "."
	}
	return strings.TrimSpace(said)
}

// clean says that nothing was found, and what that is worth.
func (v Audit) clean(t theme.Theme, w, h int) []string {
	p := paper{t: t, w: max(w-2, 1)}
	p.lines = append(p.lines, "")
	switch {
	case !v.Ready && !v.Slow:
	case !v.Ready:
		p.add(t.Dim, "", "auditing.. Keys work meanwhile.")
	default:
		style, said := v.nothing(t)
		p.add(style, "", said+".")
		p.blank()
		p.add(t.Text, "", "This is not a guarantee: rules are best effort.")
		if v.Total > v.Lessons {
			p.add(t.Warn, "", "Not all of the store is loaded: winnow audit looks at all of it.")
		}
		p.add(t.Text, "", v.coverage())
		if v.Before > 0 {
			p.add(t.Dim, "", "Redacted before: "+strconv.Itoa(v.Before)+".")
		}
		p.blank()
		if !v.Fixed {
			p.add(t.Info, "  ", "E  writes a report")
		}
		p.add(t.Info, "  ", "winnow audit . --history   looks at what git still holds")
		p.add(t.Info, "  ", "winnow export --share FILE   makes a copy for sharing")
	}
	for i, l := range p.lines {
		p.lines[i] = " " + l
	}
	return p.lines[:min(len(p.lines), h)]
}

// AuditLegend explains the letters and words of the audit screen.
func AuditLegend() []string {
	return []string{
		"S secret: keys and passwords   P private: who and where",
		"I injection: text that acts on the model that reads it",
		"H hidden: text that a person does not see",
		"R redaction that took too much, or that can be taken back",
		"F file: the file itself, not what is in it",
		"State open, ignored with a reason, or redacted since this began",
		"Level f sets from where on a finding fails; below it rows are dim",
	}
}
