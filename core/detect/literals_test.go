package detect

import "testing"

func TestKeywordsAreLongEnough(t *testing.T) {
	for _, k := range keywords() {
		if len(k.text) < shortest || lowerASCII(k.text) != k.text {
			t.Errorf("keyword %q", k.text)
		}
	}
}

func TestKeywordsAreFoundAtEveryPlace(t *testing.T) {
	l := allLiterals()
	for _, k := range keywords() {
		for _, pad := range []string{"", "#", "##", "###"} {
			found := false
			l.each(pad+k.text, 0, len(pad+k.text), func(f *keyword, at int) bool {
				found = found || f.text == k.text && at == len(pad)
				return true
			})
			if !found {
				t.Errorf("%q behind %d bytes", k.text, len(pad))
			}
		}
	}
}
