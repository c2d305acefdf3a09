package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views"
)

// The initial numbers of the rules, and their maximum.
const (
	firstDays     = 30
	firstKeep     = 60
	firstSessions = 20
	mostDays      = 9999
)

// pruneDialog is the dialog that removes records by rule. Each change of the rule requests a new plan.
type pruneDialog struct {
	dialogState
	planned
	keys       keymap.Map
	ids        []memory.ID
	total      int
	spare      map[memory.ID]string
	rules      []int // those that suit the store
	rule       int
	days, keep int
	sessions   int
	digits     bool // the next digit is appended to the number instead of replacing it
}

// newPrune returns the dialog. Ids are the records that a filter shows; it is empty if no filter is
// set. Spare are records that rules leave alone, with the reason. Snap is the store.
func newPrune(
	k keymap.Map, ids []memory.ID, snap *memory.Snapshot, spare map[memory.ID]string, warn string,
) *pruneDialog {
	p := &pruneDialog{
		keys: k, ids: ids, total: len(snap.Records), spare: spare, rules: rulesFor(snap),
		days: firstDays, keep: firstKeep, sessions: firstSessions,
	}
	p.rule = p.rules[0]
	p.Pending, p.Warn = true, warn
	return p
}

// refresh offers the rules that suit the store as it is now, too: its records may have been judged only now.
func (p *pruneDialog) refresh(snap *memory.Snapshot) {
	rules := append(rulesFor(snap), p.rules...)
	slices.Sort(rules)
	p.rules, p.total = slices.Compact(rules), len(snap.Records)
}

// rulesFor returns the rules that suit a store: those by use if use is known, and those by a flag if a record
// has it.
func rulesFor(snap *memory.Snapshot) (rules []int) {
	counted, failed, flags := slices.Contains(snap.Described.Columns, "rel"), false, memory.Flags(0)
	sessions, again := 0, 0
	for i := range snap.Records {
		r := &snap.Records[i]
		flags |= r.Flags
		failed = failed || r.Outcome == memory.Failed
		if r.Evidence != nil {
			sessions = max(sessions, r.Evidence.Use.Of)
			if c := r.Evidence.Recurs; c != nil {
				again = max(again, c.Again)
			}
		}
	}
	for rule, suits := range [...]bool{
		views.PruneOld:    counted,
		views.PruneUnused: counted || sessions > 0,
		views.PruneIdle:   sessions > 0,
		views.PruneAge:    !counted,
		views.PruneAgain:  again > 0,
		views.PruneStale:  flags&memory.FlagNamesGone != 0,
		views.PruneTwice:  flags&memory.FlagSimilar != 0,
		views.PruneUnread: flags&memory.FlagUnseen != 0,
		views.PruneRisky:  flags&risky != 0,
		views.PruneFailed: counted || failed,
		views.PruneListed: true,
		views.PruneKeep:   counted || sessions > 0,
	} {
		if suits {
			rules = append(rules, rule)
		}
	}
	return rules
}

const risky = memory.FlagSecret | memory.FlagInjection

// order implements planDialog.
func (p *pruneDialog) order() memory.Order {
	o := memory.Order{Do: memory.Prune, Spare: p.spare, Rule: p.pruneRule()}
	if o.Rule.Listed {
		o.IDs = p.ids
	}
	return o
}

func (p *pruneDialog) pruneRule() memory.Rule {
	return [...]memory.Rule{
		views.PruneOld:    {Unused: true, Days: p.days},
		views.PruneUnused: {Unused: true},
		views.PruneIdle:   {Idle: p.sessions},
		views.PruneAge:    {Days: p.days},
		views.PruneAgain:  {Again: true},
		views.PruneStale:  {Flag: memory.FlagNamesGone},
		views.PruneTwice:  {Flag: memory.FlagSimilar},
		views.PruneUnread: {Flag: memory.FlagUnseen},
		views.PruneRisky:  {Flag: risky},
		views.PruneFailed: {Failed: true},
		views.PruneListed: {Listed: true},
		views.PruneKeep:   {Keep: p.keep},
	}[p.rule]
}

// takePlan implements planDialog. It drops a plan for a rule that is no longer chosen.
func (p *pruneDialog) takePlan(plan memory.Plan, err error) {
	p.setPlan(plan, err, plan.Order.Rule == p.pruneRule())
}

// The places of the focus in pruneDialog: the buttons, and then the list of records.
const (
	pruneCancel = iota
	pruneDo
	pruneList
)

func (p *pruneDialog) view() views.Prune {
	return views.Prune{
		Planned:  p.Planned,
		Rule:     p.rule,
		Offered:  p.rules,
		Days:     p.days,
		Sessions: p.sessions,
		Keep:     p.keep,
		Listed:   len(p.ids),
		Total:    p.total,
		OnList:   p.focus == pruneList,
	}
}

// form implements dialog.
func (p *pruneDialog) form() dialogForm {
	d := p.keys.Dialog
	do := dialogAction{
		Binding: keymap.As(d.Confirm, "remove"),
		Label:   named("Remove "+strconv.Itoa(p.Plan.Deleted()), d.Confirm),
		Do:      p.confirm,
	}
	if p.Pending {
		do.Label = "Remove .. (counting)"
		do.Off = "the records are still being counted"
	}
	f := dialogForm{
		Keys:    p.keys,
		Masks:   true,
		View:    p.view().Dialog,
		Stops:   1,
		After:   func() tea.Cmd { return p.ask(p.pruneRule()) },
		Other:   p.number,
		Buttons: []dialogAction{{Binding: d.Cancel, Label: "Cancel", Do: closes}, do},
		Click: func(_ views.Look, w, _ int, s views.DialogCell) {
			if rule := p.view().RuleAt(w, s); rule >= 0 {
				p.choose(rule)
			}
		},
	}
	next, last := thenStay(func() { p.choose(p.neighbour(+1)) }), thenStay(func() { p.choose(p.neighbour(-1)) })
	f.Actions = []dialogAction{{Binding: d.Pick, Do: next, Hidden: true}}
	if p.focus != pruneList { // on the list, these keys scroll
		f.Actions = append(
			f.Actions,
			dialogAction{Binding: keymap.Both(d.Down, d.Up, "rule"), Do: next},
			dialogAction{Binding: d.Up, Do: last, Hidden: true},
		)
	}
	if n, _ := p.field(); n != nil {
		f.Actions = append(f.Actions,
			dialogAction{Binding: keymap.Both(d.Right, d.Left, "number"), Do: thenStay(func() { p.set(*n + 1) })},
			dialogAction{Binding: d.Left, Do: thenStay(func() { p.set(*n - 1) }), Hidden: true},
			dialogAction{Binding: d.More, Do: thenStay(func() { p.set(*n + 10) }), Hidden: true},
			dialogAction{Binding: d.Less, Do: thenStay(func() { p.set(*n - 10) }), Hidden: true},
			dialogAction{Binding: keymap.As(d.Digit, "type it"), Do: thenStay(func() { p.digit(0) })},
		)
	}
	return f
}

// choose chooses a rule. The rule for filtered records can only be chosen if a filter is set.
func (p *pruneDialog) choose(rule int) {
	if rule != p.rule && (rule != views.PruneListed || len(p.ids) > 0) {
		p.rule, p.digits, p.offset = rule, false, 0
	}
}

// neighbour returns the next or the previous rule that can be chosen.
func (p *pruneDialog) neighbour(by int) int {
	n := len(p.rules)
	at := (slices.Index(p.rules, p.rule) + by + n) % n
	if p.rules[at] == views.PruneListed && len(p.ids) == 0 {
		at = (at + by + n) % n
	}
	return p.rules[at]
}

// number handles digits and backspace in the number of the rule, if it has one.
func (p *pruneDialog) number(k tea.KeyPressMsg) {
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

func (p *pruneDialog) digit(digit int) {
	n, _ := p.field()
	before := 0
	if p.digits {
		before = *n
	}
	p.set(before*10 + digit)
	p.digits = true
}

// set sets the number of the rule, within its limits.
func (p *pruneDialog) set(to int) {
	n, least := p.field()
	*n = min(max(to, least), mostDays)
	p.offset = 0
}

// field returns the number of the rule and its minimum, or nil if the rule has no number. At least
// one record must be kept.
func (p *pruneDialog) field() (n *int, least int) {
	switch p.rule {
	case views.PruneOld:
		return &p.days, 0
	case views.PruneAge:
		return &p.days, 1
	case views.PruneIdle:
		return &p.sessions, 1
	case views.PruneKeep:
		return &p.keep, 1
	}
	return nil, 0
}
