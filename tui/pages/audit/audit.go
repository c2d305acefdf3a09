// Package audit is the page that says whether the open store can be shared. It lists what the audit
// finds, the worst first, and what can be done about each finding.
//
// Findings arrive with the states of the store, a moment after its records. The list is made from
// them in a command (tally), and the screen changes in one step when it arrives (onTallied). The
// cursor stays on its finding even if that moved: a finding is identified by its text and its record.
package audit

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// Config is the configuration of a Page.
type Config struct {
	Keys keymap.Map
	// Rules is the number of rules of the audit, or 0 if it is not known.
	Rules int
	// Uncovered says what the audit does not cover: "git history".
	Uncovered []string
	// ReadOnly says that nothing may be written, not even decisions on findings.
	ReadOnly bool
}

// Page lists the findings in the open store. It implements page.Page.
type Page struct {
	page.List
	ctx context.Context
	cfg Config

	view    views.Audit
	pending memory.Snapshot  // the latest
	snap    memory.Snapshot  // the one listed
	work    page.Work[*Page] // the list being made
	slow    page.Work[*Page] // the timer of waitSlow

	past pastFindings
	// asked is the finding that the person last asked to redact or ignore here.
	asked names
}

// slowAfter is how long an audit may take before the screen says so.
const slowAfter = 150 * time.Millisecond

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c}
	p.view = views.Audit{
		Keyed:     views.Keyed{Keys: &p.cfg.Keys},
		Level:     memory.High,
		Listing:   views.NewListing(),
		Rules:     c.Rules,
		Uncovered: c.Uncovered,
		Fixed:     c.ReadOnly,
	}
	p.List = page.List{At: &p.view.Listing, View: &p.view}
	return p
}

// Restore implements page.Remembering.
func (p *Page) Restore(s config.State) { page.RestoreList(s, "audit", p.At) }

// Remember implements page.Remembering.
func (p *Page) Remember(s *config.State) {
	page.RememberList(s, "audit", p.At)
}

// Init implements page.Page.
func (p *Page) Init() tea.Cmd { return p.waitSlow() }

// waitSlow returns the command that says after slowAfter that the audit takes long, if it does.
func (p *Page) waitSlow() tea.Cmd {
	p.slow.Begin(p.ctx)
	return p.slow.After(slowAfter, func(p *Page) tea.Cmd { p.view.Slow = p.waiting(); return nil })
}

// Title implements page.Page.
func (p *Page) Title() string { return "Audit" }

// Badge implements page.Badge. It counts the open findings of high and medium severity.
func (p *Page) Badge() string {
	n := p.view.Sum.High + p.view.Sum.Medium
	return page.When(p.view.Ready && n > 0, strconv.Itoa(n)+"!")
}

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.AuditLegend() }

// Typing implements page.Page.
func (p *Page) Typing() bool { return false }

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	if p.Take(m) {
		v := &p.view
		v.Reveal, v.Mask, v.Now = p.Reveal, p.Mask, p.Now
		v.Detail = v.Detail && p.Both()
		p.Follow()
		return nil
	}
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return p.Actions().Press(m)
	case msg.Click:
		if p.Click(m.X, m.Y) {
			return p.open()
		}
	case msg.Wheel:
		p.Wheel(m.X, m.Y, m.Lines)
	case msg.OpenStore:
		return p.forget()
	case msg.Snapshot:
		return p.onSnapshot(m.Snapshot)
	case msg.Changed:
		return p.onChanged(m)
	case page.Done[*Page]:
		return m.In(p)
	}
	return nil
}

// waiting reports whether the findings of the latest state have not been listed yet.
func (p *Page) waiting() bool {
	return p.pending.Problem == nil && (!p.view.Ready || !p.pending.Audited || p.pending.Seq != p.snap.Seq)
}

// forget resets the page when another store is opened.
func (p *Page) forget() tea.Cmd {
	p.clear()
	p.Back()
	p.MoveTo(0)
	p.view.Unread, p.view.Uncovered = nil, p.cfg.Uncovered
	p.pending, p.snap, p.past, p.asked = memory.Snapshot{}, memory.Snapshot{}, pastFindings{}, names{}
	return p.waitSlow()
}

// onSnapshot lists the findings of a state, or waits if they have not arrived yet. Meanwhile the
// previous findings stay, because most of their records are the same.
func (p *Page) onSnapshot(s memory.Snapshot) tea.Cmd {
	before := p.waiting()
	p.pending = s
	p.view.Writable = s.ReadOnly == ""
	p.view.Noun, p.view.Named = s.Noun.OrRecord(), !s.Described.ByLine
	var cmd tea.Cmd
	if !before && p.waiting() {
		cmd = p.waitSlow()
	}
	switch {
	case s.Problem != nil:
		p.clear()
	case s.Audited:
		return tea.Batch(cmd, p.tally())
	}
	return cmd
}

// clear clears the list, because nothing is known about a store that cannot be read.
func (p *Page) clear() {
	p.work.Begin(p.ctx)
	v := &p.view
	v.Items, v.Groups, v.Sum, v.Ready, v.Slow = nil, nil, views.AuditSum{}, false, false
	p.snap = memory.Snapshot{}
}

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	if why, ok := p.whyNothing(); ok {
		return why.Render(p.Theme, w, h)
	}
	return p.view.Render(p.Theme, w, h)
}

// whyNothing returns the box shown instead of the list if the store cannot be read or is empty.
func (p *Page) whyNothing() (v views.State, ok bool) {
	s := p.pending
	keys := p.cfg.Keys.Global
	hints := page.Hint(keys.Switch, "open another store") + "      " + page.Hint(keys.Help, "help")
	v = views.State{Title: "Audit", Next: []string{hints, "winnow audit .   looks at a folder"}}
	switch x := s.Problem; {
	case x != nil:
		v.What, v.Lines = "Nothing to audit. "+x.What, []string{s.Place.Path}
		v.Danger = x.Code != "missing" && x.Code != "empty"
		if x.Hint != "" {
			v.Lines = append(v.Lines, x.Hint)
		}
		return v, true
	case p.view.Ready && len(p.view.Items) == 0 && p.view.Total == 0:
		v.What = "Nothing to audit: there are no " + s.Noun.OrRecord().Many + " yet in " + views.PlacePath(s.Place)
		if s.Described.Arrives != "" {
			v.Lines = append(v.Lines, s.Described.Arrives)
		}
		v.Lines = append(v.Lines, "This screen updates by itself when it does.")
		return v, true
	}
	return v, false
}
