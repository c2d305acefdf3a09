package tui

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
	"winnow/views"
)

// merging is a dialog for these lessons that has its first plan.
func merging(ids ...string) *mergeDialog {
	var records []memory.Record
	for _, id := range ids {
		records = append(records, lesson(id))
	}
	m := newMerge(keymap.Default(), records, "", masked)
	new(dialogStack).push(m) // which asks for the plan
	m.takePlan(mergePlan(m), nil)
	return m
}

func mergePlan(m *mergeDialog) memory.Plan {
	p := deleting("b")
	p.Order = m.order()
	return p
}

func TestAMergeTakesTextsFromEitherSide(t *testing.T) {
	m := merging("a", "b")
	drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("* Title of a", "* Body of a", "[ Cancel ]")
		d.Press("l", "j", "l", "h")
		body := "Title of b"
		want := memory.Order{
			Do:   memory.Merge,
			IDs:  []memory.ID{"a", "b"},
			Base: []string{"{a}", "{b}"},
			Edit: memory.Edit{Title: &body},
		}
		if got := m.order(); !reflect.DeepEqual(got, want) {
			t.Errorf("order %+v", got)
		}
		if s.asked[len(s.asked)-1] == nil || len(s.asked) != 3 {
			t.Errorf("%d previews", len(s.asked))
		}
		s.asked = nil
		d.Press("y")
		s.asks(t, msg.Toast{Text: "Merge: the merge is still being checked"})
		m.takePlan(mergePlan(m), nil)
		d.Press("y")
		s.asks(t, msg.Apply{Plan: mergePlan(m)})
	})
}

func TestAPlanOfOtherTextsIsDropped(t *testing.T) {
	m := merging("a", "b")
	old := mergePlan(m)
	drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("l")
		m.takePlan(old, nil)
		s.asked = nil
		d.Press("y")
		s.asks(t, msg.Toast{Text: "Merge: the merge is still being checked"})
	})
}

func TestAMergeTakesATypedText(t *testing.T) {
	m := merging("a", "b")
	drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("j", "e")
		if !(m.form().Typed != nil) {
			t.Fatal("not typing")
		}
		d.WantText("Body of a_")
		d.Press("ctrl+u")
		d.Type("Xy n")
		d.Press("enter")
		text := "Xy n"
		if got := m.order().Edit; got.Body == nil || *got.Body != text || (m.form().Typed != nil) {
			t.Errorf("edit %+v", got)
		}
		d.Press("e")
		d.Type("z")
		d.Press("esc")
		if got := m.order().Edit; *got.Body != text || s.stack.empty() {
			t.Errorf("Esc took the text, or closed: %q", *got.Body)
		}
		d.WantText("Xy n")
		d.Press("esc")
		if !s.stack.empty() {
			t.Error("open")
		}
	})
}

func TestAMaskedTextIsNotOfferedForTyping(t *testing.T) {
	r := lesson("a")
	r.Title, r.Secrets = "ghp_0123456789abcdefghij", []memory.Secret{{Field: memory.InTitle, End: 24}}
	m := newMerge(keymap.Default(), []memory.Record{r, lesson("b")}, "", masked)
	drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("e")
		d.WantNoText(r.Title)
	})
}

func TestAMergeStepsThroughMoreThanTwo(t *testing.T) {
	m := merging("a", "b", "c")
	drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("right 2/3")
		d.Press("+", "+")
		d.WantText("right 3/3", "Title of c")
		d.Press("l")
		if got := *m.order().Edit.Title; got != "Title of c" {
			t.Errorf("title %q", got)
		}
		d.Press("-", "-")
		d.WantText("right 2/3")
	})
}

// TestTheFieldAtTheCursorIsShownWhole also in a terminal that has no room for all.
func TestTheFieldAtTheCursorIsShownWhole(t *testing.T) {
	a, b := lesson("a"), lesson("b")
	for _, r := range []*memory.Record{&a, &b} {
		r.Title, r.Body = strings.Repeat("title ", 60)+"TITLE-END", strings.Repeat("body ", 80)+"BODY-END"
	}
	drive(
		t,
		newMerge(keymap.Default(), []memory.Record{a, b}, "", masked),
		func(t *testing.T, d *tuitest.Driver, s *shell) {
			s.low = true
			d.WantText("TITLE-END")
			d.WantNoText("BODY-END")
			d.Press("j")
			d.WantText("> Lesson", "BODY-END")
			d.Press("j")
			d.WantText("> Outcome")
			d.Press("G")
			d.WantText("The other is deleted")
		},
	)
}

func TestFindingsOfAMergeAreAskedAbout(t *testing.T) {
	m := merging("a", "b")
	p := mergePlan(m)
	p.Findings = []memory.Finding{{Rule: "x"}}
	m.firstPlan(p)
	drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("y")
		s.asks(t, msg.Order{Order: p.Order, Ask: true})
	})
}

func threeUndone() []memory.Undone {
	a, b := lesson("b"), lesson("b")
	b.Body = "mine"
	return []memory.Undone{
		{Kind: memory.Evicted, ID: "r", Record: lesson("r"), Mine: "{r}"},
		{Kind: memory.CameBack, ID: "a", Record: lesson("a"), Theirs: "{a}", Times: 3},
		{Kind: memory.Conflict, ID: "b", Record: a, MyRecord: b, Mine: "{mine}", Theirs: "{b}", Times: 1},
		{Kind: memory.Reverted, ID: "c", Record: lesson("c"), Mine: "{c}", Theirs: "{cc}", Times: 1},
	}
}

func TestTheGuardAsksForWhatIsDecided(t *testing.T) {
	order := func(do memory.Act, ids ...memory.ID) tea.Msg { return msg.Order{Order: memory.Order{Do: do, IDs: ids}} }
	for _, tc := range []struct {
		name string
		keys []string
		want []tea.Msg
	}{
		{"mine", []string{"enter"}, []tea.Msg{order(memory.Reapply, "a", "c")}},
		{"mine by key", []string{"a"}, []tea.Msg{order(memory.Reapply, "a", "c")}},
		{"theirs", []string{"t"}, []tea.Msg{order(memory.Accept, "a", "c")}},
		{"theirs by button", []string{"tab", "enter"}, []tea.Msg{order(memory.Accept, "a", "c")}},
		{"picked", []string{"space", "j", "space", "a"}, []tea.Msg{order(memory.Reapply, "b", "c")}},
		{"by a rule", []string{"G", "space", "t"}, []tea.Msg{order(memory.Accept, "a", "c", "r")}},
		{"always", []string{"w"}, []tea.Msg{order(memory.Trust, "a")}},
		{"always here", []string{"W"}, []tea.Msg{msg.Order{Order: memory.Order{Do: memory.Trust, All: true}}}},
		{"compared", []string{"j", "c", "m"}, []tea.Msg{order(memory.Reapply, "b")}},
		{"compared theirs", []string{"j", "c", "tab", "enter"}, []tea.Msg{order(memory.Accept, "b")}},
		{"later", []string{"esc"}, nil},
		{"later by button", []string{"shift+tab", "enter"}, nil},
		{"compare and back", []string{"c", "esc", "c", "shift+tab", "enter", "esc"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			drive(t, newGuard(keymap.Default(), threeUndone()), func(t *testing.T, d *tuitest.Driver, s *shell) {
				d.WantText("3 of your changes were undone", "came back", "3x", "By the agent's own rules")
				d.Press(tc.keys...)
				s.asks(t, tc.want...)
			})
		})
	}
}

func TestTheGuardClosesWithTheLastDecision(t *testing.T) {
	drive(t, newGuard(keymap.Default(), threeUndone()), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("a")
		d.WantNoText("Title of a")
		d.WantText("Title of b")
		d.Press("enter") // nothing is picked: look first
		d.WantText("- mine", "+ Body of b")
		d.Press("t")
		d.Press("space", "a")
		if !s.stack.empty() {
			t.Error("open")
		}
	})
}

// refusedEdit is the dialog for edits that another writer's stand in the way of.
func refusedEdit(ids ...string) *conflictDialog {
	title := "Mine"
	p := memory.Plan{Order: memory.Order{Do: memory.EditOne, Edit: memory.Edit{Title: &title}}}
	var r memory.Result
	for _, id := range ids {
		edited := lesson(id)
		edited.Title = title
		theirs := lesson(id)
		theirs.Title = "Theirs"
		p.Order.IDs = append(p.Order.IDs, memory.ID(id))
		p.Changes = append(
			p.Changes,
			memory.Change{
				Do:     memory.Editing,
				ID:     memory.ID(id),
				Record: lesson(id),
				Edited: edited,
				Before: "{" + id + "}",
				After:  "{mine}",
			},
		)
		r.Changes = append(
			r.Changes,
			memory.Applied{ID: memory.ID(id), Fate: memory.Refused, Theirs: "{theirs}", TheirRecord: theirs},
		)
	}
	return newConflict(keymap.Default(), p, r)
}

func TestAConflictIsDecided(t *testing.T) {
	title, body, outcome, tools, n := "Mine", "Body of a", "failed", []string(nil), 0
	mine := msg.Order{
		Order: memory.Order{
			Do:   memory.EditOne,
			IDs:  []memory.ID{"a"},
			Base: []string{"{theirs}"},
			Edit: memory.Edit{Title: &title},
		},
	}
	both := msg.Order{
		Order: memory.Order{
			Do:   memory.AddOne,
			Edit: memory.Edit{Title: &title, Body: &body, Outcome: &outcome, Tools: &tools, Count: &n},
		},
	}
	kept := msg.LeftToThem{}
	for name, tc := range map[string]struct {
		keys []string
		want []tea.Msg
	}{
		"mine": {[]string{"m"}, []tea.Msg{mine}}, "theirs": {[]string{"t"}, []tea.Msg{kept}},
		"both":          {[]string{"b"}, []tea.Msg{both}},
		"enter cancels": {[]string{"enter"}, nil}, "esc": {[]string{"esc"}, nil},
		"button": {[]string{"tab", "enter"}, []tea.Msg{mine}},
	} {
		t.Run(name, func(t *testing.T) {
			drive(t, refusedEdit("a"), func(t *testing.T, d *tuitest.Driver, s *shell) {
				d.WantText("- mine", "+ theirs", "- Mine", "+ Theirs", "[ Cancel (Esc) ]")
				d.Press(tc.keys...)
				if s.asks(t, tc.want...); !s.stack.empty() {
					t.Error("open")
				}
			})
		})
	}
}

func TestConflictsAreDecidedOneByOne(t *testing.T) {
	c := refusedEdit("a", "b", "c")
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("Conflict 1 of 3")
		d.Press("m", "t")
		s.asks(t)
		d.WantText("Conflict 3 of 3")
		d.Press("m")
		o := c.plan.Order
		o.IDs, o.Base = []memory.ID{"a", "c"}, []string{"{theirs}", "{theirs}"}
		s.asks(t, msg.Order{Order: o})
	})
}

// TestAPruneGoesOnWithoutWhatIsLeftToOthers as a deletion of the rest: the rule would
// find it again.
func TestAPruneGoesOnWithoutWhatIsLeftToOthers(t *testing.T) {
	p := deleting("a", "b")
	p.Order = memory.Order{Do: memory.Prune, Rule: memory.Rule{Failed: true}}
	r := memory.Result{
		Changes: []memory.Applied{{ID: "b", Fate: memory.Refused, Theirs: "{b2}", TheirRecord: lesson("b")}, {ID: "a"}},
	}
	drive(t, newConflict(keymap.Default(), p, r), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantNoText("Both")
		d.Press("b")
		s.asks(t, msg.Toast{Text: "Both: there are not two texts to keep"})
		d.Press("t")
		s.asks(t, msg.Order{Order: memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}, Base: []string{"{a}"}}})
	})
}

func TestAMergeIsNotDoneInPart(t *testing.T) {
	p := deleting("a", "b")
	p.Order.Do = memory.Merge
	r := memory.Result{
		Changes: []memory.Applied{{ID: "b", Fate: memory.Refused, Theirs: "{b2}", TheirRecord: lesson("b")}},
	}
	drive(t, newConflict(keymap.Default(), p, r), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("t")
		s.asks(t, msg.LeftToThem{})
	})
}

// TestAnUndoThatOthersStandInTheWayOfGoesOverWhatTheyWrote: what they wrote counts as
// seen, and what is left to them is left out.
func TestAnUndoThatOthersStandInTheWayOfGoesOverWhatTheyWrote(t *testing.T) {
	c := refusedEdit("a")
	c.plan.Order = memory.Order{Do: memory.Undo, Entry: "7"}
	c.plan.Changes = append(c.plan.Changes, deleting("d").Changes[0])
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("m")
		s.asks(t, msg.Order{Order: memory.Order{
			Do: memory.Undo, Entry: "7", IDs: []memory.ID{"a", "d"}, Base: []string{"{theirs}", "{d}"},
		}})
	})
}

// TestARestoreThatOthersStandInTheWayOfIsOrderedByItsChanges: asked for as a state it
// would be refused again.
func TestARestoreThatOthersStandInTheWayOfIsOrderedByItsChanges(t *testing.T) {
	c := refusedEdit("a")
	c.plan.Order = memory.Order{Do: memory.Restore}
	c.plan.Changes = append(
		c.plan.Changes,
		deleting("d").Changes[0],
		memory.Change{Do: memory.Adding, ID: "n", After: "{n}"},
		memory.Change{Do: memory.Pinning, ID: "p"},
	)
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("m")
		mine, added := "{mine}", "{n}"
		s.asks(
			t,
			msg.Order{
				Order: memory.Order{
					Do:   memory.EditOne,
					IDs:  []memory.ID{"a"},
					Base: []string{"{theirs}"},
					Edit: memory.Edit{Raw: &mine},
				},
			},
			msg.Order{Order: memory.Order{Do: memory.AddOne, Edit: memory.Edit{Raw: &added}}},
			msg.Order{Order: memory.Order{Do: memory.Pin, IDs: []memory.ID{"p"}}},
			msg.Order{Order: memory.Order{Do: memory.Delete, IDs: []memory.ID{"d"}, Base: []string{"{d}"}}},
		)
	})
}

// TestAnEditOfALessonThatIsGoneAddsItAgain, and there is no second text to keep.
func TestAnEditOfALessonThatIsGoneAddsItAgain(t *testing.T) {
	c := refusedEdit("a")
	c.sides[0].Theirs.Theirs, c.sides[0].Theirs.TheirRecord = "", memory.Record{}
	c.focus = 2
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("theirs: it is gone", "[ Cancel (Esc) ]")
		d.WantNoText("Both")
		d.Press("m")
		text := "{mine}"
		s.asks(t, msg.Order{Order: memory.Order{Do: memory.AddOne, Edit: memory.Edit{Raw: &text}}})
	})
}

func twoEntries() memory.History {
	return memory.History{Undo: "2", Redo: "1", Damaged: 1, Entries: []memory.Entry{
		{ID: "2", At: testNow, Who: memory.You, What: "Deleted 2 lessons", Changes: deleting("a", "b").Changes},
		{
			ID:      "1",
			At:      testNow,
			Who:     memory.Others,
			What:    "Another writer changed 1 lesson",
			Changes: deleting("c").Changes,
		},
	}}
}

func TestHistoryTakesTheStoreBack(t *testing.T) {
	order := func(o memory.Order, ask bool) tea.Msg { return msg.Order{Order: o, Ask: ask} }
	for name, tc := range map[string]struct {
		keys []string
		want []tea.Msg
	}{
		"state":  {[]string{"j", "enter"}, []tea.Msg{order(memory.Order{Do: memory.Restore, Entry: "1"}, true)}},
		"by key": {[]string{"R"}, []tea.Msg{order(memory.Order{Do: memory.Restore, Entry: "2"}, true)}},
		"lesson": {
			[]string{"r"},
			[]tea.Msg{order(memory.Order{Do: memory.Restore, Entry: "2", IDs: []memory.ID{"a"}}, true)},
		},
		"other lesson": {
			[]string{"l", "l", "r"},
			[]tea.Msg{order(memory.Order{Do: memory.Restore, Entry: "2", IDs: []memory.ID{"b"}}, true)},
		},
		"undo":  {[]string{"u"}, []tea.Msg{order(memory.Order{Do: memory.Undo}, false)}},
		"redo":  {[]string{"ctrl+r"}, []tea.Msg{order(memory.Order{Do: memory.Redo}, false)}},
		"close": {[]string{"esc"}, nil}, "its own key": {[]string{"U"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			drive(t, newHistory(keymap.Default(), twoEntries(), ""), func(t *testing.T, d *tuitest.Driver, s *shell) {
				d.WantText("Deleted 2 lessons", "1 entry cannot be read", "other", "Title of a")
				d.Press(tc.keys...)
				if s.asks(t, tc.want...); !s.stack.empty() {
					t.Error("open")
				}
			})
		})
	}
}

func TestAnEmptyHistoryRestoresNothing(t *testing.T) {
	drive(t, newHistory(keymap.Default(), memory.History{}, ""), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("Nothing was changed here yet.")
		d.Press("enter", "r", "R", "j", "l")
		none := func(action string) tea.Msg { return msg.Toast{Text: action + ": there is no entry"} }
		if s.asks(t, none("Restore to here"), none("Restore this one"),
			none("Restore the store to here")); s.stack.empty() {
			t.Error("closed")
		}
	})
}

func TestTheNamesOfFieldsAgree(t *testing.T) {
	r := lesson("a")
	for i, want := range []string{r.Title, r.Body, string(r.Outcome)} {
		if got := views.TextOf(&r, i); got != want {
			t.Errorf("field %d is %q", i, got)
		}
	}
}

// TestTimelineOpensWhatIsBehindAnEvent: the session or the entry of the history, and it stays open
// below that.
func TestTimelineOpensWhatIsBehindAnEvent(t *testing.T) {
	events := []activity.Event{
		{Kind: activity.Learnt, Agent: "x", Session: "s1"},
		{Kind: activity.Edited, Who: memory.You, Entry: "3"},
		{Kind: activity.Recalled, Times: 1},
	}
	open := func() dialog {
		return newTimeline(
			keymap.Default(),
			activity.Timeline{
				Record: "a",
				Title:  "Deploy",
				Weeks:  activity.Row{Counts: make([]int, activity.Weeks)},
				Events: events,
			},
			nil,
		)
	}
	for name, tc := range map[string]struct {
		keys []string
		want tea.Msg
	}{
		"session": {[]string{"g", "enter"}, msg.OpenSession{ID: "x:s1"}},
		"entry":   {[]string{"k", "enter"}, msg.OpenEntry{Entry: "3"}},
		"nothing": {
			[]string{"enter"},
			msg.Toast{Text: "Open session: no session or entry of the history is known for it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			drive(t, open(), func(t *testing.T, d *tuitest.Driver, s *shell) {
				d.Press(tc.keys...)
				if s.asks(t, tc.want); s.stack.empty() {
					t.Error("closed")
				}
				if d.Press("H"); !s.stack.empty() {
					t.Error("its own key does not close it")
				}
			})
		})
	}
}
