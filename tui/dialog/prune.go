package dialog

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views"
)

// The initial numbers of the rules, and their maximum.
const (
	firstDays = 30
	firstKeep = 60
	mostDays  = 9999
)

// Prune is the dialog that removes records by rule. Each change of the rule requests a new plan.
type Prune struct {
	state
	planned
	keys       keymap.Map
	ids        []memory.ID
	total      int
	spare      map[memory.ID]string
	rule       int
	days, keep int
	digits     bool // the next digit is appended to the number instead of replacing it
}

// NewPrune returns the dialog. Ids are the records that a filter shows; it is empty if no filter is
// set. Shown is the number of records without the filter. Spare are records that rules leave alone,
// with the reason.
func NewPrune(k keymap.Map, ids []memory.ID, shown int, spare map[memory.ID]string, warn string) *Prune {
	p := &Prune{keys: k, ids: ids, total: shown, spare: spare, days: firstDays, keep: firstKeep}
	p.Pending, p.Warn = true, warn
	return p
}

// Order implements Planned.
func (p *Prune) Order() memory.Order {
	o := memory.Order{Do: memory.Prune, Spare: p.spare, Rule: p.pruneRule()}
	if o.Rule.Listed {
		o.IDs = p.ids
	}
	return o
}

func (p *Prune) pruneRule() memory.Rule {
	return [...]memory.Rule{
		views.PruneOld:       {Unused: true, Days: p.days},
		views.PruneUnused:    {Unused: true},
		views.PruneFailed:    {Failed: true},
		views.PruneListed:    {Listed: true},
		views.PruneKeep:      {Keep: p.keep},
		views.PruneUnhelpful: {Unhelpful: true},
	}[p.rule]
}

// SetPlan implements Planned. It drops a plan for a rule that is no longer chosen.
func (p *Prune) SetPlan(plan memory.Plan, err error) {
	p.setPlan(plan, err, plan.Order.Rule == p.pruneRule())
}

// The places of the focus in Prune: the buttons, and then the list of records.
const (
	pruneCancel = iota
	pruneDo
	pruneList
)

func (p *Prune) view() views.Prune {
	return views.Prune{
		Planned: p.Planned, Rule: p.rule, Days: p.days, Keep: p.keep, Listed: len(p.ids), Total: p.total, OnList: p.focus == pruneList,
	}
}

// Form implements Dialog.
func (p *Prune) Form() Form {
	d := p.keys.Dialog
	do := Action{Binding: keymap.As(d.Confirm, "remove"), Label: named("Remove "+strconv.Itoa(len(p.Plan.Changes)), d.Confirm), Do: p.confirm}
	if p.Pending {
		do.Label = "Remove .. (counting)"
		do.Off = "the records are still being counted"
	}
	f := Form{
		Keys: p.keys, Masks: true, View: p.view().Dialog, Stops: 1, After: func() tea.Cmd { return p.ask(p.pruneRule()) }, Other: p.number,
		Buttons: []Action{{Binding: d.Cancel, Label: "Cancel", Do: closes}, do},
		Click: func(_ views.Look, w, _ int, s views.DialogCell) {
			if rule := p.view().RuleAt(w, s); rule >= 0 {
				p.choose(rule)
			}
		},
	}
	next, last := thenStay(func() { p.choose(p.neighbour(+1)) }), thenStay(func() { p.choose(p.neighbour(-1)) })
	f.Actions = []Action{{Binding: d.Pick, Do: next, Hidden: true}}
	if p.focus != pruneList { // on the list, these keys scroll
		f.Actions = append(f.Actions, Action{Binding: keymap.Both(d.Down, d.Up, "rule"), Do: next}, Action{Binding: d.Up, Do: last, Hidden: true})
	}
	if n, _ := p.field(); n != nil {
		f.Actions = append(f.Actions,
			Action{Binding: keymap.Both(d.Right, d.Left, "number"), Do: thenStay(func() { p.set(*n + 1) })},
			Action{Binding: d.Left, Do: thenStay(func() { p.set(*n - 1) }), Hidden: true},
			Action{Binding: d.More, Do: thenStay(func() { p.set(*n + 10) }), Hidden: true},
			Action{Binding: d.Less, Do: thenStay(func() { p.set(*n - 10) }), Hidden: true},
			Action{Binding: keymap.As(p.keys.Move.Count, "type it"), Do: thenStay(func() { p.digit(0) })},
		)
	}
	return f
}

// choose chooses a rule. The rule for filtered records can only be chosen if a filter is set.
func (p *Prune) choose(rule int) {
	if rule != p.rule && (rule != views.PruneListed || len(p.ids) > 0) {
		p.rule, p.digits, p.offset = rule, false, 0
	}
}

// neighbour returns the next or the previous rule that can be chosen.
func (p *Prune) neighbour(by int) int {
	r := (p.rule + by + views.PruneRules) % views.PruneRules
	if r == views.PruneListed && len(p.ids) == 0 {
		r = (r + by + views.PruneRules) % views.PruneRules
	}
	return r
}

// number handles digits and backspace in the number of the rule, if it has one.
func (p *Prune) number(k tea.KeyPressMsg) {
	n, _ := p.field()
	switch {
	case n == nil:
	case k.Code == tea.KeyBackspace:
		p.set(*n / 10)
		p.digits = true
	case len(k.Text) == 1 && k.Text[0] >= '0' && k.Text[0] <= '9':
		p.digit(int(k.Text[0] - '0'))
	}
}

func (p *Prune) digit(digit int) {
	n, _ := p.field()
	before := 0
	if p.digits {
		before = *n
	}
	p.set(before*10 + digit)
	p.digits = true
}

// set sets the number of the rule, within its limits.
func (p *Prune) set(to int) {
	n, least := p.field()
	*n = min(max(to, least), mostDays)
	p.offset = 0
}

// field returns the number of the rule and its minimum, or nil if the rule has no number. At least
// one record must be kept.
func (p *Prune) field() (n *int, least int) {
	switch p.rule {
	case views.PruneOld:
		return &p.days, 0
	case views.PruneKeep:
		return &p.keep, 1
	}
	return nil, 0
}
