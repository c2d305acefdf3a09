package tui

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
func everyDialog() map[string]func() dialog {
	k := keymap.Default()
	asked := deleting("a", "b")
	asked.Asks = "An agent runs here."
	ignored := memory.Finding{Rule: "r", Fingerprint: "f", Ignored: &memory.Ignore{Reason: "a test key"}}
	compared := func() dialog { g := newGuard(k, threeUndone()); g.compare(); return g }
	keys := append(helpKeys(k.Sections()[3].Bindings...), views.HelpKey{
		Binding: k.Curate.Delete,
		Off:     "nothing is selected",
	})
	report := msg.Report{Path: "a.md", Form: "md"}
	return map[string]func() dialog{
		"confirm":    func() dialog { return confirmOf(deleting("a", "b")) },
		"asked":      func() dialog { return confirmOf(asked) },
		"prune":      func() dialog { return prepared() },
		"counting":   func() dialog { return newPrune(k, nil, lessonsOf(9), nil, "") },
		"merge":      func() dialog { return merging("a", "b", "c") },
		"findings":   func() dialog { return found("x") },
		"no editor":  func() dialog { return found("") },
		"mistake":    func() dialog { return newMistake(k, errors.New("line 3"), msg.Edit{Text: "x"}) },
		"guard":      func() dialog { return newGuard(k, threeUndone()) },
		"compared":   compared,
		"conflict":   func() dialog { return refusedEdit("a", "b") },
		"history":    func() dialog { return newHistory(k, twoEntries(), "") },
		"no history": func() dialog { return newHistory(k, memory.History{}, "") },
		"ignore":     func() dialog { return newIgnore(k, memory.Finding{Rule: "r"}, time.Now) },
		"ignored":    func() dialog { return newIgnore(k, ignored, time.Now) },
		"export":     func() dialog { return newExport(k, memory.Audit{}) },
		"replace":    func() dialog { return newExportReplace(k, report) },
		"retry":      func() dialog { return newExportRetry(k, report, "the disk is full") },
		"help": func() dialog {
			o := paletteOffer{
				Kind:     kindCommands,
				Place:    "Lessons",
				Commands: keys,
				Legend:   []string{"S holds a secret"},
			}
			return newPalette(k, o)
		},
		"sessions": func() dialog {
			d := newSessions(k, nil, nil)
			d.setSessions([]memory.SessionSummary{{ID: "s", State: "failed"}}, "one could not be read")
			return d
		},
		"timeline": func() dialog {
			return newTimeline(k, activity.Timeline{
				Record: "a",
				Title:  "Deploy",
				Weeks:  activity.Row{Counts: make([]int, activity.Weeks)},
				Events: []activity.Event{
					{Kind: activity.Learnt, Agent: "x", Session: "s"},
					{Kind: activity.Edited, Who: memory.You, Entry: "3"},
					{Kind: activity.Recalled, Times: 1},
				},
			}, nil)
		},
		"no timeline": func() dialog {
			return newTimeline(k, activity.Timeline{Weeks: activity.Row{Counts: make([]int, activity.Weeks)}}, nil)
		},
		"activity":         func() dialog { return newActivity(k, activity.Store{Notes: []string{"little is known"}}) },
		"session":          func() dialog { return newSession(k, memory.SessionSummary{ID: "s", State: "failed"}, nil) },
		"reading sessions": func() dialog { return newSessions(k, nil, nil) },
		"no sessions": func() dialog {
			d := newSessions(k, nil, nil)
			d.setSessions(nil, "")
			return d
		},
		"switcher": func() dialog { return newPalette(k, paletteOffer{Places: []memory.Place{{Store: "/a", Path: "/a"}}}) },
		"search":   func() dialog { return newEverywhere(everywhereConfig{Keys: k}) },
	}
}

// TestDialogsFitEveryScreen: whatever the size, a dialog covers no more than the page, says
// which button Enter presses where one does, and closes with Esc.
func TestDialogsFitEveryScreen(t *testing.T) {
	look := views.Look{Theme: theme.New(theme.Options{Name: theme.Mono}), Now: testNow}
	for name, open := range everyDialog() {
		for _, w := range []int{0, 1, 3, 10, 20, 40, 60, 80, 98, 120, 200} {
			for _, h := range []int{0, 1, 3, 5, 11, 20, 31, 60} {
				var s dialogStack
				s.setScreen(look, w, h)
				d := open()
				s.push(d)
				base := views.Fill(theme.Theme{}, nil, w, h)
				before := *d.at()
				out := ansi.Strip(s.render(base))
				lines := strings.Split(out, "\n")
				if len(lines) != max(h, 1) {
					t.Fatalf("%s at %dx%d has %d lines", name, w, h, len(lines))
				}
				for _, l := range lines {
					if ansi.StringWidthWc(l) != w && h > 0 {
						t.Fatalf("%s at %dx%d has a line of %d cells", name, w, h, ansi.StringWidthWc(l))
					}
				}
				f := d.form()
				if at := d.at().focus - f.Fields; w >= 60 && h > 3 && at >= 0 && at < len(f.Buttons) &&
					!strings.Contains(out, f.Buttons[at].Label) {
					t.Errorf("%s at %dx%d does not show %q:\n%s", name, w, h, f.Buttons[at].Label, out)
				}
				if before != *d.at() || out != ansi.Strip(s.render(base)) {
					t.Errorf("%s at %dx%d changes when it is drawn", name, w, h)
				}
				for range 2 { // out of a comparison, and out
					s.update(msg.Press("esc"))
				}
				if !s.empty() {
					t.Errorf("%s does not close", name)
				}
			}
		}
	}
}

// TestEveryButtonAndKeyOfADialogDoesSomethingOrSaysWhy also those that have no hint.
func TestEveryButtonAndKeyOfADialogDoesSomethingOrSaysWhy(t *testing.T) {
	for name, open := range everyDialog() {
		f := open().form()
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
	h := newHistory(keymap.Default(), twoEntries(), "")
	var s dialogStack
	s.push(h)
	hinted := func() bool {
		return slices.ContainsFunc(s.keys(), func(b keymap.Binding) bool { return b.Help().Desc == "record" })
	}
	if !hinted() {
		t.Error("an entry of two changes has no hint to go through them")
	}
	s.update(msg.Press("j"))
	if hinted() {
		t.Error("an entry of one change has a hint to go through more")
	}
	if s.update(msg.Press("l")); h.view.Change != 0 {
		t.Errorf("l goes to change %d", h.view.Change)
	}
}

// TestTabGoesThroughFieldsAndButtonsBothWays, and from the last to the first.
func TestTabGoesThroughFieldsAndButtonsBothWays(t *testing.T) {
	for name, tc := range map[string]struct {
		d    func() dialog
		n    int
		keys [2]string
	}{
		"export": {everyDialog()["export"], 4, [2]string{"tab", "shift+tab"}},
		"ignore": {everyDialog()["ignore"], 4, [2]string{"tab", "shift+tab"}},
		"prune":  {everyDialog()["prune"], 3, [2]string{"tab", "shift+tab"}},
	} {
		for _, dir := range []int{+1, -1} {
			var s dialogStack
			d := tc.d()
			s.push(d)
			for i := range tc.n + 1 {
				if want := ((i*dir)%tc.n + tc.n) % tc.n; d.at().focus != want {
					t.Fatalf("%s: after %d steps by %d the focus is on %d, want %d", name, i, dir, d.at().focus, want)
				}
				s.update(msg.Press(tc.keys[(1-dir)/2]))
			}
		}
	}
}

// TestUpInAFieldGoesToTheOneBefore as shift-Tab does.
func TestUpInAFieldGoesToTheOneBefore(t *testing.T) {
	var s dialogStack
	d := newExport(keymap.Default(), memory.Audit{})
	s.push(d)
	for i, key := range []string{"up", "tab", "down"} {
		if s.update(msg.Press(key)); d.focus != []int{3, 0, 1}[i] {
			t.Fatalf("after %s the focus is on %d", key, d.focus)
		}
	}
}

// TestTheFormOfAReportFollowsItsNameAndBack: h, l and the arrows choose among all forms.
func TestTheFormOfAReportFollowsItsNameAndBack(t *testing.T) {
	var s dialogStack
	d := newExport(keymap.Default(), memory.Audit{})
	s.push(d)
	s.update(msg.Press("tab"))
	var names []string
	for _, key := range []string{"l", "down", "space", "h", "up"} {
		s.update(msg.Press(key))
		names = append(names, d.path.Text())
	}
	want := "winnow-audit.json winnow-audit.sarif winnow-audit.md winnow-audit.sarif winnow-audit.json"
	if got := fmt.Sprint(strings.Join(names, " ")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
