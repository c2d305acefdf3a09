package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

func TestHunksMarkTheWordsThatDiffer(t *testing.T) {
	for _, tc := range []struct{ name, was, now, want string }{
		{"equal", "a b c", "a b c", ""},
		{"one word", "retry it twice now", "retry it once now", "-retry it [twice ]now|+retry it [once ]now"},
		{"added", "a c", "a b c", "-a c|+a [b ]c"},
		{"removed", "a b c", "a c", "-a [b ]c|+a c"},
		{"all", "x", "y z", "-[x]|+[y z]"},
		{"from nothing", "", "y", "-|+[y]"},
		{"commas", `{"a":1,"b":2}`, `{"a":1,"b":3}`, `-{"a":1,["b":2}]|+{"a":1,["b":3}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, h := range hunks("..", tc.was, tc.now) {
				got = append(got, "-"+bracketed(h.was, h.wasSpans), "+"+bracketed(h.now, h.nowSpans))
			}
			if s := strings.Join(got, "|"); s != tc.want {
				t.Errorf("got %s, want %s", s, tc.want)
			}
		})
	}
}

func bracketed(s string, spans [][2]int) string {
	for i := len(spans) - 1; i >= 0; i-- {
		a, b := spans[i][0], spans[i][1]
		s = s[:a] + "[" + s[a:b] + "]" + s[b:]
	}
	return s
}

// TestLongTextsShowOnlyWhatIsAroundADifference: two changes far apart are two hunks,
// with dots where the text goes on.
func TestLongTextsShowOnlyWhatIsAroundADifference(t *testing.T) {
	words := strings.Fields(strings.Repeat("word ", 400))
	words[100], words[300] = "old", "old"
	was := strings.Join(words, " ")
	words[100], words[300] = "new", "newer"
	all := hunks("..", was, strings.Join(words, " "))
	if len(all) != 2 {
		t.Fatalf("%d hunks", len(all))
	}
	for _, h := range all {
		if n := len(strings.Fields(h.was)); n != 2*around+3 || !strings.HasPrefix(h.was, "..") ||
			!strings.HasSuffix(h.now, "..") {
			t.Errorf("hunk of %d words: %q", n, h.was)
		}
	}
}

// TestHugeTextsAreCompared word by word, without the square of their length in memory.
func TestHugeTextsAreCompared(t *testing.T) {
	a, b := strings.Repeat("a b ", 100000), strings.Repeat("b a ", 100000)
	all := hunks("..", "same "+a, "same "+b)
	if len(all) != 2 || !strings.HasPrefix(all[0].was, "same ") || len(all[0].wasSpans)+len(all[1].wasSpans) != 1 {
		t.Errorf("%d hunks", len(all))
	}
}

func FuzzHunks(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("", "one, two")
	f.Add("日本 語", "日本  語 \x1b")
	f.Fuzz(func(t *testing.T, was, now string) {
		was, now = safe.Line(was), safe.Line(now)
		if a, b := sides(diffWords(wordsOf(was), wordsOf(now))); a != was || b != now {
			t.Fatalf("%q and %q became %q and %q", was, now, a, b)
		}
		for _, h := range hunks("..", was, now) {
			bracketed(h.was, h.wasSpans)
			bracketed(h.now, h.nowSpans)
		}
		p := paper{t: theme.New(theme.Options{Name: theme.Dark}), w: 20}
		(diff{}).compare(&p, was, now)
		for _, l := range p.lines {
			if Width(l) > 22 || strings.Count(l, reset) == 0 && strings.Contains(l, "\x1b") {
				t.Fatalf("line %q", l)
			}
			if s := ansi.Strip(l); !strings.HasPrefix(s, "- ") && !strings.HasPrefix(s, "+ ") {
				t.Fatalf("line without a sign: %q", s)
			}
		}
	})
}

// sides joins words back to the two texts.
func sides(ops []op) (was, now string) {
	for _, o := range ops {
		if o.kind != '+' {
			was += o.word
		}
		if o.kind != '-' {
			now += o.word
		}
	}
	return was, now
}

// TestAStyleEndsWithItsLine: what is marked over a line break does not leak into the
// frame.
func TestAStyleEndsWithItsLine(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	p := paper{t: th, w: 12}
	(diff{}).compare(&p, "begin here and so on", "begin "+strings.Repeat("longer ", 9)+"on")
	for _, l := range p.lines {
		if at := strings.LastIndex(l, "\x1b["); at < 0 || l[at:at+len(reset)] != reset {
			t.Errorf("a style goes on behind %q", l)
		}
	}
}

func TestBannerIsOneLine(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	for n, want := range map[int]string{
		0: "",
		1: "1 of your changes was undone",
		2: "2 of your changes were undone by another writer - ! to look",
	} {
		if out := ansi.Strip(Banner{Undone: n, Key: "!"}.Render(th, 80)); Width(out) != 80 ||
			!strings.Contains(out, want) {
			t.Errorf("%d: %q", n, out)
		}
	}
}

func TestDetailSaysWhatWasCurated(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	v := detailOf(0, func(v *RecordDetail) { v.Undone = 2 })
	v.Record.Flags, v.Record.Similar = memory.FlagPinned|memory.FlagSimilar, append(v.Record.Similar, "b2")
	out := ansi.Strip(strings.Join(v.Lines(th, 60), "\n"))
	for _, want := range []string{
		"Another writer undid your changes 2 times",
		"pinned: in Winnow",
		"twice: says nearly",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
