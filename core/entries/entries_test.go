package entries

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestFileIsSplitUpToANumberOfEntries(t *testing.T) {
	delimiter := regexp.MustCompile("\n\n")
	f := &Form{Delimiters: func() *regexp.Regexp { return delimiter }, Sign: "\n\n", Trim: strings.TrimSpace}
	for text, wantMore := range map[string]bool{"a\n\nb": false, "a\n\nb\n\n \n\n": false, "a\n\nb\n\nc": true} {
		n, more := f.splitMost(text, 2)
		if got := n.Raws(); !slices.Equal(got, []string{"a", "b"}) || more != wantMore {
			t.Errorf("%q is split into %q, more %t", text, got, more)
		}
	}
}
