package views

import (
	"cmp"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// notSafe is shown below every verdict, because the absence of findings proves nothing.
const notSafe = "No findings would not mean safe: rules are best effort."

// wideVerdict is the width from which the verdict has gaps between its parts.
const wideVerdict = 100

// verdict returns the line above the boxes. It says whether the store can be shared.
func (v Audit) verdict(t theme.Theme, w int) string {
	style, text := v.verdictText(t)
	right := v.scanned(w)
	if !v.Ready {
		return leftAndRight(t, " "+style.Render(text), "", w)
	}
	gap := " " + textIf(w >= wideVerdict, " ")
	if v.Slow {
		right = "auditing" + t.Borders.Cut
	}
	return leftAndRight(t, " "+style.Render(joined(gap+" ", text, v.sums(gap))), t.Dim.Render("  "+right+" "), w)
}

// verdictText returns the verdict in words.
func (v Audit) verdictText(t theme.Theme) (theme.Style, string) {
	switch {
	case !v.Ready && v.Slow:
		return t.Dim, "auditing" + t.Borders.Cut
	case !v.Ready:
		return t.Dim, ""
	case v.Sum.Worst >= memory.High:
		return t.Danger, "NOT SAFE TO SHARE"
	case len(v.Unread) > 0 && v.Sum.Worst > 0:
		return t.Warn, "INCOMPLETE"
	case v.Sum.Worst == memory.Medium:
		return t.Warn, "REVIEW"
	}
	return v.nothingFound(t)
}

// nothingFound says that nothing was found, and in which records.
func (v Audit) nothingFound(t theme.Theme) (theme.Style, string) {
	if len(v.Unread) > 0 {
		return t.Warn, "INCOMPLETE, no known problems in the rest"
	}
	return t.OK, "No known problems in " + v.auditedText()
}

// auditedText says how many records were audited, and of how many.
func (v Audit) auditedText() string {
	return textIf(v.Total > v.Lessons, "%d of ", v.Lessons) + v.Noun.Count(max(v.Total, v.Lessons))
}

// sums says how many findings count: "4 high  2 to read  1 note".
func (v Audit) sums(gap string) string {
	n := v.Sum
	notes := memory.Noun{One: "note", Many: "notes"}
	return joined(gap, textIf(n.High > 0, "%d high", n.High), textIf(n.Medium > 0, "%d to read", n.Medium),
		textIf(n.Low > 0, "%s", notes.Count(n.Low)), textIf(n.Files > 0, "%d file", n.Files))
}

// severities says how many findings there are of each severity.
func severities(sep string, n memory.Tally) string {
	return joined(
		sep,
		textIf(n.High > 0, "%d high", n.High),
		textIf(n.Medium > 0, "%d medium", n.Medium),
		textIf(n.Low > 0, "%d low", n.Low),
	)
}

// scanned says how much was audited.
func (v Audit) scanned(w int) string {
	level := cmp.Or(textIf(v.Sum.Worst < memory.Medium, "not a guarantee"), "fails at "+v.Level.String())
	if w < wideVerdict { // the clean verdict contains the number already
		return joined(", ", level, textIf(v.Sum.Worst > 0, "%s", v.auditedText()))
	}
	return joined("   ", level, "scanned "+v.auditedText(), textIf(v.Rules > 0, "rules %d", v.Rules))
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
	cols := v.columns(w)
	lines := []string{t.Strong.Render(Cell(t, pad(markWidth)+cols.header(t), w))}
	lines = append(
		lines,
		v.visibleRows(len(v.Items), h-len(foot)-1, func(group int) string { return v.heading(t, group, w) },
			func(i int) string { return v.finding(t, cols, i, w) })...)
	for len(lines) < h-len(foot) && v.rows() > h {
		lines = append(lines, "")
	}
	return append(lines, foot...)
}

func (v Audit) heading(t theme.Theme, group, w int) string {
	name := v.Groups[group].Name
	style, alarming := map[string]theme.Style{"HIGH": t.Danger, reviewGroup: t.Warn}[name]
	if !alarming {
		style = t.Strong
	}
	return style.Render(Cell(t, " "+name, w))
}

// columns returns the columns of the list: severity, family, rule, place and state. The state is only shown
// where a finding is not open, and the severity, which headings say as well, where there is room.
func (v Audit) columns(w int) columns {
	all := columns{
		{title: "Sev", width: 8, drop: 1},
		{title: "Family", width: 10, drop: 6},
		{title: "Rule", width: 20, least: 14},
		{title: "Where", gap: 1},
		{title: "State", gap: 1, drop: 5},
	}
	w -= markWidth
	if v.Sum.Ignored > 0 { // room for a reason
		all[4].width = max(w*3/10, 11)
	} else if v.Sum.Redacted > 0 {
		all[4].width = len("redacted") + 2
	}
	all.fitted(w, min(16, w/3))
	all[2].width += min(max((w-all.total()-36)/2, 0), 12)
	all[3].width = max(w-all.total(), 0)
	return all
}

// severityWord is the severity of a finding as the verdict counts it.
func severityWord(s memory.Severity) string {
	if s == memory.Medium {
		return "to read"
	}
	return s.String()
}

func (v Audit) finding(t theme.Theme, cols columns, i, w int) string {
	item := v.Items[i]
	mark := Cell(t, v.sign(i), markWidth)
	if !item.Open() && cols[4].width == 0 {
		mark = Cell(t, v.sign(i)+"-", markWidth) // the reason does not fit
	}
	line := Cell(t, mark+cols.line(t, severityWord(item.Severity), string(item.Family), safe.Line(item.Rule),
		v.where(t, item, cols[3].width-1), v.state(item, w)), w)
	style := t.Text
	if !item.Open() || item.Severity < min(v.Level, memory.Medium) {
		style = t.Dim
	}
	return v.row(t, i, style, line)
}

// maxEaten is how many bytes around a redaction the list shows.
const maxEaten = 24

// where says in at most w cells where a finding is: in which record, or in how many places.
func (v Audit) where(t theme.Theme, f AuditItem, w int) string {
	switch {
	case f.Family == memory.FamilyFile && f.Line == 0:
		return baseOf(f.Path)
	case f.Count > 1 && f.Family == memory.FamilyPrivate:
		return memory.Counted(f.Count, "place")
	}
	text := v.placeWithin(t, f)
	more := textIf(f.Count > 1, " +%d", f.Count-1)
	at, name := textIf(lineOf(f) > 0, "#%d ", lineOf(f)), ""
	if r := f.Record; r != nil && v.Named {
		at, name = "", cmp.Or(cutStart(t, v.name(r), w-len(more)), truncate(t, v.name(r), max(w-len(more), 0)))
		if whole := joined(" ", v.name(r), text); Width(whole)+len(more) <= w {
			return whole + more
		}
	} else if r != nil {
		name = safe.Masked(clip(r.Title, w), f.TitleMasks, v.Reveal)
		if strings.HasPrefix(text, `"`) {
			at += text + " "
		}
	}
	if name == "" && at+text == "" {
		return baseOf(f.Path) + more
	}
	if room := w - Width(at) - len(more); Width(name) > room {
		name = Cell(t, name, room)
	}
	return at + cmp.Or(name, text) + more
}

// placeWithin says where in its record a finding is: in which field, or beside what a redaction took away.
func (v Audit) placeWithin(t theme.Theme, f AuditItem) string {
	if f.Family == memory.FamilyRedaction && f.End-f.Start <= maxEaten && !f.Redacted {
		if s := v.matched(t, f); s != "" {
			return `"` + s + `"`
		}
	}
	return storedName(f.Field)
}

// maxName limits how many characters of a record's name are examined.
const maxName = 300

// name returns the name by which a person knows a record.
func (v Audit) name(r *memory.Record) string { return v.Mask.line(string(r.ID), maxName) }

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

// state says what was done about a finding.
func (v Audit) state(f AuditItem, w int) string {
	if f.Redacted || f.Ignored == nil {
		return cmp.Or(textIf(f.Redacted, "redacted"), "open")
	}
	return joined(": ", "ignored", safe.Line(clip(f.Ignored.Reason, w)))
}

// foot returns the notes below the findings, as many as fit.
func (v Audit) foot(t theme.Theme, w, h int) []string {
	if w <= 0 || len(v.Items) == 0 {
		return nil
	}
	full, tally := prose(t, w), v.tally()
	if tally != "" {
		full.put("")
		full.put(t.Dim.Render(truncate(t, tally, w-1)))
	}
	full.put("")
	full.add(t.Dim, "", notSafe)
	full.add(t.Dim, "", v.coverage())
	sentence := v.caveat()
	if v.Sum.Worst > 0 {
		sentence = joined("   ", tally, sentence)
	}
	switch rows := v.rows() + 1; {
	case rows+len(full.lines) <= h:
		return full.inset()
	case rows+1 <= h, h >= 10:
		return []string{t.Dim.Render(truncate(t, " "+sentence, w))}
	}
	return nil
}

// tally says how many findings do not count, and how many redactions there were.
func (v Audit) tally() string {
	return joined(
		"   ",
		textIf(v.Sum.Ignored > 0, "ignored %d", v.Sum.Ignored),
		textIf(v.Sum.Redacted > 0, "redacted now %d", v.Sum.Redacted),
		textIf(v.Before > 0, "redacted before %d", v.Before),
	)
}

// caveat says how far to trust the verdict. The better the verdict, the more it says.
func (v Audit) caveat() string {
	if u := v.uncovered(); v.Sum.Worst == 0 && u != "" {
		return "Not a guarantee. " + u
	}
	return notSafe
}

// coverage says what was read, and what is not covered.
func (v Audit) coverage() string { return joined(" ", "Read "+v.auditedText()+".", v.uncovered()) }

func (v Audit) uncovered() string {
	return joined(" ", textIf(len(v.Unread) > 0, "Not read: %s.", safe.Line(strings.Join(v.Unread, ", "))),
		textIf(len(v.Uncovered) > 0, "Not covered: %s.", safe.Line(strings.Join(v.Uncovered, ", "))))
}

// clean says that nothing was found, and how far to trust that.
func (v Audit) clean(t theme.Theme, w, h int) []string {
	p := paper{t: t, w: max(w-2, 1)}
	p.put("")
	if v.Ready {
		style, sentence := v.nothingFound(t)
		p.add(style, "", sentence+".")
		p.blank()
		p.add(t.Text, "", "This is not a guarantee: rules are best effort.")
		p.add(t.Warn, "", textIf(v.Total > v.Lessons, "Not all of the store is loaded: winnow audit reads all of it."))
		p.add(t.Text, "", v.coverage())
		p.add(t.Dim, "", textIf(v.Before > 0, "Redacted before: %d.", v.Before))
		p.blank()
		p.add(t.Info, "  ", textIf(!v.Fixed, "%s  writes a report", keyOf(v.keys().Audit.Export)))
		p.add(t.Info, "  ", "winnow audit . --history   looks at what git still holds")
		p.add(t.Info, "  ", "winnow export --share FILE   makes a copy for sharing")
	}
	p.add(t.Dim, "", textIf(!v.Ready && v.Slow, "auditing%s Keys work meanwhile.", t.Borders.Cut))
	return p.inset()[:min(len(p.lines), h)]
}

// AuditLegend explains the words of the audit screen.
func AuditLegend() []string {
	return []string{
		"secret keys and passwords",
		"injection text that acts on the model that reads it",
		"hidden text that a person does not see",
		"private who and where",
		"redaction that took too much, or that can be taken back",
		"file the file itself, not what is in it",
		"State open, ignored with a reason, or redacted since this began",
		"high: evidence; medium: a place to read; low: a note, which is dim",
		"Level from where on a finding makes winnow audit fail",
	}
}
