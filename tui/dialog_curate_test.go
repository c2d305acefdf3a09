package tui

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
	"winnow/views"
	"winnow/views/theme"
)

var testNow = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// shell is a model with a stack of dialogs and nothing else. It keeps what they ask
// for.
type shell struct {
	stack dialogStack
	asked []tea.Msg
	low   bool // the terminal has few lines
}

func (s *shell) Init() tea.Cmd { return nil }

func (s *shell) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m.(type) {
	case msg.Order, msg.Apply, msg.Preview, msg.Edit, msg.Toast, msg.LeftToThem, msg.OpenSession, msg.OpenEntry:
		s.asked = append(s.asked, m)
		return s, nil
	}
	w, h := s.size()
	s.stack.setScreen(views.Look{Theme: theme.New(theme.Options{}), Now: testNow}, w, h)
	return s, s.stack.update(m)
}

func (s *shell) size() (w, h int) {
	if s.low {
		return 120, 22
	}
	return 120, 40
}

func (s *shell) View() tea.View {
	w, h := s.size()
	return tea.NewView(ansi.Strip(s.stack.render(views.Fill(theme.Theme{}, nil, w, h))))
}

// drive runs a test with a dialog open.
func drive(t *testing.T, d dialog, test func(t *testing.T, d *tuitest.Driver, s *shell)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &shell{}
		w, h := s.size()
		s.stack.setScreen(views.Look{Theme: theme.New(theme.Options{}), Now: testNow}, w, h)
		s.stack.push(d)
		test(t, tuitest.New(t, s, 120, 40), s)
	})
}

// asks fails unless the dialog asked for exactly these.
func (s *shell) asks(t *testing.T, want ...tea.Msg) {
	t.Helper()
	if len(s.asked) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(s.asked, want) {
		t.Errorf("asked for\n%#v\nwant\n%#v", s.asked, want)
	}
	s.asked = nil
}

// masked says that secrets are not shown.
func masked() bool { return false }

func lesson(id string) memory.Record {
	return memory.Record{
		ID:      memory.ID(id),
		Title:   "Title of " + id,
		Body:    "Body of " + id,
		Outcome: memory.Failed,
		Raw:     "{" + id + "}",
		RawLen:  len(id) + 2,
	}
}

func deleting(ids ...string) memory.Plan {
	p := memory.Plan{Order: memory.Order{Do: memory.Delete}}
	for _, id := range ids {
		p.Order.IDs = append(p.Order.IDs, memory.ID(id))
		p.Changes = append(
			p.Changes,
			memory.Change{Do: memory.Deleting, ID: memory.ID(id), Record: lesson(id), Before: "{" + id + "}"},
		)
	}
	return p
}

func confirmOf(p memory.Plan) *confirmDialog {
	return newConfirm(keymap.Default(), p, "An agent is at work.", false)
}

func TestEnterCancelsAPlan(t *testing.T) {
	for _, k := range []string{"enter", "esc", "n"} {
		drive(t, confirmOf(deleting("a", "b")), func(t *testing.T, d *tuitest.Driver, s *shell) {
			d.WantText("Delete 2", "[ Cancel ]", "Title of a", "An agent is at work.")
			d.Press(k)
			if s.asks(t); !s.stack.empty() {
				t.Errorf("%s does not close", k)
			}
		})
	}
}

func TestYesConfirmsAPlan(t *testing.T) {
	for name, keys := range map[string][]string{"y": {"y"}, "button": {"tab", "enter"}, "arrow": {"right", "enter"}} {
		drive(t, confirmOf(deleting("a", "b")), func(t *testing.T, d *tuitest.Driver, s *shell) {
			d.Press(keys...)
			if s.asks(t, msg.Apply{Plan: deleting("a", "b")}); !s.stack.empty() {
				t.Errorf("%s does not close", name)
			}
		})
	}
}

func TestMotionKeysAndCtrlLettersConfirmNothing(t *testing.T) {
	keys := []string{"j", "k", "g", "G", "h", "l", "up", "down", "pgup", "pgdown", "space"}
	for c := 'a'; c <= 'z'; c++ {
		if c != 'r' { // redo
			keys = append(keys, "ctrl+"+string(c))
		}
	}
	for name, open := range map[string]func() dialog{
		"confirm":  func() dialog { return confirmOf(deleting("a", "b")) },
		"prune":    func() dialog { return prepared() },
		"merge":    func() dialog { return merging("a", "b") },
		"guard":    func() dialog { return newGuard(keymap.Default(), threeUndone()) },
		"conflict": func() dialog { return refusedEdit("a") },
		"history":  func() dialog { return newHistory(keymap.Default(), twoEntries(), "") },
		"findings": func() dialog { return found("text") },
		"mistake":  func() dialog { return newMistake(keymap.Default(), errors.New("x"), msg.Edit{}) },
	} {
		drive(t, open(), func(t *testing.T, d *tuitest.Driver, s *shell) {
			d.Press(keys...)
			for _, m := range s.asked {
				if _, ok := m.(msg.Preview); !ok {
					t.Errorf("%s: a motion key asks for %#v", name, m)
				}
			}
		})
	}
}

func TestAnotherPlanIsLookedAtFirst(t *testing.T) {
	c := confirmOf(deleting("a", "b", "c"))
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		c.takePlan(deleting("a", "b"), nil)
		d.WantText("The list changed from 3 to 2")
		d.Press("y")
		s.asks(t)
		d.WantNoText("The list changed")
		d.WantText("[ Cancel ]", "Delete 2 (y)")
		d.Press("y")
		s.asks(t, msg.Apply{Plan: deleting("a", "b")})
	})
}

func TestTheSameNumberOfOthersIsAnotherPlan(t *testing.T) {
	c := confirmOf(deleting("a", "b"))
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		c.takePlan(deleting("a", "c"), nil)
		d.Press("y")
		s.asks(t)
		if s.stack.empty() {
			t.Error("closed")
		}
	})
}

func TestARaisedCountIsNoOtherPlan(t *testing.T) {
	c := confirmOf(deleting("a", "b"))
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		p := deleting("a", "b")
		p.Changes[0].Before, p.Changes[0].Record.Count.N = "{a+1}", 1
		c.takePlan(p, nil)
		d.Press("y")
		s.asks(t, msg.Apply{Plan: p})
	})
}

func TestWithoutAPlanNothingIsConfirmed(t *testing.T) {
	c := confirmOf(deleting("a", "b"))
	drive(t, c, func(t *testing.T, d *tuitest.Driver, s *shell) {
		c.takePlan(memory.Plan{}, &memory.Problem{What: "the store is gone", Hint: "open another"})
		d.WantText("the store is gone; open another")
		gone := msg.Toast{Text: "Nothing changed: the store is gone; open another"}
		d.Press("y", "y", "tab", "enter")
		s.asks(t, gone, gone, gone)
		c.takePlan(memory.Plan{Order: c.order()}, nil)
		d.Press("y")
		s.asks(t, msg.Toast{Text: "Nothing changed: there is nothing to do"})
	})
}

func TestALongPlanScrolls(t *testing.T) {
	var ids []string
	for i := range 200 {
		ids = append(ids, fmt.Sprintf("n%03d", i))
	}
	drive(t, confirmOf(deleting(ids...)), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("n000")
		d.Press("G")
		d.WantText("n199", "of 200")
		d.Press("k")
		d.WantNoText("Title of n199")
		d.Send(msg.Wheel{Lines: -1000})
		d.WantText("n000")
	})
}

// lessonsOf is a store of n lessons, which count their recalls.
func lessonsOf(n int) *memory.Snapshot {
	return &memory.Snapshot{
		Records: make([]memory.Record, n), Described: memory.Description{Columns: []string{"rel"}},
	}
}

// prepared is a prune dialog that has its first plan.
func prepared() *pruneDialog {
	p := newPrune(
		keymap.Default(),
		[]memory.ID{"f"},
		lessonsOf(87),
		map[memory.ID]string{"x": "not seen yet"},
		"An agent is at work.",
	)
	new(dialogStack).push(p) // which asks for the plan
	p.takePlan(planOf(p), nil)
	return p
}

// planOf is what a rule of the dialog gives: one deletion for each day or rank.
func planOf(p *pruneDialog) memory.Plan {
	plan := deleting("a", "b")
	plan.Order = p.order()
	return plan
}

func TestEnterCancelsAPrune(t *testing.T) {
	drive(t, prepared(), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantText("(o) never used and older than [30] days", "Would remove 2 of 87", "An agent is at work.")
		d.Press("enter")
		if s.asks(t); !s.stack.empty() {
			t.Error("open")
		}
	})
}

func TestDigitsSetTheNumberOfARule(t *testing.T) {
	p := prepared()
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("9", "0")
		d.WantText("[90] days", "counting")
		if got := p.order().Rule; got != (memory.Rule{Unused: true, Days: 90}) {
			t.Errorf("rule %+v", got)
		}
		d.Press("backspace", "left", "right", "right")
		d.WantText("[10] days")
		d.Press("1", "2", "3", "4", "5", "6")
		d.WantText("[9999] days")
		last := s.asked[len(s.asked)-1]
		if last != (msg.Preview{}) {
			t.Errorf("asked for %#v", last)
		}
	})
}

func TestEachRuleIsOrdered(t *testing.T) {
	p := prepared()
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		for _, want := range []memory.Order{
			{Rule: memory.Rule{Unused: true}}, {Rule: memory.Rule{Failed: true}},
			{Rule: memory.Rule{Listed: true}, IDs: []memory.ID{"f"}}, {Rule: memory.Rule{Keep: 60}},
			{Rule: memory.Rule{Unused: true, Days: 30}},
		} {
			want.Do, want.Spare = memory.Prune, p.spare
			d.Press("j")
			s.asks(t, msg.Preview{})
			if got := p.order(); !reflect.DeepEqual(got, want) {
				t.Errorf("orders %+v, want %+v", got, want)
			}
		}
		d.Press("k", "0")
		if p.keep != 1 {
			t.Errorf("keeps %d", p.keep)
		}
	})
}

func TestWithoutAFilterItsRuleIsLeftOut(t *testing.T) {
	p := newPrune(keymap.Default(), nil, lessonsOf(87), nil, "")
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("j", "j", "j")
		if p.order().Rule.Keep == 0 {
			t.Errorf("rule %+v", p.order().Rule)
		}
		d.Press("k")
		if !p.order().Rule.Failed {
			t.Errorf("rule %+v", p.order().Rule)
		}
	})
}

func TestAPruneIsNotConfirmedBeforeItIsCounted(t *testing.T) {
	p := prepared()
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		old := planOf(p)
		d.Press("j")
		s.asked = nil
		d.Press("y")
		s.asks(t, msg.Toast{Text: "Remove: the records are still being counted"})
		p.takePlan(old, nil) // of the rule before
		d.Press("y")
		s.asks(t, msg.Toast{Text: "Remove: the records are still being counted"})
		p.takePlan(planOf(p), nil)
		d.Press("y")
		s.asks(t, msg.Apply{Plan: planOf(p)})
	})
}

func TestAPruneThatChangedIsLookedAtFirst(t *testing.T) {
	p := prepared()
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		less := planOf(p)
		less.Changes = less.Changes[:1]
		p.takePlan(less, nil)
		d.WantText("The list changed from 2 to 1")
		d.Press("y")
		s.asks(t)
		d.Press("tab", "enter")
		s.asks(t, msg.Apply{Plan: less})
	})
}

func TestTheListOfAPruneScrollsWithTheFocus(t *testing.T) {
	p := prepared()
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.Press("tab", "tab", "j", "j", "enter")
		d.WantText("(o) never used and older than")
		if s.asks(t); s.stack.empty() {
			t.Error("Enter on the list closes")
		}
	})
}

func found(typed string) *findingsDialog {
	p := memory.Plan{
		Order: memory.Order{
			Do:    memory.EditOne,
			IDs:   []memory.ID{"a"},
			Base:  []string{"{a}"},
			Form:  typed,
			Allow: []string{"hidden-text"},
		},
		Findings: []memory.Finding{
			{Field: "lesson", Rule: "instruction", What: "An order.", Text: "do it", End: 2},
			{Rule: "hidden-text"},
		},
	}
	return newFindings(keymap.Default(), p, typed)
}

func TestFindingsAreEditedOverruledOrLeft(t *testing.T) {
	again := msg.Edit{ID: "a", Text: "typed", Base: "{a}"}
	allowed := found("typed").order()
	allowed.Allow = []string{"hidden-text", "instruction"}
	for keys, want := range map[string][]tea.Msg{
		"enter": nil, "esc": nil, "e": {again}, "o": {msg.Order{Order: allowed}},
		"tab enter": {again}, "tab tab enter": {msg.Order{Order: allowed}},
	} {
		drive(t, found("typed"), func(t *testing.T, d *tuitest.Driver, s *shell) {
			d.WantText("instruction in lesson", "^^", "[ Cancel ]")
			d.Press(strings.Fields(keys)...)
			if s.asks(t, want...); !s.stack.empty() {
				t.Errorf("%s: open", keys)
			}
		})
	}
}

func TestFindingsOfNoEditorOfferNone(t *testing.T) {
	drive(t, found(""), func(t *testing.T, d *tuitest.Driver, s *shell) {
		d.WantNoText("Edit again")
		d.Press("e", "tab")
		d.WantText("[ Store anyway (o) ]")
		d.Press("shift+tab")
		d.WantText("[ Cancel ]")
		s.asks(t, msg.Toast{Text: "Edit again: this text did not come from the editor"})
	})
}

func TestAMistakeKeepsTheText(t *testing.T) {
	edit := msg.Edit{ID: "a", Text: "typed", Base: "{a}"}
	for keys, want := range map[string]tea.Msg{
		"e": edit, "enter": edit,
		"esc":       msg.Toast{Text: "Nothing was changed; the text was thrown away"},
		"tab enter": msg.Toast{Text: "Nothing was changed; the text was thrown away"},
	} {
		m := newMistake(
			keymap.Default(),
			fmt.Errorf("edit: %w", &memory.Problem{What: "line 3 is odd", Hint: "write another"}),
			edit,
		)
		drive(t, m, func(t *testing.T, d *tuitest.Driver, s *shell) {
			d.WantText("line 3 is odd", "write another")
			d.Press(strings.Fields(keys)...)
			if s.asks(t, want); !s.stack.empty() {
				t.Errorf("%s: open", keys)
			}
		})
	}
}

func TestHintsOfDialogsAreBindingsThatDoSomething(t *testing.T) {
	for name, d := range map[string]dialog{
		"confirm": confirmOf(deleting("a")), "prune": prepared(), "merge": merging("a", "b"), "findings": found(""),
		"guard": newGuard(keymap.Default(), threeUndone()), "conflict": refusedEdit("a"),
		"history":  newHistory(keymap.Default(), twoEntries(), ""),
		"mistake":  newMistake(keymap.Default(), errors.New("x"), msg.Edit{}),
		"switcher": newPalette(keymap.Default(), paletteOffer{}),
	} {
		var s dialogStack
		s.push(d)
		if len(s.keys()) == 0 {
			t.Errorf("%s has no hints", name)
		}
		for _, b := range s.keys() {
			if len(b.Keys()) == 0 || b.Help().Desc == "" {
				t.Errorf("%s: hint %+v", name, b)
			}
		}
	}
}
