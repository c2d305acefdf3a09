package detect

import "testing"

func TestKeywordsAreLongEnough(t *testing.T) {
	for _, k := range allKeywords() {
		if len(k.text) < minKeywordLen || lowerASCII(k.text) != k.text {
			t.Errorf("keyword %q", k.text)
		}
	}
}

func TestKeywordsAreFoundAtEveryOffset(t *testing.T) {
	l := allLiterals()
	for _, k := range allKeywords() {
		for _, pad := range []string{"", "#", "##", "###"} {
			found := false
			l.eachKeyword(pad+k.text, 0, len(pad+k.text), func(f *keyword, at int) bool {
				found = found || f.text == k.text && at == len(pad)
				return true
			})
			if !found {
				t.Errorf("%q behind %d bytes", k.text, len(pad))
			}
		}
	}
}
