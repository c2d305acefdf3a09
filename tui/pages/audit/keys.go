package audit

import (
	"cmp"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views/layout"
)

func actions(k keymap.Map) page.Actions[*Page] {
	a, g, m, do := k.Audit, k.Global, k.Move, page.Do[*Page]
	open, before := keymap.Named(m.NextMatch, "n", "next open"), keymap.Named(m.PrevMatch, "N", "previous open")
	none := (*Page).whyNoFinding
	return append(page.Actions[*Page]{
		{Binding: a.Redact, Off: (*Page).whyNoRedact, Run: (*Page).redact},
		{Binding: a.RedactAll, Off: (*Page).whyNoRedact, Run: (*Page).redactAll, Name: brief("redact rule")},
		{Binding: a.Ignore, Off: (*Page).whyNoIgnore, Run: (*Page).ignore, Name: (*Page).ignoreName},
		{Binding: a.Open, Off: none, Run: (*Page).open, Name: (*Page).openName},
		{Binding: a.Export, Off: (*Page).whyNoExport, Run: (*Page).export, Name: brief("report")},
		{Binding: a.Level, Off: none, Run: do((*Page).nextLevel)},
		{Binding: k.Curate.Delete, Off: (*Page).whyNoDelete, Run: (*Page).delete},
		{Binding: a.Copy, Off: (*Page).whyNoText, Run: (*Page).copyLine},
		{Binding: open, Off: none, Run: do(func(p *Page) { p.next(+1) })},
		{Binding: before, Off: none, Run: do(func(p *Page) { p.next(-1) })},
		{Binding: g.NextPane, Off: none, Run: do((*Page).nextPane)},
		{Binding: g.PrevPane, Off: none, Run: do((*Page).nextPane)},
		{Binding: g.Layout, Off: none, Run: do(func(p *Page) { p.view.Layout, p.view.Scroll = p.view.Layout.Next(), 0; p.follow() })},
		{Binding: g.ShrinkList, Off: (*Page).whyOnePane, Run: do(func(p *Page) { p.resize(-5) })},
		{Binding: g.GrowList, Off: (*Page).whyOnePane, Run: do(func(p *Page) { p.resize(+5) })},
		{Binding: g.Back, Off: (*Page).whyNoBack, Run: do(func(p *Page) { p.Back() })},
	}, page.Moves(m, none, (*Page).step, (*Page).half)...)
}

func (p *Page) whyNotReady() string { return page.Unless(p.view.Ready, "the audit has not ended yet") }

func (p *Page) whyNoFinding() string {
	_, ok := p.view.Chosen()
	return page.Unless(ok, cmp.Or(p.whyNotReady(), "there is no finding"))
}

func (p *Page) whyOnePane() string {
	return cmp.Or(p.whyNoFinding(), page.Unless(p.view.Both(p.W, p.H), "only one pane is shown"))
}

func (p *Page) whyNoBack() string {
	return page.Unless(p.view.Detail || p.view.Layout == layout.DetailOnly, "nothing is open")
}

// whyUnwritable says why nothing can be written, not even a decision or a report.
func (p *Page) whyUnwritable() string {
	return page.Unless(!p.cfg.ReadOnly, "Winnow was started with --readonly")
}

func (p *Page) whyNoExport() string { return cmp.Or(p.whyUnwritable(), p.whyNotReady()) }

func (p *Page) whyNoIgnore() string {
	f, _ := p.view.Chosen()
	return cmp.Or(p.whyUnwritable(), p.whyNoFinding(), page.Unless(!f.Redacted, alreadyRedacted))
}

const alreadyRedacted = "the finding was redacted already"

func (p *Page) whyNoText() string {
	f, ok := p.view.Chosen()
	return cmp.Or(p.whyNoFinding(), page.When(ok && (f.Redacted || f.Text == ""), "there is no text to copy"))
}

func (p *Page) whyNoDelete() string {
	f, _ := p.view.Chosen()
	why := cmp.Or(p.whyNoFinding(), page.WhyReadOnly(&p.pending), page.Unless(f.Record != nil, "the finding is not in a "+p.one()+" that is shown"))
	if why == "" {
		why = f.Record.Fixed
	}
	return why
}

// whyNoRedact says why the finding cannot be replaced, and what helps.
func (p *Page) whyNoRedact() string {
	f, ok := p.view.Chosen()
	if !ok {
		return p.whyNoFinding()
	}
	return cmp.Or(page.When(f.Redacted, alreadyRedacted), page.When(f.Ignored != nil, "the finding is ignored; i takes that back"),
		page.When(f.Family == memory.FamilyFile, "it is about the file; the details name a command that helps"),
		page.When(f.Record != nil && f.Family != memory.FamilySecret, "only secrets are replaced; Enter goes to the "+p.one()+" to edit it, d deletes it"),
		p.whyNoDelete())
}

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding { return p.do.On(p) }

// Off implements page.Off.
func (p *Page) Off() []keymap.Off { return p.do.Off(p) }

func (p *Page) ignoreName() string {
	f, _ := p.view.Chosen()
	return page.When(f.Finding != nil && f.Ignored != nil, "take back")
}

func (p *Page) openName() string {
	f, _ := p.view.Chosen()
	return cmp.Or(page.When(!p.leaves(), "details"), page.When(f.Record == nil, "back to the list"), "open "+p.one())
}

// brief returns a name in few words, for a footer that is short.
func brief(name string) func(*Page) string {
	return func(p *Page) string { return page.When(p.W < layout.SplitWidth, name) }
}

// nextLevel goes on to the next severity from which on a finding fails the audit.
func (p *Page) nextLevel() {
	v := &p.view
	v.Level--
	if v.Level < memory.Low {
		v.Level = memory.High
	}
}

func (p *Page) resize(by int) {
	p.view.Share = layout.Resized(p.view.Share, by)
	p.follow()
}
