package recall_test

import (
	"slices"
	"testing"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
)

// asks presses a key on the page alone and returns what it asks for.
func (d *driver) asks(k string) any {
	cmd := d.page.Update(msg.Press(k))
	if cmd == nil {
		return nil
	}
	return cmd()
}

func (d *driver) lists(b keymap.Binding) bool {
	return slices.ContainsFunc(d.page.Actions().On(), func(k keymap.Binding) bool {
		return slices.Equal(k.Keys(), b.Keys())
	})
}

// holds tells the page of a store with these records.
func (d *driver) holds(readOnly string, records ...memory.Record) {
	d.page.Update(msg.Snapshot{
		Snapshot: tuitest.OfLessons(memory.Snapshot{
			Place:    memory.Place{Store: "/s/1"},
			Records:  records,
			ReadOnly: readOnly,
		}),
	})
}

func TestLessonOfAHitIsDeletedAndEdited(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.holds("", memory.Record{ID: "id1", Raw: "{}", RawLen: 2})
		d.Press("j")
		m, ok := d.asks("d").(msg.Order)
		if !ok || m.Order.Do != memory.Delete || m.Order.IDs[0] != "id1" || m.Order.Base[0] != "{}" {
			t.Errorf("asked for %+v", m)
		}
		if m := d.asks("e"); m != (msg.Edit{ID: "id1"}) {
			t.Errorf("asked for %+v", m)
		}
	})
}

// TestLessonThatIsNotLoadedIsAskedAbout: its stored form was not seen.
func TestLessonThatIsNotLoadedIsAskedAbout(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.holds("")
		if m, ok := d.asks("d").(msg.Order); !ok || !m.Ask || m.Order.IDs[0] != "id0" || m.Order.Base != nil {
			t.Errorf("asked for %+v", m)
		}
	})
}

func TestKeysThatChangeAreListedWhereTheyDoSomething(t *testing.T) {
	c := keymap.Default().Curate
	start(t, 120, 35, func(d *driver) {
		if d.lists(c.Delete) || d.asks("d") != nil {
			t.Error("delete without a hit")
		}
		d.write("fetch")
		d.holds("")
		if !d.lists(c.Delete) || !d.lists(c.Edit) {
			t.Error("delete or edit is missing")
		}
		d.holds("the file system is mounted read-only")
		if d.lists(c.Delete) || d.lists(c.Edit) {
			t.Error("listed for a store that cannot be changed")
		}
		_, why, _ := keymap.WhyOff(d.page.Actions().Off(), msg.Press("d"))
		if why != "read-only: the file system is mounted read-only" {
			t.Errorf("delete says %q", why)
		}
	})
}

// TestOpenFindingsOfHitsAreMarked: of what an agent would read, by the name of the rule.
func TestOpenFindingsOfHitsAreMarked(t *testing.T) {
	start(t, 160, 35, func(d *driver) {
		d.write("fetch")
		finding := func(id memory.ID, rule string, family memory.Family) memory.Finding {
			return memory.Finding{ID: id, Rule: rule, Family: family, Severity: memory.High}
		}
		ignored := finding("id1", "role-change", memory.FamilyInjection)
		ignored.Ignored = &memory.Ignore{Reason: "a test"}
		s := memory.Snapshot{Place: memory.Place{Store: "/s/1"}, Audited: true, Findings: []memory.Finding{
			finding("id0", "prompt-override", memory.FamilyInjection),
			finding("id0", "home-path", memory.FamilyPrivate),
			ignored,
		}}
		d.Send(msg.Snapshot{Snapshot: tuitest.OfLessons(s)})
		d.WantText("! prompt-override", "1 lesson with prompt-override")
		d.WantNoText("home-path", "role-change")
		s.Findings, s.Audited = nil, false
		d.Send(msg.Snapshot{Snapshot: tuitest.OfLessons(s)})
		d.WantText("! prompt-override")
		s.Audited = true
		d.Send(msg.Snapshot{Snapshot: tuitest.OfLessons(s)})
		d.WantNoText("prompt-override")
		d.Send(msg.OpenStore{Store: "/s/2"})
		d.WantNoText("prompt-override")
	})
}
