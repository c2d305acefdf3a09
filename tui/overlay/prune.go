package overlay

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// What the number fields begin with, and the most that they take.
const (
	firstDays = 30
	firstKeep = 60
	mostDays  = 9999
)

// Prune is the assistant that removes by rule. Each change of the rule asks for its
// plan.
type Prune struct {
	facts
	pointer
	scroll
	planned
	keys       keymap.Map
	ids        []memory.ID
	total      int
	spare      map[memory.ID]string
	warn       string
	rule       int
	days, keep int
	typing     bool // the next digit goes behind those of the number
	pending    bool
	focus      int
}

// NewPrune returns the assistant. Ids are the records that a filter shows, or nothing
// when none is set; shown is how many records the store shows without it. Spare are
// records that rules leave alone, with the reason. Order is what to plan first.
func NewPrune(k keymap.Map, ids []memory.ID, shown int, spare map[memory.ID]string) *Prune {
	return &Prune{keys: k, ids: ids, total: shown, spare: spare, days: firstDays, keep: firstKeep, pending: true}
}

// SetWarn sets the line about other writers.
func (p *Prune) SetWarn(text string) { p.warn = text }

// Order implements Planned.
func (p *Prune) Order() memory.Order {
	o := memory.Order{Do: memory.Prune, Spare: p.spare, Rule: p.ruling()}
	if o.Rule.Listed {
		o.IDs = p.ids
	}
	return o
}

func (p *Prune) ruling() memory.Rule {
	switch p.rule {
	case views.PruneOld:
		return memory.Rule{Unused: true, Days: p.days}
	case views.PruneUnused:
		return memory.Rule{Unused: true}
	case views.PruneFailed:
		return memory.Rule{Failed: true}
	case views.PruneListed:
		return memory.Rule{Listed: true}
	}
	return memory.Rule{Keep: p.keep}
}

// SetPlan implements Planned. A plan of a rule that is no longer chosen is dropped.
func (p *Prune) SetPlan(plan memory.Plan, err error) {
	switch {
	case err != nil:
		p.pending = false
		p.renew(plan, err)
	case plan.Order.Rule != p.ruling():
	case p.pending:
		p.pending = false
		p.begin(plan)
	default:
		p.renew(plan, nil)
	}
}

// Update implements Dialog.
func (p *Prune) Update(m tea.Msg) (tea.Cmd, bool) {
	d := p.keys.Dialog
	if wheel, ok := m.(msg.Wheel); ok {
		p.by(wheel.Lines)
	}
	if s, ok := p.spot(m); ok && s.Row >= 0 {
		return p.take(s.Row), true
	}
	k, ok := p.press(d, m, &p.focus).(tea.KeyPressMsg)
	if !ok {
		return nil, true
	}
	switch press := key.Matches(k, d.Press); {
	case key.Matches(k, d.Confirm), press && p.focus == views.OnDo:
		if p.pending {
			return nil, true
		}
		return p.confirm()
	case key.Matches(k, d.Cancel), press && p.focus == views.OnCancel:
		return nil, false
	case key.Matches(k, d.Focus):
		p.focus = (p.focus + 1) % 3
	case key.Matches(k, d.FocusBack):
		p.focus = (p.focus + 2) % 3
	case p.choose(k), p.number(k):
		return p.preview(), true
	default:
		p.onKey(d, k)
	}
	return nil, true
}

// preview asks for the plan of the rule.
func (p *Prune) preview() tea.Cmd {
	p.offset, p.pending, p.failed = 0, true, ""
	return msg.Emit(msg.Preview{Order: p.Order()})
}

// take takes the rule that was clicked.
func (p *Prune) take(rule int) tea.Cmd {
	if rule == p.rule || rule == views.PruneListed && len(p.ids) == 0 {
		return nil
	}
	p.rule, p.typing = rule, false
	return p.preview()
}

// choose takes another rule. While the list has the focus the keys scroll it.
func (p *Prune) choose(k tea.KeyPressMsg) bool {
	d, was := p.keys.Dialog, p.rule
	if p.focus == views.OnList && !key.Matches(k, d.Pick) {
		return false
	}
	switch {
	case key.Matches(k, d.Down, d.Pick):
		p.rule = p.next(+1)
	case key.Matches(k, d.Up):
		p.rule = p.next(-1)
	}
	p.typing = p.typing && p.rule == was
	return p.rule != was
}

// next returns the rule after or before, without the filter's when there is none.
func (p *Prune) next(by int) int {
	r := (p.rule + by + views.PruneRules) % views.PruneRules
	if r == views.PruneListed && len(p.ids) == 0 {
		r = (r + by + views.PruneRules) % views.PruneRules
	}
	return r
}

// number changes the number of the rule, when it has one.
func (p *Prune) number(k tea.KeyPressMsg) bool {
	d, n := p.keys.Dialog, p.field()
	if n == nil {
		return false
	}
	was := *n
	switch {
	case key.Matches(k, d.Left):
		*n--
	case key.Matches(k, d.Right):
		*n++
	case key.Matches(k, d.Less):
		*n -= 10
	case key.Matches(k, d.More):
		*n += 10
	case k.Code == tea.KeyBackspace:
		*n /= 10
		p.typing = true
	case len(k.Text) == 1 && k.Text[0] >= '0' && k.Text[0] <= '9':
		if !p.typing {
			*n = 0
		}
		*n = *n*10 + int(k.Text[0]-'0')
		p.typing = true
	}
	*n = min(max(*n, p.least()), mostDays)
	return *n != was
}

// field is the number of the rule, or nil.
func (p *Prune) field() *int {
	switch p.rule {
	case views.PruneOld:
		return &p.days
	case views.PruneKeep:
		return &p.keep
	}
	return nil
}

// least is the smallest number: none at all cannot be kept.
func (p *Prune) least() int {
	if p.rule == views.PruneKeep {
		return 1
	}
	return 0
}

// Render implements Dialog.
func (p *Prune) Render(t theme.Theme, w, h int) string {
	v := views.Prune{
		Rule: p.rule, Days: p.days, Keep: p.keep, Listed: len(p.ids), Total: p.total, Plan: p.plan, Pending: p.pending,
		Changed: p.changed, Was: p.was, Warn: p.warn, Failed: p.failed, Focus: p.focus, Reveal: p.reveal, Now: p.now,
	}
	p.drawn(v.Last(t, w, h))
	v.Offset = p.offset
	p.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (p *Prune) Keys() []keymap.Binding {
	d := p.keys.Dialog
	list := []keymap.Binding{d.Confirm, d.Cancel, keymap.Named(d.Down, "j/k", "rule")}
	if p.field() != nil {
		list = append(list, keymap.Named(d.Right, "h/l", "number"), keymap.Named(p.keys.Move.Count, "0-9", "type it"))
	}
	list = append(list, keymap.Named(d.Focus, "Tab", "buttons and list"))
	if p.focus != views.OnList {
		list = append(list, pressing(d, p.focus == views.OnCancel))
	}
	if p.last > 0 {
		list = append(list, d.PageDown, d.PageUp)
	}
	return slices.Clip(list)
}
