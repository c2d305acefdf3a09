package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// cutTheme cuts with two dots.
var cutTheme = theme.Theme{Borders: theme.Borders{Cut: ".."}}

// texts are lines that are hard to measure.
var texts = []string{
	"", "a", "plain text of some length", "日本語のとても長い題名です", "größer als é̂n",
	"\x1b[1;31mred and bold\x1b[m and plain",
	"✅ done 🚀 🇩🇪🇫🇷 ok",
	"a   b    c",
	"नमस्ते दुनिया",
	"각 한국어",
	"e\u0301\u0302\u0303x",
	strings.Repeat("x", 300),
	"\x1b[7m日\x1b[m本",
	"   leading",
	"trailing   ",
	"กำลังทดสอบ น้ำ",
	"ab 👩🏽\u200D💻👨\u200D👩\u200D👧 c",
}

func TestWidthIsThatOfTheTerminal(t *testing.T) {
	for _, s := range texts {
		if got, want := Width(s), ansi.StringWidthWc(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCellIsExact(t *testing.T) {
	for _, s := range texts {
		for w := -1; w < 40; w++ {
			if got := ansi.StringWidthWc(Cell(cutTheme, s, w)); got != max(w, 0) {
				t.Errorf("Cell(cutTheme, %q, %d) = %q, %d cells", s, w, Cell(cutTheme, s, w), got)
			}
			if got := ansi.StringWidthWc(Right(cutTheme, s, w)); got != max(w, 0) {
				t.Errorf("Right(cutTheme, %q, %d) has %d cells", s, w, got)
			}
			if got := ansi.StringWidthWc(leftAndRight(cutTheme, s, "right", w)); got != max(w, 0) {
				t.Errorf("Sides(cutTheme, %q, %d) has %d cells", s, w, got)
			}
		}
	}
}

func TestCellSaysThatItCut(t *testing.T) {
	for _, tc := range []struct {
		in   string
		w    int
		want string
	}{
		{"hello", 5, "hello"},
		{"hello", 7, "hello  "},
		{"hello!", 5, "hel.."},
		{"hello", 2, ".."},
		{"hello", 1, "."},
		{"日本語", 5, "日.. "},
		{"日本語", 4, "日.."},
		{"\x1b[1mhello\x1b[m", 4, "\x1b[1mhe..\x1b[m"},
		{"\x1b[1mhello\x1b[m", 5, "\x1b[1mhello\x1b[m"},
	} {
		if got := Cell(cutTheme, tc.in, tc.w); got != tc.want {
			t.Errorf("Cell(cutTheme, %q, %d) = %q, want %q", tc.in, tc.w, got, tc.want)
		}
	}
}

func TestSidesKeepsWhatMatters(t *testing.T) {
	for _, tc := range []struct {
		w    int
		want string
	}{
		{12, "left   right"}, {10, "left right"}, {9, "left     "}, {6, "left  "},
	} {
		if got := leftAndRight(cutTheme, "left", "right", tc.w); got != tc.want {
			t.Errorf("width %d: %q, want %q", tc.w, got, tc.want)
		}
	}
}

func TestFillIsExact(t *testing.T) {
	for w := range 20 {
		for h := range 20 {
			assertSize(t, "fill", Fill(theme.Theme{}, texts, w, h), w, h)
		}
	}
}

func TestWrapBreaksBetweenWords(t *testing.T) {
	for _, tc := range []struct {
		in   string
		w    int
		want string
	}{
		{"", 5, ""},
		{"one two three", 8, "one two|three"},
		{"one two three", 3, "one|two|thr|ee"},
		{"one  two", 4, "one|two"},
		{"abcdefgh", 3, "abc|def|gh"},
		{"a\nb", 9, "a|b"},
		{"日本語", 4, "日本|語"},
		{"日本", 1, "日|本"},
		{"  in", 9, "  in"},
		{"exact fit", 9, "exact fit"},
		{"anything", 0, ""},
	} {
		if got := strings.Join(Wrap(tc.in, tc.w), "|"); got != tc.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tc.in, tc.w, got, tc.want)
		}
	}
}

// A flag is two letters of 🇦 to 🇿; one alone is drawn in one cell by some terminals and in two by others.
func TestHalfAFlagTakesTheCellsOfTheWiderTerminal(t *testing.T) {
	for text, want := range map[string]int{"🇩🇪": 2, "🇫": 2, "🇩🇪🇫 x": 6} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range texts {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		s, w = safe.Line(s), min(max(w, 0), 300)
		if got, least := Width(s), max(ansi.StringWidthWc(s), ansi.StringWidth(s)); got < least {
			t.Fatalf("Width(%q) = %d, but a terminal may draw %d", s, got, least)
		}
		if got := Width(Cell(cutTheme, s, w)); got != w {
			t.Fatalf("Cell(cutTheme, %q, %d) = %q, %d cells", s, w, Cell(cutTheme, s, w), got)
		}
		lines := Wrap(s, w)
		if w > 0 && squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Fatalf("Wrap(%q, %d) = %q", s, w, lines)
		}
		for _, l := range lines {
			size, whole := next(l + " ") // one character is not broken, and stands alone if it is too wide
			if got := Width(l); got > max(w, whole) || got > w && size < len(l) {
				t.Fatalf("Wrap(%q, %d) has the line %q of %d cells", s, w, l, got)
			}
		}
	})
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestAgeTakesFourCellsAtMost(t *testing.T) {
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]string{
		0: "now", 59 * time.Second: "now", 5 * time.Minute: "5m", 59*time.Minute + 59*time.Second: "59m",
		5 * time.Hour: "5h", 41 * day: "41d", 364 * day: "364d", 365 * day: "1y", 800 * day: "2y",
		-time.Hour: "+1h", -200 * day: "+1y", 1<<63 - 1: "99y", -1 << 63: "+99y",
	} {
		if got := Age(d); got != want || len(got) > 4 {
			t.Errorf("Age(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestPaneIsExact(t *testing.T) {
	for _, o := range []theme.Options{{Name: theme.Dark}, {Name: theme.Mono, ASCII: true}} {
		th := theme.New(o)
		for w := range 50 {
			for h := range 12 {
				p := pane{Title: "A title 日本", Right: "12 of 87", Lines: texts, Focused: w%2 == 0}
				assertSize(t, "pane", p.render(th, w, h), w, h)
			}
		}
	}
}

func TestPaneDrawsABox(t *testing.T) {
	p := pane{Title: "Block", Right: "3", Lines: []string{"one", "two"}}
	want := "+ Block ----- 3 +\n|one            |\n|two            |\n|               |\n+---------------+"
	if got := ansi.Strip(p.render(theme.New(theme.Options{Name: theme.Mono, ASCII: true}), 17, 5)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// assertSize fails unless out is w by h cells.
func assertSize(t *testing.T, name, out string, w, h int) {
	t.Helper()
	lines := strings.Split(out, "\n")
	if h == 0 {
		if out != "" {
			t.Fatalf("%s %dx%d: text where there is no room", name, w, h)
		}
		return
	}
	if len(lines) != h {
		t.Fatalf("%s %dx%d: %d lines", name, w, h, len(lines))
	}
	for i, l := range lines {
		if got := ansi.StringWidthWc(l); got != w {
			t.Fatalf("%s %dx%d: line %d is %d cells: %q", name, w, h, i, got, l)
		}
	}
}

// TestPlainDetailBelowTheListHasItsTitle: the first words of a lesson are there.
func TestPlainDetailBelowTheListHasItsTitle(t *testing.T) {
	v := ListDetail{
		Panes:       layout.Split(80, 20, layout.Both, 0),
		Title:       "Lessons",
		List:        []string{"one"},
		DetailTitle: "Run the tests",
		Detail:      []string{"and tell"},
	}
	text := v.Render(theme.New(theme.Options{Plain: true}))
	if !strings.Contains(text, theme.PaneStart+" Run the tests") || !strings.Contains(text, "and tell") {
		t.Errorf("%q", text)
	}
}

func BenchmarkPane(b *testing.B) {
	th := theme.New(theme.Options{Name: theme.Dark})
	lines := make([]string, 33)
	for i := range lines {
		lines[i] = " F    12    2d  41d    -   P       Fetch release notes from api and more"
	}
	b.ReportAllocs()
	for b.Loop() {
		pane{Title: "Lessons", Lines: lines}.render(th, 70, 35)
	}
}

func TestAMomentAgoIsASentence(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second:    "recalled just now",
		3 * time.Hour:  "recalled 3h ago",
		-2 * time.Hour: "recalled 2h ahead of the clock",
	} {
		v := RecordDetail{Now: testNow, Record: &memory.Record{Used: memory.Moment{Time: testNow.Add(-d)}}}
		if got := v.usedText(); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
