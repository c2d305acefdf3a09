package audit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/safe"
)

// redact asks to redact the finding under the cursor.
func (p *Page) redact() tea.Cmd {
	f, _ := p.view.Chosen()
	return p.order(func(it *views.AuditItem) bool { return it.Finding == f.Finding })
}

// redactRule asks to redact all findings of the rule under the cursor.
func (p *Page) redactRule() tea.Cmd {
	f, _ := p.view.Chosen()
	return p.order(func(it *views.AuditItem) bool { return it.Rule == f.Rule })
}

// redactAll asks to redact all secrets of the store. It leaves out records that have an ignored
// secret, because the order could not exempt that, and records that are too long. A toast says how
// many.
func (p *Page) redactAll() tea.Cmd {
	stays := map[*memory.Record]bool{}
	for _, it := range p.view.Items {
		if it.Record != nil && it.Family == memory.FamilySecret && (it.Ignored != nil || it.Record.RawCut()) {
			stays[it.Record] = true
		}
	}
	left := map[*memory.Record]bool{}
	for _, it := range p.view.Items {
		if p.view.Redacts(it) && stays[it.Record] {
			left[it.Record] = true
		}
	}
	order := p.order(func(it *views.AuditItem) bool { return !stays[it.Record] })
	if len(left) == 0 {
		return order
	}
	sentence := p.pending.Noun.Count(len(left)) + " stays as it is, with an ignored secret in it or too long: " +
		p.cfg.Keys.Audit.Redact.Help().Key + " redacts one finding"
	return tea.Batch(order, msg.Emit(msg.Toast{Text: sentence}))
}

// whyNoSecret returns why there is no secret to redact, or "". None is why there is no finding, or "".
func (p *Page) whyNoSecret(none string) string {
	open := slices.ContainsFunc(p.view.Items, p.view.Redacts)
	return cmp.Or(none, page.WhyReadOnly(&p.pending), page.Unless(open, "there is no open secret that can be replaced"))
}

// order asks to redact the secrets that wanted accepts. The plan is always shown first, because a
// redaction cannot be undone.
func (p *Page) order(wanted func(*views.AuditItem) bool) tea.Cmd {
	f, _ := p.view.Chosen()
	items := p.view.Items
	p.asked = nameOf(f.Finding)
	return func() tea.Msg {
		var seen []*memory.Record
		var copies, rules []string // copies are secrets that no rule finds in their own record
		had := map[memory.ID]bool{}
		for i := range items {
			item := &items[i]
			if item.Record == nil || !item.Open() || item.Family != memory.FamilySecret || !wanted(item) {
				continue
			}
			if !slices.Contains(rules, item.Rule) {
				rules = append(rules, item.Rule)
			}
			if item.Origin != "" {
				copies = append(copies, item.Text[item.Start:item.End])
			}
			if had[item.Record.ID] {
				continue
			}
			had[item.Record.ID] = true
			seen = append(seen, item.Record)
		}
		m := msg.OrderOf(memory.Redact, seen)
		if o, ok := m.(msg.Order); ok {
			o.Order.Only, o.Order.Also, o.Ask = rules, copies, true
			return o
		}
		return m
	}
}

// ignore asks for a reason to ignore the finding under the cursor, or counts it again.
func (p *Page) ignore() tea.Cmd {
	f, _ := p.view.Chosen()
	p.asked = nameOf(f.Finding)
	return msg.Emit(msg.Ignore{Finding: *f.Finding})
}

// delete asks to delete the record that contains the finding under the cursor.
func (p *Page) delete() tea.Cmd {
	f, _ := p.view.Chosen()
	return msg.Emit(msg.OrderOf(memory.Delete, []*memory.Record{f.Record}))
}

// opensElsewhere reports whether opening the finding under the cursor leaves the page. It does not if the
// detail is hidden or has only a few lines below the list: then the detail is shown in full first.
func (p *Page) opensElsewhere() bool {
	return p.view.Panes(p.W, p.H).Both() || p.Alone()
}

// open shows the detail of the finding under the cursor in full. If that is already shown, it goes to
// the record that contains the finding.
func (p *Page) open() tea.Cmd {
	f, _ := p.view.Chosen()
	switch {
	case !p.opensElsewhere():
		p.Full()
		return nil
	case f.Record == nil && p.Back():
		return nil
	case f.Record == nil:
		return msg.Emit(msg.Toast{Text: "The finding is not about a " + p.recordWord() + " that is shown"})
	}
	return msg.Emit(msg.Lesson{ID: f.Record.ID})
}

// copyLine copies the text of the finding and its place, safe to paste anywhere.
func (p *Page) copyLine() tea.Cmd {
	f, _ := p.view.Chosen()
	reveal := p.view.Reveal
	return func() tea.Msg {
		what := "the line of " + safe.Line(f.Rule) + page.When(!reveal && len(f.Masks) > 0, ", secrets masked")
		return msg.Copy{Text: lineText(f, reveal), What: what}
	}
}

// maxCopy is the most bytes of a text that are copied. Few terminals accept more.
const maxCopy = 1 << 18

// lineText returns the location of a finding followed by its text.
func lineText(f views.AuditItem, reveal bool) string {
	place := safe.Line(f.Path) + page.When(f.Line > 0, ":"+strconv.Itoa(f.Line)) +
		page.When(f.Field != "", " "+safe.Line(f.Field))
	text := safe.Masked(f.Text, f.Masks, reveal)
	if len(text) > maxCopy {
		text = strings.ToValidUTF8(text[:maxCopy], "") + ".."
	}
	return strings.TrimSpace(place+": "+text) + "\n"
}

// export opens the dialog that writes a report of the findings.
func (p *Page) export() tea.Cmd {
	s := p.snap
	return msg.Emit(msg.Export{Audit: memory.Audit{
		Findings:  s.Findings,
		Files:     1,
		Records:   len(s.Records),
		Nouns:     map[memory.Noun]int{s.Noun.OrRecord(): len(s.Records)},
		Bytes:     s.Size,
		Rules:     p.cfg.Rules,
		Uncovered: slices.Concat(p.view.Unread, p.view.Uncovered),
	}})
}

// recordWord returns the word for a record of the store.
func (p *Page) recordWord() string { return p.pending.Noun.OrRecord().One }
