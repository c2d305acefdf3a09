package views

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

func (v Audit) detailTitle() string {
	if _, ok := v.Chosen(); !ok {
		return "Finding"
	}
	return "Finding " + strconv.Itoa(v.Cursor+1) + " of " + strconv.Itoa(len(v.Items))
}

// detailLines returns all lines of the detail for its place in the screen.
func (v Audit) detailLines(t theme.Theme, p layout.Panes) []string {
	f, ok := v.Chosen()
	if !ok {
		return nil
	}
	page := paper{t: t, w: max(p.Detail.Dx()-2, 1)}
	if p.Below {
		v.brief(&page, f)
		return page.lines
	}
	v.about(&page, f)
	v.shown(&page, f)
	v.reasons(&page, f)
	v.remedy(&page, f)
	return page.lines
}

// about names the finding and the record that it is in.
func (v Audit) about(p *paper, f AuditItem) {
	severity := severityStyle(p.t, f.Severity)
	name := safe.Line(f.Rule)
	p.lines = append(p.lines, Sides(p.t.Strong.Render(name), severity.Render("  "+strings.ToUpper(f.Severity.String())), p.w))
	if f.Name != "" && f.Name != f.Rule {
		p.add(p.t.Text, "", safe.Line(f.Name))
	}
	p.blank()
	p.add(p.t.Text, "", strings.Join(v.place(f), "  "))
	if f.Count > 1 {
		p.add(p.t.Text, "", "found in "+strconv.Itoa(f.Count)+" places; this is the first")
	}
	if f.Recalled != "" {
		p.add(p.t.Text, "", "will be recalled: "+safe.Line(f.Recalled))
	}
	if f.Lands != "" {
		p.add(p.t.Text, "", "lands in: "+safe.Line(f.Lands))
	}
	v.settled(p, f)
}

// settled says why a finding does not count.
func (v Audit) settled(p *paper, f AuditItem) {
	switch {
	case f.Redacted:
		p.add(p.t.OK, "", "redacted: its text is gone from the store and from our history")
	case f.Ignored != nil:
		p.add(p.t.Info, "", v.ignoredText(*f.Ignored))
	}
}

// ignoredText says why a finding is ignored, and for how long.
func (v Audit) ignoredText(i memory.Ignore) string {
	text := "ignored: " + orDash(safe.Line(i.Reason))
	if !i.Added.IsZero() {
		text += ", since " + i.Added.In(v.Now.Location()).Format("2006-01-02")
	}
	if !i.Until.IsZero() {
		text += ", until " + i.Until.In(v.Now.Location()).Format("2006-01-02")
	}
	return text
}

func severityStyle(t theme.Theme, s memory.Severity) theme.Style {
	switch s {
	case memory.High:
		return t.Danger
	case memory.Medium:
		return t.Warn
	}
	return t.Info
}

// place says where a finding is, in parts.
func (v Audit) place(f AuditItem) []string {
	var said []string
	if n := lineOf(f); v.Named && f.Record != nil {
		said = append(said, v.name(f.Record))
	} else if n > 0 {
		said = append(said, "#"+strconv.Itoa(n))
	}
	if f.Field != "" {
		said = append(said, safe.Line(f.Field))
	}
	if r := f.Record; r != nil {
		said = append(said, "created "+momentAgo(v.Now, r.Created))
		if r.Created.Time.IsZero() {
			said[len(said)-1] = "no date"
		}
		if r.Session != "" {
			said = append(said, "session "+field(r, memory.InSession, 0, r.Session, 60, v.Reveal))
		}
		return said
	}
	if f.Path != "" {
		said = append(said, safe.Line(f.Path))
	}
	return said
}

// The most that is shown of a finding: of its place, of what is before and behind it,
// and of what hidden text says.
const (
	maxMatched = 2000
	maxAround  = 240
	maxDecoded = 2000
)

// excerpt is a part of a text around a place, in three parts that are safe to print.
// Secrets are masked whole in each.
type excerpt struct{ before, matched, after string }

// excerpt returns what is shown of a finding's text. A mask is never divided: what is
// kept of a secret is its beginning.
func (v Audit) excerpt(f AuditItem) excerpt {
	text := f.Text
	start := min(max(f.Start, 0), len(text))
	end := min(max(f.End, start), len(text))
	start, end = whole(f.Masks, start, end)
	start, end = max(start, 0), min(end, len(text))
	from, _ := whole(f.Masks, runeStart(text, start-maxAround), start)
	_, to := whole(f.Masks, end, runeStart(text, end+maxAround))
	from, to = max(from, 0), min(to, len(text))
	e := excerpt{before: v.part(f, from, start), matched: v.part(f, start, end), after: v.part(f, end, to)}
	if from > 0 {
		e.before = dots + e.before
	}
	if to < len(text) {
		e.after += dots
	}
	return e
}

// part returns bytes from to to of a finding's text, made safe and masked.
func (v Audit) part(f AuditItem, from, to int) string {
	if from >= to {
		return ""
	}
	var masks [][2]int
	for _, m := range f.Masks {
		if m[0] < to && m[1] > from {
			masks = append(masks, [2]int{m[0] - from, m[1] - from})
		}
	}
	return safe.Masked(f.Text[from:to], masks, v.Reveal)
}

// whole widens a part of a text to the masks that it cuts.
func whole(masks [][2]int, start, end int) (int, int) {
	for widened := true; widened; {
		widened = false
		for _, m := range masks {
			if m[0] < end && m[1] > start && (m[0] < start || m[1] > end) {
				start, end, widened = min(start, m[0]), max(end, m[1]), true
			}
		}
	}
	return start, end
}

// runeStart returns the start of the character that byte i of s is in.
func runeStart(s string, i int) int {
	i = min(max(i, 0), len(s))
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// matched returns the matched text itself, as it is shown.
func (v Audit) matched(f AuditItem) string { return fit(v.excerpt(f).matched, maxMatched) }

// length says how long a masked secret is.
func (v Audit) length(f AuditItem) string {
	if v.Reveal || f.Family != memory.FamilySecret {
		return ""
	}
	return safe.Length(f.Text[min(max(f.Start, 0), len(f.Text)):min(max(f.End, f.Start, 0), len(f.Text))])
}

// shown shows the text around the finding, and what hidden text says.
func (v Audit) shown(p *paper, f AuditItem) {
	if f.Text == "" && f.What == "" || f.Redacted {
		return
	}
	p.blank()
	if f.What != "" && (f.Text == "" || f.Family == memory.FamilyFile) {
		p.add(p.t.Text, "", safe.Line(f.What))
	}
	if f.Text != "" {
		v.context(p, f)
	}
	if f.Shown != "" {
		p.section("What it says")
		p.add(p.t.Danger, "  ", safe.Line(clip(f.Shown, maxDecoded/16-1)))
	}
}

// context adds the text around the finding, with the place marked.
func (v Audit) context(p *paper, f AuditItem) {
	e := v.excerpt(f)
	length := v.length(f)
	for _, l := range flow(p.w-2, []piece{
		{text: e.before, style: p.t.Text}, {text: fit(e.matched, maxMatched), style: p.t.Match},
		{text: length, style: p.t.Dim}, {text: e.after, style: p.t.Text},
	}) {
		p.lines = append(p.lines, "  "+l)
	}
}

// flow sets pieces into lines of w cells, broken between words where it can.
func flow(w int, pieces []piece) []string {
	var text strings.Builder
	ends := make([]int, len(pieces))
	for i, p := range pieces {
		text.WriteString(p.text)
		ends[i] = text.Len()
	}
	all := text.String()
	var lines []string
	at := 0
	for _, l := range Wrap(all, max(w, 1)) {
		at += strings.Index(all[at:], l)
		var b strings.Builder
		start := 0
		for i, p := range pieces {
			from, to := max(at, start), min(at+len(l), ends[i])
			if from < to {
				b.WriteString(p.style.Render(all[from:to]))
			}
			start = ends[i]
		}
		lines = append(lines, b.String())
		at += len(l)
	}
	return lines
}

// reasons says why it is there.
func (v Audit) reasons(p *paper, f AuditItem) {
	if f.Why == "" || f.Redacted {
		return
	}
	p.section("Why it is here")
	p.add(p.t.Text, "  ", safe.Line(f.Why))
}

// remedy says what to do next, and what the keys would do.
func (v Audit) remedy(p *paper, f AuditItem) {
	if !f.Open() {
		return
	}
	if steps := v.steps(f); len(steps) > 0 {
		p.section("Do next")
		for i, s := range steps {
			p.add(p.t.Info, "  ", strconv.Itoa(i+1)+" "+s)
		}
	}
	if v.redacts(f) {
		p.blank()
		p.add(p.t.Dim, "", "r redacts "+count(max(f.Count, 1), "place")+
			"; the rest of the line is kept byte for byte; no copy is kept for undo")
	}
	p.blank()
	p.add(p.t.Dim, "", v.hints(f))
}

// hints names the keys that are about the finding and change nothing in the store.
func (v Audit) hints(f AuditItem) string {
	hints := "i ignore with a reason   n next"
	if v.Fixed {
		hints = "n next"
	}
	switch {
	case len(f.Masks) == 0:
		return hints
	case v.Reveal:
		return "X mask   " + hints
	}
	return "X reveal   " + hints
}

// redacts reports whether a key can take the finding out of the store.
func (v Audit) redacts(f AuditItem) bool {
	return f.Fixable && f.Record != nil && f.Open() && v.Writable
}

// ofRedacting is how the step begins that a key does here.
const ofRedacting = "replace it with [REDACTED]"

// steps are what to do next, in order: revoking comes before redacting.
func (v Audit) steps(f AuditItem) []string {
	const here = "r  replace with [REDACTED] in this record"
	var steps []string
	said := !v.redacts(f)
	for _, s := range f.Next {
		if !said && strings.HasPrefix(s, ofRedacting) {
			s, said = here, true
		}
		steps = append(steps, safe.Line(s))
	}
	if said {
		return steps
	}
	return slices.Insert(steps, min(1, len(steps)), here)
}

// brief says the same in few lines, for the pane below the list.
func (v Audit) brief(p *paper, f AuditItem) {
	head := strings.Join(v.place(f), "  ")
	if f.Recalled != "" {
		head += "  recalled: " + safe.Line(f.Recalled)
	}
	p.add(p.t.Dim, "", head)
	if f.Text != "" && !f.Redacted {
		e := v.excerpt(f)
		matched := fit(e.matched, max(p.w*3/4, 1)) + v.length(f)
		before := cutStart(e.before, max((p.w-Width(matched))/2, 0))
		after := fit(e.after, max(p.w-Width(before)-Width(matched), 0))
		p.lines = append(p.lines, p.t.Text.Render(before)+p.t.Match.Render(matched)+p.t.Text.Render(after))
	} else if f.What != "" {
		p.add(p.t.Text, "", safe.Line(f.What))
	}
	v.settled(p, f)
	if f.Shown != "" && !f.Redacted {
		p.add(p.t.Danger, "", "says: "+fit(safe.Line(clip(f.Shown, p.w)), p.w))
	}
	var steps []string
	for i, s := range v.steps(f) {
		steps = append(steps, strconv.Itoa(i+1)+" "+s)
	}
	if f.Open() && len(steps) > 0 {
		p.add(p.t.Info, "", strings.Join(steps, "  "))
	}
	p.add(p.t.Dim, "", v.caveat())
}
