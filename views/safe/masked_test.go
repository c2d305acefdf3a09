package safe

import (
	"strings"
	"testing"
)

const key = "ghp_0123456789abcdefghij0123456789abcdef"

func TestMaskedHidesSpans(t *testing.T) {
	for _, tc := range []struct {
		name   string
		in     string
		spans  [][2]int
		reveal bool
		want   string
	}{
		{"none", "a\nb", nil, false, "a<LF>b"},
		{"one", "use " + key + " now", [][2]int{{4, 4 + len(key)}}, false, "use ghp_************ now"},
		{"revealed", "use " + key, [][2]int{{4, 44}}, true, "use " + key},
		{"short keeps two", "x abcdefghijklmnop y", [][2]int{{2, 18}}, false, "x ab************ y"},
		{"shorter keeps nothing", "abcdefghijklmno", [][2]int{{0, 15}}, false, "************"},
		{"two, unordered", "aaaaaa bbbbbb", [][2]int{{7, 13}, {0, 6}}, false, "************ ************"},
		{"overlapping", "aaaaaabbbbbb!", [][2]int{{0, 8}, {4, 12}}, false, "************!"},
		{"inside another", "aaaaaabbbbbb!", [][2]int{{0, 12}, {4, 6}}, false, "************!"},
		{"outside", "abcdef", [][2]int{{-5, 3}, {5, 99}, {50, 60}}, false, "************de************"},
		{"empty and inverted", "abcdef", [][2]int{{2, 2}, {4, 3}}, false, "abcdef"},
		{"hidden characters in it", strings.Repeat("\x1b\n", 8), [][2]int{{0, 16}}, false, "<ESC><LF>************"},
		{
			"cuts a character",
			"日本語" + strings.Repeat("x", 16),
			[][2]int{{1, 25}},
			false,
			"<0xE6><0x97><0xA5>************",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Masked(tc.in, tc.spans, tc.reveal); got != tc.want {
				t.Errorf("got %+q, want %+q", got, tc.want)
			}
		})
	}
}

func TestNoMoreThanAThirdOfASecretIsShown(t *testing.T) {
	for n := range 60 {
		secret := strings.Repeat("k", n)
		got := strings.Count(Masked("use "+secret+"!", [][2]int{{4, 4 + n}}, false), "k")
		if got > 4 || got > n/3 {
			t.Errorf("%d characters of %d are shown", got, n)
		}
	}
}

func TestHideChangesNothingElse(t *testing.T) {
	in := "a\n\u202E" + key + "\x1b\xED\xA0\x80"
	want := "a\n\u202Eghp_************\x1b\xED\xA0\x80"
	if got := Hide(in, [][2]int{{5, 5 + len(key)}}); got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
}

func FuzzMasked(f *testing.F) {
	f.Add("use "+key+" now", 4, 44, 10, 12)
	f.Fuzz(func(t *testing.T, s string, a, b, c, d int) {
		got := Masked(s, [][2]int{{a, b}, {c, d}}, false)
		if again := Line(got); again != got {
			t.Fatalf("Masked(%+q) = %+q is not safe: %+q", s, got, again)
		}
		if again := Line(Hide(s, nil)); again != Line(s) {
			t.Fatalf("Hide without spans changed %+q", s)
		}
	})
}

func TestASecretShowsItsFirstCharactersOnly(t *testing.T) {
	const body = "0123456789abcdefghijABCDEFGHIJ012345"
	for secret, want := range map[string]string{
		"":                            "",
		"x":                           stars,
		"hunter2!hunter2":             stars,
		"hunter2!hunter2!":            "hu" + stars + " (16 chars)",
		"ghp_" + body:                 "ghp_" + stars + " (40 chars)",
		"pässword-of-many-characters": "päss" + stars + " (27 chars)",
	} {
		if got := Secret(secret); got != want {
			t.Errorf("%q: got %q, want %q", secret, got, want)
		}
	}
}
