package jstext

import (
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// TestLocaleCompareAgreesWithICUOrder compares with another implementation of the
// same order: on strings that differ little, as these tell the levels apart.
// With WINNOW_LONG set, as .ci/run has it, there are ten times as many.
func TestLocaleCompareAgreesWithICUOrder(t *testing.T) {
	times := 1
	if os.Getenv("WINNOW_LONG") != "" {
		times = 10
	}
	ascii, latin := make([]rune, 0x80), []rune{0xFEFF}
	for i := range ascii {
		ascii[i] = rune(i)
	}
	for r := rune(0); r < 0x100; r++ {
		latin = append(latin, r)
	}
	for i := range rune(len(accents)) {
		latin = append(latin, firstAccent+i, firstAccent+i)
	}
	few := []rune("aA eElL·-_1½æÆßøðāżŐǭ\u0301\u0327\u0300\u0338\x00")
	for name, c := range map[string]struct {
		from []rune
		n    int
	}{"ASCII": {ascii, 100_000}, "Latin-1": {latin, 20_000}, "few": {few, 20_000}} {
		t.Run(name, func(t *testing.T) {
			other := collate.New(language.Und)
			random := rand.New(rand.NewPCG(1, 2))
			text := func() string {
				out := make([]rune, random.IntN(7))
				for i := range out {
					out[i] = c.from[random.IntN(len(c.from))]
				}
				return string(out)
			}
			for range c.n * times {
				same := text()
				a, b := same+text(), same+text()
				if got, want := LocaleCompare(a, b), other.CompareString(a, b); got != want {
					t.Fatalf("%+q, %+q: got %d, want %d", a, b, got, want)
				}
			}
		})
	}
}

func TestOtherCharactersComeLast(t *testing.T) {
	for _, r := range "ħαя日😀" {
		for _, before := range []string{"", "z", "þ", "µ", "Ź", "Z\u0301"} {
			if LocaleCompare(before, string(r)) != -1 || LocaleCompare(string(r), before) != 1 {
				t.Errorf("%q is not after %q", r, before)
			}
		}
	}
	if LocaleCompare("日", "😀") != -1 || LocaleCompare("\xed\xa0\xbd", "日") != 1 {
		t.Error("not by code point")
	}
}
