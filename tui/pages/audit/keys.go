package audit

import (
	"cmp"
	"slices"
	"strconv"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views/layout"
)

// Actions implements page.Page.
func (p *Page) Actions() page.Actions {
	k, a, v := p.cfg.Keys, p.cfg.Keys.Audit, &p.view
	open, before := keymap.As(k.Move.NextMatch, "next open"), keymap.As(k.Move.PrevMatch, "previous open")
	f, ok := v.Chosen()
	readOnly := page.When(p.cfg.ReadOnly, "Winnow was started with --readonly")
	notReady := page.Unless(v.Ready, "the audit has not ended yet")
	none := page.Unless(ok, cmp.Or(notReady, "there is no finding"))
	noText := cmp.Or(none, page.When(ok && (f.Redacted || f.Text == ""), "there is no text to copy"))
	noRedact, narrow := p.whyNoRedact(none), p.W < layout.SplitWidth
	openName := cmp.Or(
		page.When(!p.opensElsewhere(), "details"),
		page.When(f.Record == nil, "back to the list"),
		"open "+p.recordWord(),
	)
	return slices.Concat(page.Actions{
		{Binding: a.Open, Off: none, Run: p.open, Name: openName},
		{Binding: a.Redact, Off: noRedact, Run: p.redact},
		{Binding: k.Curate.Delete, Off: p.whyNoDeleteHere(none), Run: p.delete},
		{
			Binding: a.Ignore,
			Off:     cmp.Or(readOnly, none, page.When(f.Redacted, alreadyRedacted)),
			Run:     p.ignore,
			Name:    page.When(ok && f.Ignored != nil, "take back"),
		},
		{Binding: a.RedactAll, Off: p.whyNoSecret(none), Run: p.redactAll, Name: page.When(narrow, "redact all")},
		{Binding: a.RedactRule, Off: noRedact, Run: p.redactRule, Name: page.When(narrow, "redact rule")},
		{Binding: a.Export, Off: cmp.Or(readOnly, notReady), Run: p.export, Name: page.When(narrow, "report")},
		{Binding: a.Level, Off: none, Run: page.Do(p.nextLevel)},
		{Binding: a.Copy, Off: noText, Run: p.copyLine},
		{Binding: open, Off: none, Run: page.Do(func() { p.next(+1) })},
		{Binding: before, Off: none, Run: page.Do(func() { p.next(-1) })},
	}, p.PaneActions(k.Global, none), page.Moves(k.Move, none, p.Step, p.Half()))
}

const alreadyRedacted = "the finding was redacted already"

// whyNoDelete returns why the record of the finding cannot be deleted, or "". None is why there is no
// finding, or "".
func (p *Page) whyNoDelete(none string) string {
	f, _ := p.view.Chosen()
	why := cmp.Or(
		none,
		page.WhyReadOnly(&p.pending),
		page.Unless(f.Record != nil, "the finding is not in a "+p.recordWord()+" that is shown"),
	)
	if why == "" {
		why = f.Record.Fixed
	}
	return why
}

// whyNoDeleteHere is whyNoDelete for the key that deletes. A finding that stands for several places would delete the
// record of the first only.
func (p *Page) whyNoDeleteHere(none string) string {
	f, ok := p.view.Chosen()
	if why := p.whyNoDelete(none); why != "" || !ok || !f.Elsewhere {
		return why
	}
	return "the finding stands for " + strconv.Itoa(f.Count) + " places; " +
		p.cfg.Keys.Audit.Open.Help().Key + " opens the first " + p.recordWord()
}

// whyNoRedact returns why the finding cannot be redacted and what to do instead, or "".
func (p *Page) whyNoRedact(none string) string {
	f, ok := p.view.Chosen()
	if !ok {
		return none
	}
	return cmp.Or(
		page.When(f.Redacted, alreadyRedacted),
		page.When(f.Ignored != nil, "the finding is ignored; "+p.cfg.Keys.Audit.Ignore.Help().Key+" takes that back"),
		page.When(f.Family == memory.FamilyFile, "it is about the file; the details name a command that helps"),
		page.When(
			f.Record != nil && f.Family != memory.FamilySecret,
			"only secrets are replaced; edit or delete the "+p.recordWord(),
		),
		p.whyNoDelete(none),
	)
}

// nextLevel cycles Level, the lowest severity that fails the audit: high, medium, low.
func (p *Page) nextLevel() {
	v := &p.view
	v.Level--
	if v.Level < memory.Low {
		v.Level = memory.High
	}
}

// next moves the cursor to the next open finding. It returns false if there is none.
func (p *Page) next(dir int) bool {
	v := &p.view
	for i := v.Cursor + dir; i >= 0 && i < len(v.Items); i += dir {
		if v.Items[i].Open() {
			p.MoveTo(i)
			return true
		}
	}
	return false
}
