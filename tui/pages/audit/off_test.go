package audit_test

import (
	"context"
	"testing"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/audit"
	"winnow/tui/tuitest"
)

// TestEachKeyOfAuditDoesSomethingOrSaysWhyNot, in every state that the page can be in.
func TestEachKeyOfAuditDoesSomethingOrSaysWhyNot(t *testing.T) {
	km := keymap.Default()
	keys := append(
		sectionOf(km, "Audit").Bindings,
		km.Curate.Delete,
		km.Global.NextPane,
		km.Global.Layout,
		km.Global.ShrinkList,
		km.Global.GrowList,
		km.Global.Back,
	)
	store := func(change func(*memory.Snapshot)) func(*program) {
		return func(p *program) { p.change(change) }
	}
	press := func(keys ...string) func(*program) { return func(p *program) { p.Press(keys...) } }
	for name, state := range map[string]struct {
		start func(*started)
		then  func(*program)
	}{
		"ordinary":        {},
		"narrow":          {start: func(s *started) { s.w, s.h = 80, 24 }},
		"of a file":       {then: press("G")},
		"not a secret":    {then: press("j", "j")},
		"in the detail":   {then: press("tab")},
		"detail alone":    {then: press("\\")},
		"list alone":      {then: press("\\", "\\")},
		"read-only store": {start: func(s *started) { s.c.ReadOnly = true }},
		"nothing found":   {then: store(func(s *memory.Snapshot) { s.Records = s.Records[1:2] })},
		"clean": {
			start: func(s *started) { s.b.Find = func([]memory.Record) []memory.Finding { return nil } },
		},
		"no records":       {then: store(func(s *memory.Snapshot) { s.Records = nil })},
		"cannot be read":   {then: store(func(s *memory.Snapshot) { s.Problem = &memory.Problem{What: "permission denied"} })},
		"not audited yet":  {start: func(s *started) { s.b.Unaudited = true }},
		"without a report": {start: func(s *started) { s.c.Report, s.c.Auditor = nil, nil }},
		"started read-only": {start: func(s *started) {
			s.c.ReadOnly = true
			s.c.Pages[2] = audit.New(context.Background(), audit.Config{Keys: km, ReadOnly: true})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			tuitest.WantEffects(t, keys, func(test func(*tuitest.Driver, func() string)) {
				start(t, state.start, func(t *testing.T, p *program) {
					if state.then != nil {
						state.then(p)
					}
					test(p.Driver, func() string { return "" })
				})
			})
		})
	}
}

// TestEachKeyOfAuditIsOnOrOff: no key is both or neither.
func TestEachKeyOfAuditIsOnOrOff(t *testing.T) {
	km := keymap.Default()
	var p page.Page
	start(t, func(s *started) { p = s.c.Pages[2] }, func(t *testing.T, d *program) {
		d.WantExplained(t, p, sectionOf(km, "Audit"), keymap.Section{Bindings: []keymap.Binding{km.Curate.Delete}})
		d.Send(msg.OpenStore{Store: "/s"})
		d.WantExplained(t, p, sectionOf(km, "Audit"))
	})
}

func sectionOf(km keymap.Map, title string) (found keymap.Section) {
	for _, s := range km.Sections() {
		if s.Title == title {
			found = s
		}
	}
	return found
}
