package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
	"winnow/views"
	"winnow/views/theme"
)

// everyDialog opens each dialog in its states.
func everyDialog() map[string]func() Dialog {
	k := keymap.Default()
	asked := deleting("a", "b")
	asked.Asks = "An agent runs here."
	ignored := memory.Finding{Rule: "r", Fingerprint: "f", Ignored: &memory.Ignore{Reason: "a test key"}}
	compared := func() Dialog { g := NewGuard(k, threeUndone()); g.compare(); return g }
	keys := append(helpKeys(k.Sections()[3].Bindings...), views.HelpKey{Binding: k.Curate.Delete, Off: "nothing is selected"})
	report := msg.Report{Path: "a.md", Form: "md"}
	return map[string]func() Dialog{
		"confirm": func() Dialog { return confirmOf(deleting("a", "b")) }, "asked": func() Dialog { return confirmOf(asked) },
		"prune":    func() Dialog { return prepared() },
		"counting": func() Dialog { return NewPrune(k, nil, lessonsOf(9), nil, "") },
		"merge":    func() Dialog { return merging("a", "b", "c") }, "findings": func() Dialog { return found("x") }, "no editor": func() Dialog { return found("") },
		"mistake": func() Dialog { return NewMistake(k, errors.New("line 3"), msg.Edit{Text: "x"}) },
		"guard":   func() Dialog { return NewGuard(k, threeUndone()) }, "compared": compared, "conflict": func() Dialog { return refusedEdit("a", "b") },
		"history": func() Dialog { return NewHistory(k, twoEntries(), "") }, "no history": func() Dialog { return NewHistory(k, memory.History{}, "") },
		"ignore":  func() Dialog { return NewIgnore(k, memory.Finding{Rule: "r"}, time.Now) },
		"ignored": func() Dialog { return NewIgnore(k, ignored, time.Now) }, "export": func() Dialog { return NewExport(k, memory.Audit{}) },
		"replace": func() Dialog { return NewReplace(k, report) }, "retry": func() Dialog { return NewRetry(k, report, "the disk is full") },
		"help": func() Dialog {
			o := Offer{Kind: Commands, Place: "Lessons", Commands: keys, Legend: []string{"S holds a secret"}}
			return NewPalette(k, o)
		},
		"sessions": func() Dialog {
			d := NewSessions(k, nil, nil)
			d.SetSessions([]memory.SessionSummary{{ID: "s", State: "failed"}}, "one could not be read")
			return d
		},
		"timeline": func() Dialog {
			return NewTimeline(k, activity.Timeline{Record: "a", Title: "Deploy", Weeks: activity.Row{Counts: make([]int, activity.Weeks)}, Events: []activity.Event{
				{Kind: activity.Learnt, Agent: "x", Session: "s"}, {Kind: activity.Edited, Who: memory.You, Entry: "3"}, {Kind: activity.Recalled, Times: 1},
			}}, nil)
		},
		"no timeline": func() Dialog {
			return NewTimeline(k, activity.Timeline{Weeks: activity.Row{Counts: make([]int, activity.Weeks)}}, nil)
		},
		"activity":         func() Dialog { return NewActivity(k, activity.Store{Notes: []string{"little is known"}}) },
		"session":          func() Dialog { return NewSession(k, memory.SessionSummary{ID: "s", State: "failed"}, nil) },
		"reading sessions": func() Dialog { return NewSessions(k, nil, nil) },
		"no sessions": func() Dialog {
			d := NewSessions(k, nil, nil)
			d.SetSessions(nil, "")
			return d
		},
		"switcher": func() Dialog { return NewPalette(k, Offer{Places: []memory.Place{{Store: "/a", Path: "/a"}}}) },
		"search":   func() Dialog { return NewEverywhere(EverywhereConfig{Keys: k}) },
	}
}

// TestDialogsFitEveryScreen: whatever the size, a dialog covers no more than the page, says
// which button Enter presses where one does, and closes with Esc.
func TestDialogsFitEveryScreen(t *testing.T) {
	look := views.Look{Theme: theme.New(theme.Options{Name: theme.Mono}), Now: testNow}
	for name, open := range everyDialog() {
		for _, w := range []int{0, 1, 3, 10, 20, 40, 60, 80, 98, 120, 200} {
			for _, h := range []int{0, 1, 3, 5, 11, 20, 31, 60} {
				var s Stack
				s.SetScreen(look, w, h)
				d := open()
				s.Push(d)
				base := views.Fill(theme.Theme{}, nil, w, h)
				before := *d.at()
				out := ansi.Strip(s.Render(base))
				lines := strings.Split(out, "\n")
				if len(lines) != max(h, 1) {
					t.Fatalf("%s at %dx%d has %d lines", name, w, h, len(lines))
				}
				for _, l := range lines {
					if ansi.StringWidthWc(l) != w && h > 0 {
						t.Fatalf("%s at %dx%d has a line of %d cells", name, w, h, ansi.StringWidthWc(l))
					}
				}
				f := d.Form()
				if at := d.at().focus - f.Fields; w >= 60 && h > 3 && at >= 0 && at < len(f.Buttons) && !strings.Contains(out, f.Buttons[at].Label) {
					t.Errorf("%s at %dx%d does not show %q:\n%s", name, w, h, f.Buttons[at].Label, out)
				}
				if before != *d.at() || out != ansi.Strip(s.Render(base)) {
					t.Errorf("%s at %dx%d changes when it is drawn", name, w, h)
				}
				for range 2 { // out of a comparison, and out
					s.Update(msg.Press("esc"))
				}
				if !s.Empty() {
					t.Errorf("%s does not close", name)
				}
			}
		}
	}
}

// TestEveryButtonAndKeyOfADialogDoesSomethingOrSaysWhy also those that have no hint.
func TestEveryButtonAndKeyOfADialogDoesSomethingOrSaysWhy(t *testing.T) {
	for name, open := range everyDialog() {
		f := open().Form()
		for _, a := range slices.Concat(f.Actions, f.Buttons) {
			switch {
			case a.Off == "" && a.Do == nil:
				t.Errorf("%s: %s does nothing and does not say why", name, a.Binding.Help().Desc)
			case a.Off == "":
			default:
				drive(t, open(), func(t *testing.T, d *tuitest.Driver, s *shell) {
					d.Press(a.Binding.Keys()[0])
					s.asks(t, msg.Toast{Text: views.OffText(a.Binding, a.Off)})
				})
			}
		}
	}
}

// TestAnEntryOfOneChangeHasNoHintForOthers, and h and l stay on it.
func TestAnEntryOfOneChangeHasNoHintForOthers(t *testing.T) {
	h := NewHistory(keymap.Default(), twoEntries(), "")
	var s Stack
	s.Push(h)
	hinted := func() bool {
		return slices.ContainsFunc(s.Keys(), func(b keymap.Binding) bool { return b.Help().Desc == "record" })
	}
	if !hinted() {
		t.Error("an entry of two changes has no hint to go through them")
	}
	s.Update(msg.Press("j"))
	if hinted() {
		t.Error("an entry of one change has a hint to go through more")
	}
	if s.Update(msg.Press("l")); h.view.Change != 0 {
		t.Errorf("l goes to change %d", h.view.Change)
	}
}

// TestTabGoesThroughFieldsAndButtonsBothWays, and from the last to the first.
func TestTabGoesThroughFieldsAndButtonsBothWays(t *testing.T) {
	for name, tc := range map[string]struct {
		d    func() Dialog
		n    int
		keys [2]string
	}{
		"export": {everyDialog()["export"], 4, [2]string{"tab", "shift+tab"}},
		"ignore": {everyDialog()["ignore"], 4, [2]string{"tab", "shift+tab"}},
		"prune":  {everyDialog()["prune"], 3, [2]string{"tab", "shift+tab"}},
	} {
		for _, dir := range []int{+1, -1} {
			var s Stack
			d := tc.d()
			s.Push(d)
			for i := range tc.n + 1 {
				if want := ((i*dir)%tc.n + tc.n) % tc.n; d.at().focus != want {
					t.Fatalf("%s: after %d steps by %d the focus is on %d, want %d", name, i, dir, d.at().focus, want)
				}
				s.Update(msg.Press(tc.keys[(1-dir)/2]))
			}
		}
	}
}

// TestUpInAFieldGoesToTheOneBefore as shift-Tab does.
func TestUpInAFieldGoesToTheOneBefore(t *testing.T) {
	var s Stack
	d := NewExport(keymap.Default(), memory.Audit{})
	s.Push(d)
	for i, key := range []string{"up", "tab", "down"} {
		if s.Update(msg.Press(key)); d.focus != []int{3, 0, 1}[i] {
			t.Fatalf("after %s the focus is on %d", key, d.focus)
		}
	}
}

// TestTheFormOfAReportFollowsItsNameAndBack: h, l and the arrows choose among all forms.
func TestTheFormOfAReportFollowsItsNameAndBack(t *testing.T) {
	var s Stack
	d := NewExport(keymap.Default(), memory.Audit{})
	s.Push(d)
	s.Update(msg.Press("tab"))
	var names []string
	for _, key := range []string{"l", "down", "space", "h", "up"} {
		s.Update(msg.Press(key))
		names = append(names, d.path.Text())
	}
	want := "winnow-audit.json winnow-audit.sarif winnow-audit.md winnow-audit.sarif winnow-audit.json"
	if got := fmt.Sprint(strings.Join(names, " ")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
