package views

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/views/theme"
)

// weeksOf is a row whose newest weeks are these; nothing is known of those before.
func weeksOf(name string, counts ...int) activity.Row {
	r := activity.Row{
		Name:   name,
		Counts: append(slices.Repeat([]int{activity.Unknown}, activity.Weeks-len(counts)), counts...),
	}
	for _, n := range counts {
		r.Total += max(n, 0)
	}
	return r
}

func activityOf(title string) Activity {
	return Activity{activity.Store{
		From: testNow.AddDate(0, 0, -7*(activity.Weeks-1)),
		Noun: memory.Noun{One: "lesson", Many: "lessons"},
		Rows: []activity.Row{
			weeksOf("learnt", 1, 0, 2, 3, 8, 5, 4, 0, 0, 1, 1, 3, 2, 7), weeksOf("recalled", 2, -1, -1, 30, 12, 1, 0),
			weeksOf("removed"), weeksOf("changed", 4),
		},
		Outcomes:   []activity.Row{weeksOf("succeeded", 1, 2, 3, 4), weeksOf("failed", 4, 0, 0, 1)},
		OutcomesOf: "lessons by when they were learnt",
		Fill:       activity.Fill{Text: "84 of 100; +2.5 a week over the last 56 days: full about 2026-05-04 at this rate"},
		Notes: []string{
			"the day of 147 recalls is unknown: only the number is stored",
			"what others removed or changed is known only while Winnow was running",
		},
	}}
}

func timelineOf(title string) Timeline {
	return Timeline{
		Names: map[memory.SystemID]string{"karnevil9": "KarnEvil9"}, Cursor: 2,
		Timeline: activity.Timeline{
			Record: "7f3c", Title: title, From: testNow.AddDate(0, 0, -7*(activity.Weeks-1)), Weeks: weeksOf("recalled", 1, 2, -1, 0, 7), Recalled: 14, Sessions: 2,
			Events: []activity.Event{
				{
					At:      testNow.AddDate(0, 0, -70),
					Kind:    activity.Learnt,
					Agent:   "karnevil9",
					Session: "937f862b-7f3c-4a10",
					State:   "failed",
				},
				{At: testNow.AddDate(0, 0, -60), Kind: activity.Recalled, Times: 2, Who: memory.Others, Entry: "3"},
				{At: testNow.AddDate(0, 0, -20), Kind: activity.Edited, Who: memory.You, Entry: "4", Detail: `"token" -> "` + title + `"`},
				{
					At:     testNow.AddDate(0, 0, -19),
					Kind:   activity.Returned,
					Who:    memory.Guard,
					Entry:  "5",
					Detail: "reapply",
				},
				{Kind: activity.Pinned, Who: memory.You, Entry: "6"},
			},
			Notes: []string{"the day of 4 recalls is unknown"},
		},
	}
}

// testMask hides a token of GitHub.
func testMask(s string) string {
	return strings.ReplaceAll(s, "ghp_0123456789abcdefghijABCDEFGHIJ012345", "[REDACTED]")
}

// printed draws lines as a command prints them.
func printed(lines func(Look, int) []string) func(theme.Theme, int, int) string {
	return func(t theme.Theme, w, h int) string {
		return Fill(theme.Theme{}, lines(Look{Theme: t, Now: testNow, Mask: testMask}, w), w, h)
	}
}

func activityScreens(title string) map[string]screen {
	none := Activity{
		activity.Store{
			From: testNow,
			Rows: []activity.Row{weeksOf("learnt"), weeksOf("recalled")},
			Fill: activity.Fill{Text: "0 records; the store has no cap"},
		},
	}
	ascii := func(t theme.Theme, w, h int) string {
		t.Borders = theme.New(theme.Options{ASCII: true}).Borders
		return printed(activityOf(title).Lines)(t, w, h)
	}
	plain := func(_ theme.Theme, w, h int) string {
		return printed(activityOf(title).Lines)(theme.New(theme.Options{Plain: true}), w, h)
	}
	return map[string]screen{
		"activity-plain": {h: 22, render: plain},
		"activity":       box(30, drawn(activityOf(title).Dialog)),
		"activity-lines": {h: 26, render: printed(activityOf(title).Lines)},
		"activity-ascii": {h: 26, render: ascii},
		"activity-none":  {h: 10, render: printed(none.Lines)},
		"timeline":       box(20, drawn(timelineOf(title).Dialog)),
		"timeline-lines": {h: 14, render: printed(timelineOf(title).Lines)},
		"timeline-none": box(20,
			drawn(
				Timeline{
					Timeline: activity.Timeline{Record: "a", Weeks: weeksOf("recalled"), Recalled: activity.Unknown},
				}.Dialog,
			)),
	}
}

// TestWeekThatIsNotKnownIsABlank: it is neither a bar nor the line that is drawn for none.
func TestWeekThatIsNotKnownIsABlank(t *testing.T) {
	for ascii, want := range map[bool]string{false: " ▁▂█▅", true: " .:#+"} {
		th := theme.New(theme.Options{ASCII: ascii})
		if got := bars(th, []int{activity.Unknown, 0, 1, 9, 5}, 5); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := bars(th, []int{3, activity.Unknown, 9},
			2); got != want[:1]+th.Borders.Heights[len(th.Borders.Heights)-1] {
			t.Errorf("the newest two are %q", got)
		}
	}
	for plain, want := range map[bool]string{false: "removed ? ?", true: "removed: not known"} {
		p := paper{t: theme.New(theme.Options{Name: theme.Mono, Plain: plain}), w: 80}
		plot(&p, 12, weeksOf("removed"))
		if row := ansi.Strip(strings.Join(p.lines, " ")); strings.Join(strings.Fields(row), " ") != want {
			t.Errorf("what nobody knows is %q", row)
		}
	}
}

func FuzzDrawing(f *testing.F) {
	f.Add("<script>alert(1)</script>]]>&amp;\x1b[2J\u202e\xff\uffff\ufffe")
	f.Add(`" onload="x ghp_0123456789abcdefghijABCDEFGHIJ012345`)
	f.Fuzz(func(t *testing.T, title string) {
		for _, w := range []int{20, 60, 80, 200} {
			for _, s := range activityScreens(title) {
				for line := range strings.Lines(s.render(theme.Theme{Borders: theme.New(theme.Options{}).Borders}, w,
					s.h)) {
					if got := Width(strings.TrimSuffix(line, "\n")); got > w {
						t.Fatalf("%d cells in %d: %q", got, w, line)
					}
				}
			}
		}
	})
}
