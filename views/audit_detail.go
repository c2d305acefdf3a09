package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

func (v Audit) detailTitle() string {
	_, ok := v.Chosen()
	return "Finding" + textIf(ok, " %d of %d", v.Cursor+1, len(v.Items))
}

// detailLines returns all lines of the detail, wrapped for its pane.
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
	v.addHeading(&page, f)
	v.addPassage(&page, f)
	v.addNextStep(&page, f)
	return page.lines
}

// addHeading names the finding and its record.
func (v Audit) addHeading(p *paper, f AuditItem) {
	p.put(findingHead(p.t, f.Finding, strings.ToUpper(f.Severity.String()), p.w))
	p.add(p.t.Text, "", findingName(f.Finding))
	p.blank()
	p.add(p.t.Text, "", v.place(f))
	p.add(p.t.Text, "", textIf(f.Count > 1, "found in %d places; this is the first", f.Count))
	p.add(p.t.Text, "", textIf(f.Recalled != "", "will be recalled: %s", safe.Line(f.Recalled)))
	p.add(p.t.Text, "", textIf(f.Lands != "", "lands in: %s", safe.Line(f.Lands)))
	v.stateNote(p, f)
}

// findingHead is the rule of a finding, with the severity on the right.
func findingHead(t theme.Theme, f *memory.Finding, severity string, w int) string {
	return leftAndRight(t, t.Strong.Render(safe.Line(f.Rule)), severityStyle(t, f.Severity).Render("  "+severity), w)
}

// findingName is the name of a finding, if it says more than its rule.
func findingName(f *memory.Finding) string { return textIf(f.Name != f.Rule, "%s", safe.Line(f.Name)) }

// stateNote says why a finding does not count.
func (v Audit) stateNote(p *paper, f AuditItem) {
	switch i := f.Ignored; {
	case f.Redacted:
		p.add(p.t.OK, "", "redacted: its text is gone from the store and from our history")
	case i != nil:
		p.add(p.t.Info, "", ignoredText(v.Now, i))
	}
}

// ignoredText says why a finding is ignored, since when and until when.
func ignoredText(now time.Time, i *memory.Ignore) string {
	return joined(
		", ",
		"ignored: "+orDash(safe.Line(i.Reason)),
		textIf(
			!i.Added.IsZero(),
			"since %s",
			day(now, i.Added),
		),
		textIf(!i.Until.IsZero(), "until %s", day(now, i.Until)),
	)
}

func severityStyle(t theme.Theme, s memory.Severity) theme.Style {
	return [...]theme.Style{
		memory.Low:    t.Info,
		memory.Medium: t.Warn,
		memory.High:   t.Danger,
	}[min(max(s, memory.Low), memory.High)]
}

// place says where a finding is.
func (v Audit) place(f AuditItem) string {
	n, r := lineOf(f), f.Record
	at := textIf(n > 0, "#%d", n)
	if r == nil {
		return joined("  ", at, safe.Line(f.Field), safe.Line(f.Path))
	}
	if v.Named {
		at = v.name(r)
	}
	created := cmp.Or(textIf(!r.Created.Time.IsZero(), "created %s", momentAgo(v.Now, r.Created)), "no date")
	session := textIf(r.Session != "", "session %s", field(r, memory.InSession, 0, r.Session, 60, v.Reveal))
	return joined("  ", at, safe.Line(f.Field), created, session)
}

// Limits on what is shown of a finding: the place, the text before and after it, and the meaning of
// hidden text.
const (
	maxMatched = 2000
	maxAround  = 240
	maxDecoded = 2000
)

// excerpt is a part of a text around a place, in three parts that are safe to print. A mask is
// never split between them.
type excerpt struct{ before, matched, after string }

// excerpt returns the part of a finding's text to show. It never splits a mask, because a mask
// shows the beginning of the secret.
func (v Audit) excerpt(t theme.Theme, f AuditItem) excerpt {
	text := f.Text
	start, end := widenToMasks(f.Finding, placeOf(f.Finding))
	from, _ := widenToMasks(f.Finding, [2]int{safe.RuneStart(text, start-maxAround), start})
	_, to := widenToMasks(f.Finding, [2]int{end, safe.RuneStart(text, end+maxAround)})
	e := excerpt{before: v.part(f, from, start), matched: v.part(f, start, end), after: v.part(f, end, to)}
	if from > 0 {
		e.before = t.Borders.Cut + e.before
	}
	if to < len(text) {
		e.after += t.Borders.Cut
	}
	return e
}

// part returns the bytes from to to of a finding's text, safe and masked.
func (v Audit) part(f AuditItem, from, to int) string {
	if from >= to {
		return ""
	}
	return safe.Masked(f.Text[from:to], safe.Within(f.Masks, from, to), v.Reveal)
}

// placeOf returns where a finding is in its text, clipped to the text.
func placeOf(f *memory.Finding) [2]int {
	start := min(max(f.Start, 0), len(f.Text))
	return [2]int{start, min(max(f.End, start), len(f.Text))}
}

// widenToMasks widens a part of a finding's text to include every mask it would split.
func widenToMasks(f *memory.Finding, part [2]int) (start, end int) {
	start, end = part[0], part[1]
	for widened := true; widened; {
		widened = false
		for _, m := range f.Masks {
			if m[0] < end && m[1] > start && (m[0] < start || m[1] > end) {
				start, end, widened = min(start, m[0]), max(end, m[1]), true
			}
		}
	}
	return max(start, 0), min(end, len(f.Text))
}

// matched returns the matched text itself, as it is shown.
func (v Audit) matched(t theme.Theme, f AuditItem) string {
	return truncate(t, v.excerpt(t, f).matched, maxMatched)
}

// length says how long a masked secret is.
func (v Audit) length(f AuditItem) string {
	if v.Reveal || f.Family != memory.FamilySecret {
		return ""
	}
	at := placeOf(f.Finding)
	return safe.Length(f.Text[at[0]:at[1]])
}

// addPassage adds the text around the finding, and what hidden text says.
func (v Audit) addPassage(p *paper, f AuditItem) {
	if f.Redacted {
		return
	}
	p.blank()
	if f.Text == "" || f.Family == memory.FamilyFile {
		p.add(p.t.Text, "", safe.Line(f.What))
	}
	if f.Text != "" {
		e := v.excerpt(p.t, f)
		text := p.t.Text.Render(e.before) + p.t.Match.Render(truncate(p.t, e.matched, maxMatched)) +
			p.t.Dim.Render(v.length(f)) + p.t.Text.Render(e.after)
		p.indented("  ", closed(Wrap(text, max(p.w-2, 1))))
	}
	if f.Shown != "" {
		p.section("What it says")
		p.add(p.t.Danger, "  ", safe.Line(clip(f.Shown, maxDecoded/16-1)))
	}
	if f.Why != "" {
		p.section("Why it is here")
		p.add(p.t.Text, "  ", safe.Line(f.Why))
	}
}

// addNextStep adds what to do next, and what the keys would do.
func (v Audit) addNextStep(p *paper, f AuditItem) {
	if !f.Open() {
		return
	}
	p.listed("Do next", p.t.Info, v.steps(f))
	if v.Redacts(f) {
		p.blank()
		p.add(p.t.Dim, "", keyOf(v.keys().Audit.Redact)+" redacts "+memory.Counted(max(f.Count, 1), "place")+
			"; the rest of the line is kept byte for byte; no copy is kept for undo")
	}
	p.blank()
	k := v.keys()
	p.add(
		p.t.Dim,
		"",
		joined(
			"   ",
			textIf(len(f.Masks) > 0, "%s %s", keyOf(k.Global.Reveal), cmp.Or(textIf(v.Reveal, "mask"), "reveal")),
			textIf(!v.Fixed, "%s ignore with a reason", keyOf(k.Audit.Ignore)),
			keyOf(k.Move.NextMatch)+" next",
		),
	)
}

// Redacts reports whether a key can redact the finding in the store.
func (v Audit) Redacts(f AuditItem) bool {
	return f.Fixable && f.Record != nil && f.Open() && v.Writable
}

// ofRedacting is how the step begins that a key performs here.
const ofRedacting = "replace it with [REDACTED]"

// steps lists what to do next, numbered and in order: revoke first, then redact.
func (v Audit) steps(f AuditItem) []string {
	steps := slices.Clone(f.Next)
	if v.Redacts(f) {
		i := slices.IndexFunc(steps, func(s string) bool { return strings.HasPrefix(s, ofRedacting) })
		if i < 0 {
			i = min(1, len(steps))
			steps = slices.Insert(steps, i, "")
		}
		steps[i] = keyOf(v.keys().Audit.Redact) + "  replace with [REDACTED] in this record"
	}
	for i, s := range steps {
		steps[i] = strconv.Itoa(i+1) + " " + safe.Line(s)
	}
	return steps
}

// brief is a short version of the detail for the pane below the list.
func (v Audit) brief(p *paper, f AuditItem) {
	p.add(p.t.Dim, "", joined("  ", v.place(f), textIf(f.Recalled != "", "recall: %s", safe.Line(f.Recalled))))
	if f.Text != "" && !f.Redacted {
		e := v.excerpt(p.t, f)
		matched := truncate(p.t, e.matched, max(p.w*3/4, 1)) + v.length(f)
		before := cutStart(p.t, e.before, max((p.w-Width(matched))/2, 0))
		after := truncate(p.t, e.after, max(p.w-Width(before)-Width(matched), 0))
		p.put(p.t.Text.Render(before) + p.t.Match.Render(matched) + p.t.Text.Render(after))
	} else {
		p.add(p.t.Text, "", safe.Line(f.What))
	}
	v.stateNote(p, f)
	p.add(
		p.t.Danger,
		"",
		textIf(f.Shown != "" && !f.Redacted, "says: %s", truncate(p.t, safe.Line(clip(f.Shown, p.w)), p.w)),
	)
	p.add(p.t.Info, "", textIf(f.Open(), "%s", strings.Join(v.steps(f), "  ")))
}
