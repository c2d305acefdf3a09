package views

import (
	"strings"
	"testing"
)

func TestTextBoxWrapsAndPlacesTheCursor(t *testing.T) {
	for _, tc := range []struct {
		text   string
		cursor int
		w, h   int
		want   string
		x, y   int
	}{
		{"", 0, 5, 3, "     ", 0, 0},
		{"hello", 5, 5, 3, "hello", 4, 0},
		{"one two", 7, 5, 3, "one  |two  ", 3, 1},
		{"one two", 3, 5, 3, "one  |two  ", 3, 0},
		{"abcdefg", 6, 3, 3, "abc|def|g  ", 0, 2},
		{"a\n\nb", 2, 3, 3, "a  |   |b  ", 0, 1},
		{"a\n\nb", 4, 3, 2, "   |b  ", 1, 1},
		{"a\tb", 2, 9, 1, "a<TAB>b  ", 6, 0},
		{"日本語", 6, 5, 2, "日本 |語   ", 0, 1},
		{"\xED\xA0\xBDx", 3, 9, 1, "<U+D83D>x", 8, 0},
		{"a\n", 2, 3, 2, "a  |   ", 0, 1},
	} {
		lines, x, y := TextBox{Text: tc.text, Cursor: tc.cursor}.show(tc.w, tc.h)
		if got := strings.Join(lines, "|"); got != tc.want || x != tc.x || y != tc.y {
			t.Errorf(
				"%q at %d in %dx%d: %q at %d,%d, want %q at %d,%d",
				tc.text,
				tc.cursor,
				tc.w,
				tc.h,
				got,
				x,
				y,
				tc.want,
				tc.x,
				tc.y,
			)
		}
	}
}

func BenchmarkTextBox(b *testing.B) {
	for name, text := range map[string]string{
		"prose": strings.Repeat("one two three ", 64<<10/14),
		"marks": "e" + strings.Repeat("\u0301", 32<<10),
		"word":  strings.Repeat("x", 64<<10),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				TextBox{Text: text, Cursor: len(text)}.show(62, 6)
			}
		})
	}
}

func FuzzTextBox(f *testing.F) {
	f.Add("one two\nthree", 3, 5, 2)
	f.Add("\xED\xA0\xBD\u202E\xff日本e\u0301\u0301\r\n", 7, 4, 1)
	f.Add("👩\u200D💻 and 🇩🇪", 2, 9, 3)
	f.Fuzz(func(t *testing.T, s string, at, w, h int) {
		w, h = min(max(w, 1), 100), min(max(h, 1), 50)
		starts, i := []int{0}, 0
		for i < len(s) {
			n := Step(s[i:])
			if n < 1 {
				t.Fatalf("no step at %d of %+q", i, s)
			}
			i += n
			starts = append(starts, i)
		}
		b := TextBox{Text: s, Cursor: starts[min(max(at, 0), len(starts)-1)]}
		lines, x, y := b.show(w, h)
		if len(lines) > h || x < 0 || x >= w || y < 0 || y >= len(lines) {
			t.Fatalf("%+q: %d lines, the cursor at %d,%d", s, len(lines), x, y)
		}
		for _, l := range lines {
			if Width(l) != w || strings.IndexFunc(l, isHiddenRune) >= 0 {
				t.Fatalf("%+q: line %q", s, l)
			}
		}
		next := 0
		for _, l := range b.lines(w) {
			if l.start != next && (l.start != next+1 || s[next] != '\n') || l.end < l.start {
				t.Fatalf("%+q: a line from %d to %d follows %d", s, l.start, l.end, next)
			}
			next = l.end
		}
		if next != len(s) {
			t.Fatalf("%+q: the lines end at %d", s, next)
		}
		for by := -2; by <= 2; by++ {
			if to := b.Vertical(w, by); to < 0 || to > len(s) {
				t.Fatalf("%+q: moved to %d", s, to)
			}
		}
	})
}
