package safe

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// lines are texts with what is to be shown of them.
var lines = []struct{ name, in, want string }{
	{"empty", "", ""},
	{"plain", "Run the tests <again>", "Run the tests <again>"},
	{"line break", "a\nb\r\nc", "a<LF>b<CR><LF>c"},
	{"tab", "a\tb", "a<TAB>b"},
	{"nul and del", "\x00\x7f", "<NUL><DEL>"},
	{"clipboard", "\x1b]52;c;aGk=\x07", "<ESC>]52;c;aGk=<BEL>"},
	{"c1 as a character", "\u009b31m", "<U+009B>31m"},
	{"c1 as a byte", "\x9b31m", "<0x9B>31m"},
	{"bidi", "a\u202Eb\u2066c", "a<U+202E>b<U+2066>c"},
	{"zero width", "a\u200Bb\u200Dc\u2060d\uFEFFe", "a<U+200B>b<U+200D>c<U+2060>d<U+FEFF>e"},
	{"tags", "a\U000E0041", "a<U+E0041>"},
	{"soft hyphen", "co\u00ADop", "co<U+00AD>op"},
	{"spaces", "a\u00A0b\u2003c\u3000d", "a<NBSP>b<U+2003>c\u3000d"},
	{"separators", "a\u2028b\u2029c", "a<U+2028>b<U+2029>c"},
	{"lone surrogate", "a\xED\xA0\xBDb", "a<U+D83D>b"},
	{"two lone surrogates", "\xED\xB8\x80\xED\xA0\x80", "<U+DE00><U+D800>"},
	{"overlong", "\xC0\x80", "<0xC0><0x80>"},
	{"cut off", "a\xE2\x82", "a<0xE2><0x82>"},
	{"replacement character", "a\uFFFDb", "a\uFFFDb"},
	{"accents", "café über ñ Å", "café über ñ Å"},
	{"accents apart", "cafe\u0301 vie\u0323\u0302t", "cafe\u0301 vie\u0323\u0302t"},
	{"scripts", "日本語 한국어 русский עברית العربية हिन्दी ไทย", "日本語 한국어 русский עברית العربية हिन्दी ไทย"},
	{"emoji", "done ✅ 🚀 🇩🇪", "done ✅ 🚀 🇩🇪"},
	{"joined emoji", "👩\u200D💻", "👩\u200D💻"},
	{"joined family", "👩🏽\u200D❤\uFE0F\u200D👨", "👩🏽\u200D❤\uFE0F\u200D👨"},
	{"emoji style", "⚠\uFE0F", "⚠\uFE0F"},
	{"keycap", "1\uFE0F\u20E3 1\uFE0F", "1\uFE0F\u20E3 1<U+FE0F>"},
	{"skin tone", "👍\U0001F3FD", "👍\U0001F3FD"},
	{"conjunct", "क्\u200Dष", "क्\u200Dष"},
	{"Persian", "می\u200Cخواهم", "می\u200Cخواهم"},
	{"joiners that join nothing", "👩\u200D a\U0001F3FD\uFE0F क\u200Da", "👩<U+200D> a<U+1F3FD><U+FE0F> क<U+200D>a"},
	{"joiners in a row", "क्\u200D\u200Dष", "क्<U+200D><U+200D>ष"},
	{"styles in a row", "⚠\uFE0F\uFE0F", "⚠\uFE0F<U+FE0F>"},
	{"smuggled selectors", "a\U000E0100\U000E0101", "a<U+E0100><U+E0101>"},
	{"marks without a letter", "\u0301a", "<U+0301>a"},
	{"marks after a token", "\n\u0301", "<LF><U+0301>"},
	{"mark flood", "z\u0300\u0301\u0302\u0303\u0304\u0305", "z\u0300\u0301\u0302\u0303<U+0304><U+0305>"},
	{
		"wide mark flood",
		strings.Repeat("\u0903", 2) + "क" + strings.Repeat("\u0903", 5),
		"<U+0903><U+0903>क" + strings.Repeat("\u0903", 4) + "<U+0903>",
	},
	{"hangul apart", "\u1112\u1161\u11AB", "\u1112\u1161\u11AB"},
	{"hangul vowel alone", " \u200B\u1161", " <U+200B><U+1161>"},
	{"fillers", "a\u3164\u115F\uFFA0\u2800", "a<U+3164><U+115F><U+FFA0><U+2800>"},
	{"private and unassigned", "\uE0A0\U0010FFFF\u0378", "<U+E0A0><U+10FFFF><U+0378>"},
}

func TestLineShowsWhatIsHidden(t *testing.T) {
	for _, tc := range lines {
		t.Run(tc.name, func(t *testing.T) {
			if got := Line(tc.in); got != tc.want {
				t.Errorf("Line(%+q) = %+q, want %+q", tc.in, got, tc.want)
			}
		})
	}
}

// payloads are the ways known to reach a terminal with stored text.
var payloads = []string{
	"\x1b]52;c;ZXZpbA==\x07", "\x1b]52;c;ZXZpbA==\x1b\\", "\x1b]0;title\x07", "\x1b]2;title\x1b\\",
	"\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "\x1bP$q\"p\x1b\\", "\x1bP1000p%output\x1b\\", "\x1bc",
	"\u009b2J", "\x9b2J", "\u009d52;c;ZXZpbA==\u009c", "safe\b\b\b\bevil", "safe\revil", "\x1b[2J\x1b[H",
	"\x1b[?1049l", "\x1b[31mred", "\u202Elive\u202C", "pass\u200Bword", "\U000E0069\U000E0067", "\x07\x0e\x0f",
	"\x1b_Ga=T\x1b\\",
}

func TestPayloadsLoseTheirBytes(t *testing.T) {
	for _, p := range payloads {
		got := Line(p)
		if got == p {
			t.Errorf("Line(%+q) is unchanged", p)
		}
		if got != ansi.Strip(got) {
			t.Errorf("Line(%+q) = %+q still holds a sequence", p, got)
		}
		check(t, p)
	}
}

// TestShownCharactersTakeCells holds the tables to the terminal's view: what is
// not a mark and not a token must be at least one cell wide.
func TestShownCharactersTakeCells(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || IsHidden(r) || isMark(r) {
			continue
		}
		if w := ansi.StringWidthWc(string(r)); w < 1 || w > 2 {
			t.Errorf("U+%04X is %d cells wide", r, w)
		}
	}
}

func TestEveryCharacterIsSafe(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) {
			check(t, "a"+string(r)+"b")
		}
	}
}

func TestPlainTextIsNotCopied(t *testing.T) {
	for _, s := range []string{strings.Repeat("plain text ", 50), strings.Repeat("größer 日本 ", 50)} {
		if n := testing.AllocsPerRun(100, func() { Line(s) }); n != 0 {
			t.Errorf("Line(%.20q) allocates %v times", s, n)
		}
	}
}

// check fails unless Line(s) keeps its promises.
func check(t *testing.T, s string) {
	t.Helper()
	got := Line(s)
	if !utf8.ValidString(got) {
		t.Fatalf("Line(%+q) is not UTF-8: %+q", s, got)
	}
	before := rune(0)
	for i, r := range got {
		joined := joins(before, r, got[i+utf8.RuneLen(r):])
		before = r
		if IsHidden(r) && !joined || r < 0x20 || r >= 0x7f && r < 0xa0 {
			t.Fatalf("Line(%+q) shows U+%04X at byte %d", s, r, i)
		}
	}
	if again := Line(got); again != got {
		t.Fatalf("Line of %+q is %+q, and of that %+q", s, got, again)
	}
	if len(got) > 6*len(s) {
		t.Fatalf("Line made %d bytes of %d", len(got), len(s))
	}
}

func FuzzLine(f *testing.F) {
	for _, tc := range lines {
		f.Add(tc.in)
	}
	for _, p := range payloads {
		f.Add(p)
	}
	f.Fuzz(check)
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{
		"plain":   strings.Repeat("Completed using edit. ", 20),
		"accents": strings.Repeat("größere Tests für ", 20),
		"hostile": strings.Repeat("a\x1b[31m\u202E\n", 20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Line(s)
			}
		})
	}
}

func TestJoinersAreKeptInScriptsThatNeedThem(t *testing.T) {
	for r, want := range map[rune]bool{
		'\u0620': true, '\u07fa': true, '\u0800': false, // Arabic to N'Ko, Samaritan
		'\u0900': true, '\u0d7f': true, '\u0e01': false, // Devanagari to Malayalam, Thai
		'\u0600': false, '\u0660': false, 'a': false, // a sign, a digit, Latin
	} {
		if got := isJoined(r); got != want {
			t.Errorf("isJoined(%q) = %t", r, got)
		}
	}
}
